//! `--dump-classes`: the class files of all classes a run has loaded.

use super::config::Config;
use super::tool::{ProgramRun, Tool, ToolFailure};
use crate::file_error::FileError;
use crate::messages;
use rjvm_vm::Vm;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The class files.
pub struct Dump;

impl Tool for Dump {
    fn name(&self) -> &'static str {
        "the class files"
    }
    fn prepare(&mut self, config: &mut Config) -> Result<(), ToolFailure> {
        match &config.dump_classes {
            Some(dir) => prepare(dir),
            None => Ok(()),
        }
    }
    fn finish(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> bool {
        let Some(dir) = &run.config.dump_classes else {
            return true;
        };
        let written = write(vm, dir);
        if let Err(problem) = &written {
            messages::error(&problem);
        }
        written.is_ok()
    }
}

/// Makes the folder, so that it is known before the program runs whether that can be done.
fn prepare(dir: &Path) -> Result<(), ToolFailure> {
    std::fs::create_dir_all(dir).map_err(|e| message(dir, e))
}

/// Writes each class to `<loader>/<name>.class`: loaders of the JDK by their names, others as
/// `loader-N` in the order in which they first came up. Hidden classes have a number in their names.
fn write(vm: &mut Vm, dir: &Path) -> Result<(), ToolFailure> {
    let mut loaders: BTreeMap<u32, String> = BTreeMap::new();
    let files = vm.take_class_files();
    for file in &files {
        let folder = loaders.entry(file.serial).or_insert_with(|| {
            // the number may be another loader's by now
            let there = vm.loader_serial(file.loader) == file.serial;
            let text = match there {
                true => vm.loader_name(file.loader),
                false => String::new(),
            };
            match text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')) {
                Some(name @ ("bootstrap" | "platform" | "app")) => name.to_string(),
                _ => format!("loader-{}", file.serial),
            }
        });
        let path = dir.join(&*folder).join(format!("{}.class", file.name));
        let parent = path.parent().unwrap_or(dir);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, &file.bytes))
            .map_err(|e| message(&path, e))?;
    }
    Ok(())
}

fn message(path: &Path, e: io::Error) -> ToolFailure {
    ToolFailure::of(
        "--dump-classes",
        &FileError::doing(path, "cannot write: ")(e),
    )
}

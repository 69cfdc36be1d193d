//! `--probe` and its companions: questions about the running program, answered at its end.

use super::config::{Config, Task};
use super::option::Problem;
use super::outputs;
use crate::probes::Probes;
use rjvm_probes::{Limits, Script, Source};
use rjvm_vm::Vm;
use std::io::Write;
use std::path::PathBuf;

/// What is asked, and where the answers go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    sources: Vec<Source>,
    outputs: Vec<PathBuf>,
    limits: Limits,
}

/// `--probe`
pub fn add(c: &mut Config, text: &str) -> Result<(), Problem> {
    if text == "help" {
        c.task = Task::ProbeHelp;
        return Ok(());
    }
    c.probes.sources.push(Source::new("--probe", text));
    Ok(())
}

/// `--probe-file`
pub fn add_file(c: &mut Config, path: &str) -> Result<(), Problem> {
    let read = std::fs::read(path).map(String::from_utf8);
    let text = match read {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => {
            return Err(Problem::Own(format!(
                "--probe-file={path}: this is no text in UTF-8"
            )));
        }
        Err(e) => return Err(Problem::Own(format!("--probe-file={path}: {e}"))),
    };
    c.probes.sources.push(Source::new(path, text));
    Ok(())
}

/// `--probe-output`
pub fn set_output(c: &mut Config, path: &str) -> Result<(), Problem> {
    if path.is_empty() {
        return Err(Problem::Own(
            "--probe-output: the name of a file is expected".into(),
        ));
    }
    c.probes.outputs.push(path.into());
    Ok(())
}

/// `--probe-limits`
pub fn set_limits(c: &mut Config, text: &str) -> Result<(), Problem> {
    let set = c.probes.limits.set(text);
    set.map_err(|e| Problem::Own(format!("--probe-limits={text}: {e}")))
}

/// Probes of a run.
pub struct Running {
    probes: Probes,
}

/// Reads the probes. `None`: there are none.
///
/// # Errors
/// What is wrong with one.
pub fn read(config: &Config) -> Result<Option<Running>, String> {
    let asked = &config.probes;
    if asked.sources.is_empty() || config.task != Task::Run {
        return Ok(None);
    }
    let script = Script::compile(&asked.sources, asked.limits).map_err(|e| e.to_string())?;
    let to_file = asked.outputs.iter().any(|path| !is_json(path));
    let probes = match to_file {
        true => Probes::collecting(script),
        false => Probes::new(
            script,
            Box::new(|text| {
                // if nobody reads it, the program goes on all the same
                let _ = std::io::stderr().write_all(text.as_bytes());
            }),
        ),
    };
    Ok(Some(Running { probes }))
}

fn is_json(path: &std::path::Path) -> bool {
    path.extension().is_some_and(|e| e == "json")
}

impl Running {
    /// Places the probes.
    pub fn place(&self, vm: &mut Vm) {
        self.probes.place(vm);
    }

    /// Has one of them ended the program?
    pub fn have_stopped(&self) -> bool {
        self.probes.stopped().is_some()
    }

    /// The program is over: `END`, then what has been found out. False if it could not be written.
    pub fn finish(&self, vm: &mut Vm, config: &Config) -> bool {
        self.probes.end(vm);
        if let Some(place) = self.probes.stopped()
            && !config.quiet
        {
            eprintln!(
                "rjvm note: {place}: stop() after {} bytecodes",
                vm.bytecodes_now()
            );
        }
        let text = self.probes.text(vm);
        let outputs = &config.probes.outputs;
        if outputs.is_empty() {
            eprint!("{text}");
            return true;
        }
        let mut good = true;
        for path in outputs {
            let content = match is_json(path) {
                true => format!("{:#}\n", self.probes.json(vm)),
                false => text.clone(),
            };
            let (path, said) = outputs::target(config, path);
            if let Some(said) = said {
                eprintln!("rjvm note: {said}; see {}", path.display());
            }
            if let Err(e) = std::fs::write(&path, content) {
                eprintln!(
                    "Error: {}: the results of probes can't be written: {e}",
                    path.display()
                );
                good = false;
            }
        }
        good
    }
}

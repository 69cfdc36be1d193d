//! The files that profiles and samples are to be written to: before the program runs, their names are
//! made, and it is known whether they can be written; afterwards no VM takes the file of another.

use super::config::{Config, LaunchTask};
use super::names::{EarlierFile, named, numbered, reserve, stamp, time_text};
use super::tool::{Tool, ToolFailure};
use rjvm_profiler::export::Output;
use std::fs;
use std::path::{Path, PathBuf};

/// The names of all files that are written.
pub struct Names;

impl Tool for Names {
    fn name(&self) -> &'static str {
        "the names of files"
    }
    fn prepare(&mut self, config: &mut Config) -> Result<(), ToolFailure> {
        match config.task {
            LaunchTask::Run => prepare(config),
            _ => Ok(()),
        }
    }
}

/// Makes the names of the files, and says what is wrong with one that is to be written, if anything.
///
/// In a name `%p` is the number of the process, `%t` the time (UTC) at which it began, `%n` the smallest
/// number from 1 on for which there is no file yet, and `%%` a percent sign.
fn prepare(config: &mut Config) -> Result<(), ToolFailure> {
    let began = time_text(std::time::SystemTime::now());
    let profiles = config.outputs.iter_mut().chain(&mut config.sample_outputs);
    let profiles = profiles.map(|output| (output.is_stdout(), &mut output.path, "profile"));
    let log = config.sample_log.iter_mut();
    let recordings = config.flight_recordings.iter_mut();
    let recordings = recordings.filter_map(|r| Some((false, r.file.as_mut()?, "recording")));
    let log = log.map(|path| (false, path, "samples"));
    let files = profiles.chain(log).chain(recordings);
    let mut done: Vec<PathBuf> = Vec::new();
    for (stdout, path, what) in files {
        let refused = |path: &Path, problem: &dyn std::fmt::Display| {
            let text = format!("cannot write the {what}: {problem}");
            Err(ToolFailure::of(&path.display().to_string(), &text))
        };
        *path = match named(path, &began) {
            Ok(name) => name,
            Err(problem) => return refused(path, &problem),
        };
        if done.contains(path) {
            return refused(path, &"two outputs have this file");
        }
        if stdout {
            done.push(path.clone());
            continue;
        }
        if path.is_dir() {
            return refused(path, &"it is a folder");
        }
        if let Some(folder) = path.parent()
            && missing(folder)
        {
            return refused(
                path,
                &format_args!("the folder {} does not exist", folder.display()),
            );
        }
        if config.outputs_are_shared
            && let Some(stamp) = fs::metadata(&*path).ok().filter(fs::Metadata::is_file)
            && stamp.len() > 0
        {
            *path = reserve(|n| Some(numbered(path, n + 1)))
                .map_err(|e| ToolFailure::from(e.to_string()))?;
        }
        done.push(path.clone());
    }
    let before = done.into_iter().map(|path| EarlierFile {
        stamp: stamp(&path),
        path,
    });
    config.before = before.collect();
    Ok(())
}

/// The path where a file is written now, and a message about it. A file that another process has written
/// since the run began stays as it is.
pub fn target(config: &Config, path: &Path) -> (PathBuf, Option<String>) {
    let before = config
        .before
        .iter()
        .find(|b| b.path == path)
        .and_then(|b| b.stamp);
    let now = stamp(path);
    if now.is_none() || now == before {
        return (path.to_path_buf(), None);
    }
    let reserved = reserve(|n| Some(numbered(path, n + 1)));
    match reserved {
        Ok(other) => {
            let message = format!(
                "{} was written by another process while this program ran, so rjvm does not replace it",
                path.display()
            );
            (other, Some(message))
        }
        Err(_) => (path.to_path_buf(), None),
    }
}

/// The same of an output.
pub fn output(config: &Config, output: &Output) -> (Output, Option<String>) {
    if output.is_stdout() {
        return (output.clone(), None);
    }
    let (path, message) = target(config, &output.path);
    let format = output.format;
    (Output { format, path }, message)
}

/// The path for a snapshot of a later file: `x.1.rjp`, `x.2.rjp` for `x.rjp`.
pub fn snapshot(path: &Path) -> PathBuf {
    reserve(|n| Some(numbered(path, n))).unwrap_or_else(|_| numbered(path, 1))
}

/// Was there something else in the file when the run began?
pub fn replaces(config: &Config, path: &Path) -> bool {
    let before = config
        .before
        .iter()
        .find(|b| b.path == path)
        .and_then(|b| b.stamp);
    before.is_some_and(|(_, _, length, ..)| length > 0)
}

fn missing(folder: &Path) -> bool {
    !folder.as_os_str().is_empty() && !folder.is_dir()
}

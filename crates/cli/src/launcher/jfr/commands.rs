//! `jcmd PID JFR.start`, `JFR.check`, `JFR.dump` and `JFR.stop`, with HotSpot's answers.

use super::error::RecordingError;
use super::options::{RequestedRecording, pairs};
use super::recorder::{RecordingState, Times};
use super::recordings::{JfrRecording, Recordings};
use super::settings::nanos;
use super::store::StoreLimits;
use crate::launcher::config::Config;
use crate::launcher::sizes::size as bytes;
use rjvm_vm::Vm;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// `JFR.start`
pub fn start(vm: &mut Vm, config: &Config, words: &str) -> Result<String, RecordingError> {
    let mut wanted = RequestedRecording::read(pairs(words))?;
    if wanted.at_exit && wanted.file.is_none() {
        wanted.file = Some(file_name(vm).into());
    }
    if let Some(file) = &wanted.file {
        can_be_written(file)?;
    }
    let limited = wanted.duration.is_some();
    let unreported = !(limited || words.contains("maxsize=") || words.contains("maxage="));
    let file = wanted.file.clone();
    let name = wanted.name.clone();
    let (number, notes) = super::begin(vm, config, wanted)?;
    let name = name.unwrap_or_else(|| number.to_string());
    let mut out = String::new();
    for note in notes {
        let _ = writeln!(out, "{note}");
    }
    let _ = write!(out, "Started recording {number}.");
    if unreported {
        out.push_str(" No limit specified, using maxsize=250MB as default.");
    }
    let has_file = file.is_some();
    match file.filter(|_| limited) {
        Some(file) => {
            let _ = write!(
                out,
                " The result will be written to:\n\n{}\n",
                file.display()
            );
        }
        None => {
            let pid = vm.rooms().host.processes().own_id();
            let place = match has_file {
                true => "",
                false => " filename=FILEPATH",
            };
            let _ = write!(
                out,
                "\n\nUse jcmd {pid} JFR.dump name={name}{place} to copy recording data to file.\n"
            );
        }
    }
    Ok(out)
}

fn file_name(vm: &mut Vm) -> String {
    let pid = vm.rooms().host.processes().own_id();
    let (seconds, _) = vm.wall_clock();
    format!("rjvm-pid-{pid}-{seconds}.jfr")
}

fn can_be_written(file: &Path) -> Result<(), RecordingError> {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
    match folder {
        _ if file.is_dir() => Err(RecordingError::Folder(file.into())),
        Some(folder) if !folder.is_dir() => Err(RecordingError::NoFolder(file.into())),
        _ => Ok(()),
    }
}

impl Recordings {
    /// Does something with the recording of a name or number; the only one there is, by default.
    fn with<T>(
        &self,
        name: Option<&str>,
        f: impl FnOnce(&mut JfrRecording) -> Result<T, RecordingError>,
    ) -> Result<T, RecordingError> {
        let mut all = self.lock();
        let found = match name {
            Some(name) => {
                let is = |r: &&mut JfrRecording| r.name == name || r.number.to_string() == name;
                let found = all.list.iter_mut().find(is);
                found.ok_or_else(|| RecordingError::Unknown(name.into()))?
            }
            None => match all.list.as_mut_slice() {
                [] => return Err(RecordingError::None),
                [only] => only,
                _ => return Err(RecordingError::Several),
            },
        };
        f(found)
    }
}

/// `JFR.check`
pub fn check(config: &Config, name: Option<&str>, verbose: bool) -> Result<String, RecordingError> {
    let all = config.recordings.lock();
    let is =
        |r: &&JfrRecording| name.is_none_or(|name| r.name == name || r.number.to_string() == name);
    let mut out = String::new();
    for r in all.list.iter().filter(is) {
        let recorder = r.shared.lock();
        let _ = write!(out, "Recording {}: name={}", r.number, r.name);
        if let Some(n) = r.wanted.duration {
            let _ = write!(out, " duration={}s", n / 1_000_000_000);
        }
        if let Some(n) = r.wanted.max_size {
            let _ = match n % (1 << 20) {
                0 => write!(out, " maxsize={}.0MB", n >> 20),
                _ => write!(out, " maxsize={n}B"),
            };
        }
        if let Some(n) = r.wanted.max_age {
            let _ = write!(out, " maxage={}s", n / 1_000_000_000);
        }
        let state = match recorder.state {
            RecordingState::Delayed => "delayed",
            RecordingState::Running => "running",
            RecordingState::Stopped => "stopped",
        };
        let _ = writeln!(out, " ({state})");
        if verbose {
            let _ = writeln!(out, "\n {} bytes so far", recorder.size());
            for (kind, setting, value) in recorder.settings.list() {
                let event = rjvm_jfr::EVENTS[kind as usize].name;
                let _ = writeln!(out, " {event}#{setting}={value}");
            }
        }
    }
    match (out.is_empty(), name) {
        (false, _) => Ok(out),
        (true, Some(name)) => Err(RecordingError::Unknown(name.into())),
        (true, None) => {
            Ok("No available recordings.\n\nUse JFR.start to start a recording.\n".to_owned())
        }
    }
}

/// `JFR.dump`
pub fn dump(
    vm: &mut Vm,
    config: &Config,
    name: Option<&str>,
    file: Option<&str>,
    (age, size): (Option<&str>, Option<&str>),
) -> Result<String, RecordingError> {
    let wrong = |key, value: &str| RecordingError::Dump(key, value.into());
    let age = age.map(|v| nanos(v).ok_or_else(|| wrong("maxage", v)));
    let size = size.map(|v| bytes(v).ok_or_else(|| wrong("maxsize", v)));
    let (age, size) = (age.transpose()?, size.transpose()?);
    let given = age.is_some() || size.is_some();
    let limits = given.then_some(StoreLimits { size, age });
    let unnamed = file_name(vm);
    config.recordings.with(name, |r| {
        r.report_time(vm);
        let file = match (file, &r.wanted.file) {
            (Some(file), _) => PathBuf::from(file),
            (None, Some(file)) => file.clone(),
            (None, None) => PathBuf::from(unnamed),
        };
        r.shared.lock().write_file(&file, limits, false)?;
        let length = std::fs::metadata(&file).map_or(0, |m| m.len());
        Ok(format!(
            "Dumped recording \"{}\", {} kB written to:\n\n{}\n",
            r.name,
            length.div_ceil(1024),
            file.display()
        ))
    })
}

/// `JFR.stop`
pub fn stop(
    vm: &mut Vm,
    config: &Config,
    name: Option<&str>,
    file: Option<&str>,
) -> Result<String, RecordingError> {
    let (number, out) = config.recordings.with(name, |r| {
        r.stop(vm);
        let file = file.map(PathBuf::from).or_else(|| r.wanted.file.clone());
        let mut out = format!("Stopped recording \"{}\"", r.name);
        match file {
            Some(file) => {
                r.shared.lock().write_file(&file, None, true)?;
                let length = std::fs::metadata(&file).map_or(0, |m| m.len());
                let kilo = length.div_ceil(1024);
                let _ = write!(out, ", {kilo} kB written to:\n\n{}\n", file.display());
            }
            None => out.push_str(".\n"),
        }
        Ok((r.number, out))
    })?;
    config.recordings.lock().list.retain(|r| r.number != number);
    Ok(out)
}

impl JfrRecording {
    /// Lets the recording know how late it is.
    fn report_time(&self, vm: &mut Vm) {
        let mut recorder = self.shared.lock();
        let now = match recorder.times {
            Times::Nanos => vm.uptime(),
            Times::Bytecodes => vm.bytecodes_now(),
        };
        recorder.arrive(now);
    }
}

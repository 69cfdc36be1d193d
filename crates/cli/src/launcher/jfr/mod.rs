//! Flight recordings: `-XX:StartFlightRecording`, `jcmd PID JFR.start` and its relatives, and the events in `-o x.jfr`. Each
//! recording is an observer of its own; docs/jfr.md lists its events.

mod commands;
mod error;
mod facts;
mod listener;
pub mod options;
mod recorder;
pub mod recordings;
mod set;
mod settings;
mod store;

pub use commands::{check, dump, start as start_by_command, stop};
pub use error::RecordingError;
pub use set::{common, set};

use super::config::{Config, LaunchTask};
use super::outputs;
use super::tool::{ProgramRun, Tool, ToolFailure};
use crate::messages;
use listener::{JfrListener, SharedRecorder};
use options::RequestedRecording;
use recorder::{Recorder, RecordingInfo, Times};
use recordings::JfrRecording;
use rjvm_jfr::{Clock, Kind};
use rjvm_vm::Vm;
use rjvm_vm::events::ObserverId;
use settings::JfrSettings;
use store::StoreLimits;

/// The flight recordings that the options ask for, and all others.
pub struct Flight;

impl Tool for Flight {
    fn name(&self) -> &'static str {
        "a recording"
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        let begun = start(vm, &run.config, run.is_taped());
        begun.map_err(|e| ToolFailure::of("-XX:StartFlightRecording", &e))
    }
    fn finish(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> bool {
        finish(vm, &run.config)
    }
}

/// Begins what the options ask for, of a VM that has not started.
fn start(vm: &mut Vm, config: &Config, taped: bool) -> Result<(), RecordingError> {
    if config.task != LaunchTask::Run {
        return Ok(());
    }
    let recordings = &config.recordings;
    recordings.lock().taped = taped;
    for wanted in &config.flight_recordings {
        let (number, notes) = begin(vm, config, wanted.clone())?;
        if !config.quiet {
            for note in notes {
                messages::note(&format_args!("recording {number}: {note}"));
            }
        }
    }
    let outputs = config.outputs.iter().chain(&config.sample_outputs);
    if outputs.into_iter().any(|o| o.format.extension == "jfr") {
        let mut settings = JfrSettings::everything();
        settings.enable(Kind::ExecutionSample, false);
        let about = RecordingInfo {
            name: "profile".into(),
            vm: vm_facts(config, true),
            ..RecordingInfo::default()
        };
        let limits = StoreLimits {
            size: Some(options::MOST),
            age: None,
        };
        let clock = (bytecode_clock(), Times::Bytecodes);
        let now = vm.bytecodes_now();
        let all = (settings, config.flight_recorder);
        let recorder = Recorder::new(all, about, clock, limits, (now, now, None));
        let (shared, _) = observe(vm, recorder);
        recordings.lock().of_profile = Some(shared);
    }
    Ok(())
}

/// The program has ended: writes the recordings that are to be written then. False if one could not be.
fn finish(vm: &mut Vm, config: &Config) -> bool {
    let mut all = config.recordings.lock();
    let all = &mut *all;
    let mut good = true;
    for r in &mut all.list {
        if let Some(e) = r.shared.lock().failed.take() {
            messages::error(&format_args!("recording {}: {e}", r.number));
            good = false;
        }
        r.stop(vm);
        let mut recorder = r.shared.lock();
        let Some(file) = r.wanted.file.as_ref().filter(|_| r.wanted.at_exit) else {
            continue;
        };
        if let Some(Err(e)) = &recorder.written {
            messages::error(&e);
            good = false;
        }
        if recorder.written.is_some() {
            continue;
        }
        let (file, message) = outputs::target(config, file);
        if let Some(message) = message {
            messages::note(&format_args!("{message}; see {}", file.display()));
        }
        match recorder.write_file(&file, None, true) {
            Ok(()) if config.quiet => {}
            Ok(()) => messages::note(&format_args!("recording written to {}", file.display())),
            Err(e) => {
                messages::error(&e);
                good = false;
            }
        }
    }
    good
}

/// Begins a recording; returns its number, and the messages.
pub fn begin(
    vm: &mut Vm,
    config: &Config,
    mut wanted: RequestedRecording,
) -> Result<(i64, Vec<String>), RecordingError> {
    let mut all = config.recordings.lock();
    let settings = wanted.settings(&config.vm.java_home)?;
    let notes = std::mem::take(&mut wanted.notes);
    all.number += 1;
    let number = all.number;
    let name = wanted.name.clone().unwrap_or_else(|| number.to_string());
    let (clock, now) = match all.taped {
        true => ((bytecode_clock(), Times::Bytecodes), vm.bytecodes_now()),
        false => vm_clock(vm),
    };
    let process = match all.taped {
        true => 0,
        false => vm.rooms().host.processes().own_id(),
    };
    let own = all.taped || config.deterministic.is_some();
    let about = RecordingInfo {
        id: number,
        name: name.clone(),
        file: wanted.file.clone(),
        duration: wanted.duration,
        vm: vm_facts(config, all.taped),
        process,
        system: match own {
            true => None,
            false => std::fs::read_to_string("/proc/version").ok(),
        },
        properties: config.vm.properties.clone(),
    };
    let limits = StoreLimits {
        size: wanted.max_size,
        age: wanted.max_age,
    };
    let begin = now.saturating_add(wanted.delay);
    let end = wanted.duration.map(|n| begin.saturating_add(n));
    let both = (settings, config.flight_recorder);
    let recorder = Recorder::new(both, about, clock, limits, (now, begin, end));
    let (shared, observer) = observe(vm, recorder);
    all.list.push(JfrRecording {
        number,
        name,
        wanted,
        shared,
        observer,
    });
    Ok((number, notes))
}

fn observe(vm: &mut Vm, mut recorder: Recorder) -> (SharedRecorder, ObserverId) {
    recorder.sampled = vm.options().sample_every.is_some();
    let wants = recorder.wants();
    let shared = SharedRecorder::new(recorder);
    let listener = JfrListener {
        recorder: shared.clone(),
        wants,
    };
    let id = vm.observe(Box::new(listener));
    (shared, id)
}

/// A bytecode is a nanosecond after 1970.
fn bytecode_clock() -> Clock {
    Clock {
        began: 0,
        frequency: 1_000_000_000,
    }
}

/// The VM's clock, and what it shows.
fn vm_clock(vm: &mut Vm) -> ((Clock, Times), i64) {
    let (seconds, nanos) = vm.wall_clock();
    let now = vm.uptime();
    let clock = Clock {
        began: seconds * 1_000_000_000 + i64::from(nanos) - now,
        frequency: 1_000_000_000,
    };
    ((clock, Times::Nanos), now)
}

/// Name and version of the VM, and the words it was started with, except for a file that is to be the same whatever it is called.
fn vm_facts(config: &Config, bare: bool) -> [String; 4] {
    let version = format!(
        "rjvm {} for JDK {}",
        env!("CARGO_PKG_VERSION"),
        config.jdk_version
    );
    let command = |p: &&(String, String)| p.0 == "sun.java.command";
    let command = config.vm.properties.iter().find(command);
    let (options, words) = match bare {
        true => (String::new(), String::new()),
        false => (
            config.vm.arguments.join(" "),
            command.map_or(String::new(), |p| p.1.clone()),
        ),
    };
    ["rjvm".into(), version, options, words]
}

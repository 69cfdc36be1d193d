//! `--record`: a run that is recorded, and how one is run again.

use super::codes::{CUT_OFF, DAMAGED, PARTED};
use super::config::{Config, LaunchTask};
use super::parts::{Parts, usual_natives};
use super::snapshots::of_snapshot;
use super::tool::{ProgramRun, Tool, ToolFailure};
use super::words::VARIABLES;
use crate::messages;
use rjvm_hosts::recording::Header;
use rjvm_hosts::replay::{Replay, Stopped};
use rjvm_run::assembly::Assembly;
use rjvm_run::tape::{Tape, Unfinished};
use rjvm_vm::Vm;
use rjvm_vm::boot::InstalledJdk;
use rjvm_vm::fault::Fault;
use rjvm_vm::host::Host;
use std::path::{Path, PathBuf};

/// A recorded run that is to be replayed.
pub struct Replayed {
    /// The outside world of the recording.
    pub host: Box<dyn Host>,
    /// How far it is.
    pub replay: Replay,
    /// It waited for the signal that asks for snapshots. Waiting for that asks the host for something, so the replay waits for
    /// it if the recorded run did.
    pub snapshots: bool,
}

impl Replayed {
    /// What runs it.
    pub fn parts(self) -> (Parts, Tape) {
        let parts = (self.host, usual_natives());
        (parts, Tape::Replay(self.replay))
    }
}

/// The run is recorded.
pub struct RecordedRun;

impl Tool for RecordedRun {
    fn name(&self) -> &'static str {
        "the recorded run"
    }
    fn assemble(
        &mut self,
        config: &Config,
        _: &InstalledJdk,
        assembly: &mut Assembly,
    ) -> Result<(), ToolFailure> {
        assembly.record = recording(config)?;
        Ok(())
    }
    fn finish(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> bool {
        run.code = finish(&run.tape, vm, &run.config, run.code);
        true
    }
}

/// Where the run is to be recorded, if the options ask for it.
fn recording(config: &Config) -> Result<Option<(PathBuf, Header)>, ToolFailure> {
    match &config.record {
        Some(_) if config.task != LaunchTask::Run => {
            Err(ToolFailure::of("--record", &"no program is given"))
        }
        Some(path) => Ok(Some((path.clone(), header(config)))),
        None => Ok(None),
    }
}

/// Reports why a replay could not continue, if that stopped the VM; the exit code.
pub fn stopped(tape: &Tape, fault: &Fault) -> Option<i32> {
    let code = report_end(&tape.stopped()?);
    let thread = fault
        .thread
        .iter()
        .map(|name| format!("  thread \"{name}\""));
    let frames = fault.stack.iter().map(|frame| format!("\tat {frame}"));
    for line in thread.chain(frames) {
        eprintln!("{line}");
    }
    Some(code)
}

/// The program has ended with this exit code; the exit code of the run.
fn finish(tape: &Tape, vm: &mut Vm, config: &Config, code: i32) -> i32 {
    let path = config.record.as_deref().unwrap_or(Path::new(""));
    match tape.finish(vm, code) {
        Ok(Some(bytes)) if !config.quiet => {
            messages::note(&format_args!(
                "recorded in {} ({bytes} bytes)",
                path.display()
            ));
            code
        }
        Ok(_) => code,
        Err(Unfinished::Recording(e)) => {
            messages::error(&format_args!(
                "{}: the recording is incomplete: {e}",
                path.display()
            ));
            code.max(1)
        }
        // it has been reported
        Err(Unfinished::Replay(_)) if tape.stopped().is_some() => code,
        Err(Unfinished::Replay(why)) => report_end(&why),
    }
}

/// Reports why a replay stopped; the exit code.
pub fn report_end(why: &Stopped) -> i32 {
    messages::error(&why);
    match why {
        Stopped::CutOff { .. } => CUT_OFF,
        Stopped::Damaged { .. } => DAMAGED,
        Stopped::Parted { .. } => PARTED,
    }
}

/// What a recording says of the run that `config` asks for.
pub(super) fn header(config: &Config) -> Header {
    let variable = |name: &&str| {
        let value = std::env::var_os(name)?;
        Some((name.to_string(), value.to_string_lossy().into_owned()))
    };
    Header {
        command: config.command.clone(),
        args: config.args.clone(),
        variables: VARIABLES.iter().filter_map(variable).collect(),
        program: config.what.clone(),
        mode: config.mode as u8,
        schedule: config.schedule.clone(),
        snapshots: of_snapshot(config).is_some(),
        ..Header::of(&config.vm, config.jdk_version.clone())
    }
}

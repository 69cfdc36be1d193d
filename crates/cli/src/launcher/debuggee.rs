//! The processes of a program that is debugged: what they run, and how.

use super::args;
use super::complaints::complain;
use super::complete::{complete, contradiction};
use super::config::{Config, LaunchTask};
use super::parts::usual_parts;
use super::probes::ProbeRegistry;
use super::program::{assembly, bad_jar, find_jdk, program, stopped};
use super::record;
use super::refusal::Refusal;
use super::replayed;
use super::verify;
use crate::explore::process::leave;
use crate::file_error::FileError;
use crate::messages;
use crate::subcommands;
use crate::travel::{SharedWorker, TravelError};
use rjvm_explorer::{Explorer, SharedExplorer};
use rjvm_hosts::replay::Stopped;
use rjvm_run::assembly::FreshVm;
use rjvm_run::program::AtMain;
use rjvm_run::tape::{Tape, Unfinished};
use rjvm_vm::Vm;
use rjvm_vm::interp::{StopPlace, StopPosition};
use rjvm_vm::startup::CallStop;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a program gets what it reads from outside.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum DebugSource {
    /// As `--deterministic` has it.
    Deterministic,
    /// From this recording.
    Recording(PathBuf),
    /// From the real world; it is recorded, and the recording is kept in this file.
    Live(Option<PathBuf>),
}

impl DebugSource {
    /// Where a live program is recorded: in its own file, or in the session's folder.
    pub fn live_file(&self, folder: &Path) -> Option<PathBuf> {
        match self {
            DebugSource::Live(kept) => {
                let own = || folder.join("live.rec");
                Some(kept.clone().unwrap_or_else(own))
            }
            _ => None,
        }
    }
}

/// A program that a session debugs.
pub(super) struct Debuggee {
    pub config: Config,
    pub source: DebugSource,
    /// The recording is still written.
    grows: bool,
}

impl Debuggee {
    /// Reads the words for a session of a subcommand: a program with its options, or with a recording options for reports.
    pub fn new(
        subcommand: &str,
        source: DebugSource,
        words: Vec<String>,
    ) -> Result<Debuggee, Refusal> {
        let config = match &source {
            DebugSource::Deterministic => {
                config(subcommand, &["--quiet", "--deterministic"], words)?
            }
            DebugSource::Live(_) => config(subcommand, &["--quiet"], words)?,
            DebugSource::Recording(path) => recorded(subcommand, path, &words)?,
        };
        Ok(Debuggee {
            config,
            source,
            grows: false,
        })
    }
    /// The replay of the live program that is recorded in a file.
    pub fn replaying(self, file: &Path) -> Result<Debuggee, TravelError> {
        let config = recorded(subcommands::DEBUG.name, file, &[]);
        let mut config = config.map_err(|e| TravelError::Broken(e.text().trim_end().to_owned()))?;
        config.source_path = self.config.source_path;
        Ok(Debuggee {
            config,
            source: DebugSource::Recording(file.into()),
            grows: true,
        })
    }
}

/// Reads the command line of a recording.
fn recorded(subcommand: &str, path: &Path, words: &[String]) -> Result<Config, Refusal> {
    // the copy of this process opens it again, since each has to read by itself
    let opened = replayed::open(&path.to_string_lossy(), words);
    let mut config = opened.map_err(|(refusal, _)| refusal)?.config;
    fit(subcommand, &mut config, true)?;
    Ok(config)
}

/// Reads the command line of a program.
fn config(subcommand: &str, own: &[&str], words: Vec<String>) -> Result<Config, Refusal> {
    let failed = |problem: &str| Refusal::Own(problem.into());
    let own = own.iter().map(|&word| String::from(word));
    let words = own.chain(words).collect();
    let env = |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
    let read = args::read(words, env, |line| eprintln!("{line}"));
    let mut config = read?;
    if let Some(problem) = contradiction(&config) {
        return Err(failed(&problem));
    }
    complete(&mut config);
    if config.task != LaunchTask::Run || config.what.is_none() {
        return Err(failed("no program is given"));
    }
    if let Some(problem) = bad_jar(&config) {
        return Err(failed(&problem));
    }
    verify::not_here(&config).map_err(|e| Refusal::Own(e.to_string()))?;
    fit(subcommand, &mut config, false)?;
    if config
        .replay
        .as_ref()
        .is_some_and(|s| !s.header.test.is_empty())
    {
        return Err(failed("the schedule of a test runs with rjvm test only"));
    }
    Ok(config)
}

/// Has the program stop at `main`, if it can be debugged with its options.
fn fit(subcommand: &str, config: &mut Config, recorded: bool) -> Result<(), Refusal> {
    if let Some(option) = unfit(config, recorded) {
        let why = format!("rjvm {subcommand} cannot be combined with {option}");
        return Err(Refusal::Own(why));
    }
    config.vm.inspectable = true;
    config.vm.places = vec![StopPlace {
        name: "main".into(),
        at: StopPosition::Main,
        arrival: 1,
    }];
    Ok(())
}

/// rjvm's own options that a program can have while it is debugged.
const FIT: [&str; 12] = [
    "--java-home",
    "--source-path",
    "--quiet",
    "--deterministic",
    "--seed",
    "--quantum",
    "--virtual-clock",
    "--env",
    "--replay",
    "--no-intrinsics",
    "--tier",
    "--gc-stress",
];

/// An option that a program cannot have while it is debugged.
fn unfit(config: &Config, recorded: bool) -> Option<&'static str> {
    let is_fit = |name: &str| FIT.contains(&name) || recorded && name == "--record";
    let unfit = config.given.iter().find(|name| !is_fit(name));
    let records = !config.flight_recordings.is_empty();
    unfit
        .copied()
        .or_else(|| records.then_some("-XX:StartFlightRecording"))
}

/// Runs the program in this process, which is a copy of the session's.
pub(super) fn work(debuggee: Debuggee, socket: &Path, input: Option<&Path>) -> ! {
    let mut config = debuggee.config;
    let worker = SharedWorker::begin(socket, input, config.all_sources());
    // the session sees that nothing comes
    let worker = worker.unwrap_or_else(|_| leave());
    let made = match &debuggee.source {
        DebugSource::Recording(path) => replay(&mut config, path, debuggee.grows),
        _ => fresh(&mut config, None),
    };
    let (mut vm, tape) = made_or_never(made, &worker);
    worker.install(&mut vm);
    run(&worker, &mut vm, &tape, &config, debuggee.grows)
}

/// Runs the program in this process, a copy of the session's, in the real world, and records it.
pub(super) fn work_live(
    debuggee: Debuggee,
    file: &Path,
    socket: &Path,
    input: Option<&Path>,
    output: &[OwnedFd; 2],
) -> ! {
    let mut config = debuggee.config;
    let worker = SharedWorker::begin_live(socket, input, output, config.all_sources());
    let worker = worker.unwrap_or_else(|_| leave());
    let made = fresh(&mut config, Some(file));
    let (mut vm, tape) = made_or_never(made, &worker);
    if let Tape::Recording(recording) = &tape
        && let Err(e) = worker.install_live(&mut vm, recording)
    {
        messages::error(&e);
        worker.never()
    }
    run(&worker, &mut vm, &tape, &config, false)
}

/// The VM of a program that asks the system, or the deterministic host. `record`: the file of its recording.
fn fresh(config: &mut Config, record: Option<&Path>) -> Result<FreshVm, Refusal> {
    let own = |problem: String| Refusal::Own(problem);
    let library = find_jdk(config).map_err(|problem| own(problem.to_string()))?;
    let mut assembly = assembly(config, usual_parts());
    assembly.record = record.map(|file| (file.into(), record::header(config)));
    let made = assembly.make(&library);
    made.map_err(|problem| own(problem.to_string()))
}

/// The VM of a replay.
fn replay(config: &mut Config, path: &Path, grows: bool) -> Result<FreshVm, Refusal> {
    let own = |problem: String| Refusal::Own(problem);
    let opened = replayed::open(&path.to_string_lossy(), &[]);
    let mut opened = opened.map_err(|(refusal, _)| refusal)?;
    if grows {
        let followed = opened.follow(path);
        followed.map_err(|e| own(FileError::at(path)(e).to_string()))?;
    }
    let library = find_jdk(config).map_err(|problem| own(problem.to_string()))?;
    let replayed = opened.replayed().0;
    let snapshots = replayed.snapshots;
    let (parts, tape) = replayed.parts();
    let mut assembly = assembly(config, parts);
    assembly.tape = tape;
    let made = assembly.make(&library);
    let mut made = made.map_err(|problem| own(problem.to_string()))?;
    if snapshots {
        // the recorded run waited for a signal, which is a request to its host
        made.core.on_snapshot(Box::new(|_| ()));
    }
    Ok(made)
}

/// The VM; without one this process reports that, and is gone.
fn made_or_never(made: Result<FreshVm, Refusal>, worker: &SharedWorker) -> (Box<Vm>, Tape) {
    match made {
        Ok(made) => (made.core, made.tape),
        Err(refusal) => {
            complain(&refusal);
            worker.never()
        }
    }
}

/// Runs the program to its end, reports that, and is gone.
fn run(worker: &SharedWorker, vm: &mut Vm, tape: &Tape, config: &Config, grows: bool) -> ! {
    let begun = Arc::new(AtomicBool::new(false));
    let at_main: AtMain = {
        let (begun, schedule) = (begun.clone(), config.replay.clone());
        Box::new(move |vm| {
            begun.store(true, Ordering::Relaxed);
            if let Some(schedule) = schedule {
                let control = SharedExplorer::default();
                control.with(|e| *e = Explorer::replay(&schedule));
                vm.set_control(Box::new(control));
            }
            true
        })
    };
    let ended = vm.guarded(|vm| program(vm, config, Some(at_main), &ProbeRegistry::default()));
    let ended = ended.unwrap_or_else(|fault| Err(CallStop::Fault(fault)));
    let code = match ended {
        Ok(code) => code,
        Err(stop) => stopped(vm, config, stop, tape),
    };
    let code = match tape.finish(vm, code) {
        // it has been reported
        Err(_) if tape.stopped().is_some() => code,
        Err(Unfinished::Replay(why)) => record::report_end(&why),
        Err(Unfinished::Recording(e)) => {
            messages::error(&format_args!("the recording is incomplete: {e}"));
            code.max(1)
        }
        Ok(_) => code,
    };
    let parted = tape.stopped().and_then(|why| match &why {
        Stopped::Parted { recorded, now, .. } => Some((why.to_string(), recorded.1.min(now.1))),
        Stopped::CutOff { executed, .. } if grows => {
            let why = "the program has not been recorded any further";
            Some((why.into(), *executed))
        }
        _ => None,
    });
    worker.ended(vm, code, begun.load(Ordering::Relaxed), parted)
}

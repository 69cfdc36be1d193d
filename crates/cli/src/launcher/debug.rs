//! `rjvm debug`: a debugger that also runs backwards.

use super::args;
use super::codes::WRONG_USE;
use super::complaints::complain;
use super::complete::{complete, contradiction};
use super::config::{Config, LaunchTask};
use super::dap::{self, DapWay};
use super::parts::usual_parts;
use super::probes::ProbeRegistry;
use super::program::{assembly, bad_jar, find_jdk, program, stopped};
use super::record;
use super::refusal::Refusal;
use super::replayed;
use super::settings::places::{StopRequest, read};
use super::sizes::size;
use super::verify;
use crate::explore::process::{adopt_copies, detached};
use crate::explore::{Explorer, SharedExplorer};
use crate::file_error::FileError;
use crate::invalid::InvalidValue;
use crate::messages;
use crate::subcommands;
use crate::travel::{
    CheckpointLimits, DebugSession, DebugStop, OwnStreams, SharedWorker, ShowOutput, Timeline,
    TimelineStart, TravelError,
};
use clap::{Arg, ArgMatches, Command, value_parser};
use rjvm_hosts::replay::Stopped;
use rjvm_run::program::AtMain;
use rjvm_run::tape::{Tape, Unfinished};
use rjvm_vm::interp::{StopPlace, StopPosition};
use rjvm_vm::startup::CallStop;
use std::fs::DirBuilder;
use std::io::{self, IsTerminal};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The command line.
pub fn command() -> Command {
    subcommands::DEBUG.command()
        .after_help(
            "Type the commands of gdb, or pass them on standard input: break, watch, catch, continue, step, next, finish,\n\
             and backward reverse-continue, reverse-step, reverse-next, reverse-finish, goto. The command help lists all of them.\n\
             The program runs with --deterministic, so the number of executed bytecodes is the same address in every session.\n\
             Its standard input is empty or the file of --stdin. Going back does not undo what it wrote to files.\n\n\
             Examples:\n\
             \x20 rjvm debug -cp classes com.example.Main arguments\n\
             \x20 rjvm debug --at=5,239,913 -cp classes Main\n\
             \x20 rjvm debug --replay=Main-17.schedule -cp classes Main\n\
             \x20 rjvm debug --recording=run.rec\n\
             \x20 rjvm debug --dap\n\
             \x20 printf 'break Main.run\\ncontinue\\nwhere\\n' | rjvm debug -cp classes Main\n\
             \n\
             Exit codes: 0; 1 if the session cannot continue; 2 for an invalid command line\n\
             See docs/time-travel.md",
        )
        .next_help_heading("Session")
        .arg(
            Arg::new("at")
                .long("at")
                .value_name("N")
                .help("Begin after N bytecodes; default: at main")
                .value_parser(position),
        )
        .arg(
            Arg::new("recording")
                .long("recording")
                .value_name("FILE")
                .help("Debug the replay of a recording, made by rjvm --record=FILE")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("dap")
                .long("dap")
                .value_name("PORT")
                .help("Serve an editor by the Debug Adapter Protocol, on standard input and output or on a port of this machine")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("")
                .conflicts_with("at")
                .value_parser(dap::way),
        )
        .arg(super::alike::stdin_option())
        .next_help_heading("Checkpoints")
        .args(checkpoint_options())
        .arg(
            subcommands::program_command_line()
                .required(false)
                .required_unless_present_any(["dap", "recording"]),
        )
}

/// The options that limit checkpoints.
pub(super) fn checkpoint_options() -> [Arg; 2] {
    [
        Arg::new("checkpoints")
            .long("checkpoints")
            .value_name("N")
            .help("Keep at most N copies of the process to go back from")
            .default_value("20")
            .value_parser(value_parser!(u64).range(2..=1000)),
        Arg::new("checkpoint-memory")
            .long("checkpoint-memory")
            .value_name("SIZE")
            .help("Keep fewer copies if they take more memory than this, such as 500M or 4G")
            .default_value("2G")
            .value_parser(memory),
    ]
}

pub(super) fn memory(text: &str) -> Result<u64, InvalidValue> {
    let expected = InvalidValue::Expected("a size, such as 500M or 4G");
    size(text).filter(|&n| n > 0).ok_or(expected)
}

fn position(text: &str) -> Result<i64, InvalidValue> {
    match read(text, 0) {
        Some((StopRequest::Bytecode(n), None)) => Ok(n),
        _ => Err(InvalidValue::Expected("a number of bytecodes")),
    }
}

/// Debugs; the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    if let Some(way) = matches.get_one::<DapWay>("dap") {
        let recording = matches.get_one::<PathBuf>("recording");
        return dap::serve(
            *way,
            recording,
            &words(matches),
            limits(matches),
            input(matches),
        );
    }
    let recording = matches.get_one::<PathBuf>("recording");
    let (timeline, _folder) = match begin_at_main(matches, subcommands::DEBUG.name, recording) {
        Ok(begun) => begun,
        Err(code) => return code,
    };
    let at = matches.get_one::<i64>("at").copied();
    let prompts = io::stdin().is_terminal() && io::stdout().is_terminal();
    match DebugSession::new(timeline, read_place).run(at, prompts) {
        Ok(()) => 0,
        Err(why) => messages::failed(&why),
    }
}

fn words(matches: &ArgMatches) -> Vec<String> {
    let words = matches.get_many("COMMAND").unwrap_or_default();
    words.cloned().collect()
}

fn limits(matches: &ArgMatches) -> CheckpointLimits {
    let number = |name: &str| *matches.get_one::<u64>(name).expect("it has a default");
    CheckpointLimits {
        checkpoints: number("checkpoints") as usize,
        memory: number("checkpoint-memory"),
    }
}

fn input(matches: &ArgMatches) -> Option<&Path> {
    matches.get_one::<PathBuf>("stdin").map(PathBuf::as_path)
}

/// Begins the program of a command line, or a recording, up to the first bytecode of `main`; the exit code if that fails.
pub(super) fn begin_at_main(
    matches: &ArgMatches,
    subcommand: &str,
    recording: Option<&PathBuf>,
) -> Result<(Timeline, SocketFolder), i32> {
    let recording = recording.map(PathBuf::as_path);
    let debuggee = debuggee(subcommand, recording, words(matches)).map_err(|refusal| {
        complain(&refusal);
        WRONG_USE
    })?;
    let input = input(matches);
    if let Some(problem) = input.and_then(unreadable) {
        messages::error(&problem);
        return Err(WRONG_USE);
    }
    let output = Box::new(OwnStreams);
    match begin(debuggee, input, limits(matches), output, &mut || {}) {
        Ok((TimelineStart::Main(timeline), folder)) => Ok((*timeline, folder)),
        Ok((TimelineStart::Ended(code), _)) => Err(if code == 0 { 1 } else { code }),
        Err(why) => Err(messages::failed(&why)),
    }
}

/// Why a file cannot be the standard input.
pub(super) fn unreadable(file: &Path) -> Option<FileError> {
    let opened = std::fs::File::open(file);
    opened.err().map(FileError::at(file))
}

/// Begins a program in a copy of this process, in which `close` is called first. The folder is there as long as the program.
pub(super) fn begin(
    debuggee: Debuggee,
    input: Option<&Path>,
    limits: CheckpointLimits,
    output: Box<dyn ShowOutput>,
    close: &mut dyn FnMut(),
) -> Result<(TimelineStart, SocketFolder), TravelError> {
    let broken = |action: &str, e: io::Error| TravelError::Broken(format!("{action}: {e}"));
    let folder = SocketFolder::new();
    let folder = folder.map_err(|e| broken("cannot create a folder for the session", e))?;
    let socket = folder.0.join("session");
    let listener = UnixListener::bind(&socket).and_then(|listener| {
        adopt_copies()?;
        Ok(listener)
    });
    let listener = listener?;
    match detached() {
        Ok(true) => {
            close();
            drop(listener);
            // the folder is the session's
            std::mem::forget(folder);
            work(debuggee, &socket, input)
        }
        Ok(false) => {}
        Err(e) => return Err(broken("cannot copy the process", e)),
    }
    let start = Timeline::begin(listener, limits, output)?;
    Ok((start, folder))
}

/// A folder that only this user can look into, for the session's socket.
pub(super) struct SocketFolder(PathBuf);

impl SocketFolder {
    fn new() -> io::Result<SocketFolder> {
        let mut private = DirBuilder::new();
        private.mode(0o700);
        let base = std::env::temp_dir();
        for n in 0u32..1000 {
            let dir = base.join(format!("rjvm-debug-{}-{n}", std::process::id()));
            match private.create(&dir) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| SocketFolder(dir)),
            }
        }
        Err(io::Error::other("there is no free name"))
    }
}

impl Drop for SocketFolder {
    fn drop(&mut self) {
        // what cannot be removed stays
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A program that a session debugs.
pub(super) struct Debuggee {
    pub config: Config,
    /// The recording that it is a replay of.
    recording: Option<PathBuf>,
}

/// Reads the words for a session of a subcommand: a program with its options, or with a recording options for reports.
pub(super) fn debuggee(
    subcommand: &str,
    recording: Option<&Path>,
    words: Vec<String>,
) -> Result<Debuggee, Refusal> {
    let Some(path) = recording else {
        let config = config(subcommand, words)?;
        return Ok(Debuggee {
            config,
            recording: None,
        });
    };
    // the copy of this process opens it again, since each has to read by itself
    let opened = replayed::open(&path.to_string_lossy(), &words);
    let mut config = opened.map_err(|(refusal, _)| refusal)?.config;
    fit(subcommand, &mut config, true)?;
    Ok(Debuggee {
        config,
        recording: Some(path.to_owned()),
    })
}

/// Reads the command line of a program.
fn config(subcommand: &str, words: Vec<String>) -> Result<Config, Refusal> {
    let failed = |problem: &str| Refusal::Own(problem.into());
    let own = ["--quiet", "--deterministic"].map(String::from);
    let words = own.into_iter().chain(words).collect();
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
fn work(debuggee: Debuggee, socket: &Path, input: Option<&Path>) -> ! {
    let mut config = debuggee.config;
    let sources = config.all_sources();
    let worker = match SharedWorker::begin(socket, input, sources) {
        Ok(worker) => worker,
        // the session sees that nothing comes
        Err(_) => crate::explore::process::leave(),
    };
    let opened = debuggee.recording.map(|path| {
        let opened = replayed::open(&path.to_string_lossy(), &[]);
        opened.map(|opened| opened.replayed().0)
    });
    let replayed = opened.transpose().map_err(|(refusal, _)| refusal);
    let made = replayed.and_then(|replayed| {
        let own = |problem: String| Refusal::Own(problem);
        let library = find_jdk(&mut config).map_err(|problem| own(problem.to_string()))?;
        let (parts, tape, snapshots) = match replayed {
            Some(replayed) => {
                let snapshots = replayed.snapshots;
                let (parts, tape) = replayed.parts();
                (parts, tape, snapshots)
            }
            None => (usual_parts(), Tape::None, false),
        };
        let mut assembly = assembly(&config, parts);
        assembly.tape = tape;
        let made = assembly.make(&library);
        let mut made = made.map_err(|problem| own(problem.to_string()))?;
        if snapshots {
            // the recorded run waited for a signal, which is a request to its host
            made.core.on_snapshot(Box::new(|_| ()));
        }
        Ok(made)
    });
    let (mut vm, tape) = match made {
        Ok(made) => (made.core, made.tape),
        Err(refusal) => {
            complain(&refusal);
            worker.never()
        }
    };
    let vm = &mut vm;
    worker.install(vm);
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
    let ended = vm.guarded(|vm| program(vm, &config, Some(at_main), &ProbeRegistry::default()));
    let ended = ended.unwrap_or_else(|fault| Err(CallStop::Fault(fault)));
    let code = match ended {
        Ok(code) => code,
        Err(stop) => stopped(vm, &config, stop, &tape),
    };
    let code = match tape.finish(vm, code) {
        // it has been reported
        Err(_) if tape.stopped().is_some() => code,
        Err(Unfinished::Replay(why)) => record::report_end(&why),
        Err(Unfinished::Recording(_)) | Ok(_) => code,
    };
    let parted = tape.stopped().and_then(|why| match &why {
        Stopped::Parted { recorded, now, .. } => Some((why.to_string(), recorded.1.min(now.1))),
        _ => None,
    });
    worker.ended(vm, code, begun.load(Ordering::Relaxed), parted)
}

/// Reads a place as `--stop-at` has it.
pub(super) fn read_place(text: &str) -> Result<DebugStop, InvalidValue> {
    const PLACES: &str = "Class.method, Class.method:line, Class:line or Class.method@index";
    let wrong = || InvalidValue::Named(format!("break {text}").trim_end().into(), PLACES);
    if text.contains(['#', '+']) {
        return Err(wrong());
    }
    let Some((StopRequest::Place(..), Some(place))) = read(text, 0) else {
        return Err(wrong());
    };
    debug_stop(place).ok_or_else(wrong)
}

/// A place as a stop of sessions; none for the beginning of `main`.
pub(super) fn debug_stop(place: StopPlace) -> Option<DebugStop> {
    Some(match place.at {
        StopPosition::Main => return None,
        StopPosition::Entry => DebugStop::Index(place.name, 0),
        StopPosition::Index(bci) => DebugStop::Index(place.name, bci),
        StopPosition::Line(line) => DebugStop::Line(place.name, line),
    })
}

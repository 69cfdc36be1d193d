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
use super::refusal::Refusal;
use super::settings::places::{StopRequest, read};
use super::sizes::size;
use crate::explore::process::{adopt_copies, detached};
use crate::explore::{Explorer, SharedExplorer};
use crate::messages;
use crate::subcommands;
use crate::travel::{
    CheckpointLimits, DebugSession, DebugStop, OwnStreams, SharedWorker, ShowOutput, Timeline,
    TimelineStart, TravelError,
};
use clap::{Arg, ArgMatches, Command, value_parser};
use rjvm_run::program::AtMain;
use rjvm_run::tape::Tape;
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
            "You type commands with gdb's words, or pass them on standard input: break, watch, catch, continue, step, next, finish,\n\
             and backward reverse-continue, reverse-step, reverse-next, reverse-finish, goto. The command help lists all of them.\n\
             The program runs with --deterministic, so the number of executed bytecodes is the same address in every session.\n\
             Its standard input is empty or the file of --stdin. Going back does not undo what it wrote to files.\n\n\
             Examples:\n\
             \x20 rjvm debug -cp classes com.example.Main arguments\n\
             \x20 rjvm debug --at=5,239,913 -cp classes Main\n\
             \x20 rjvm debug --replay=Main-17.schedule -cp classes Main\n\
             \x20 rjvm debug --dap\n\
             \x20 printf 'break Main.run\\ncontinue\\nwhere\\n' | rjvm debug -cp classes Main\n\
             \n\
             Exit codes: 0; 1 if the session cannot go on; 2 for an invalid command line\n\
             See docs/time-travel.md",
        )
        .next_help_heading("Session")
        .arg(
            Arg::new("at")
                .long("at")
                .value_name("N")
                .help("Begin where N bytecodes have been executed; default: at main")
                .value_parser(position),
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
        .arg(
            Arg::new("checkpoints")
                .long("checkpoints")
                .value_name("N")
                .help("Keep at most N copies of the process to go back from")
                .default_value("20")
                .value_parser(value_parser!(u64).range(2..=1000)),
        )
        .arg(
            Arg::new("checkpoint-memory")
                .long("checkpoint-memory")
                .value_name("SIZE")
                .help("Keep fewer copies if they take more memory than this, such as 500M or 4G")
                .default_value("2G")
                .value_parser(memory),
        )
        .arg(
            subcommands::program_command_line()
                .required(false)
                .required_unless_present("dap"),
        )
}

pub(super) fn memory(text: &str) -> Result<u64, String> {
    let expected = || "expected a size, such as 500M or 4G".to_owned();
    size(text).filter(|&n| n > 0).ok_or_else(expected)
}

fn position(text: &str) -> Result<i64, String> {
    match read(text, 0) {
        Some((StopRequest::Bytecode(n), None)) => Ok(n),
        _ => Err("expected a number of bytecodes".into()),
    }
}

/// Debugs; the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    let words = matches.get_many::<String>("COMMAND").unwrap_or_default();
    let words: Vec<String> = words.cloned().collect();
    let number = |name: &str| *matches.get_one::<u64>(name).expect("it has a default");
    let limits = CheckpointLimits {
        checkpoints: number("checkpoints") as usize,
        memory: number("checkpoint-memory"),
    };
    let input = matches.get_one::<PathBuf>("stdin").map(PathBuf::as_path);
    if let Some(way) = matches.get_one::<DapWay>("dap") {
        return dap::serve(*way, &words, limits, input);
    }
    let config = match config(words) {
        Ok(config) => config,
        Err(problem) => {
            match problem {
                DebugRefusal::Java(refusal) => complain(&refusal),
                DebugRefusal::Own(problem) => messages::error(&problem),
            }
            return WRONG_USE;
        }
    };
    if let Some(problem) = input.and_then(unreadable) {
        messages::error(&problem);
        return WRONG_USE;
    }
    let begun = begin(config, input, limits, Box::new(OwnStreams), &mut || {});
    let (timeline, _folder) = match begun {
        Ok((TimelineStart::Main(timeline), folder)) => (timeline, folder),
        Ok((TimelineStart::Ended(code), _)) => return if code == 0 { 1 } else { code },
        Err(why) => return messages::failed(&why),
    };
    let at = matches.get_one::<i64>("at").copied();
    let prompts = io::stdin().is_terminal() && io::stdout().is_terminal();
    match DebugSession::new(timeline, read_place).run(at, prompts) {
        Ok(()) => 0,
        Err(why) => messages::failed(&why),
    }
}

/// Why a file cannot be the standard input.
pub(super) fn unreadable(file: &Path) -> Option<String> {
    let opened = std::fs::File::open(file);
    opened.err().map(|e| format!("{}: {e}", file.display()))
}

/// Begins a program in a copy of this process, in which `close` is called first. The folder is there as long as the program.
pub(super) fn begin(
    config: Config,
    input: Option<&Path>,
    limits: CheckpointLimits,
    output: Box<dyn ShowOutput>,
    close: &mut dyn FnMut(),
) -> Result<(TimelineStart, SocketFolder), String> {
    let folder = SocketFolder::new();
    let folder = folder.map_err(|e| format!("cannot make a folder for the session: {e}"))?;
    let socket = folder.0.join("session");
    let listener = UnixListener::bind(&socket).and_then(|listener| {
        adopt_copies()?;
        Ok(listener)
    });
    let listener = listener.map_err(|e| e.to_string())?;
    match detached() {
        Ok(true) => {
            close();
            drop(listener);
            // the folder is the session's
            std::mem::forget(folder);
            work(config, &socket, input)
        }
        Ok(false) => {}
        Err(e) => return Err(format!("cannot copy the process: {e}")),
    }
    match Timeline::begin(listener, limits, output) {
        Ok(start) => Ok((start, folder)),
        Err(TravelError::Broken(why) | TravelError::Refused(why)) => Err(why),
        Err(TravelError::Interrupted) => Err("interrupted".into()),
    }
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

/// Why a program cannot be debugged.
pub(super) enum DebugRefusal {
    /// As `java` has it.
    Java(Refusal),
    Own(String),
}

impl DebugRefusal {
    /// The reason.
    pub fn text(&self) -> &str {
        match self {
            DebugRefusal::Java(refusal) => refusal.text().trim_end(),
            DebugRefusal::Own(text) => text,
        }
    }
}

/// Reads the command line of what is debugged.
pub(super) fn config(words: Vec<String>) -> Result<Config, DebugRefusal> {
    let failed = |problem: &str| DebugRefusal::Own(problem.into());
    let own = ["--quiet", "--deterministic"].map(String::from);
    let words = own.into_iter().chain(words).collect();
    let env = |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
    let read = args::read(words, env, |line| eprintln!("{line}"));
    let mut config = read.map_err(DebugRefusal::Java)?;
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
    if let Some(option) = unfit(&config) {
        return Err(failed(&format!(
            "rjvm debug cannot be combined with {option}"
        )));
    }
    if config
        .replay
        .as_ref()
        .is_some_and(|s| !s.header.test.is_empty())
    {
        return Err(failed("the schedule of a test runs with rjvm test only"));
    }
    config.vm.inspectable = true;
    config.vm.places = vec![StopPlace {
        name: "main".into(),
        at: StopPosition::Main,
        arrival: 1,
    }];
    Ok(config)
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
fn unfit(config: &Config) -> Option<&'static str> {
    let unfit = config.given.iter().find(|name| !FIT.contains(name));
    let records = !config.flight_recordings.is_empty();
    unfit
        .copied()
        .or_else(|| records.then_some("-XX:StartFlightRecording"))
}

/// Runs the program in this process, which is a copy of the session's.
fn work(mut config: Config, socket: &Path, input: Option<&Path>) -> ! {
    let sources = config.all_sources();
    let worker = match SharedWorker::begin(socket, input, sources) {
        Ok(worker) => worker,
        // the session sees that nothing comes
        Err(_) => crate::explore::process::leave(),
    };
    let library = find_jdk(&mut config);
    let made = library.and_then(|library| {
        let made = assembly(&config, usual_parts()).make(&library);
        made.map_err(|problem| problem.to_string())
    });
    let mut vm = match made {
        Ok(made) => made.core,
        Err(problem) => {
            messages::error(&problem);
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
        Err(stop) => stopped(vm, &config, stop, &Tape::None),
    };
    worker.ended(vm, code, begun.load(Ordering::Relaxed))
}

/// Reads a place as `--stop-at` has it.
pub(super) fn read_place(text: &str) -> Result<DebugStop, String> {
    const PLACES: &str = "Class.method, Class.method:line, Class:line or Class.method@index";
    let wrong = || format!("{}: expected {PLACES}", format!("break {text}").trim_end());
    if text.contains(['#', '+']) {
        return Err(wrong());
    }
    let Some((StopRequest::Place(..), Some(place))) = read(text, 0) else {
        return Err(wrong());
    };
    Ok(match place.at {
        StopPosition::Main => return Err(wrong()),
        StopPosition::Entry => DebugStop::Index(place.name, 0),
        StopPosition::Index(bci) => DebugStop::Index(place.name, bci),
        StopPosition::Line(line) => DebugStop::Line(place.name, line),
    })
}

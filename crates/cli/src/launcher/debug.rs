//! `rjvm debug`: a debugger that also runs backwards.

use super::codes::WRONG_USE;
use super::complaints::complain;
use super::dap::{self, DapWay};
use super::debuggee::{DebugSource, Debuggee, work, work_live};
use super::settings::places::{StopRequest, read};
use super::sizes::size;
use crate::explore::process::{adopt_copies, detached};
use crate::file_error::FileError;
use crate::invalid::InvalidValue;
use crate::messages;
use crate::subcommands;
use crate::travel::{
    CheckpointLimits, DebugSession, DebugStop, LiveCame, LiveProgram, OwnStreams, ShowOutput,
    Shown, Timeline, TimelineStart, TravelError,
};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use rjvm_vm::interp::{StopPlace, StopPosition};
use std::fs::DirBuilder;
use std::io::{self, IsTerminal};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

/// The command line.
pub fn command() -> Command {
    subcommands::DEBUG.command()
        .after_help(
            "Type the commands of gdb, or pass them on standard input: break, watch, catch, continue, step, next, finish,\n\
             and backward reverse-continue, reverse-step, reverse-next, reverse-finish, goto. The command help lists all of them.\n\
             The program runs with --deterministic, so the number of executed bytecodes is the same address in every session.\n\
             With --live it has the real time, files and network: rjvm records it, and goes back in the recording.\n\
             Its standard input is empty or the file of --stdin. Going back does not undo what it wrote to files.\n\n\
             Examples:\n\
             \x20 rjvm debug -cp classes com.example.Main arguments\n\
             \x20 rjvm debug --at=5,239,913 -cp classes Main\n\
             \x20 rjvm debug --replay=Main-17.schedule -cp classes Main\n\
             \x20 rjvm debug --live -cp classes Server\n\
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
            Arg::new("live")
                .long("live")
                .help("Debug the program in the real world, and record it meanwhile")
                .conflicts_with("recording")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("record")
                .long("record")
                .value_name("FILE")
                .help("The same, and keep the recording")
                .conflicts_with("recording")
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
    let source = source(matches);
    if let Some(way) = matches.get_one::<DapWay>("dap") {
        return dap::serve(
            *way,
            &source,
            &words(matches),
            limits(matches),
            input(matches),
        );
    }
    let (timeline, _folder) = match begin_at_main(matches, subcommands::DEBUG.name, &source) {
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

fn source(matches: &ArgMatches) -> DebugSource {
    let file = |name: &str| matches.get_one::<PathBuf>(name).cloned();
    match (file("recording"), file("record"), matches.get_flag("live")) {
        (Some(recording), ..) => DebugSource::Recording(recording),
        (None, Some(kept), _) => DebugSource::Live(Some(kept)),
        (None, None, true) => DebugSource::Live(None),
        (None, None, false) => DebugSource::Deterministic,
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
    source: &DebugSource,
) -> Result<(Timeline, SocketFolder), i32> {
    let debuggee = Debuggee::new(subcommand, source.clone(), words(matches));
    let debuggee = debuggee.map_err(|refusal| {
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
    let is_copy = || detached().map_err(|e| broken("cannot copy the process", e));
    let mut shown = Shown::new(output);
    let (replayed, live) = match debuggee.source.live_file(&folder.0) {
        None => (debuggee, None),
        Some(file) => {
            let [(from_out, out), (from_err, err)] = [io::pipe()?, io::pipe()?];
            if is_copy()? {
                close();
                drop((listener, from_out, from_err));
                std::mem::forget(folder);
                work_live(debuggee, &file, &socket, input, &[out.into(), err.into()])
            }
            drop((out, err));
            match LiveProgram::begin(&listener, [from_out.into(), from_err.into()], &mut shown)? {
                (_, LiveCame::Ended(code)) => return Ok((TimelineStart::Ended(code), folder)),
                (live, _) => (debuggee.replaying(&file)?, Some(live)),
            }
        }
    };
    if is_copy()? {
        close();
        drop(listener);
        // the folder is the session's, and so is the live program
        std::mem::forget((folder, live));
        work(replayed, &socket, input)
    }
    let start = Timeline::begin(listener, limits, shown, live)?;
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

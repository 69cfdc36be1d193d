//! `--record`, and `rjvm replay`: a run that is recorded, and run again without the outside world.

use super::args::{VARIABLES, read_recorded};
use super::config::{Config, Mode, Task};
use super::fault::PARTED;
use super::{Parts, complain, report, run, sampling};
use clap::{Arg, ArgMatches, Command};
use rjvm_hosts::recording::{Header, Source};
use rjvm_hosts::replay::{Replay, Replayer, Stopped, own_screen};
use rjvm_run::tape::{Tape, Unfinished};
use rjvm_vm::Vm;
use rjvm_vm::fault::Fault;
use rjvm_vm::host::Host;
use rjvm_vm::threads::signals::Snapshot;
use std::path::{Path, PathBuf};

/// Exit code when a recording can't be understood, or is damaged.
pub const DAMAGED: i32 = 65;
/// Exit code when a recording ends before its program.
pub const CUT_OFF: i32 = 75;

/// A recorded run that is to be replayed.
pub struct Replayed {
    host: Box<dyn Host>,
    replay: Replay,
    /// It waited for the signal that asks for snapshots.
    snapshots: bool,
}

impl Replayed {
    /// What runs it.
    pub fn parts(self) -> (Parts, Tape) {
        let parts = (self.host, super::usual_natives());
        (parts, Tape::Replay(self.replay))
    }
    /// What is done when a snapshot is asked for. Waiting for that asks the host for something, so a replay waits for it
    /// if the recorded run did.
    pub fn snapshot(&self, own: Option<Snapshot>) -> Option<Snapshot> {
        let own = own.unwrap_or_else(|| Box::new(|_| ()));
        self.snapshots.then_some(own)
    }
}

/// Where the run is to be recorded, if the options ask for it.
pub fn recording(config: &Config) -> Result<Option<(PathBuf, Header)>, String> {
    match &config.record {
        Some(_) if config.task != Task::Run => {
            Err("--record: there is no program to be recorded".into())
        }
        Some(path) => Ok(Some((path.clone(), header(config)))),
        None => Ok(None),
    }
}

/// Tells why a replay could not go on, if that is what stopped the VM; the exit code.
pub fn stopped(tape: &Tape, fault: &Fault) -> Option<i32> {
    let code = tell(&tape.stopped()?);
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
pub fn finish(tape: &Tape, vm: &mut Vm, config: &Config, code: i32) -> i32 {
    let path = config.record.as_deref().unwrap_or(Path::new(""));
    match tape.finish(vm, code) {
        Ok(Some(bytes)) if !config.quiet => {
            eprintln!("rjvm: recorded in {} ({bytes} bytes)", path.display());
            code
        }
        Ok(_) => code,
        Err(Unfinished::Recording(e)) => {
            eprintln!("Error: {}: the recording is not whole: {e}", path.display());
            code.max(1)
        }
        // it has been told
        Err(Unfinished::Replay(_)) if tape.stopped().is_some() => code,
        Err(Unfinished::Replay(why)) => tell(&why),
    }
}

/// Tells why a replay stopped; the exit code.
pub fn tell(why: &Stopped) -> i32 {
    eprintln!("rjvm: {why}");
    match why {
        Stopped::CutOff { .. } => CUT_OFF,
        Stopped::Damaged { .. } => DAMAGED,
        Stopped::Parted { .. } => PARTED,
    }
}

/// What a recording says of the run that `config` asks for.
fn header(config: &Config) -> Header {
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
        snapshots: report::of_snapshot(config).is_some(),
        ..Header::of(&config.vm, config.jdk_version.clone())
    }
}

/// The command line of `rjvm replay`.
pub fn command() -> Command {
    Command::new("replay")
        .about("Runs a recorded program again: its files, sockets, clock ... are those of the recording")
        .after_help(format!(
            "A run is recorded by `rjvm --record=FILE ...`. Options are those for profiles and other reports of running\n\
             programs (rjvm --help-all); whatever else the command line of the recorded run said holds again.\n\
             Exit code: the program's; 1 if it can't be run or read; 2 for an invalid command line; {DAMAGED} if the recording is\n\
             damaged; {CUT_OFF} where it ends before its program; {PARTED} where the program does something else than it did"
        ))
        .arg_required_else_help(true)
        .arg(Arg::new("recording").help("The recording").required(true))
        .arg(
            Arg::new("option")
                .help("Options for reports, such as --profile=exact -o profile.html")
                .num_args(0..)
                .allow_hyphen_values(true)
                .trailing_var_arg(true),
        )
}

/// Replays a recording; the exit code.
pub fn replay(matches: &ArgMatches) -> i32 {
    let path = matches.get_one::<String>("recording").expect("required");
    let words = matches.get_many::<String>("option").unwrap_or_default();
    let words: Vec<String> = words.cloned().collect();
    let refused = |why: &str| eprintln!("Error: {path}: cannot be replayed: {why}");
    match std::fs::File::open(path).and_then(|file| file.metadata()) {
        Ok(found) if found.is_dir() => {
            refused("it is a folder");
            return 1;
        }
        Ok(_) => {}
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            refused("there is no such file");
            return 1;
        }
        Err(e) => {
            refused(&e.to_string());
            return 1;
        }
    }
    let (source, header) = match Source::open(Path::new(path)) {
        Ok(found) => found,
        Err(problem) => {
            refused(&problem);
            return DAMAGED;
        }
    };
    if header.embedded.is_some() {
        refused("the program in which its VM was embedded recorded it, and can replay it");
        return 1;
    }
    let config = match of_header(&header, &words) {
        Ok(config) => config,
        Err(code) => return code,
    };
    if let Err(problem) = header.check(&config.vm) {
        refused(&problem);
        return 1;
    }
    let (host, replay) = Replayer::new(source, own_screen());
    let replayed = Replayed {
        host: Box::new(host),
        replay,
        snapshots: header.snapshots,
    };
    run::run_with(config, run::Source::Recording(replayed))
}

/// What the recorded command line asked for, with these options for reports; the exit code if that is refused.
fn of_header(header: &Header, words: &[String]) -> Result<Config, i32> {
    let variable = |name: &str| {
        let known = header.variables.iter().find(|(n, _)| n == name);
        known.map(|(_, v)| v.clone())
    };
    let schedule = header.schedule.clone();
    let read = read_recorded(words, &header.command, schedule, variable);
    let mut config = read.map_err(|refusal| {
        complain(&refusal);
        1
    })?;
    if let Some(problem) = sampling::contradiction(&config) {
        eprintln!("Error: {problem}");
        return Err(1);
    }
    config.complete();
    config.java_home = Some(PathBuf::from(&header.java_home));
    config.vm.java_home = PathBuf::from(&header.java_home);
    config.vm.properties = header.properties.clone();
    config.what = header.program.clone();
    config.args = header.args.clone();
    let modes = [Mode::Class, Mode::Jar, Mode::Module, Mode::Source];
    let mode = modes.into_iter().find(|m| *m as u8 == header.mode);
    config.mode = mode.unwrap_or_default();
    config.task = Task::Run;
    config.record = None;
    Ok(config)
}

//! `--record`, and `rjvm replay`: a run that is recorded, and run again without the outside world.

use super::args::{VARIABLES, read_recorded};
use super::config::{Config, Mode, Task};
use super::fault::PARTED;
use super::{complain, report, run, sampling};
use clap::{Arg, ArgMatches, Command};
use rjvm_hosts::record::{Recorder, Recording};
use rjvm_hosts::recording::{BootFile, End, Header, Source};
use rjvm_hosts::replay::{Replay, Replayer, Stopped, own_screen};
use rjvm_jdk_stubs::os::OsHost;
use rjvm_vm::Vm;
use rjvm_vm::boot::PATCHES;
use rjvm_vm::fault::Fault;
use rjvm_vm::host::Host;
use rjvm_vm::threads::signals::Snapshot;
use std::path::{Path, PathBuf};

/// Exit code when a recording can't be understood, or is damaged.
pub const DAMAGED: i32 = 65;
/// Exit code when a recording ends before its program.
pub const CUT_OFF: i32 = 75;

/// What a run has to do with recordings.
pub enum Tape {
    /// Nothing.
    None,
    /// It is recorded.
    Recording(Recording, PathBuf),
    /// It is replayed.
    Replay {
        /// The replay.
        replay: Replay,
        /// The recorded run waited for the signal that asks for snapshots.
        snapshots: bool,
    },
}

impl Tape {
    /// Whether it is a replay.
    pub fn is_replay(&self) -> bool {
        matches!(self, Tape::Replay { .. })
    }
    /// Bytes of memory of the machine. What a replay has for its profile does not depend on the recorded one.
    pub fn memory(&self, host: &mut dyn Host) -> u64 {
        match self {
            Tape::Replay { .. } => OsHost::new().processes().memory().total,
            _ => host.processes().memory().total,
        }
    }
    /// What is done when a snapshot is asked for. Waiting for that asks the host for something, so a replay waits for it
    /// if the recorded run did.
    pub fn snapshot(&self, config: &Config) -> Option<Snapshot> {
        let own = report::of_snapshot(config).map(|config| -> Snapshot {
            Box::new(move |vm: &mut Vm| report::snapshot(vm, &config))
        });
        match self {
            Tape::Replay { snapshots, .. } => {
                snapshots.then(|| own.unwrap_or_else(|| Box::new(|_| ())))
            }
            _ => own,
        }
    }
    /// Has the host recorded, if the options ask for it.
    pub fn around(
        self,
        config: &Config,
        host: Box<dyn Host>,
    ) -> Result<(Tape, Box<dyn Host>), String> {
        let Some(path) = &config.record else {
            return Ok((self, host));
        };
        if config.task != Task::Run {
            return Err("--record: there is no program to be recorded".into());
        }
        match Recorder::create(host, path, &header(config)) {
            Ok((host, recording)) => {
                let tape = Tape::Recording(recording, path.clone());
                Ok((tape, Box::new(host)))
            }
            Err(e) => Err(format!(
                "{}: cannot write the recording: {e}",
                path.display()
            )),
        }
    }
    /// Tells why a replay could not go on, if that is what stopped the VM; the exit code.
    pub fn stopped(&self, fault: Option<&Fault>) -> Option<i32> {
        let Tape::Replay { replay, .. } = self else {
            return None;
        };
        let why = replay.stopped()?;
        let code = tell(&why);
        if let Some(fault) = fault {
            let thread = fault
                .thread
                .iter()
                .map(|name| format!("  thread \"{name}\""));
            let frames = fault.stack.iter().map(|frame| format!("\tat {frame}"));
            for line in thread.chain(frames) {
                eprintln!("{line}");
            }
        }
        Some(code)
    }
    /// The program has ended with this exit code; the exit code of the run.
    pub fn finish(&self, vm: &mut Vm, config: &Config, code: i32) -> i32 {
        let end = End {
            bytecodes: vm.bytecodes_now(),
            code,
        };
        match self {
            Tape::None => code,
            Tape::Recording(recording, path) => match recording.finish(end) {
                Ok(bytes) => {
                    if !config.quiet {
                        eprintln!("rjvm: recorded in {} ({bytes} bytes)", path.display());
                    }
                    code
                }
                Err(e) => {
                    eprintln!("Error: {}: the recording is not whole: {e}", path.display());
                    match code {
                        0 => 1,
                        _ => code,
                    }
                }
            },
            Tape::Replay { replay, .. } if replay.stopped().is_some() => code,
            Tape::Replay { replay, .. } => match replay.finish(end) {
                Ok(()) => code,
                Err(why) => tell(&why),
            },
        }
    }
}

/// Tells why a replay stopped; the exit code.
fn tell(why: &Stopped) -> i32 {
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
        version: env!("CARGO_PKG_VERSION").into(),
        jdk_version: config.jdk_version.clone(),
        java_home: config.vm.java_home.to_string_lossy().into_owned(),
        command: config.command.clone(),
        args: config.args.clone(),
        variables: VARIABLES.iter().filter_map(variable).collect(),
        properties: config.vm.properties.clone(),
        program: config.what.clone(),
        mode: config.mode as u8,
        snapshots: report::of_snapshot(config).is_some(),
        boot_files: boot_files(config),
    }
}

/// What the VM reads past its host: of the JDK, and what is in front of or behind its classes.
fn boot_files(config: &Config) -> Vec<BootFile> {
    let home = &config.vm.java_home;
    let mut paths = vec![home.join("release"), home.join("lib").join("modules")];
    if !paths[1].exists() {
        paths[1] = home.join("jmods");
    }
    let mut lists: Vec<&str> = config.vm.boot_append.iter().map(String::as_str).collect();
    let patches = config.vm.properties.iter().filter(|(key, _)| {
        key.strip_prefix(PATCHES)
            .is_some_and(|rest| rest.starts_with('.'))
    });
    lists.extend(patches.filter_map(|(_, spec)| Some(spec.split_once('=')?.1)));
    for list in lists {
        paths.extend(std::env::split_paths(list).filter(|p| !p.as_os_str().is_empty()));
    }
    let file = |path: PathBuf| BootFile {
        digest: BootFile::digest_of(&path),
        path: path.to_string_lossy().into_owned(),
    };
    paths.into_iter().map(file).collect()
}

/// The command line of `rjvm replay`.
pub fn command() -> Command {
    Command::new("replay")
        .about("Runs a recorded program again: its files, sockets, clock ... are those of the recording")
        .after_help(format!(
            "A run is recorded by `rjvm --record=FILE ...`. Options are those for profiles and other reports of running\n\
             programs (rjvm --help-all); whatever else the command line of the recorded run said holds again.\n\
             Exit code: the program's; 1 if it can't be run; 2 for an invalid command line; {DAMAGED} if the recording is\n\
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
    let (source, header) = match Source::open(Path::new(path)) {
        Ok(found) => found,
        Err(problem) => {
            eprintln!("Error: {path}: cannot be replayed: {problem}");
            return DAMAGED;
        }
    };
    let config = match of_header(&header, &words) {
        Ok(config) => config,
        Err(code) => return code,
    };
    let changed = boot_files(&config) != header.boot_files;
    if changed {
        let now = boot_files(&config);
        let recorded = header.boot_files.iter();
        let other = recorded.zip(&now).find(|(a, b)| a != b).map(|(a, _)| a);
        let name = other.map_or("", |f| &f.path);
        eprintln!(
            "Error: {path}: cannot be replayed: {name} is not what it was when the run was recorded, with JDK {}",
            header.jdk_version
        );
        return 1;
    }
    let (host, replay) = Replayer::new(source, own_screen());
    let tape = Tape::Replay {
        replay,
        snapshots: header.snapshots,
    };
    run::run_with(config, || (Box::new(host), super::usual_natives()), tape)
}

/// What the recorded command line asked for, with these options for reports; the exit code if that is refused.
fn of_header(header: &Header, words: &[String]) -> Result<Config, i32> {
    let variable = |name: &str| {
        let known = header.variables.iter().find(|(n, _)| n == name);
        known.map(|(_, v)| v.clone())
    };
    let mut config = read_recorded(words, &header.command, variable).map_err(|refusal| {
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

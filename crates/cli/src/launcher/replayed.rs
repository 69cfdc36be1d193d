//! `rjvm replay`: runs a recorded program again without the outside world.

use super::args::read_recorded;
use super::codes::{CUT_OFF, DAMAGED, PARTED};
use super::complaints::complain;
use super::complete::{complete, contradiction};
use super::config::{Config, LaunchTask, Mode};
use super::record::Replayed;
use super::refusal::Refusal;
use super::run;
use crate::subcommands;
use clap::{Arg, ArgMatches, Command};
use rjvm_hosts::recording::{ChunkSource, Header};
use rjvm_hosts::replay::{Replayer, own_screen};
use std::path::{Path, PathBuf};

/// The command line of `rjvm replay`.
pub fn command() -> Command {
    subcommands::REPLAY.command()
        .after_help(format!(
            "You record a run with `rjvm --record=FILE ...`. The replay accepts the options for profiles and other reports\n\
             (rjvm --help-all). All other options are those of the recorded run.\n\n\
             Example:\n\
             \x20 rjvm replay run.rec --profile=exact -o profile.html\n\n\
             Exit codes: the program's; 1 if rjvm cannot read the recording or run the program; 2 for an invalid command line;\n\
             {DAMAGED} if the recording is damaged; {CUT_OFF} if it ends before its program; {PARTED} if the program diverges from it\n\
             See docs/determinism.md"
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

/// A recording that can be replayed.
pub struct OpenedRecording {
    source: ChunkSource,
    snapshots: bool,
    /// What the recorded command line requested.
    pub config: Config,
}

impl OpenedRecording {
    /// Another process still writes the recording, at this path.
    ///
    /// # Errors
    /// It cannot be opened once more.
    pub fn follow(&mut self, path: &Path) -> std::io::Result<()> {
        self.source.follow(path)
    }
    /// The outside world of the recorded run, from its beginning.
    pub fn replayed(self) -> (Replayed, Config) {
        let (host, replay) = Replayer::new(self.source, own_screen());
        let replayed = Replayed {
            host: Box::new(host),
            replay,
            snapshots: self.snapshots,
        };
        (replayed, self.config)
    }
}

/// Replays a recording; the exit code.
pub fn replay(matches: &ArgMatches) -> i32 {
    let path = matches.get_one::<String>("recording").expect("required");
    let words = matches.get_many::<String>("option").unwrap_or_default();
    let words: Vec<String> = words.cloned().collect();
    match open(path, &words) {
        Ok(opened) => {
            let (replayed, config) = opened.replayed();
            run::run_with(config, run::Source::Recording(replayed))
        }
        Err((refusal, code)) => {
            complain(&refusal);
            code
        }
    }
}

/// Opens a recording, to be replayed with these options for reports; why that cannot be, and the exit code.
pub fn open(path: &str, words: &[String]) -> Result<OpenedRecording, (Refusal, i32)> {
    let refused = |why: &str, code| {
        let text = format!("{path}: cannot replay: {why}");
        Err((Refusal::Own(text), code))
    };
    match std::fs::File::open(path).and_then(|file| file.metadata()) {
        Ok(found) if found.is_dir() => return refused("it is a folder", 1),
        Ok(_) => {}
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return refused("no such file", 1),
        Err(e) => return refused(&e.to_string(), 1),
    }
    let (source, header) = match ChunkSource::open(Path::new(path)) {
        Ok(found) => found,
        Err(problem) => return refused(&problem.to_string(), DAMAGED),
    };
    if header.embedded.is_some() {
        let why =
            "it is the recording of an embedded VM: replay it in the program that recorded it";
        return refused(why, 1);
    }
    let config = of_header(&header, words).map_err(|refusal| (refusal, 1))?;
    if let Err(problem) = header.check(&config.vm) {
        return refused(&problem.to_string(), 1);
    }
    Ok(OpenedRecording {
        source,
        snapshots: header.snapshots,
        config,
    })
}

/// What the recorded command line requested, with these options for reports.
fn of_header(header: &Header, words: &[String]) -> Result<Config, Refusal> {
    let variable = |name: &str| {
        let known = header.variables.iter().find(|(n, _)| n == name);
        known.map(|(_, v)| v.clone())
    };
    let schedule = header.schedule.clone();
    let mut config = read_recorded(words, &header.command, schedule, variable)?;
    if let Some(problem) = contradiction(&config) {
        return Err(Refusal::Own(problem));
    }
    complete(&mut config);
    config.java_home = Some(PathBuf::from(&header.java_home));
    config.vm.java_home = PathBuf::from(&header.java_home);
    config.vm.properties = header.properties.clone();
    config.what = header.program.clone();
    config.args = header.args.clone();
    let modes = [Mode::Class, Mode::Jar, Mode::Module, Mode::Source];
    let mode = modes.into_iter().find(|m| *m as u8 == header.mode);
    config.mode = mode.unwrap_or_default();
    config.task = LaunchTask::Run;
    config.record = None;
    Ok(config)
}

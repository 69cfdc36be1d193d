//! `rjvm why`: runs a program and says when, where and why it takes its time.

mod copies;
mod gather;

use super::commands::WRONG_USE;
use super::config::{Config, Task};
use super::{args, complain, run, usual_parts};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use gather::Gatherer;
use rjvm_vm::Vm;
use rjvm_vm::vm::ProfileMode;
use rjvm_why::report;
use std::io::Write;

/// Memory for calling contexts: what looking at all of them again and again takes little time for.
const CONTEXTS: usize = 512 << 20;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Why {
    outputs: Vec<String>,
    top: usize,
}

/// The command line.
pub fn command() -> Command {
    Command::new("why")
        .about("Says when, where and why a program takes its time")
        .after_help(
            "Finds the phases of the run, and causes in them, each with its figures, the evidence behind it and what could be saved:\n\
             loops within loops, recursion, boxing, strings, exceptions, regular expressions, collisions of hash keys, locks, input\n\
             and output, big copies, class loading, reflection. With --deterministic the report is the same in each run. docs/why.md has all causes.\n\
             \x20 rjvm why -cp classes com.example.Main arguments\n\
             \x20 rjvm why -o why.html -o why.json -jar app.jar\n\
             The report goes to standard error if no file is given. Exit code: the program's; 2 for wrong options",
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .help("Write the report: .txt, .html (a page to click through) or .json; may be given several times")
                .action(ArgAction::Append)
                .value_parser(output),
        )
        .arg(
            Arg::new("top")
                .long("top")
                .value_name("N")
                .help("Causes in a text")
                .default_value("10")
                .value_parser(value_parser!(u64)),
        )
        .arg(words())
}

/// The words of the program's own command line.
pub(super) fn words() -> Arg {
    Arg::new("COMMAND")
        .help("Options, main class or -jar file, and the program's arguments")
        .required(true)
        .num_args(1..)
        .allow_hyphen_values(true)
        .trailing_var_arg(true)
}

fn output(text: &str) -> Result<String, String> {
    match text.rsplit_once('.') {
        Some((_, "html" | "json" | "txt")) => Ok(text.into()),
        _ => Err("a file that ends in .html, .json or .txt is expected".into()),
    }
}

/// Reads the command line of a program that is looked at, whose profile is this command's own.
pub(super) fn config(matches: &ArgMatches) -> Result<Config, i32> {
    let words = matches.get_many::<String>("COMMAND").unwrap_or_default();
    let words: Vec<String> = ["--quiet".to_string()]
        .into_iter()
        .chain(words.cloned())
        .collect();
    let env = |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
    let mut config = args::read(words, env, |line| eprintln!("{line}")).map_err(|refusal| {
        complain(&refusal);
        WRONG_USE
    })?;
    let failed = |problem: &str| {
        eprintln!("Error: {problem}");
        WRONG_USE
    };
    if config.task != Task::Run || config.what.is_none() {
        return Err(failed("there is no program to be run"));
    }
    let own = config.profiles()
        || config.window.begins_later()
        || !config.stops.is_empty()
        || config.check.is_some();
    if own || config.hprof.is_some() || config.explorable || config.record.is_some() {
        return Err(failed(
            "options for profiles, stops and recordings can't be used here",
        ));
    }
    config.complete();
    Ok(config)
}

/// Runs the program; its exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    let mut config = match config(matches) {
        Ok(config) => config,
        Err(code) => return code,
    };
    config.vm.profile = ProfileMode::Blocks;
    config.vm.allocations = true;
    if !config.given.contains(&"--profile-memory") {
        config.vm.profile_memory = CONTEXTS;
        config.given.push("--profile-memory");
    }
    let outputs = matches.get_many::<String>("output").unwrap_or_default();
    config.why = Some(Why {
        outputs: outputs.cloned().collect(),
        top: *matches.get_one::<u64>("top").expect("it has a default") as usize,
    });
    run::run(config, usual_parts)
}

/// A run that is looked at.
pub struct Looked(Gatherer);

/// Begins to look, if that is asked for.
pub fn start(vm: &mut Vm, config: &Config) -> Option<Looked> {
    config.why.as_ref()?;
    let gatherer = Gatherer::start(vm);
    gatherer.begin(vm);
    Some(Looked(gatherer))
}

/// The program is over: writes the report; false if it could not be written.
pub fn finish(looked: Looked, vm: &mut Vm, config: &Config) -> bool {
    let Some(why) = &config.why else { return true };
    let virtual_clock = config.vm.virtual_clock.is_some() || config.deterministic.is_some();
    let recording = looked.0.finish(vm, config.program(), virtual_clock);
    let found = rjvm_why::analyse(&recording);
    if why.outputs.is_empty() {
        eprint!("\n{}", report::text(&found, why.top));
    }
    let mut good = true;
    for path in &why.outputs {
        let text = match path.rsplit_once('.').map(|p| p.1) {
            Some("html") => report::html(&found),
            Some("json") => report::json(&found),
            _ => report::text(&found, why.top),
        };
        let written = std::fs::File::create(path).and_then(|mut f| f.write_all(text.as_bytes()));
        if let Err(e) = written {
            eprintln!("Error: {path}: {e}");
            good = false;
        }
    }
    good
}

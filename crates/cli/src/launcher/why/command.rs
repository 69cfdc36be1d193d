//! The command line of `rjvm why`, and of others that look at a program in this way.

use crate::invalid::InvalidValue;
use crate::launcher::args;
use crate::launcher::codes::WRONG_USE;
use crate::launcher::complaints::complain;
use crate::launcher::complete::complete;
use crate::launcher::config::{Config, LaunchTask};
use crate::launcher::parts::usual_parts;
use crate::launcher::run;
use crate::launcher::settings::why::WhySettings;
use crate::launcher::verify;
use crate::messages;
use crate::subcommands;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use rjvm_vm::vm::ProfileMode;

/// Memory for calling contexts: what looking at all of them again and again takes little time for.
const CONTEXTS: usize = 512 << 20;

/// The command line.
pub fn command() -> Command {
    subcommands::WHY.command()
        .after_help(
            "The report has the phases of the run and their causes. Each cause has its figures, its evidence and the possible saving:\n\
             loops within loops, recursion, boxing, strings, exceptions, regular expressions, collisions of hash keys, locks, input\n\
             and output, big copies, class loading, reflection. With --deterministic the report is the same in each run.\n\
             Without -o, rjvm prints the report on standard error.\n\n\
             Examples:\n\
             \x20 rjvm why -cp classes com.example.Main arguments\n\
             \x20 rjvm why -o why.html -o why.json -jar app.jar\n\
             \n\
             Exit codes: the program's; 2 for an invalid command line\n\
             See docs/why.md",
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .help("Write the report: .txt, .html (an interactive page) or .json; may be repeated")
                .action(ArgAction::Append)
                .value_parser(output),
        )
        .arg(
            Arg::new("top")
                .long("top")
                .value_name("N")
                .help("Number of causes in a text report")
                .default_value("10")
                .value_parser(value_parser!(u64)),
        )
        .arg(subcommands::program_command_line())
}

fn output(text: &str) -> Result<String, InvalidValue> {
    match text.rsplit_once('.') {
        Some((_, "html" | "json" | "txt")) => Ok(text.into()),
        _ => Err(InvalidValue::Expected(
            "a file that ends in .html, .json or .txt",
        )),
    }
}

/// Reads the command line of a program that is looked at, whose profile is this command's own.
pub fn config(matches: &ArgMatches) -> Result<Config, i32> {
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
        messages::error(&problem);
        WRONG_USE
    };
    if config.task != LaunchTask::Run || config.what.is_none() {
        return Err(failed("no program is given"));
    }
    let own = config.profiles()
        || config.window.begins_later()
        || !config.stops.is_empty()
        || config.check.is_some();
    if own || config.hprof.is_some() || config.explorable || config.record.is_some() {
        return Err(failed(
            "options for profiles, stops and recordings are not allowed here",
        ));
    }
    // among the options of the run it would name a profile's file
    if !config.outputs.is_empty() {
        return Err(failed("write -o FILE before the options of the run"));
    }
    verify::not_here(&config).map_err(|e| failed(&e.to_string()))?;
    complete(&mut config);
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
    config.why = Some(WhySettings {
        outputs: outputs.cloned().collect(),
        top: *matches.get_one::<u64>("top").expect("it has a default") as usize,
    });
    run::run(config, usual_parts)
}

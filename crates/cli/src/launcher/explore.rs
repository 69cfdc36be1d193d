//! `rjvm explore`: runs a program under one schedule after the other, until one fails.

mod merge;

use super::args;
use super::codes::WRONG_USE;
use super::complaints::complain;
use super::complete::complete;
use super::config::{Config, LaunchTask};
use super::parts::usual_parts;
use super::probes;
use super::program::{assembly, bad_jar, find_jdk, program};
use crate::explore::session::Session;
use crate::explore::{ANY, ExploreSettings, LAST, PRELUDE, RunningExploration};
use crate::file_error::FileError;
use crate::invalid::InvalidValue;
use crate::messages;
use crate::subcommands;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use rjvm_explore::Method;
use rjvm_explore::dpor::Limits;
use rjvm_explore::report::summary;
use rjvm_explore::result::{Exploration, Shard, Summary};
use rjvm_explorer::{SchedulingPoints, SharedExplorer, memory};
use rjvm_run::program::AtMain;
use rjvm_vm::Vm;
use rjvm_vm::startup::CallStop;
use rjvm_vm::vm::Explored;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Columns of a text.
const WIDTH: usize = 132;
/// Exit code: a schedule failed.
const FAILED: i32 = 1;

/// The command line.
pub fn command() -> Command {
    let command = subcommands::EXPLORE.command()
        .after_help(
            "A schedule fails if a thread ends with an exception, if all threads wait forever, if the exit code is not 0, or if it\n\
             executes more than --max-bytecodes. The program runs with --deterministic and -ea. Time is virtual: sleeping takes no\n\
             real time, and the schedule decides which timeout expires first.\n\n\
             Examples:\n\
             \x20 rjvm explore -cp classes com.example.Main arguments\n\
             \x20 rjvm explore --strategy=pct:3 --iterations=10000 --seed=7 -jar app.jar\n\
             \n\
             Exit codes: 0 if no schedule failed; 1 if one failed; 2 if rjvm cannot explore the program\n\
             See docs/explore.md",
        )
        .next_help_heading("Schedules")
        .arg(
            Arg::new("strategy")
                .long("strategy")
                .value_name("NAME")
                .help(format!("How schedules are chosen: {}", Method::NAMES))
                .default_value("mixed")
                .value_parser(|text: &str| text.parse::<Method>().map_err(|e| e.to_string())),
        )
        .arg(number("preemptions").help("dpor: run only schedules with at most N preemptions"))
        .arg(
            number("iterations")
                .help("Number of schedules to run")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("1000"),
        )
        .arg(
            Arg::new("time")
                .long("time")
                .value_name("SECONDS")
                .help("Stop after this time, even if fewer than --iterations schedules have run")
                .value_parser(value_parser!(u64).range(1..)),
        )
        .arg(number("seed").help("Seed of the schedules: the same seed gives the same schedules").default_value("0"))
        .arg(
            Arg::new("shard")
                .long("shard")
                .value_name("I/N")
                .help("Run the I-th of N parts of the schedules, from 1 to N")
                .value_parser(value_parser!(Shard)),
        );
    with_failures(with_choices(command))
        .next_help_heading("Output and processes")
        .arg(output_files())
        .arg(
            Arg::new("jobs")
                .long("jobs")
                .value_name("N")
                .help("Number of processes that run at the same time; default: one for each processor")
                .value_parser(value_parser!(u64).range(1..)),
        )
        .arg(subcommands::program_command_line())
        .subcommand_negates_reqs(true)
        .args_conflicts_with_subcommands(true)
        .subcommand(merge::command())
}

/// What schedules choose, and how a program finds the world in each.
fn with_choices(command: Command) -> Command {
    command
        .next_help_heading("Choices")
        .arg(
            Arg::new("points")
                .long("points")
                .value_name("WHERE")
                .help("Where rjvm switches threads: sync (at monitors, volatile and atomic variables), memory (also at variables that two threads use), all (also at all other variables)")
                .default_value("memory")
                .value_parser(["sync", "memory", "all"]),
        )
        .arg(
            Arg::new("memory")
                .long("memory")
                .value_name("MODEL")
                .help("Value that a read returns: sc (the newest one), jmm (any that the Java memory model permits)")
                .default_value(memory::SC)
                .value_parser([memory::SC, memory::JMM]),
        )
        .arg(
            Arg::new("timeouts")
                .long("timeouts")
                .value_name("WHEN")
                .help("When a sleep or timed wait may expire: any (as soon as the thread waits), last (when no other thread can run, the earliest first)")
                .default_value(ANY)
                .value_parser([ANY, LAST]),
        )
        .arg(
            Arg::new("input")
                .long("input")
                .value_name("FILE")
                .help("Standard input of each schedule; default: empty")
                .value_parser(value_parser!(std::path::PathBuf)),
        )
        .arg(
            Arg::new("own-folder")
                .long("own-folder")
                .help("Run each schedule in its own copy of the working folder, made when the second thread starts")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("spurious")
                .long("spurious")
                .help("Also try spurious wake-ups of waiting and parked threads, which the Java API permits")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("random")
                .long("random")
                .help("Give each schedule except the first its own random numbers, derived from the seed")
                .action(ArgAction::SetTrue),
        )
}

/// The definition of a failure, and the consequences of one.
fn with_failures(command: Command) -> Command {
    command
        .next_help_heading("Failures")
        .arg(
            number("max-bytecodes")
                .help("A schedule fails if it executes more than N bytecodes, counted from the start of the second thread")
                .default_value("100000000"),
        )
        .arg(
            number("max-prelude")
                .help(format!("Stop the exploration if the program has not started a second thread after N bytecodes; default: {PRELUDE}")),
        )
        .arg(
            Arg::new("keep-going")
                .long("keep-going")
                .help("Run all schedules after a failure too, and show each kind of failure once")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("same-output")
                .long("same-output")
                .help("A schedule fails if its output differs from the first schedule's output")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("oracle")
                .long("oracle")
                .value_name("COMMAND")
                .help("Pass the output of each schedule to this shell command, on its standard input; the schedule fails if its exit code is not 0, and its first line is the reason"),
        )
        .arg(
            Arg::new("races")
                .long("races")
                .value_name("WHOSE")
                .help("Report data races as failures: races in the program, or with =all also races in the class library's own code")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("program")
                .value_parser(["program", "all"]),
        )
}

/// An option with a number.
fn number(name: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("N")
        .value_parser(value_parser!(u64))
}

/// `-o FILE`
fn output_files() -> Arg {
    Arg::new("output")
        .short('o')
        .long("output")
        .value_name("FILE")
        .help("Write the results: .json (also the input of rjvm explore merge), .txt, or .html (the first failure, with a timeline); may be repeated")
        .action(ArgAction::Append)
        .value_parser(output)
}

fn output(text: &str) -> Result<String, InvalidValue> {
    match text.rsplit_once('.') {
        Some((_, "html" | "json" | "txt")) => Ok(text.into()),
        _ => Err(InvalidValue::Expected(
            "a file name that ends in .html, .json or .txt",
        )),
    }
}

fn settings(matches: &ArgMatches) -> ExploreSettings {
    let number = |name: &str| *matches.get_one::<u64>(name).expect("it has a default");
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    ExploreSettings {
        method: *matches.get_one("strategy").expect("it has a default"),
        iterations: number("iterations"),
        time: matches
            .get_one("time")
            .map(|&seconds| Duration::from_secs(seconds)),
        seed: number("seed"),
        shard: matches.get_one("shard").copied().unwrap_or(Shard::WHOLE),
        points: match matches.get_one::<String>("points").map(String::as_str) {
            Some("sync") => SchedulingPoints::Sync,
            Some("all") => SchedulingPoints::All,
            _ => SchedulingPoints::Memory,
        },
        jmm: matches
            .get_one::<String>("memory")
            .is_some_and(|m| m == memory::JMM),
        limits: Limits {
            preemptions: (matches.get_one::<u64>("preemptions"))
                .map(|&n| u32::try_from(n).unwrap_or(u32::MAX)),
            depth: None,
        },
        late: matches
            .get_one::<String>("timeouts")
            .is_some_and(|w| w == LAST),
        input: matches.get_one("input").cloned(),
        own_folder: matches.get_flag("own-folder"),
        spurious: matches.get_flag("spurious"),
        random: matches.get_flag("random"),
        max_bytecodes: number("max-bytecodes"),
        prelude: matches.get_one("max-prelude").copied().unwrap_or(PRELUDE),
        keep_going: matches.get_flag("keep-going"),
        same_output: matches.get_flag("same-output"),
        races: matches.contains_id("races"),
        all_races: matches
            .get_one::<String>("races")
            .is_some_and(|w| w == "all"),
        jobs: matches
            .get_one::<u64>("jobs")
            .map_or(processors, |&n| n as usize),
        oracle: matches.get_one::<String>("oracle").cloned(),
        test: None,
    }
}

fn failed(problem: &str) -> i32 {
    messages::error(&problem);
    WRONG_USE
}

/// Reads the command line of the explored program.
fn config(words: Vec<String>) -> Result<Config, i32> {
    let own = ["--quiet", "--deterministic", "-ea"].map(String::from);
    let words = own.into_iter().chain(words).collect();
    let env = |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
    let mut config = args::read(words, env, |line| eprintln!("{line}")).map_err(|refusal| {
        complain(&refusal);
        WRONG_USE
    })?;
    super::verify::not_here(&config).map_err(|e| failed(&e.to_string()))?;
    complete(&mut config);
    match config.task {
        LaunchTask::Run if config.what.is_some() => Ok(config),
        _ => Err(failed("no program is given")),
    }
}

/// Explores; the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    if let Some(("merge", matches)) = matches.subcommand() {
        return merge::run(matches);
    }
    explore(matches).unwrap_or_else(|code| code)
}

/// Explores the program; the exit code, also where it cannot be explored.
fn explore(matches: &ArgMatches) -> Result<i32, i32> {
    let words = matches.get_many::<String>("COMMAND").unwrap_or_default();
    let settings = settings(matches);
    if let Some(problem) = contradiction(&settings) {
        return Err(failed(problem));
    }
    let mut config = config(words.cloned().collect())?;
    if let Some(problem) = bad_jar(&config) {
        return Err(failed(&problem));
    }
    let library = find_jdk(&mut config).map_err(|problem| failed(&problem.to_string()))?;
    config.vm.explored = Some(Explored {
        memory: settings.jmm,
    });
    config.signals = false;
    let made = assembly(&config, usual_parts()).make(&library);
    let made = made.map_err(|problem| failed(&problem.to_string()))?;
    let mut vm = made.core;
    let outputs = matches.get_many::<String>("output").unwrap_or_default();
    let outputs: Vec<String> = outputs.cloned().collect();
    let session = explored(&mut vm, &config, settings, &outputs)?;
    if let Some(temporary) = made.temporary {
        temporary.remove();
    }
    let code = reported(session, &config, &outputs);
    std::mem::forget(vm);
    code
}

/// A conflict between the options.
fn contradiction(settings: &ExploreSettings) -> Option<&'static str> {
    if settings.method != Method::Exhaustive {
        return None;
    }
    if settings.shard != Shard::WHOLE {
        return Some(
            "--strategy=dpor cannot be combined with --shard: it plans each schedule from the earlier ones",
        );
    }
    settings.random.then_some(
        "--strategy=dpor cannot be combined with --random: all schedules need the same random numbers",
    )
}

/// Runs the program's schedules; the findings, and whether `main` was reached.
fn explored(
    vm: &mut Vm,
    config: &Config,
    settings: ExploreSettings,
    outputs: &[String],
) -> Result<(Session, bool), i32> {
    let prelude = settings.prelude;
    let exploration = exploration(config, &settings);
    let mut session = Session::new(settings, exploration);
    let files = outputs.to_vec();
    session.announce = Some(Box::new(move |found| {
        write_results(found, &files).map_err(io::Error::other)
    }));
    let under_way = RunningExploration::new(session, SharedExplorer::default());
    let under_way = under_way.map_err(|e| failed(&e.to_string()))?;
    let reached = Arc::new(AtomicBool::new(false));
    let at_main: AtMain = {
        let (control, reached) = (under_way.control.clone(), reached.clone());
        Box::new(move |vm| {
            reached.store(true, Ordering::Relaxed);
            vm.set_control(Box::new(control));
            // for what comes before the second thread
            vm.set_fuel(i64::try_from(prelude).ok());
            true
        })
    };
    let ended =
        vm.guarded(|vm| program(vm, config, Some(at_main), &probes::ProbeRegistry::default()));
    let ended = ended.unwrap_or_else(|fault| Err(CallStop::Fault(fault)));
    let session = under_way.ended(vm, ended);
    Ok((session, reached.load(Ordering::Relaxed)))
}

/// Reports the findings; the exit code.
fn reported(
    (mut session, reached): (Session, bool),
    config: &Config,
    outputs: &[String],
) -> Result<i32, i32> {
    if !reached {
        // there is no such class, or it cannot be used
        return Err(refused(&session));
    }
    if let Some(problem) = &session.problem {
        return Err(failed(&problem.to_string()));
    }
    session.show(&config.all_sources());
    if let Err(e) = session.found.write_schedules() {
        return Err(failed(&format!("cannot write the schedule: {e}")));
    }
    write_results(&session.found, outputs).map_err(|e| failed(&e.to_string()))?;
    let message = summary(&session.found, Some(session.took), WIDTH);
    let code = match session.found.has_failed() {
        true => FAILED,
        false => 0,
    };
    match io::stdout().write_all(message.as_bytes()) {
        Ok(()) => Ok(code),
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(code),
        Err(e) => Err(failed(&e.to_string())),
    }
}

/// Shows the output of a program that never reached its `main`.
fn refused(session: &Session) -> i32 {
    let printed = session.failures.first().map(|f| &f.data.printed.errors[..]);
    let _ = io::stderr().write_all(printed.unwrap_or_default());
    WRONG_USE
}

/// The explored program, as far as it is known before the program starts.
fn exploration(config: &Config, settings: &ExploreSettings) -> Exploration {
    let shown = |word: &&String| *word != "--quiet";
    let mut arguments: Vec<String> = config.command.iter().filter(shown).cloned().collect();
    arguments.extend(config.args.iter().cloned());
    Exploration {
        program: config.program(),
        arguments,
        strategy: settings.method.to_string(),
        iterations: settings.iterations,
        seed: settings.seed,
        points: settings.points.to_string(),
        memory: match settings.jmm {
            true => memory::JMM.into(),
            false => memory::SC.into(),
        },
        timeouts: match settings.late {
            true => LAST.into(),
            false => ANY.into(),
        },
        spurious: settings.spurious,
        random: settings.random,
        max_bytecodes: settings.max_bytecodes,
        keep_going: settings.keep_going,
        same_output: settings.same_output,
        races: match (settings.races, settings.all_races) {
            (false, _) => "",
            (true, false) => "program",
            (true, true) => "all",
        }
        .into(),
        oracle: settings.oracle.clone().unwrap_or_default(),
        jdk: config.jdk_version.clone(),
        digest: String::new(),
    }
}

/// Writes the results to the requested files.
fn write_results(found: &Summary, files: &[String]) -> Result<(), FileError> {
    for path in files {
        let text = match path.rsplit_once('.').map(|p| p.1) {
            Some("html") => {
                let mut shown = found.failures.iter().filter_map(|f| f.shown.as_ref());
                match shown.next() {
                    Some(first) => rjvm_explore::report::html(&first.failure),
                    None => continue,
                }
            }
            Some("json") => found.to_json(),
            _ => summary(found, None, WIDTH),
        };
        std::fs::write(path, text).map_err(FileError::at(path))?;
    }
    Ok(())
}

//! The command line of `rjvm search`.

use crate::launcher::parts::usual_parts;
use crate::launcher::run;
use crate::launcher::settings::search::{SearchMetric, SearchSettings};
use crate::launcher::why::command as why;
use crate::subcommands;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use rjvm_why::search::Settings;

const TOP_DOWN: &str = "top-down";
const HYBRID: &str = "hybrid";

/// The command line.
pub fn command() -> Command {
    let command = subcommands::SEARCH.command()
        .after_help(
            "Begins at main: methods that use more than --threshold are bottlenecks, and their callees are timed next. Methods that are\n\
             called very often are deep starters: the ways to them are timed as well. docs/search.md compares what is found with exact counts.\n\
             \x20 rjvm search -cp classes com.example.Main arguments\n\
             \x20 rjvm search --metric=allocations -o found.html -o found.dot -jar app.jar\n\
             Exit code: the program's; 2 for wrong options",
        )
        .arg(
            Arg::new("metric")
                .long("metric")
                .value_name("WHAT")
                .help("What bottlenecks use: bytecodes, allocations (bytes), contention (bytecodes of others while a thread waits for a lock), wall (nanoseconds)")
                .default_value("bytecodes")
                .value_parser(["bytecodes", "allocations", "contention", "wall"]),
        )
        .arg(part("threshold", "Part of all that makes a method a bottleneck"));
    with_strategy(command)
        .arg(number("interval", "50000", "Bytecodes between two decisions"))
        .arg(
            Arg::new("library")
                .long("library")
                .help("Methods of the class library are searched, too; otherwise what they use is their callers'")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .help("Write what was found: .txt, .html and .dot (the coloured call graph) or .json; may be given several times")
                .action(ArgAction::Append)
                .value_parser(output),
        )
        .arg(why::words())
}

/// How the search goes on.
fn with_strategy(command: Command) -> Command {
    command
        .arg(
            Arg::new("strategy")
                .long("strategy")
                .value_name("NAME")
                .help("top-down: along calls of bottlenecks only; hybrid: deep starters as well")
                .default_value(HYBRID)
                .value_parser([TOP_DOWN, HYBRID]),
        )
        .arg(part("deep-starters", "Part of all calls that makes a method a deep starter"))
        .arg(limit("limit-deep-starters", "Deep starters that are followed at one time, or none: no limit"))
        .arg(limit("limit-late", "Timers at one time for calls that are under way, or none: no limit; 0 with --strategy=top-down"))
        .arg(number("observe", "500000", "What all use before a method is called a bottleneck"))
        .arg(number("patience", "5000000", "Bytecodes after which a method that uses less is given up"))
}

fn number(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("N")
        .help(help)
        .default_value(default)
        .value_parser(value_parser!(u64))
}

fn part(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("PERCENT")
        .help(help)
        .default_value("10%")
        .value_parser(permille)
}

fn limit(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("N")
        .help(help)
        .default_value("1")
        .value_parser(at_most)
}

fn permille(text: &str) -> Result<u64, String> {
    let number: Option<f64> = text.trim_end_matches('%').parse().ok();
    match number {
        Some(n) if (0.1..=100.0).contains(&n) => Ok((n * 10.0).round() as u64),
        _ => Err("a number of per cent from 0.1 to 100 is expected".into()),
    }
}

/// A number, or no limit.
fn at_most(text: &str) -> Result<SearchLimit, String> {
    match text {
        "none" => Ok(SearchLimit(None)),
        text => text
            .parse()
            .map(|n| SearchLimit(Some(n)))
            .map_err(|_| "a number or none is expected".into()),
    }
}

#[derive(Clone, Copy, Debug)]
struct SearchLimit(Option<usize>);

fn output(text: &str) -> Result<String, String> {
    match text.rsplit_once('.') {
        Some((_, "html" | "json" | "txt" | "dot")) => Ok(text.into()),
        _ => Err("a file that ends in .html, .dot, .json or .txt is expected".into()),
    }
}

/// Runs the program; its exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    let mut config = match why::config(matches) {
        Ok(config) => config,
        Err(code) => return code,
    };
    let number = |name: &str| *matches.get_one::<u64>(name).expect("it has a default");
    let limit = |name: &str| {
        matches
            .get_one::<SearchLimit>(name)
            .expect("it has a default")
            .0
    };
    let word = |name: &str| {
        matches
            .get_one::<String>(name)
            .expect("it has a default")
            .as_str()
    };
    let hybrid = word("strategy") == HYBRID;
    let requested = SearchSettings {
        settings: Settings {
            threshold: number("threshold"),
            hybrid,
            starters: number("deep-starters"),
            limit_deep_starters: limit("limit-deep-starters"),
            limit_late: if hybrid { limit("limit-late") } else { Some(0) },
            observe: number("observe").max(1),
            patience: number("patience").max(1),
        },
        metric: match word("metric") {
            "allocations" => SearchMetric::Allocations,
            "contention" => SearchMetric::Contention,
            "wall" => SearchMetric::Wall,
            _ => SearchMetric::Bytecodes,
        },
        library: matches.get_flag("library"),
        interval: number("interval").clamp(1000, 1 << 40) as i64,
        outputs: matches
            .get_many::<String>("output")
            .unwrap_or_default()
            .cloned()
            .collect(),
    };
    config.search = Some(requested);
    run::run(config, usual_parts)
}

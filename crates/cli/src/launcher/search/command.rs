//! The command line of `rjvm search`.

use crate::invalid::InvalidValue;
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
            "The search begins at main. A method that uses more than --threshold of the metric is a bottleneck, and rjvm times its\n\
             callees next. A method that is called very often is a deep starter: rjvm also times the methods that lead to it.\n\n\
             Examples:\n\
             \x20 rjvm search -cp classes com.example.Main arguments\n\
             \x20 rjvm search --metric=allocations -o found.html -o found.dot -jar app.jar\n\
             \n\
             Exit codes: the program's; 2 for an invalid command line\n\
             See docs/search.md",
        )
        .arg(
            Arg::new("metric")
                .long("metric")
                .value_name("WHAT")
                .help("Metric to search by: bytecodes, allocations (bytes), contention (bytecodes of other threads while a thread waits for a lock), wall (nanoseconds)")
                .default_value("bytecodes")
                .value_parser(["bytecodes", "allocations", "contention", "wall"]),
        )
        .arg(part("threshold", "Share of the whole metric above which a method is a bottleneck"));
    with_strategy(command)
        .next_help_heading("Scope and output")
        .arg(number("interval", "50000", "Number of bytecodes between two decisions"))
        .arg(
            Arg::new("library")
                .long("library")
                .help("Also search methods of the class library; by default their use counts for their callers")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .help("Write the bottlenecks: .txt, .html and .dot (the coloured call graph) or .json; may be repeated")
                .action(ArgAction::Append)
                .value_parser(output),
        )
        .arg(subcommands::program_command_line())
}

/// How the search goes on.
fn with_strategy(command: Command) -> Command {
    command
        .next_help_heading("Strategy")
        .arg(
            Arg::new("strategy")
                .long("strategy")
                .value_name("NAME")
                .help("top-down: follow calls of bottlenecks only; hybrid: also follow deep starters")
                .default_value(HYBRID)
                .value_parser([TOP_DOWN, HYBRID]),
        )
        .arg(part("deep-starters", "Share of all calls above which a method is a deep starter"))
        .arg(limit("limit-deep-starters", "Number of deep starters to follow at the same time, or none for no limit"))
        .arg(limit("limit-late", "Number of simultaneous timers for calls in progress, or none for no limit; 0 with --strategy=top-down"))
        .arg(number("observe", "500000", "Amount of the metric that the whole program uses before rjvm reports a bottleneck"))
        .arg(number("patience", "5000000", "Number of bytecodes after which rjvm stops timing a method that uses less"))
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

fn permille(text: &str) -> Result<u64, InvalidValue> {
    let number: Option<f64> = text.trim_end_matches('%').parse().ok();
    match number {
        Some(n) if (0.1..=100.0).contains(&n) => Ok((n * 10.0).round() as u64),
        _ => Err(InvalidValue::Expected("a percentage from 0.1 to 100")),
    }
}

/// A number, or no limit.
fn at_most(text: &str) -> Result<SearchLimit, InvalidValue> {
    match text {
        "none" => Ok(SearchLimit(None)),
        text => text
            .parse()
            .map(|n| SearchLimit(Some(n)))
            .map_err(|_| InvalidValue::Expected("a number or none")),
    }
}

#[derive(Clone, Copy, Debug)]
struct SearchLimit(Option<usize>);

fn output(text: &str) -> Result<String, InvalidValue> {
    match text.rsplit_once('.') {
        Some((_, "html" | "json" | "txt" | "dot")) => Ok(text.into()),
        _ => Err(InvalidValue::Expected(
            "a file that ends in .html, .dot, .json or .txt",
        )),
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

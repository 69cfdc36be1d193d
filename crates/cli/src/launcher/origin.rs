//! `rjvm origin`: which bytecode wrote a value, and what it was made of.

use super::codes::WRONG_USE;
use super::debug::{begin_at_main, checkpoint_options, debug_stop};
use super::debuggee::DebugSource;
use super::settings::places::{self, StopRequest};
use crate::invalid::InvalidValue;
use crate::messages;
use crate::subcommands;
use crate::travel::{OriginPlace, OriginRequest, run_origin};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use rjvm_vm::interp::StopPlace;
use std::io::{self, Write};

/// The command line.
pub fn command() -> Command {
    subcommands::ORIGIN
        .command()
        .after_help(
            "EXPR is a local, this.field, Class.field, array[index] or a.b[2].c, as in rjvm debug; $0 is the top operand.\n\
             The program runs with --deterministic, and its output is dropped.\n\n\
             Examples:\n\
             \x20 rjvm origin total -cp classes com.example.Main\n\
             \x20 rjvm origin --at=com.example.Main.report:42 -n 5 this.sum -cp classes com.example.Main\n\
             \x20 rjvm origin --json Main.count --replay=Main-17.schedule -cp classes Main\n\
             \n\
             Exit codes: 0; 1 if there is no answer; 2 for an invalid command line\n\
             See docs/time-travel.md",
        )
        .next_help_heading("Question")
        .arg(
            Arg::new("EXPR")
                .help_heading(None::<&'static str>)
                .help("The value whose origin to find")
                .required(true),
        )
        .arg(
            Arg::new("at")
                .long("at")
                .value_name("PLACE")
                .help(
                    "Ask at this place, as --stop-at has it; default: the throw of the first exception that ends a thread, \
                     or else at the end of main",
                )
                .value_parser(place),
        )
        .arg(
            Arg::new("chain")
                .short('n')
                .value_name("N")
                .help("Ask N questions: each about the place that the previous answer names")
                .default_value("1")
                .value_parser(value_parser!(u64).range(1..=1000)),
        )
        .arg(
            Arg::new("json")
                .long("json")
                .help("Print JSON")
                .action(ArgAction::SetTrue),
        )
        .arg(super::alike::stdin_option())
        .next_help_heading("Checkpoints")
        .args(checkpoint_options())
        .arg(subcommands::program_command_line())
}

fn place(text: &str) -> Result<(StopRequest, Option<StopPlace>), InvalidValue> {
    let expected = || InvalidValue::Rule(places::EXPECTED);
    let (what, place) = places::read(text, 0).ok_or_else(expected)?;
    match &place {
        Some(place) if place.arrival == 0 => {
            Err(InvalidValue::Expected("one arrival instead of #*"))
        }
        _ => Ok((what, place)),
    }
}

/// Answers; the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    let place = match matches.get_one::<(StopRequest, Option<StopPlace>)>("at") {
        None => OriginPlace::Usual,
        Some((StopRequest::Bytecode(n), _)) => OriginPlace::Position(*n),
        Some((StopRequest::Place(_, after), place)) => {
            let arrivals = place.as_ref().map_or(0, |p| p.arrival);
            let stop = place.clone().and_then(debug_stop);
            OriginPlace::Arrival(stop, arrivals, *after)
        }
    };
    let expression = matches.get_one::<String>("EXPR").cloned();
    let request = OriginRequest {
        place,
        expression: expression.unwrap_or_default(),
        chain: matches.get_one::<u64>("chain").map_or(1, |&n| n as usize),
        json: matches.get_flag("json"),
    };
    if request.expression.starts_with('-') {
        messages::error(&"no expression is given");
        return WRONG_USE;
    }
    let (timeline, _folder) = match begin_at_main(
        matches,
        subcommands::ORIGIN.name,
        &DebugSource::Deterministic,
    ) {
        Ok(begun) => begun,
        Err(code) => return code,
    };
    match run_origin(timeline, &request) {
        Ok(text) => match io::stdout().write_all(text.as_bytes()) {
            Ok(()) => 0,
            Err(_) => 1,
        },
        Err(why) => {
            messages::error(&why);
            1
        }
    }
}

//! `rjvm heap COMMAND FILE.hprof`: where the memory of a heap dump went, and who keeps it.

mod growth;
mod held;
mod name;
mod tables;
mod written;

use super::{ToolFunction, ToolProblem, combine, input};
use crate::subcommands;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use rjvm_heapdump::Dump;
use std::path::{Path, PathBuf};

impl From<rjvm_heapdump::Error> for ToolProblem {
    fn from(error: rjvm_heapdump::Error) -> Self {
        ToolProblem::Message(error.to_string())
    }
}

fn file() -> Arg {
    Arg::new("FILE")
        .help("A heap dump in HPROF's binary format")
        .required(true)
        .value_parser(value_parser!(PathBuf))
}

fn what() -> Arg {
    Arg::new("WHAT")
        .help("A class (java.util.HashMap, HashMap, byte[]) or an object by its address (0x7f3a10)")
        .required(true)
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .help(help)
        .action(ArgAction::SetTrue)
}

fn tool(name: &'static str, about: &'static str) -> Command {
    Command::new(name).about(about).arg(input::json())
}

fn tools() -> Vec<(Command, ToolFunction)> {
    vec![
        (
            tool("summary", "Shows the objects, roots, threads and largest holders of a dump").arg(file()),
            tables::summary as ToolFunction,
        ),
        (
            tool("histogram", "Lists objects and bytes of each class")
                .arg(file())
                .arg(input::limit("40"))
                .arg(flag("live", "Count only objects that the roots reach"))
                .arg(flag("retained", "Also show the bytes that the objects of each class retain together; implies --live"))
                .arg(
                    input::choice("by", &["class", "package"])
                        .help("What each row shows")
                        .default_value("class"),
                ),
            tables::histogram,
        ),
        (
            tool("dominators", "Shows the dominator tree, with retained bytes")
                .arg(file())
                .arg(input::limit("10"))
                .arg(
                    Arg::new("depth")
                        .long("depth")
                        .value_name("N")
                        .help("Number of levels to show")
                        .default_value("3")
                        .value_parser(value_parser!(u32).range(1..=100)),
                ),
            held::dominators,
        ),
        (
            tool("retained", "Lists the objects that a class, or one object, retains")
                .arg(file())
                .arg(what())
                .arg(input::limit("20")),
            held::retained,
        ),
        (
            tool("paths", "Shows why objects are alive: the shortest paths from frames, statics and other roots, field by field")
                .arg(file())
                .arg(what())
                .arg(input::limit("5")),
            held::paths,
        ),
        (
            tool("diff", "Shows growth between two dumps, and its holders: leak suspects")
                .arg(
                    file()
                        .num_args(2)
                        .help("The older and the newer dump"),
                )
                .arg(input::limit("15")),
            growth::diff,
        ),
        (
            tool("sites", "Lists the allocation stacks of the objects in a dump (from rjvm with -agentlib:hprof, or another dump with allocation sites)")
                .arg(file())
                .arg(input::limit("20"))
                .arg(
                    Arg::new("class")
                        .long("class")
                        .value_name("CLASS")
                        .help("Show only objects of this class"),
                )
                .arg(
                    input::choice("by", &["live", "allocated"])
                        .help("Sort by the bytes in the dump (live), or by all bytes that were ever allocated")
                        .default_value("live"),
                )
                .arg(
                    Arg::new("output")
                        .short('o')
                        .long("output")
                        .value_name("FILE.parquet")
                        .help("Write all sites, in the table format of profiles")
                        .value_parser(value_parser!(PathBuf)),
                )
                .arg(combine::label()),
            tables::sites,
        ),
    ]
}

/// The command line of all.
pub fn command() -> Command {
    let command = subcommands::HEAP
        .command()
        .after_help("Examples:\n  rjvm heap summary app.hprof\n  rjvm heap paths app.hprof com.acme.Cache\n\nExit codes: 0; 1 if there is no result; 2 for an invalid command line\nSee docs/heap.md");
    super::group(command, tools())
}

/// Runs a tool; the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    super::run_one(&tools(), matches)
}

fn open(path: &Path) -> Result<Dump, ToolProblem> {
    Dump::open(path).map_err(|e| ToolProblem::Message(format!("{}: {e}", path.display())))
}

fn opened(matches: &ArgMatches) -> Result<Dump, ToolProblem> {
    match matches.get_one::<PathBuf>("FILE") {
        Some(path) => open(path),
        None => Err(ToolProblem::Message("no file".into())),
    }
}

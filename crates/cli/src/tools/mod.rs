//! `rjvm profile COMMAND FILE...`: tools on profiles that were written before.

mod annotate;
mod blocks;
mod classes;
mod combine;
mod cost;
pub mod diff;
pub mod heap;
mod input;
mod json;
pub use input::json as json_option;
pub use json::Json;
mod metrics;
mod push;
mod show;

use crate::messages;
use crate::subcommands;
use clap::{ArgMatches, Command};
use std::io::{self, BufWriter, Write, stdout};

/// Why a tool gave up.
#[derive(Debug)]
pub enum ToolProblem {
    /// One line for the user.
    Message(String),
    /// The output could not be written.
    Output(io::Error),
}

impl From<io::Error> for ToolProblem {
    fn from(error: io::Error) -> Self {
        ToolProblem::Output(error)
    }
}

impl From<rjvm_profiler::TreeError> for ToolProblem {
    fn from(error: rjvm_profiler::TreeError) -> Self {
        ToolProblem::Message(error.to_string())
    }
}

/// What a tool does: its exit code, or why there is no result.
type ToolFunction = fn(&ArgMatches, &mut dyn Write) -> Result<i32, ToolProblem>;

/// All tools.
fn tools() -> Vec<(Command, ToolFunction)> {
    vec![
        (show::top_command(), show::top as ToolFunction),
        (show::tree_command(), show::tree),
        (diff::command(), diff::run),
        (combine::merge_command(), combine::merge),
        (combine::overlap_command(), combine::overlap),
        (combine::convert_command(), combine::convert),
        (metrics::command(), metrics::run),
        (blocks::command(), blocks::run),
        (annotate::command(), annotate::run),
        (push::command(), push::run),
        (cost::command(), cost::run),
        (cost::fit::command(), cost::fit::run),
    ]
}

/// The command line of tools.
fn group(command: Command, tools: Vec<(Command, ToolFunction)>) -> Command {
    let command = command
        .subcommand_required(true)
        .arg_required_else_help(true);
    tools
        .into_iter()
        .fold(command, |command, (tool, _)| command.subcommand(tool))
}

/// Runs one of them; the exit code.
fn run_one(tools: &[(Command, ToolFunction)], matches: &ArgMatches) -> i32 {
    let Some((name, matches)) = matches.subcommand() else {
        return 2;
    };
    let Some((_, run)) = tools.iter().find(|(tool, _)| tool.get_name() == name) else {
        return 2;
    };
    reported(|out| run(matches, out))
}

/// The command line of the tools for profiles.
pub fn command() -> Command {
    let command = subcommands::PROFILE.command()
        .after_help("Examples:\n  rjvm profile top run.rjp\n  rjvm profile diff before.rjp after.rjp --fail-above=1%\n\nExit codes: 0; 1 if there is no result; 2 for an invalid command line; 3 if a limit is exceeded\nSee docs/tools.md");
    group(command, tools())
}

/// Runs a tool for profiles; the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    run_one(&tools(), matches)
}

/// Runs what writes a result to standard output; the exit code.
fn reported(run: impl FnOnce(&mut dyn Write) -> Result<i32, ToolProblem>) -> i32 {
    let mut out = BufWriter::new(stdout().lock());
    let result = run(&mut out).and_then(|code| {
        out.flush()?;
        Ok(code)
    });
    match result {
        Ok(code) => code,
        // Whoever reads has seen enough.
        Err(ToolProblem::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(ToolProblem::Output(error)) => {
            messages::error(&error);
            1
        }
        Err(ToolProblem::Message(line)) => {
            let _ = out.flush();
            messages::error(&line);
            1
        }
    }
}

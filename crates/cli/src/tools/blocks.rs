//! `rjvm profile blocks`: the basic blocks of each context (see [`rjvm_run::blocks`]).

use super::ToolProblem;
use super::classes::{self, Classes};
use super::input;
use clap::{Arg, ArgMatches, Command};
use rjvm_profiler::export::paths;
use rjvm_profiler::{Profile, Threads, View};
use rjvm_run::blocks::{Bba, Block, blocks, count, executions};
use std::io::Write;

/// `--bba=default|precise`
pub fn argument() -> Arg {
    input::choice("bba", &["default", "precise"])
        .help("End basic blocks at changes of control flow, or also at exceptions")
        .default_value("default")
}

/// The value of [`argument`].
pub fn chosen(matches: &ArgMatches) -> Bba {
    match input::chosen(matches, "bba") {
        "precise" => Bba::Precise,
        _ => Bba::Default,
    }
}

/// Basic blocks of each method of a profile; `None` where there is no code.
pub fn of_methods(
    profile: &Profile,
    classes: &mut Classes,
    bba: Bba,
) -> Result<Vec<Option<Vec<Block>>>, ToolProblem> {
    let of_method = |method| match classes.code(method)? {
        Some(code) => blocks(code, bba)
            .map(Some)
            .map_err(|e| ToolProblem::Message(format!("{}: {e}", method.label()))),
        None => Ok(None),
    };
    profile.methods.iter().map(of_method).collect()
}

/// Refuses profiles without counts of bytecodes.
pub fn needs_counts(profile: &Profile) -> Result<(), ToolProblem> {
    match profile.has_counts() || profile.totals().bytecodes == 0 {
        true => Ok(()),
        false => Err(ToolProblem::Message(
            "the profile has no counts of single bytecodes: record it with --profile=blocks".into(),
        )),
    }
}

/// The command line.
pub fn command() -> Command {
    input::with_view(
        Command::new("blocks")
            .about(
                "Lists the basic blocks of each context: path, calls, self bytecodes, executions of the \
                 blocks, their sizes, and the bytecodes JP would report",
            )
            .arg(input::files(1, Some(1)))
            .arg(classes::argument().required(true))
            .arg(argument()),
    )
}

/// Writes a line for each context whose method's code is known.
pub fn run(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let profile = input::one_profile(matches)?;
    needs_counts(&profile)?;
    let profile = profile.into_view(&View {
        threads: Threads::Merged,
        ..View::default()
    })?;
    let of_methods = of_methods(&profile, &mut Classes::open(matches)?, chosen(matches))?;
    let join = |numbers: &mut dyn Iterator<Item = u64>| {
        let words: Vec<String> = numbers.map(|n| n.to_string()).collect();
        words.join(",")
    };
    let labels: Vec<String> = profile.methods.iter().map(|m| m.label()).collect();
    let (mut path, mut ends) = (String::new(), Vec::new());
    let tree = &profile.threads[0].tree;
    for (index, (depth, node)) in (0..).zip(tree.preorder()) {
        ends.truncate(depth);
        path.truncate(ends.last().copied().unwrap_or(0));
        if depth > 0 {
            path.push(';');
        }
        let label = &labels[node.method as usize];
        paths::push_element(&mut path, profile.call_sites, node.site(), label);
        ends.push(path.len());
        let Some(blocks) = &of_methods[node.method as usize] else {
            continue;
        };
        let counts = tree.counts(index);
        writeln!(
            out,
            "{path}\t{}\t{}\t{}\t{}\t{}",
            node.invocations,
            node.bytecodes,
            join(&mut executions(blocks, &counts).map(|executed| executed.1)),
            join(&mut blocks.iter().map(|b| b.size.into())),
            count(blocks, &counts).1
        )?;
    }
    Ok(0)
}

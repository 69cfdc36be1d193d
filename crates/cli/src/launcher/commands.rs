//! The subcommands: `rjvm profile`, `rjvm dis` and so on. Everything else on a command line is `java`'s, whose
//! options are in `flags.rs`.

use super::codes::WRONG_USE;
use super::{
    bench, bisect, check_jdk, debug, dis, explore, maven, origin, replayed, search, setup, suggest,
    test, why,
};
use crate::messages::ERROR;
use crate::subcommands::ALL;
use clap::error::{ContextKind, ErrorKind};
use clap::{ArgMatches, Command, Error};

/// A subcommand: its command line, and what runs it to an exit code.
type SubcommandRow = (fn() -> Command, fn(&ArgMatches) -> i32);

/// All of them.
const COMMANDS: [SubcommandRow; 17] = [
    (crate::tools::command, crate::tools::run),
    (crate::tools::heap::command, crate::tools::heap::run),
    (explore::command, explore::run),
    (why::command::command, why::command::run),
    (search::command::command, search::command::run),
    (replayed::command, replayed::replay),
    (dis::command, dis::run),
    (bisect::command, bisect::run),
    (debug::command, debug::run),
    (origin::command, origin::run),
    (bench::command, bench::run),
    (test::command, test::run),
    (check_jdk::command, check_jdk::run),
    (setup::java_home_command, setup::java_home),
    (maven::command, maven::run),
    (setup::completion_command, setup::completion),
    (setup::man_command, setup::man),
];

/// The command lines of all.
pub fn all() -> impl Iterator<Item = Command> {
    COMMANDS.iter().map(|(subcommand, _)| subcommand())
}

fn command() -> Command {
    let command = Command::new("rjvm")
        .subcommand_required(true)
        .disable_help_subcommand(true);
    all().fold(command, Command::subcommand)
}

/// Runs the subcommand that `args` begin with; the exit code, or nothing if they begin otherwise.
pub fn run(args: &[String]) -> Option<i32> {
    // options are `java`'s: for these, nothing is made
    let first = args.first().filter(|word| !word.starts_with('-'))?;
    let named = |c: &&SubcommandRow| c.0().get_name() == first;
    let (_, run) = COMMANDS.iter().find(named)?;
    let words = std::iter::once("rjvm").chain(args.iter().map(String::as_str));
    Some(match command().try_get_matches_from(words) {
        Ok(matches) => match matches.subcommand() {
            Some((_, matches)) => run(matches),
            None => WRONG_USE,
        },
        Err(error) => {
            match error.use_stderr() {
                true => eprint!("{}", plain(&error.render().to_string())),
                // if nobody reads it, nobody needs to be notified
                false => drop(error.print()),
            }
            if let Some(meant) = meant(&error, args) {
                eprintln!("\n  tip: a similar subcommand exists: '{meant}'");
            }
            error.exit_code()
        }
    })
}

/// An error of clap as one of this program.
fn plain(text: &str) -> String {
    let text = text.replace("invalid digit found in string", "expected a number");
    match text.strip_prefix("error: ") {
        Some(text) => format!("{ERROR}{text}"),
        None => text,
    }
}

/// The subcommand of a subcommand that was meant, if clap has not said so.
fn meant(error: &Error, args: &[String]) -> Option<String> {
    if error.kind() != ErrorKind::InvalidSubcommand
        || error.get(ContextKind::SuggestedSubcommand).is_some()
    {
        return None;
    }
    let of = all().find(|c| Some(c.get_name()) == args.first().map(String::as_str))?;
    let names: Vec<String> = of.get_subcommands().map(|c| c.get_name().into()).collect();
    suggest::nearest(args.get(1)?, &names, |n| n).cloned()
}

/// Whether there is a subcommand of this name.
pub fn is_one(word: &str) -> bool {
    ALL.iter().any(|c| c.name == word)
}

/// The subcommand that `word` is like, for a class of that name that does not exist.
pub fn like(word: &str) -> Option<String> {
    if word.starts_with('-') {
        return None;
    }
    let meant = suggest::nearest(word, ALL, |c| c.name);
    meant.map(|c| c.name.into())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_lines_are_consistent() {
        super::command().debug_assert();
        let names: Vec<String> = super::all().map(|c| c.get_name().into()).collect();
        assert_eq!(names, crate::subcommands::ALL.map(|c| c.name));
    }
}

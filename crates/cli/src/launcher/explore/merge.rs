//! `rjvm explore merge`: joins the results of an exploration's parts.

use super::{FAILED, WIDTH, failed, output_files, write_results};
use crate::file_error::FileError;
use crate::launcher::codes::WRONG_USE;
use clap::{Arg, ArgMatches, Command};
use rjvm_explore::report::summary;
use rjvm_explore::result::{MergeError, Summary, SummaryError};
use thiserror::Error;

/// The command line.
pub fn command() -> Command {
    Command::new("merge")
        .about("Merges the results of the parts of an exploration, which --shard and -o FILE.json wrote")
        .arg(output_files())
        .arg(
            Arg::new("FILE")
                .help("The results of the parts, in any order")
                .required(true)
                .num_args(1..),
        )
        .after_help(
            "If all schedules have run (with --keep-going, or if none fails), the merged result equals the result of one whole\n\
             exploration. rjvm writes the failing schedules again, so that you can replay them here.\n\n\
             Example:\n\
             \x20 rjvm explore merge part-*.json -o all.json -o all.html\n\
             \n\
             Exit codes: 0 if no schedule failed; 1 if one failed; 2 if the files are not all parts of one exploration",
        )
}

/// Why the files are not joined.
#[derive(Debug, Error)]
enum PartError {
    #[error(transparent)]
    File(#[from] FileError),
    /// A file has no results.
    #[error("{0}: not a result of rjvm explore -o FILE.json: {1}")]
    Malformed(String, SummaryError),
    /// They are no parts of one exploration.
    #[error(transparent)]
    Unlike(MergeError),
}

/// Joins; the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    let files = matches.get_many::<String>("FILE").unwrap_or_default();
    let read = |file: &String| {
        let text = std::fs::read_to_string(file).map_err(FileError::at(file))?;
        Summary::from_json(&text).map_err(|e| PartError::Malformed(file.clone(), e))
    };
    let parts: Result<Vec<Summary>, PartError> = files.map(read).collect();
    let joined = parts.and_then(|parts| Summary::merge(parts).map_err(PartError::Unlike));
    let joined = match joined {
        Ok(joined) => joined,
        Err(problem) => return failed(&problem.to_string()),
    };
    if let Err(e) = joined.write_schedules() {
        return failed(&format!("cannot write the schedule: {e}"));
    }
    let outputs = matches.get_many::<String>("output").unwrap_or_default();
    let outputs: Vec<String> = outputs.cloned().collect();
    if let Err(problem) = write_results(&joined, &outputs) {
        return failed(&problem.to_string());
    }
    print!("{}", summary(&joined, None, WIDTH));
    match joined.missing().is_empty() {
        _ if joined.has_failed() => FAILED,
        true => 0,
        false => WRONG_USE,
    }
}

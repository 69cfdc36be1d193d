//! `rjvm explore merge`: joins the results of an exploration's parts.

use super::{FAILED, WIDTH, failed, output_files, write_results};
use crate::launcher::codes::WRONG_USE;
use clap::{Arg, ArgMatches, Command};
use rjvm_explore::report::summary;
use rjvm_explore::result::Summary;

/// The command line.
pub fn command() -> Command {
    Command::new("merge")
        .about("Joins the results of the parts of an exploration, which --shard and -o FILE.json wrote")
        .arg(output_files())
        .arg(
            Arg::new("FILE")
                .help("The results of the parts, in any order")
                .required(true)
                .num_args(1..),
        )
        .after_help(
            "If all schedules are run (--keep-going, or none fails), the result is that of an exploration in one piece. The schedules that\n\
             failed are written again, so that they can be replayed here.\n\
             \x20 rjvm explore merge part-*.json -o all.json -o all.html\n\
             Exit code: 0 if no schedule failed, 1 if one did, 2 if the files are not parts of one exploration, or not all of them",
        )
}

/// Joins; the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    let files = matches.get_many::<String>("FILE").unwrap_or_default();
    let read = |file: &String| {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        Summary::from_json(&text).map_err(|e| format!("{file}: {e}"))
    };
    let parts: Result<Vec<Summary>, String> = files.map(read).collect();
    let joined = parts.and_then(|parts| Summary::merge(parts).map_err(|e| e.to_string()));
    let joined = match joined {
        Ok(joined) => joined,
        Err(problem) => return failed(&problem),
    };
    if let Err(e) = joined.write_schedules() {
        return failed(&format!("the schedule can't be written: {e}"));
    }
    let outputs = matches.get_many::<String>("output").unwrap_or_default();
    let outputs: Vec<String> = outputs.cloned().collect();
    if let Err(problem) = write_results(&joined, &outputs) {
        return failed(&problem);
    }
    print!("{}", summary(&joined, None, WIDTH));
    match joined.missing().is_empty() {
        _ if joined.has_failed() => FAILED,
        true => 0,
        false => WRONG_USE,
    }
}

//! `rjvm bisect`: the first bytecode at which two runs of a program part.

use super::alike::alike;
use super::args;
use super::commands::WRONG_USE;
use crate::divergence::{self, Failure, Found, Run, Scratch, Side};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use rjvm_profiler::summary::grouped;
use std::io::{self, Write};
use std::path::PathBuf;

/// Exit code: the runs part.
const PARTED: i32 = 1;

/// Between what is shown of two stops (`--stop-output=compared:FILE`).
pub const SEPARATOR: &str = "\u{1e}\n";

const NAMES: [&str; 2] = ["A", "B"];

/// The command line.
pub fn command() -> Command {
    let side = |name: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("OPTIONS")
            .allow_hyphen_values(true)
            .default_value("")
            .hide_default_value(true)
    };
    Command::new("bisect")
        .about("Finds the first bytecode at which two runs part: two class paths, seeds, JDKs or other options")
        .after_help(
            "Both runs are made with --deterministic, what they print is dropped, and they are compared by thread, class,\n\
             method and bytecode index. What is shown is the stack of the thread that runs there, before the last bytecode\n\
             that is the same; lines with A or B are in one of the runs only. Each run is made four times at most.\n\
             \x20 rjvm bisect --a='-cp old.jar' --b='-cp new.jar' com.example.Main arguments\n\
             \x20 rjvm bisect --b=--seed=2 -cp classes Main\n\
             \x20 rjvm bisect --a=--java-home=/usr/lib/jvm/17.0.1 --b=--java-home=/usr/lib/jvm/17.0.9 -jar app.jar\n\
             Exit code: 0 if the runs are the same; 1 if they part; 2 if that can't be told",
        )
        .arg(side("a").help("Options of the first run, in one word, before those of both"))
        .arg(side("b").help("Options of the second run"))
        .arg(
            Arg::new("whole")
                .long("whole")
                .help("Compare from the first bytecode of the VM on; default: from main on")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("until")
                .long("until")
                .value_name("N")
                .help("Compare the first N bytecodes of all threads together; default: all")
                .value_parser(value_parser!(u64).range(1..)),
        )
        .arg(
            Arg::new("stdin")
                .long("stdin")
                .value_name("FILE")
                .help("Standard input of each run; default: empty")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("as-is")
                .long("as-is")
                .help("Do not add --deterministic: the program does not look at the clock and the like")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("COMMAND")
                .help("Options of both runs, main class or -jar file, and the program's arguments")
                .required(true)
                .num_args(1..)
                .allow_hyphen_values(true)
                .trailing_var_arg(true),
        )
}

/// Compares; the exit code.
pub fn run(matches: &ArgMatches) -> i32 {
    match compare(matches) {
        Ok((text, code)) => match io::stdout().write_all(text.as_bytes()) {
            Ok(()) => code,
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => code,
            Err(e) => failed(&e.to_string()),
        },
        Err(said) => failed(&said),
    }
}

fn failed(said: &str) -> i32 {
    eprintln!("Error: {said}");
    WRONG_USE
}

fn side(matches: &ArgMatches, number: usize, scratch: &Scratch) -> Result<Side, String> {
    let name = ["a", "b"][number];
    let text: &String = matches.get_one(name).expect("it has a default");
    let mut words = vec!["--quiet".to_owned()];
    if !matches.get_flag("as-is") {
        words.push("--deterministic".into());
    }
    let wrong = |e: String| format!("--{name}={text}: {e}");
    let own = args::split(text).map_err(wrong)?;
    let own = alike(own, number, &scratch.file("")).map_err(|e| wrong(e.to_string()))?;
    words.extend(own);
    words.extend(
        matches
            .get_many::<String>("COMMAND")
            .unwrap_or_default()
            .cloned(),
    );
    Ok(Side {
        words,
        input: matches.get_one("stdin").cloned(),
    })
}

/// What is to be said, and the exit code.
fn compare(matches: &ArgMatches) -> Result<(String, i32), String> {
    let scratch = Scratch::new().map_err(|e| e.to_string())?;
    let sides = [side(matches, 0, &scratch)?, side(matches, 1, &scratch)?];
    let until = matches.get_one("until").copied().unwrap_or(i64::MAX as u64);
    let found =
        divergence::first(&sides, until, matches.get_flag("whole"), &scratch).map_err(describe)?;
    match found {
        Found::Same(n) => Ok((
            format!("A and B are the same, over {} bytecodes.\n", grouped(n)),
            0,
        )),
        Found::Parted(n) => {
            let base = ["main+", ""][usize::from(matches.get_flag("whole"))];
            Ok((parted(&sides, n, base, &scratch).map_err(describe)?, PARTED))
        }
    }
}

fn describe(failure: Failure) -> String {
    match failure {
        Failure::Io(e) => e.to_string(),
        Failure::Run(i, said) => format!("{} can't be run:\n{}", NAMES[i], said.trim_end()),
        Failure::Unsteady(side) => format!(
            "{} not the same a second time: what differs from run to run hides where A and B part",
            match side {
                Some(i) => format!("{} is", NAMES[i]),
                None => "A or B is".into(),
            }
        ),
    }
}

/// Where two runs part that are the same for `n` bytecodes from `base` on, in words.
fn parted(sides: &[Side; 2], n: u64, base: &str, scratch: &Scratch) -> Result<String, Failure> {
    let mut shown = Vec::new();
    for (side, name) in sides.iter().zip(NAMES) {
        let file = scratch.file(name);
        let mut options = vec![
            format!("--stop-output=compared:{}", file.display()),
            format!("--stop-at={base}{n}"),
        ];
        if n > 1 {
            options.push(format!("--stop-at={base}{}", n - 1));
        }
        Run::start(side, &options)?.wait()?;
        let text = divergence::read(&file)?;
        shown.push(text.split(SEPARATOR).map(str::to_owned).collect::<Vec<_>>());
    }
    // of each stop, the first line is what comes next
    let part = |side: usize, stop: usize| {
        let text = shown[side].get(stop).map_or("", |t| &**t);
        text.split_once('\n').unwrap_or((text, ""))
    };
    let ends = |line: &str| match line {
        "" => "the program ends".to_owned(),
        line => line.to_owned(),
    };
    let mut out = format!(
        "A and B are the same for {} bytecodes. Then they part:\n\n",
        grouped(n)
    );
    let last = usize::from(n > 1);
    if last == 1 {
        let [(a, _), (b, _)] = [part(0, 0), part(1, 0)];
        out += &format!("last  {a}\n");
        if a != b {
            // the same place in classes that are not the same
            out += &format!("   B  {b}\n");
        }
    }
    out += &format!("   A  {}\n", ends(part(0, last).0));
    out += &format!("   B  {}\n\n", ends(part(1, last).0));
    let before = [
        "Before what comes next:",
        "Before the last bytecode that is the same:",
    ][last];
    out += &format!("{before}\n\n");
    for (side, line) in divergence::differences(part(0, 0).1, part(1, 0).1) {
        let mark = side.map_or(" ", |i| NAMES[i]);
        out += format!("{mark}  {line}").trim_end();
        out.push('\n');
    }
    Ok(out)
}

//! `rjvm bisect`: the first bytecode at which two runs of a program part.

use super::alike::stdin_option;
use super::alike::{Scratch, alike};
use super::args;
use super::codes::WRONG_USE;
use super::complete::complete;
use super::parts::usual_parts;
use super::probed::Probed;
use super::state_json;
use crate::divergence::{self, ComparisonMode, ComparisonResult, Probe, RunStates, Runs};
use crate::messages;
use crate::run_error::RunError;
use crate::subcommands;
use crate::tools::{Json, json_option};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use rjvm_jdk_stubs::os::{Signals, StandardStreams};
use rjvm_profiler::summary::grouped;
use rjvm_vm::inspect::VmState;
use rjvm_vm::interp::{StopPlace, StopPosition};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Exit code: the runs diverge.
const PARTED: i32 = 1;

const NAMES: [&str; 2] = ["A", "B"];
const SIGINT: i32 = 2;
/// Bytes of the stack of an OS thread that runs a side.
const STACK: usize = 8 << 20;

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
    subcommands::BISECT.command()
        .after_help(
            "rjvm runs the program with --deterministic, discards its output, and compares the runs by thread, class, method and\n\
             bytecode index. It prints the stack of the running thread before the last bytecode that both runs share, then the\n\
             stacks of other threads that differ. Lines with A or B are in one run only.\n\
             Each side runs at most four times, and both sides run at the same time.\n\n\
             Examples:\n\
             \x20 rjvm bisect --a='-cp old.jar' --b='-cp new.jar' com.example.Main arguments\n\
             \x20 rjvm bisect --b=--seed=2 -cp classes Main\n\
             \x20 rjvm bisect --a=--java-home=/usr/lib/jvm/17.0.1 --b=--java-home=/usr/lib/jvm/17.0.9 -jar app.jar\n\
             \n\
             Exit codes: 0 if the runs are the same; 1 if they diverge; 2 if rjvm cannot compare them\n\
             See docs/time-travel.md",
        )
        .arg(side("a").help("Options of the first run only, in one word; the common options follow them"))
        .arg(side("b").help("Options of the second run only"))
        .arg(
            Arg::new("whole")
                .long("whole")
                .help("Compare from the first bytecode of the VM; default: from main")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("until")
                .long("until")
                .value_name("N")
                .help("Compare the first N bytecodes of all threads together; default: all")
                .value_parser(value_parser!(u64).range(1..)),
        )
        .arg(stdin_option())
        .arg(
            Arg::new("as-is")
                .long("as-is")
                .help("Do not add --deterministic: for a program that reads no clock, environment or other changing input")
                .action(ArgAction::SetTrue),
        )
        .arg(json_option())
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
        Err(why) => failed(&why.to_string()),
    }
}

fn failed(message: &str) -> i32 {
    messages::error(&message);
    WRONG_USE
}

/// A side's program.
fn side(matches: &ArgMatches, number: usize, scratch: &Path) -> Result<Probed, RunError> {
    let name = ["a", "b"][number];
    let text: &String = matches.get_one(name).expect("it has a default");
    let mut words = vec!["--quiet".to_owned()];
    if !matches.get_flag("as-is") {
        words.push("--deterministic".into());
    }
    let wrong = |e: String| RunError::Option(format!("--{name}={text}"), e);
    let own = super::words::split(text).map_err(|e| wrong(e.to_string()))?;
    if let Some(word) = no_option(&own) {
        return Err(wrong(format!("unknown option {word}")));
    }
    words.extend(alike(own, number, scratch).map_err(|e| wrong(e.to_string()))?);
    let both = matches.get_many::<String>("COMMAND").unwrap_or_default();
    words.extend(both.cloned());
    let env = |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
    let bad = |message: String| RunError::Side(NAMES[number], message);
    let read = args::read(words, env, |_| ());
    let mut config = read.map_err(|refusal| bad(refusal.text().to_owned()))?;
    if config.what.is_none() {
        return Err(bad("no program is given".into()));
    }
    super::verify::not_here(&config).map_err(|e| bad(e.to_string()))?;
    complete(&mut config);
    if let Some(problem) = super::program::bad_jar(&config) {
        return Err(bad(problem));
    }
    config.vm.traces_path = true;
    config.vm.places.clear();
    if !matches.get_flag("whole") {
        config.vm.places.push(StopPlace {
            name: String::new(),
            at: StopPosition::Main,
            arrival: 1,
        });
    }
    Probed::new(config).map_err(|e| bad(e.to_string()))
}

/// A word of a side's options that is none, and no value of one: it would be taken for the program.
fn no_option(own: &[String]) -> Option<String> {
    let words = own.iter().cloned().chain(["Main".to_owned()]);
    let read = args::read(words.collect(), |_| None, |_| ());
    // faults in options are reported when both are read
    let config = read.ok()?;
    let is_program = config.mode == super::config::Mode::Class && !config.args.is_empty();
    config.what.filter(|_| is_program)
}

/// Two programs, which run at the same time.
struct ProgramPair {
    programs: [Probed; 2],
    /// Standard input of each run; none: empty.
    input: Option<PathBuf>,
    /// An interrupt, which the programs see too, ends the search.
    signals: Signals,
}

impl ProgramPair {
    fn run_one(&self, probe: &Probe) -> Result<(), RunError> {
        let input: Box<dyn Read + Send> = match &self.input {
            Some(file) => {
                let opened = File::open(file);
                Box::new(opened.map_err(|e| {
                    RunError::Option(format!("--stdin={}", file.display()), e.to_string())
                })?)
            }
            None => Box::new(io::empty()),
        };
        let streams = StandardStreams {
            input: Some(input),
            output: Some(Box::new(io::sink())),
            error: Some(Box::new(io::sink())),
        };
        let ran = self.programs[probe.side()].run(usual_parts(), streams, probe, false);
        let name = NAMES[probe.side()];
        ran.map_err(|e| RunError::Side(name, e.to_string()))
            .map(drop)
    }
}

impl Runs for ProgramPair {
    fn run(&mut self, probes: &[Probe]) -> Result<(), RunError> {
        let _ = self.signals.watch(SIGINT);
        let sides: &ProgramPair = self;
        let ran: Result<Vec<()>, RunError> = std::thread::scope(|scope| {
            let start = |probe: &Probe| {
                let probe = probe.clone();
                let thread = std::thread::Builder::new().stack_size(STACK);
                thread.spawn_scoped(scope, move || {
                    sides.run_one(&probe).inspect_err(|_| probe.failed())
                })
            };
            let threads: Vec<_> = probes.iter().map(start).collect();
            let ended = threads.into_iter().map(|thread| {
                let ran = thread.map_err(RunError::thread)?.join();
                ran.unwrap_or_else(|_| Err(RunError::Thread("a run has panicked".into())))
            });
            let ended: Vec<Result<(), RunError>> = ended.collect();
            ended.into_iter().collect()
        });
        match self.signals.take() {
            Some(_) => Err(RunError::Interrupted),
            None => ran.map(drop),
        }
    }
}

/// What is to be said, and the exit code.
fn compare(matches: &ArgMatches) -> Result<(String, i32), RunError> {
    let scratch = Scratch::new().map_err(|e| RunError::NotMade(e.to_string()))?;
    let mut sides = ProgramPair {
        programs: [
            side(matches, 0, scratch.path())?,
            side(matches, 1, scratch.path())?,
        ],
        input: matches.get_one("stdin").cloned(),
        signals: Signals::default(),
    };
    let until = matches.get_one::<u64>("until");
    let until = until.map_or(i64::MAX, |&n| i64::try_from(n).unwrap_or(i64::MAX));
    let whole = matches.get_flag("whole");
    let by = ComparisonMode::Path { whole };
    let parting = match divergence::compare(&mut sides, by, None, until)? {
        ComparisonResult::Same(n) if matches.get_flag("json") => {
            return Ok((as_json(n, whole, None), 0));
        }
        ComparisonResult::Same(n) => {
            let n = grouped(n as u64);
            return Ok((format!("A and B are equal for all {n} bytecodes.\n"), 0));
        }
        ComparisonResult::Parted(parting) => parting,
    };
    if parting.unlike > parting.alike + 1 {
        return Err(RunError::Unfit(
            "A or B differs from run to run: this hides where A and B diverge",
        ));
    }
    let n = parting.unlike;
    let shown = divergence::states(&mut sides, by, n)?;
    let seen = shown.each_ref().map(|shown| CommonStart::of(shown, n));
    let text = match matches.get_flag("json") {
        true => as_json(n, whole, Some(seen)),
        false => parted(n, seen),
    };
    Ok((text, PARTED))
}

/// What one of two runs is like that are the same for some bytecodes.
struct CommonStart<'a> {
    /// Before the last of these bytecodes, if there is one to be seen.
    last: Option<&'a VmState>,
    /// After it, if the run goes on.
    next: Option<&'a VmState>,
    /// Names and texts of the threads that have executed something since the beginning, in the earlier of these states: the
    /// one that runs next before the others.
    threads: Vec<(String, String)>,
}

impl CommonStart<'_> {
    fn of(shown: &RunStates, n: i64) -> CommonStart<'_> {
        let mut marks = shown.marks.iter();
        let last = if n > 1 { marks.next() } else { None };
        let next = marks.next();
        let state = last.or(next);
        let idle = |name: &str| {
            // what a thread did before is not compared
            let of = |s: &VmState| {
                let thread = s.threads.iter().find(|t| t.name == name);
                thread.map(|t| (t.executed, t.current))
            };
            let (begin, now) = (shown.begin.as_ref().and_then(of), state.and_then(of));
            matches!((begin, now), (Some((a, _)), Some((b, false))) if a == b)
        };
        let mut threads = state.map_or_else(Vec::new, |s| s.compared().threads);
        threads.retain(|(name, _)| !idle(name));
        CommonStart {
            last,
            next,
            threads,
        }
    }
    /// All texts of threads with this name.
    fn text(&self, name: &str) -> String {
        let of_name = self.threads.iter().filter(|(n, _)| n == name);
        of_name.map(|(_, text)| &**text).collect()
    }
}

/// The threads that differ, with their texts; the one that runs next is always among them.
fn differing(a: &CommonStart<'_>, b: &CommonStart<'_>) -> Vec<(String, [String; 2])> {
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in a.threads.iter().chain(&b.threads) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let texts = |name: &String| (name.clone(), [a, b].map(|seen| seen.text(name)));
    let all = names.into_iter().map(texts).enumerate();
    let differ = all.filter(|(i, (_, [a, b]))| *i == 0 || a != b);
    differ.map(|(_, thread)| thread).collect()
}

fn as_json(n: i64, whole: bool, seen: Option<[CommonStart<'_>; 2]>) -> String {
    let mut members = vec![
        ("same", Json::Bool(seen.is_none())),
        ("bytecodes", Json::Number(n.into())),
        ("counted_from", ["main", "start"][usize::from(whole)].into()),
    ];
    if let Some([a, b]) = seen {
        let differ = differing(&a, &b).into_iter();
        let differ = differ.map(|(name, _)| Json::from(&*name)).collect();
        members.push(("threads", Json::List(differ)));
        for (name, seen) in [("a", a), ("b", b)] {
            let json = |s: Option<&VmState>| s.map_or(Json::Null, |s| state_json::of(s, &[]));
            let side = vec![("last", json(seen.last)), ("next", json(seen.next))];
            members.push((name, Json::Object(side)));
        }
    }
    let mut text = Vec::new();
    let written = Json::Object(members).write(&mut text);
    debug_assert!(written.is_ok(), "memory takes all");
    String::from_utf8_lossy(&text).into_owned()
}

/// Where two runs diverge that are the same for `n` bytecodes, in words.
fn parted(n: i64, [a, b]: [CommonStart<'_>; 2]) -> String {
    let place = |s: Option<&VmState>| s.map_or_else(String::new, |s| s.compared().next);
    let next = |s: Option<&VmState>| match place(s) {
        ended if ended.is_empty() => "the program ends".to_owned(),
        place => place,
    };
    let mut out = format!(
        "A and B are equal for {} bytecodes. Then they diverge:\n\n",
        grouped(n as u64)
    );
    if n > 1 {
        let [last_a, last_b] = [place(a.last), place(b.last)];
        out += &format!("last  {last_a}\n");
        if last_a != last_b {
            // the same place in classes that are not the same
            out += &format!("   B  {last_b}\n");
        }
    }
    out += &format!("   A  {}\n   B  {}\n\n", next(a.next), next(b.next));
    out += match n > 1 {
        true => "Before the last equal bytecode:\n",
        false => "Before the next bytecode:\n",
    };
    for (i, (_, [a, b])) in differing(&a, &b).into_iter().enumerate() {
        out += if i == 1 {
            "\nOther threads that differ:\n\n"
        } else {
            "\n"
        };
        for (side, line) in differences(&a, &b) {
            let mark = side.map_or(" ", |i| NAMES[i]);
            out += format!("{mark}  {line}").trim_end();
            out.push('\n');
        }
    }
    out
}

/// What two texts have in common and what only one of them has: lines with the number of the text, none for both.
fn differences<'a>(a: &'a str, b: &'a str) -> Vec<(Option<usize>, &'a str)> {
    let (a, b): (Vec<&str>, Vec<&str>) = (a.lines().collect(), b.lines().collect());
    // lengths of the longest common part of what begins at i and j
    let width = b.len() + 1;
    let mut common = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i * width + j] = match a[i] == b[j] {
                true => common[(i + 1) * width + j + 1] + 1,
                false => common[(i + 1) * width + j].max(common[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::new();
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            out.push((None, a[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == b.len()
            || i < a.len() && common[(i + 1) * width + j] >= common[i * width + j + 1]
        {
            out.push((Some(0), a[i]));
            i += 1;
        } else {
            out.push((Some(1), b[j]));
            j += 1;
        }
    }
    out
}

//! `rjvm debug`: sessions forward and backward in time.
//!
//! The programs are in `tests/causes/travel`, beside what sessions show of them. States are compared with those of `--stop-at`.

use crate::common;
use crate::common::golden;
use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, tests_dir, work_dir};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub fn classes() -> PathBuf {
    let dir = tests_dir().join("causes/travel");
    let sources = common::files_with_extension(&dir, "java");
    jdk::compile("travel", &sources, &["-g"], Path::new("none"))
}

/// A session with these options, program and commands.
pub fn session(name: &str, options: &[&str], main: &[&str], commands: &[&str]) -> Outcome {
    session_of(&classes(), name, options, main, commands)
}

/// A session with a program in another folder.
fn session_of(
    classes: &Path,
    name: &str,
    options: &[&str],
    main: &[&str],
    commands: &[&str],
) -> Outcome {
    let script = work_dir().join(format!("travel-{name}.commands"));
    let text = commands.iter().map(|c| format!("{c}\n"));
    std::fs::write(&script, text.collect::<String>()).expect("the target directory is writable");
    let sources = format!(
        "--source-path={}",
        tests_dir().join("causes/travel").display()
    );
    let classes = classes.to_string_lossy();
    let run = Run::new(&vm(), &format!("travel-{name}"));
    let run = run.arg("debug").args(options);
    let run = run.args([&*sources, "-cp", &classes]).args(main);
    run.stdin(Some(script)).finish()
}

/// The position that a line begins with, if it is one about a stop.
fn position(line: &str) -> Option<(&str, &str)> {
    let (number, rest) = line.split_once("  ")?;
    let digits = number.starts_with(|c: char| c.is_ascii_digit())
        && number.bytes().all(|b| b.is_ascii_digit() || b == b',');
    let of_stop =
        rest.starts_with('"') || rest.starts_with("no thread") || rest.starts_with("the program");
    (digits && of_stop).then_some((number, rest))
}

/// Positions depend on the JDK: in order of their size they become `P1`, `P2` and so on.
fn numbered(text: &str) -> String {
    let number = |n: &str| n.replace(',', "").parse::<i64>().expect("digits");
    let all = text.lines().filter_map(position).map(|(n, _)| number(n));
    let sorted: std::collections::BTreeSet<i64> = all.collect();
    let names: BTreeMap<i64, usize> = sorted.into_iter().zip(1..).collect();
    let mut out = String::new();
    for line in text.lines() {
        match position(line) {
            Some((n, rest)) => {
                // lines of the class library differ
                let shown = match rest.split_once("  java.") {
                    Some((_, place)) => rest.len() - place.len() + place.find('(').unwrap_or(0),
                    None => rest.len(),
                };
                out += &format!("P{}  {}\n", names[&number(n)], &rest[..shown]);
            }
            None => out += &format!("{line}\n"),
        }
    }
    out
}

/// Compares a session with `tests/causes/travel/NAME.txt`, or writes it.
pub fn compare(name: &str, options: &[&str], main: &[&str], commands: &[&str]) {
    let got = session(name, options, main, commands);
    assert_eq!((got.exit, &*got.err()), (0, ""), "{}", got.out());
    let text = numbered(&got.out());
    golden::compare_text(&format!("causes/travel/{name}.txt"), &text);
}

#[test]
fn breakpoints_forward_and_backward() {
    compare(
        "breakpoints",
        &[],
        &["Walk"],
        &[
            "break Walk.square",
            "break Walk:31",
            "info break",
            "continue",
            "print n",
            "where",
            "continue",
            "c",
            "info locals",
            "print this.own",
            "print this.squares[1]",
            "print squares",
            "print Walk.total",
            "reverse-continue",
            "rc",
            "print n",
            "rc",
            "rc",
            "delete 1",
            "c",
            "c",
            "delete",
            "c",
            "c",
            "rc",
            "quit",
        ],
    );
}

#[test]
fn lines_forward_and_backward() {
    compare(
        "lines",
        &[],
        &["Walk"],
        &[
            "break Walk.add",
            "c",
            "c",
            "delete",
            "step",
            "next",
            "next",
            "next",
            "rn",
            "next",
            "rs",
            "rs",
            "rn",
            "rn",
            "rn",
            "rn",
            "next",
            "step",
            "next",
            "reverse-finish",
            "step",
            "finish",
            "rn",
            "rs",
            "list",
            "si",
            "rsi",
            "c",
            "rs",
            "rn",
            "quit",
        ],
    );
}

#[test]
fn fields_and_exceptions() {
    compare(
        "fields",
        &[],
        &["Walk"],
        &[
            "watch Walk.total",
            "catch java.lang.RuntimeException",
            "c",
            "c",
            "print Walk.total",
            "print more",
            "delete 1",
            "c",
            "where",
            "watch Walk.total",
            "rc",
            "print more",
            "rc",
            "c",
            "c",
            "c",
            "quit",
        ],
    );
}

#[test]
fn exceptions_stop_before_they_are_thrown() {
    let catch = ["catch java.lang.Exception"];
    let all = catch.iter().chain(["c"; 7].iter()).chain(["rc"; 4].iter());
    compare(
        "thrown",
        &[],
        &["Thrown"],
        &all.copied().collect::<Vec<_>>(),
    );
}

#[test]
fn commands_that_cannot_be_done() {
    compare(
        "refused",
        &[],
        &["Walk"],
        &[
            "jump",
            "break",
            "break Walk",
            "break main#2",
            "break Walk.add+1",
            "watch total",
            "watch",
            "catch",
            "catch a b",
            "delete 7",
            "goto",
            "goto x",
            "goto 1",
            "print",
            "print nothing",
            "print args[x]",
            "print args[0]",
            "print Walk.nothing",
            "print args.length.more",
            "reverse-stepi",
            "reverse-next",
            "rc",
            "",
            "# a comment",
            "c",
            "where",
            "step",
            "c",
            "stepi",
            "quit",
        ],
    );
}

/// A generator of numbers, the same ones each time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Walks at random, and compares the state at each position with the one of a run that goes straight there.
fn walk(name: &str, main: &[&str], stops: &[&str], seed: u64) {
    const STEPS: usize = 60;
    let begin = session(&format!("{name}-begin"), &[], main, &["c", "quit"]);
    let out = begin.out();
    let mut positions = out.lines().filter_map(position);
    let number = |n: &str| n.replace(',', "").parse::<u64>().expect("digits");
    let first = number(positions.next().expect("the beginning").0);
    let last = number(positions.next().expect("the end").0);
    assert!(first < last, "{out}");
    let words = [
        "c",
        "rc",
        "step",
        "rs",
        "next",
        "rn",
        "finish",
        "reverse-finish",
        "stepi",
        "rsi",
    ];
    let mut numbers = Numbers(seed);
    let mut commands: Vec<String> = stops.iter().map(|s| (*s).into()).collect();
    for _ in 0..STEPS {
        commands.push(match numbers.next(3) {
            0 => format!("goto {}", first + numbers.next(last - first)),
            _ => words[numbers.next(words.len() as u64) as usize].into(),
        });
        commands.push("state".into());
    }
    let commands: Vec<&str> = commands.iter().map(|c| &**c).collect();
    let walked = session(name, &["--checkpoints=4"], main, &commands);
    assert_eq!(walked.exit, 0, "{}", walked.err());
    // the state of each position, as the session shows it
    let mut shown: BTreeMap<u64, String> = BTreeMap::new();
    let (mut at, mut moves) = (None, 0);
    for part in walked.out().split("(rjvm) ").skip(1) {
        let (command, text) = part.split_once('\n').unwrap_or((part, ""));
        if command != "state" {
            if let Some((n, rest)) = text.lines().filter_map(position).next_back() {
                let ended = rest.starts_with("the program");
                at = (!ended).then(|| number(n));
                moves += 1;
            }
        } else if let Some(at) = at {
            let known = shown.entry(at).or_insert_with(|| text.into());
            assert_eq!(known, text, "two states at {at}");
        }
    }
    assert!(
        shown.len() > STEPS / 4 && moves > STEPS / 2,
        "{}",
        walked.out()
    );
    let mut options: Vec<String> = shown.keys().map(|n| format!("--stop-at={n}")).collect();
    options.extend([
        "--deterministic".into(),
        "--quiet".into(),
        "--stop-output=states.txt".into(),
    ]);
    let classes = classes();
    let straight = Run::new(&vm(), &format!("travel-{name}-straight"));
    let file = straight.dir().join("states.txt");
    let straight = straight.args(options).arg("-cp").arg(classes).args(main);
    assert_eq!(straight.finish().exit, 0);
    let states = std::fs::read_to_string(file).expect("the states are written");
    let mut compared = 0;
    for stop in states.split("Stopped at bytecode ").skip(1) {
        let (n, text) = stop.split_once("\n\n").expect("a head and a state");
        let want = shown[&number(n)].trim_end();
        assert_eq!(text.trim_end(), want, "at {n}, seed {seed}");
        compared += 1;
    }
    assert_eq!(compared, shown.len());
}

#[test]
fn a_random_walk_finds_the_states_of_straight_runs() {
    let stops = [
        "break Walk.add",
        "watch Walk.total",
        "catch java.lang.Exception",
    ];
    walk("walk-1", &["Walk"], &stops, 1);
    walk("walk-2", &["Walk"], &stops, 2);
}

#[test]
fn threads_are_where_they_were() {
    let stops = ["break Threads.add", "break Threads:19"];
    walk("threads", &["Threads"], &stops, 3);
}

#[test]
fn a_failing_schedule_is_walked() {
    let classes = classes();
    let run = Run::new(&vm(), "travel-explore");
    let dir = run.dir();
    let found = run.args(["explore", "-cp", &classes.to_string_lossy(), "Lost"]);
    assert_eq!(found.finish().exit, 1);
    let schedules = common::files_with_extension(&dir, "schedule");
    let replay = format!("--replay={}", schedules[0].display());
    let main = [&*replay, "Lost"];
    walk("schedule", &main, &["watch Lost.count"], 5);
    let commands = [
        "catch java.lang.IllegalStateException",
        "c",
        "watch Lost.count",
        "rc",
        "print old",
        "rc",
        "print old",
    ];
    let got = session("schedule-back", &[], &main, &commands);
    let out = got.out();
    assert_eq!(
        (got.exit, out.matches("(rjvm) print old\n0\n").count()),
        (0, 2),
        "{out}"
    );
    assert!(out.contains("\"adder\"  Lost.add(Lost.java:7)"), "{out}");
    assert!(out.contains("\"main\"  Lost.add(Lost.java:7)"), "{out}");
}

#[test]
fn many_checkpoints_are_thinned_out() {
    walk(
        "rounds",
        &["Rounds", "600000"],
        &["break Rounds.main:27"],
        4,
    );
    let got = session(
        "checkpoints",
        &["--checkpoints=5"],
        &["Rounds", "3000000"],
        &[
            "c",
            "info checkpoints",
            "break Rounds.mark",
            "rc",
            "print i",
            "rc",
            "print i",
            "rc",
            "print i",
            "rc",
        ],
    );
    assert_eq!(got.exit, 0, "{}", got.err());
    let out = got.out();
    let all = out.lines().filter(|l| l.ends_with(" MiB"));
    assert_eq!(all.count(), 5, "{out}");
    let places = ["2999999", "1999999", "999999"].map(|i| out.find(&format!("\n{i}\n")));
    assert!(places[0].is_some() && places.is_sorted(), "{out}");
    assert!(out.contains("the beginning of main"), "{out}");
}

#[test]
fn stops_long_ago_are_those_that_were_found_forward() {
    let mut commands = vec!["break Travel.works"];
    commands.extend(["c"; 5]);
    commands.extend(["rc"; 5]);
    let source = tests_dir().join("../benches/java/Travel.java");
    let classes = jdk::compile("travel-far", &[source], &["-g"], Path::new("none"));
    let main = ["Travel", "threads", "400000"];
    let got = session_of(&classes, "far", &[], &main, &commands);
    assert_eq!(got.exit, 0, "{}", got.err());
    let out = got.out();
    let stops: Vec<_> = out.lines().filter_map(position).collect();
    // the beginning, four threads, the end; back to the threads, and to the beginning
    assert_eq!(stops.len(), 11, "{out}");
    assert!(stops[5].1.starts_with("the program has ended"), "{out}");
    let back = stops[6..].iter().rev();
    assert!(stops[..5].iter().eq(back), "{out}");
}

#[test]
fn a_session_begins_where_another_one_was() {
    let first = session(
        "at-1",
        &[],
        &["Walk"],
        &["break Walk.square", "c", "c", "state"],
    );
    let out = first.out();
    let (n, _) = out
        .lines()
        .filter_map(position)
        .next_back()
        .expect("a stop");
    let at = format!("--at={n}");
    let second = session("at-2", &[&at], &["Walk"], &["state"]);
    let state = |out: &str| out.split_once("(rjvm) state\n").map(|s| s.1.to_owned());
    assert_eq!(state(&second.out()), state(&out));
    assert!(
        state(&out).is_some_and(|s| s.contains("Walk.square")),
        "{out}"
    );
}

#[test]
fn recordings_are_walked() {
    const STEPS: usize = 25;
    let classes = classes();
    let classes = classes.to_string_lossy();
    let run = Run::new(&vm(), "travel-record");
    let dir = run.dir();
    let (file, input) = (dir.join("file.txt"), dir.join("input.txt"));
    std::fs::write(&file, "from a file\n").expect("a file");
    std::fs::write(&input, "typed").expect("a file");
    let recording = dir.join("run.rec");
    let option = format!("--record={}", recording.display());
    let run = run.args([&*option, "-cp", &classes, "Outside"]).arg(&file);
    let recorded = run.stdin(Some(input.clone())).finish();
    assert_eq!(recorded.exit, 0, "{}", recorded.err());
    // nothing of the outside is there any more
    std::fs::remove_file(&file).expect("it was there");
    std::fs::remove_file(&input).expect("it was there");
    let replayed = |name: &str, commands: &[String]| {
        let script = work_dir().join(format!("travel-{name}.commands"));
        let text = commands.iter().map(|c| format!("{c}\n"));
        std::fs::write(&script, text.collect::<String>()).expect("a file");
        let run = Run::new(&vm(), &format!("travel-{name}")).arg("debug");
        let run = run.arg(format!("--recording={}", recording.display()));
        let got = run.arg("--checkpoints=4").stdin(Some(script)).finish();
        assert_eq!((got.exit, &*got.err()), (0, ""), "{}", got.out());
        got.out()
    };
    let number = |n: &str| n.replace(',', "").parse::<u64>().expect("digits");
    let words = [
        "watch Outside.sum",
        "c",
        "c",
        "print value",
        "rc",
        "print value",
        "delete",
        "c",
    ];
    let out = replayed("recording", &words.map(String::from));
    assert!(out.contains(&recorded.out()), "{out}\n{}", recorded.out());
    let mut at = out.lines().filter_map(position).map(|(n, _)| number(n));
    let (first, last) = (at.next().expect("main"), at.next_back().expect("the end"));
    let values: Vec<&str> = out.split("(rjvm) print value\n").skip(1).collect();
    let value = |i: usize| values[i].lines().next().expect("a value");
    assert!(value(0).ends_with('L') && value(0) != value(1), "{out}");
    // the states are those of a replay that goes straight there
    let mut numbers = Numbers(9);
    let all = (0..STEPS).map(|_| first + numbers.next(last - first));
    let goals: Vec<u64> = all.collect();
    let goto = |n: &u64| [format!("goto {n}"), "state".into()];
    let walked = replayed(
        "recording-walk",
        &goals.iter().flat_map(goto).collect::<Vec<_>>(),
    );
    let mut states: BTreeMap<u64, String> = BTreeMap::new();
    for (n, part) in goals.iter().zip(walked.split("(rjvm) state\n").skip(1)) {
        let text = part.split("(rjvm) ").next().unwrap_or_default();
        states.insert(*n, text.trim_end().into());
    }
    let straight = Run::new(&vm(), "travel-recording-straight");
    let shown = straight.dir().join("states.txt");
    let straight = straight.arg("replay").arg(&recording);
    let straight = straight.args(states.keys().map(|n| format!("--stop-at={n}")));
    assert_eq!(straight.arg("--stop-output=states.txt").finish().exit, 0);
    let shown = std::fs::read_to_string(shown).expect("the states are written");
    let mut compared = 0;
    for stop in shown.split("Stopped at bytecode ").skip(1) {
        let (n, text) = stop.split_once("\n\n").expect("a head and a state");
        assert_eq!(text.trim_end(), states[&number(n)], "at {n}");
        compared += 1;
    }
    assert_eq!(compared, states.len());
    assert!(compared > STEPS / 2);
}

#[test]
fn what_cannot_be_debugged_is_refused() {
    let classes = classes();
    let classes = classes.to_string_lossy();
    for (words, want, code) in [
        (
            &["--stop-at=main", "-cp", &classes, "Walk"][..],
            "--stop-at",
            2,
        ),
        (
            &["-cp", &classes, "--profile=exact", "-o", "x.rjp", "Walk"],
            "--profile",
            2,
        ),
        (
            &[
                "--probe=entry(Walk.add) { count() }",
                "-cp",
                &classes,
                "Walk",
            ],
            "--probe",
            2,
        ),
        (
            &["-XX:StartFlightRecording", "-cp", &classes, "Walk", "a"],
            "-XX:StartFlightRecording",
            2,
        ),
        (&["-version"], "no program is given", 2),
        (
            &["--stdin=none.txt", "-cp", &classes, "Walk"],
            "none.txt",
            2,
        ),
        (&["-cp", &classes, "Missing"], "Missing", 1),
        (&["--recording=none.rec"], "no such file", 2),
        (&["--recording=.", "--source-path=."], "it is a folder", 2),
    ] {
        let run = Run::new(&vm(), &format!("travel-refused-{}", words.len()));
        let got = run.arg("debug").args(words).finish();
        assert_eq!(got.exit, code, "{words:?}: {}", got.err());
        assert!(got.err().contains(want), "{words:?}: {}", got.err());
    }
}

//! `--stop-at` shows a program at any bytecode, and `rjvm bisect` finds where two runs diverge.
//!
//! The programs are in `tests/causes/stop_at`, beside the expected output.

use crate::common;
use crate::common::golden;
use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, tests_dir, work_dir};
use std::path::{Path, PathBuf};

/// The programs' classes, with the names of local variables.
fn classes() -> PathBuf {
    let dir = tests_dir().join("causes/stop_at");
    let sources = common::files_with_extension(&dir, "java");
    jdk::compile("stop_at", &sources, &["-g"], Path::new("none"))
}

fn rjvm(name: &str, words: &[&str]) -> Outcome {
    let run = Run::new(&vm(), &format!("stop_at-{name}"));
    run.args(words).finish()
}

/// Runs a program with options.
fn program(name: &str, options: &[&str], main: &[&str]) -> Outcome {
    let classes = classes();
    let classes = classes.to_string_lossy();
    let words = [options, &["-cp", &classes], main].concat();
    rjvm(name, &words)
}

/// The part that does not depend on the JDK's version: counts of bytecodes are left out, and frames of the class library with
/// their contents, and threads that have no frames of others.
fn without_library(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut shown = true;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        if indent == 2 {
            let place = line.trim_start();
            shown = !["java.", "jdk.", "sun."]
                .iter()
                .any(|p| place.starts_with(p));
        } else if indent < 2 {
            shown = true;
        }
        if shown {
            out.push(without_counts(line));
        }
    }
    out.join("\n") + "\n"
}

/// Counts, and times, which follow from them.
fn without_counts(line: &str) -> String {
    let words = line.split(' ').collect::<Vec<_>>();
    let is_count = |i: usize| {
        let next = words.get(i + 1).is_some_and(|w| w.starts_with("bytecodes"));
        let before = i > 0 && matches!(words[i - 1], "bytecode" | "until");
        words[i].starts_with(|c: char| c.is_ascii_digit()) && (next || before)
    };
    let shown = words.iter().enumerate().map(|(i, w)| match is_count(i) {
        true => "N",
        false => w,
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Numbers objects again, and leaves out the numbers of hidden classes and methods: they depend on what the class library
/// has done before.
fn renumbered(text: &str) -> String {
    let mut numbers = Vec::new();
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['#', '/']) {
        let (before, mark) = rest.split_at(at);
        out += before;
        let named = before.ends_with(|c: char| c.is_alphanumeric() || c == ']');
        let digits =
            |s: &str| s.len() - s.trim_start_matches(|c: char| c.is_ascii_hexdigit()).len();
        if let Some(hex) = mark.strip_prefix("/0x") {
            rest = &hex[digits(hex)..];
            continue;
        }
        rest = &mark[1..];
        let n = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if !named || n == 0 || mark.starts_with('/') {
            out += &mark[..1];
            continue;
        }
        let number = &rest[..n];
        let known = numbers.iter().position(|k| *k == number);
        let place = known.unwrap_or_else(|| {
            numbers.push(number);
            numbers.len() - 1
        });
        out += &format!("#{}", place + 1);
        rest = &rest[n..];
    }
    out += rest;
    let methods = |l: &&str| !l.trim_start().starts_with("backtrace=");
    out.lines().filter(methods).collect::<Vec<_>>().join("\n") + "\n"
}

/// The part of a text about one thread.
fn of_thread(text: &str, name: &str) -> String {
    let begin = format!("\"{name}\"");
    let threads = text.split("\n\n").filter(|t| t.starts_with(&begin));
    threads.collect::<Vec<_>>().join("\n\n") + "\n"
}

/// Compares with `tests/causes/stop_at/NAME.txt`, or writes it.
fn golden(name: &str, text: &str) {
    let text = renumbered(text);
    golden::compare_text(&format!("causes/stop_at/{name}.txt"), &text);
}

/// The view of thread `main` of `Values` at some places, one after the other.
fn shown(name: &str, places: &[&str]) {
    let options: Vec<String> = places.iter().map(|p| format!("--stop-at={p}")).collect();
    let options: Vec<&str> = options.iter().map(|o| &**o).collect();
    let got = program(name, &options, &["Values"]);
    assert_eq!(got.exit, 0, "{}", got.err());
    let stops = got.err();
    let mut text = String::new();
    for stop in stops.split("Stopped at ").skip(1) {
        let head = stop.lines().next().unwrap_or_default();
        text += &without_counts(&format!("Stopped at {head}"));
        text += "\n\n";
        text += &without_library(&of_thread(stop, "main"));
        text += "\n";
    }
    golden(name, &text);
}

#[test]
fn locals_of_all_types() {
    shown("types", &["Values.all", "Values.all:60"]);
}

#[test]
fn calls_within_expressions() {
    shown(
        "calls",
        &["Values.inner#2", "Values.inner:66#8", "Values.outer@12"],
    );
}

#[test]
fn lambdas_and_upcalls() {
    shown("lambdas", &["Values:78", "Values:106", "Values.inner#3"]);
}

#[test]
fn monitors_and_exceptions() {
    shown(
        "monitors",
        &["Values:85", "Values$Failure.<init>", "Values:97"],
    );
}

#[test]
fn initializers_and_deep_stacks() {
    shown("deep", &["Values:28", "Values:118"]);
}

#[test]
fn threads_that_wait() {
    let got = program(
        "threads",
        &["--stop-at=Threads:22", "--deterministic"],
        &["Threads"],
    );
    assert_eq!(got.exit, 0, "{}", got.err());
    let err = got.err();
    let names = ["main", "enters", "waits", "parks", "locks", "sleeps"];
    let threads = names.map(|n| without_library(&of_thread(&err, n)));
    golden("threads", &threads.join("\n"));
}

#[test]
fn stops_change_nothing() {
    let dir = work_dir().join("stop_at-profiles");
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    let profile = |name: &str| dir.join(format!("{name}.paths"));
    let run = |name: &str, options: &[&str]| {
        let file = profile(name);
        let file = file.to_string_lossy();
        let base = [
            "--quiet",
            "--deterministic",
            "--profile=callsites",
            "-o",
            &file,
        ];
        let got = program(name, &[&base, options].concat(), &["Values"]);
        assert_eq!(got.exit, 0, "{}", got.err());
        (
            got.out(),
            std::fs::read(profile(name)).expect("a profile"),
            got.err(),
        )
    };
    let want = run("plain", &[]);
    let got = run(
        "stopped",
        &[
            "--stop-then=continue",
            "--stop-at=Values:66#*",
            "--stop-at=Values.main",
            "--stop-at=Values.lambda+17",
            "--stop-at=5_000_000",
            "--stop-at=java.util.HashMap.putVal#100",
        ],
    );
    assert_eq!(
        got.2.matches("Stopped at").count(),
        5 + 6 + 4 + 4,
        "{}",
        got.2
    );
    assert_eq!(got.0, want.0);
    assert!(got.1 == want.1, "the profiles differ");
}

#[test]
fn counts_up_to_a_stop() {
    let dir = work_dir().join("stop_at-counts");
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    let file = dir.join("counts.txt");
    let text = file.to_string_lossy();
    let options = [
        "--stop-at=3,000,001",
        "--stop-output=text:-",
        "--profile=exact",
        "--scope=all",
        "-o",
        &text,
    ];
    let got = program("counts", &options, &["Values"]);
    assert_eq!(got.exit, 0, "{}", got.err());
    assert!(
        got.out().starts_with("Stopped at bytecode 3,000,001\n"),
        "{}",
        got.out()
    );
    assert!(got.err().contains("3,000,001"), "{}", got.err());
}

#[test]
fn states_as_json() {
    let dir = work_dir().join("stop_at-json");
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    let file = dir.join("state.json");
    let option = format!("--stop-output={}", file.display());
    let got = program("json", &["--stop-at=Values.all:60", &option], &["Values"]);
    assert_eq!((got.exit, got.err()), (0, String::new()));
    let json = std::fs::read_to_string(&file).expect("it was written");
    for part in [
        r#""at": ["Values.all:60, arrival 1"]"#,
        r#""method": "all""#,
        r#"{"slot": 1, "name": "b", "type": "byte", "value": -1}"#,
        r#""name": "text", "type": "object", "value": "#,
        r#""class": "java.lang.String", "text": "text""#,
        r#""class": "java.lang.Object[]", "length": 100"#,
        r#""fields_left_out": 0"#,
    ] {
        assert!(json.contains(part), "{part} is missing in\n{json}");
    }
}

#[test]
fn what_is_not_reached() {
    let got = program(
        "missed",
        &["--stop-at=Values.nowhere", "--stop-at=Values.deep#900"],
        &["Values"],
    );
    assert_eq!(got.exit, 1);
    assert!(got.out().ends_with("}\n"), "the program ran to its end");
    let err = got.err();
    assert!(
        err.contains("--stop-at=Values.nowhere was not reached: the program ended after "),
        "{err}"
    );
    assert!(
        err.contains(": class Values has no method nowhere\n"),
        "{err}"
    );
    assert!(
        err.contains("; execution reached this place 201 times\n"),
        "{err}"
    );
    let got = program("wrong", &["--stop-at=Values"], &["Values"]);
    assert_eq!(got.exit, 1);
    assert!(
        got.err()
            .starts_with("rjvm: error: --stop-at=Values: expected N (bytecodes), "),
        "{}",
        got.err()
    );
}

#[test]
fn a_planted_divergence_is_found() {
    let other = work_dir().join("stop_at-other");
    std::fs::create_dir_all(&other).expect("the target directory is writable");
    let source =
        std::fs::read_to_string(tests_dir().join("causes/stop_at/Parts.java")).expect("a source");
    let changed = other.join("Parts.java");
    std::fs::write(&changed, source.replace("1_000_000", "123_456")).expect("it can be written");
    let other = jdk::compile("stop_at-changed", &[changed], &["-g"], Path::new("none"));
    let (a, b) = (
        format!("--a=-cp {}", classes().display()),
        format!("--b=-cp {}", other.display()),
    );
    let got = rjvm("bisect", &["bisect", &a, &b, "Parts", "200000"]);
    assert_eq!(got.exit, 1, "{}{}", got.out(), got.err());
    let out = got.out();
    // another thread has looked at the clock, which goes by bytecodes
    let shown = out
        .split("\nOther threads that differ:\n")
        .next()
        .expect("a part");
    golden(
        "bisect",
        &without_counts(shown).replace("for N", "for some"),
    );
    let got = rjvm("bisect-same", &["bisect", &a, &b, "Parts", "123456"]);
    assert_eq!(got.exit, 0, "{}{}", got.out(), got.err());
    assert!(
        got.out().starts_with("A and B are equal for all "),
        "{}",
        got.out()
    );
    let got = rjvm(
        "bisect-until",
        &["bisect", "--until=100000", &a, &b, "Parts", "200000"],
    );
    assert_eq!(got.out(), "A and B are equal for all 100,000 bytecodes.\n");
}

#[test]
fn seeds_part_where_the_order_differs() {
    let classes = classes();
    let classes = classes.to_string_lossy();
    let got = rjvm(
        "seeds",
        &["bisect", "--b=--seed=2", "-cp", &classes, "Order"],
    );
    assert_eq!(got.exit, 1, "{}{}", got.out(), got.err());
    assert!(got.out().contains("java.util.HashMap"), "{}", got.out());
}

#[test]
fn all_threads_that_differ_are_shown() {
    let classes = classes();
    let classes = classes.to_string_lossy();
    let words = ["--a=-Dlimit=1", "--b=-Dlimit=2", "-cp", &classes, "Waits"];
    let got = rjvm("threads", &[&["bisect"], &words[..]].concat());
    assert_eq!(got.exit, 1, "{}{}", got.out(), got.err());
    let out = got.out();
    let (main, others) = out
        .split_once("\nOther threads that differ:\n")
        .expect("others");
    assert!(main.contains("   \"main\" #1, RUNNABLE, runs next\n     Waits.main(Waits.java:"));
    assert!(others.contains("\n   \"worker\" #"), "{others}");
    let limits: Vec<&str> = others.lines().filter(|l| l.contains(" limit ")).collect();
    assert_eq!(limits, ["A        limit   1", "B        limit   2"]);
    let got = rjvm(
        "threads-json",
        &[&["bisect", "--json"], &words[..]].concat(),
    );
    assert_eq!(got.exit, 1, "{}{}", got.out(), got.err());
    let json = got.out();
    for part in [
        "\"same\": false,\n",
        "\"counted_from\": \"main\",\n",
        "\"worker\"",
        "\n  \"a\": {\n    \"last\": {\"bytecodes\": ",
        "\"next\": {\"bytecodes\": ",
    ] {
        assert!(json.contains(part), "{part} is missing in\n{json}");
    }
    let words = [
        "bisect",
        "--json",
        "--whole",
        "--until=500",
        "-cp",
        &classes,
        "Waits",
    ];
    let got = rjvm("same-json", &words);
    let same = "{\n  \"same\": true,\n  \"bytecodes\": 500,\n  \"counted_from\": \"start\"\n}\n";
    assert_eq!((got.exit, got.out()), (0, same.into()), "{}", got.err());
}

#[test]
fn a_quantum_parts_two_runs_where_a_thread_is_switched() {
    let classes = classes();
    let classes = classes.to_string_lossy();
    let words = ["bisect", "--b=--quantum=5000", "-cp", &classes, "Quanta"];
    let got = rjvm("quanta", &words);
    assert_eq!(got.exit, 1, "{}{}", got.out(), got.err());
    let out = got.out();
    assert!(out.starts_with("A and B are equal for "), "{out}");
    // one thread alone is nowhere switched
    let words = [
        "bisect",
        "--b=--quantum=5000",
        "-cp",
        &classes,
        "Parts",
        "9",
    ];
    let got = rjvm("quanta-alone", &words);
    assert_eq!(got.exit, 0, "{}{}", got.out(), got.err());
}

#[test]
fn places_that_do_not_exist_are_reported() {
    for (place, lacking) in [
        ("Values.none", "class Values has no method none"),
        ("Values.all:9999", "Values.all has no code at line 9999"),
        ("Values:9999", "class Values has no code at line 9999"),
        ("no.Such.m", "no class no.Such was loaded"),
    ] {
        let option = format!("--stop-at={place}");
        let got = program(&format!("lacking-{place}"), &[&option], &["Values"]);
        assert_eq!(got.exit, 1, "{place}");
        let err = got.err();
        let end = err.lines().last().expect("a line");
        assert!(
            end.contains(" was not reached: ") && end.ends_with(lacking),
            "{err}"
        );
        // it is known when the class is loaded, if it is
        let note = format!("rjvm: note: {option}: {lacking}");
        let early = place.starts_with("Values.");
        assert_eq!(err.lines().next() == Some(&note), early, "{err}");
    }
}

#[test]
fn json_does_not_mix_with_what_the_program_prints() {
    let options = ["--stop-at=Values.all:60", "--stop-output=json:-"];
    let got = program("json-mixed", &options, &["Values"]);
    assert_eq!((got.exit, got.out().as_str()), (1, ""));
    assert!(
        got.err().contains("name a file, such as /dev/fd/3"),
        "{}",
        got.err()
    );
}

#[test]
fn what_can_not_be_compared() {
    let classes = classes();
    let classes = classes.to_string_lossy();
    let got = rjvm(
        "bisect-bad",
        &["bisect", "--b=--nonsense", "-cp", &classes, "Parts", "9"],
    );
    assert_eq!((got.exit, got.out()), (2, String::new()));
    assert!(got.err().contains("cannot run B:\n"), "{}", got.err());
    assert!(got.err().contains("--nonsense"), "{}", got.err());
    let words = ["bisect", "--a=x", "-cp", &classes, "Parts", "9"];
    let got = rjvm("bisect-no-option", &words);
    assert_eq!((got.exit, got.out()), (2, String::new()));
    assert_eq!(got.err(), "rjvm: error: --a=x: unknown option x\n");
    let got = rjvm("bisect-none", &["bisect"]);
    assert_eq!(got.exit, 2);
}

#[test]
fn where_the_vm_prepares_the_hooks_the_stop_is_behind() {
    let found = program(
        "hooks-events",
        &["--deterministic", "--events=thread-end"],
        &["Values"],
    );
    let err = found.err();
    let ends = |line: &&str| line.ends_with("\"main\" thread-end \"main\"");
    let end = err.lines().find(ends).expect("the main thread ends");
    let at: i64 = end
        .split(' ')
        .next()
        .expect("a count")
        .parse()
        .expect("a number");
    for (name, n) in [("hooks-at", at), ("hooks-in", at + 1)] {
        let stop = format!("--stop-at={n}");
        let stopped = program(name, &["--deterministic", "--quiet", &stop], &["Values"]);
        assert_eq!(stopped.exit, 0, "{}", stopped.err());
        let why = "(the first place behind bytecode ";
        assert!(stopped.err().contains(why), "{}", stopped.err());
    }
}

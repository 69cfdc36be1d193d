//! `origin`: who wrote a value. Ten programs with a bug each, in `tests/causes/origin`: a session leads to the guilty line in at most
//! three questions.

use crate::common::run::{Outcome, Run, vm};
use crate::common::{self, golden, jdk, tests_dir, work_dir};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn classes() -> PathBuf {
    let dir = tests_dir().join("causes/origin");
    let sources = common::files_with_extension(&dir, "java");
    jdk::compile("origin", &sources, &["-g"], Path::new("none"))
}

fn run(name: &str, words: &[&str], stdin: Option<PathBuf>) -> Outcome {
    let sources = format!(
        "--source-path={}",
        tests_dir().join("causes/origin").display()
    );
    let classes = classes();
    let run = Run::new(&vm(), &format!("origin-{name}"));
    let (before, main) = words.split_at(words.len() - 1);
    let run = run
        .args(before)
        .args([&*sources, "-cp", &classes.to_string_lossy()]);
    run.args(main).stdin(stdin).finish()
}

/// A session of `rjvm debug` with these commands.
fn session(name: &str, options: &[&str], main: &str, commands: &[&str]) -> Outcome {
    let _ = classes();
    let script = work_dir().join(format!("origin-{name}.commands"));
    let text = commands.iter().map(|c| format!("{c}\n"));
    std::fs::write(&script, text.collect::<String>()).expect("the target directory is writable");
    let words = [&["debug"], options, &[main]].concat();
    run(name, &words, Some(script))
}

/// The positions in a text: numbers before a thread's name, or before the end.
fn positions(text: &str) -> Vec<&str> {
    let number = |line| {
        let head: &str = str::split(line, "  \"").next()?;
        let head = head.split("  the program").next()?;
        let word = head.split_whitespace().next_back()?;
        let digits = word.bytes().all(|b| b.is_ascii_digit() || b == b',');
        (digits && head.len() < line.len()).then_some(word)
    };
    text.lines().filter_map(number).collect()
}

/// Positions, and lines of the class library, depend on the JDK: the positions become `P1`, `P2` and so on, in order of their size.
fn plain(text: &str) -> String {
    let number = |n: &str| n.replace(',', "").parse::<i64>().expect("digits");
    let all: BTreeSet<i64> = positions(text).into_iter().map(number).collect();
    let names: BTreeMap<i64, usize> = all.into_iter().zip(1..).collect();
    let mut out = String::new();
    for line in text.lines() {
        let mut line = line.to_owned();
        if let [position] = positions(&line)[..] {
            line = line.replacen(position, &format!("P{}", names[&number(position)]), 1);
        }
        // the method says enough
        let library = line
            .find("  java.")
            .map(|i| i + line[i..].find('(').unwrap_or(0));
        let library = library.or_else(|| {
            line.find("by java.")
                .map(|i| i + line[i..].find('(').unwrap_or(0))
        });
        if let Some(end) = library {
            line.truncate(end);
        }
        let through = |l: &str| l.starts_with("  through ");
        if through(&line) {
            line = "  through the class library".into();
            if out.lines().next_back().is_some_and(through) {
                continue;
            }
        }
        out += &line;
        out.push('\n');
    }
    out
}

/// Compares a session with `tests/causes/origin/NAME.txt`, or writes it. Its questions lead to the guilty line.
fn compare(name: &str, options: &[&str], main: &str, commands: &[&str], guilty: &str) {
    let questions = commands.iter().filter(|c| c.starts_with("origin")).count();
    assert!((1..=3).contains(&questions), "{questions} questions");
    let got = session(name, options, main, commands);
    let out = got.out();
    assert_eq!(got.exit, 0, "{out}{}", got.err());
    let text = plain(&out);
    golden::compare_text(&format!("causes/origin/{name}.txt"), &text);
    let last = text.rsplit("(rjvm) origin").next().unwrap_or_default();
    assert!(
        last.contains(guilty),
        "{guilty} is not in the last answer:\n{last}"
    );
}

const THROWN: &str = "catch java.lang.RuntimeException";

#[test]
fn a_total_is_wrong_far_from_its_cause() {
    compare(
        "total",
        &[],
        "Totals",
        &[THROWN, "c", "origin orders[13].total"],
        "Totals.java:24",
    );
}

#[test]
fn another_thread_overwrites_a_field() {
    compare(
        "shared",
        &[],
        "Shared",
        &[THROWN, "c", "origin mine.size"],
        "\"cleaner\"  Shared$Buffer.reset(Shared.java:7)",
    );
}

#[test]
fn a_list_is_aliased() {
    compare(
        "aliased",
        &[],
        "Aliased",
        &[
            THROWN,
            "c",
            "origin last",
            "c",
            "origin second.names",
            "origin",
        ],
        "Aliased.java:19",
    );
}

#[test]
fn a_cache_is_stale() {
    compare(
        "stale",
        &[],
        "Stale",
        &[THROWN, "c", "origin -n 3 after", "origin"],
        "CACHE.put(name, known)",
    );
}

#[test]
fn an_iterator_is_invalidated() {
    compare(
        "iterated",
        &[],
        "Iterated",
        &[THROWN, "c", "origin all.open.modCount"],
        "Iterated.forget(Iterated.java:16)",
    );
}

#[test]
fn a_schedule_loses_an_update() {
    let run = Run::new(&vm(), "origin-explore");
    let dir = run.dir();
    let classes = classes();
    let found = run.args(["explore", "-cp", &classes.to_string_lossy(), "Lost"]);
    assert_eq!(found.finish().exit, 1);
    let schedules = common::files_with_extension(&dir, "schedule");
    let replay = format!("--replay={}", schedules[0].display());
    // the lost value was read before the other thread wrote
    compare(
        "lost",
        &[&replay],
        "Lost",
        &[THROWN, "c", "origin Lost.count", "origin #1", "origin"],
        "before the first bytecode of main",
    );
}

#[test]
fn a_default_is_wrong() {
    compare(
        "default",
        &[],
        "Default",
        &[THROWN, "c", "origin client.limit", "origin"],
        "Default.java:10",
    );
}

#[test]
fn a_loop_writes_one_element_too_many() {
    compare(
        "off-by-one",
        &[],
        "OffByOne",
        &[THROWN, "c", "origin seen[8]", "origin"],
        "board.fill(0, 8, 1)",
    );
}

#[test]
fn a_key_changes_in_a_map() {
    compare(
        "mutated",
        &[],
        "Mutated",
        &[THROWN, "c", "origin keys[3].number"],
        "Mutated.java:25",
    );
}

#[test]
fn a_text_is_made_of_the_wrong_buffer() {
    compare(
        "wrong-buffer",
        &[],
        "WrongBuffer",
        &[THROWN, "c", "origin shown", "origin", "origin from"],
        "WrongBuffer.java:13",
    );
}

/// A session that asks for each of these where the program is at its last line.
fn ask(name: &str, expressions: &[&str]) -> String {
    let mut commands = vec!["break Kinds.main:98".to_owned(), "c".into()];
    for expression in expressions {
        commands.push(format!("origin {expression}"));
        // to the last line again
        commands.push("c".into());
    }
    let commands: Vec<&str> = commands.iter().map(|c| &**c).collect();
    let got = session(name, &[], "Kinds", &commands);
    assert_eq!(got.exit, 0, "{}", got.err());
    got.out()
}

/// The answers in a session, without the stops between them.
fn answers(out: &str) -> String {
    let parts = out.split("(rjvm) ").filter(|p| p.starts_with("origin"));
    let mut text = String::new();
    for part in parts {
        text += &plain(part);
        text.push('\n');
    }
    text
}

#[test]
fn values_of_all_kinds_have_origins() {
    let all = [
        "below.plain",
        "below.own",
        "below.real",
        "below.link",
        "below.bytes[2]",
        "Kinds.wide",
        "Kinds.text",
        "-n 2 local",
        "-n 3 clone[1]",
        "moved[3]",
        "moved[0]",
        "square[1][2]",
        "square[0][0]",
        "-n 4 chosen",
        "-n 5 result",
        "-n 4 exception",
        "fib",
        "boxed",
        "-n 2 unboxed",
        "letter",
        "args",
    ];
    let mut text = String::new();
    for (i, some) in all.chunks(6).enumerate() {
        text += &answers(&ask(&format!("kinds-{i}"), some));
    }
    golden::compare_text("causes/origin/kinds.txt", &text);
}

#[test]
fn natives_write_too() {
    let out = ask(
        "natives",
        &["atomic.value", "atomics.array[2]", "below.link"],
    );
    let all: Vec<&str> = out.split("(rjvm) origin ").skip(1).collect();
    for (answer, by) in all
        .iter()
        .zip(["Kinds.java:68", "Kinds.java:70", "Kinds.java:72"])
    {
        assert!(answer.contains(by), "{by}: {answer}");
    }
    assert!(all[2].contains("\"by reflection\""), "{}", all[2]);
    assert_eq!(all.len(), 3);
}

/// The last write before a place is the one that a watchpoint finds backward; after it, the value is there, and before it, another.
#[test]
fn the_origin_is_the_last_write() {
    for (field, value) in [("Kinds.wide", "16L"), ("Totals$Order.total", "")] {
        let main = field.split(['.', '$']).next().expect("a class");
        let (stop, expression) = match main {
            "Kinds" => ("break Kinds.main:98", field),
            // the last order to be closed
            _ => ("break Totals.report", "orders[19].total"),
        };
        let ask = format!("origin {expression}");
        let commands = [stop, "c", &ask, "stepi", &format!("print {expression}")];
        let got = session(&format!("last-{main}"), &[], main, &commands).out();
        let watch = format!("watch {field}");
        let watched = session(
            &format!("watched-{main}"),
            &[],
            main,
            &[stop, "c", &watch, "rc"],
        );
        let written = got
            .lines()
            .find(|l| l.starts_with("written at "))
            .expect("an answer");
        let written = positions(written)[0];
        let watched = watched.out();
        let last = positions(&watched).pop().expect("a stop");
        assert_eq!(written, last, "{got}\n{watched}");
        assert!(
            got.lines().next_back().is_some_and(|l| l.ends_with(value)),
            "{got}"
        );
    }
}

#[test]
fn operands_and_exceptions_have_origins() {
    let commands = [
        "catch java.lang.IllegalArgumentException",
        "c",
        "origin $0",
        "origin #1",
        "origin $1",
        "origin",
        "origin #0",
        "origin #x",
        "origin -n 0 n",
        "origin nothing",
        "origin this.nothing",
        "origin Kinds.wide.more",
        "origin #1",
        "goto 1000000000",
        "origin Kinds.wide",
        "origin local",
    ];
    let got = session("operands", &[], "Kinds", &commands);
    assert_eq!(got.exit, 0, "{}", got.err());
    let text = plain(&got.out());
    golden::compare_text("causes/origin/operands.txt", &text);
}

#[test]
fn questions_change_no_position_and_no_state() {
    let stop = "break Kinds.main:98";
    let end = ["state", "delete", "c"];
    let without = [&[stop, "c"][..], &end].concat();
    let questions = [
        "origin below.bytes[2]",
        "c",
        "origin moved[0]",
        "c",
        "origin -n 3 exception",
        "c",
        "origin Kinds.text",
        "c",
    ];
    let with = [&[stop, "c"][..], &questions, &end].concat();
    let without = session("without", &[], "Kinds", &without).out();
    let with = session("with", &["--checkpoints=3"], "Kinds", &with).out();
    let tail = |out: &str| out.split_once("(rjvm) state\n").map(|t| t.1.to_owned());
    assert_eq!(tail(&with), tail(&without));
    // and the state is the one of a run that only stops there
    let last = positions(without.split("(rjvm) state").next().unwrap_or_default());
    let at = last.last().expect("a stop").replace(',', "");
    let run = Run::new(&vm(), "origin-straight");
    let file = run.dir().join("state.txt");
    let (stop, classes) = (format!("--stop-at={at}"), classes());
    let options = [
        &*stop,
        "--deterministic",
        "--quiet",
        "--stop-output=state.txt",
        "-cp",
    ];
    assert_eq!(run.args(options).arg(classes).arg("Kinds").finish().exit, 0);
    let straight = std::fs::read_to_string(file).expect("the state is written");
    let straight = straight.split_once("\n\n").expect("a head and a state").1;
    let state = tail(&with).expect("a state");
    let state = state.split("(rjvm)").next().unwrap_or_default();
    assert_eq!(straight.trim_end(), state.trim_end());
}

#[test]
fn origins_are_printed_without_a_session() {
    let got = run("command", &["origin", "orders[13].total", "Totals"], None);
    // options come before the class only; the helper puts them there
    assert_eq!((got.exit, &*got.err()), (0, ""), "{}", got.out());
    assert!(got.out().contains("Totals.java:24"), "{}", got.out());
    assert!(!got.out().contains("Exception in thread"), "{}", got.out());

    let words = [
        "origin",
        "--json",
        "-n",
        "2",
        "--at=Totals$Order.sum#3",
        "this.discount",
        "Totals",
    ];
    let got = run("json", &words, None);
    let json: serde_json::Value = serde_json::from_str(&got.out()).expect("JSON");
    let steps = json["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 2, "{json:#}");
    assert_eq!(steps[0]["site"]["line"], 10, "{json:#}");
    assert_eq!(steps[0]["cause"]["kind"], "moved", "{json:#}");
    assert_eq!(steps[1]["how"], "passed", "{json:#}");
    assert_eq!(steps[1]["cause"]["reason"], "the constant 5", "{json:#}");

    // without an exception, the end of main
    let got = run("end", &["origin", "adder", "Lost"], None);
    assert!(
        got.out().contains("Lost.java:11"),
        "{}{}",
        got.out(),
        got.err()
    );
    let got = run(
        "arrival",
        &["origin", "--at=Kinds.main:98+1", "letter", "Kinds"],
        None,
    );
    assert!(
        got.out().contains("Kinds.java:97"),
        "{}{}",
        got.out(),
        got.err()
    );
}

#[test]
fn questions_without_an_answer() {
    for (words, want, code) in [
        (
            &["origin", "nothing", "Kinds"][..],
            "there is no local variable or field nothing",
            1,
        ),
        (
            &["origin", "--at=Kinds.main:98#2", "fib", "Kinds"],
            "after 1 arrivals",
            1,
        ),
        (&["origin", "--at=Kinds.main:98#*", "fib", "Kinds"], "#*", 2),
        (
            &["origin", "--at=1", "fib", "Kinds"],
            "before the first bytecode of main",
            1,
        ),
        (&["origin", "-n", "0", "fib", "Kinds"], "0", 2),
        (
            &["origin", "fib", "--stop-at=main", "Kinds"],
            "rjvm origin cannot be combined with --stop-at",
            2,
        ),
    ] {
        let got = run(&format!("none-{code}-{}", words[1].len()), words, None);
        assert_eq!(got.exit, code, "{words:?}: {}{}", got.out(), got.err());
        assert!(got.err().contains(want), "{words:?}: {}", got.err());
    }
}

#[test]
fn calls_between_two_positions_are_listed() {
    let ends = [
        "break Totals$Order.close",
        "break Totals.report",
        "c",
        "delete 1",
        "c",
    ];
    let got = session("calls-ends", &[], "Totals", &ends).out();
    let all = positions(&got);
    let [_, from, to] = all[..] else {
        panic!("{got}");
    };
    let commands = [
        &format!("calls {from}..{to}"),
        "calls",
        "calls 5",
        "calls 1..2",
        &format!("calls {to}..{from}"),
        &format!("calls --json --library {from}..{to}"),
    ];
    let got = session("calls", &[], "Totals", &commands).out();
    let parts: Vec<&str> = got.split("(rjvm) ").skip(1).collect();
    let calls: Vec<&str> = parts[0].lines().skip(1).collect();
    assert_eq!(calls.len(), 41, "{got}");
    // the first one, and what it calls
    assert!(
        calls[0].ends_with("  \"main\"  Totals$Order.close(false)"),
        "{got}"
    );
    assert!(
        calls[1].ends_with("  \"main\"    Totals$Order.sum()"),
        "{got}"
    );
    assert!(calls[26].ends_with("Totals$Order.close(true)"), "{got}");
    // it has not ended yet
    assert!(
        calls[40].ends_with("Totals.report(Totals$Order[]) ..."),
        "{got}"
    );
    assert!(
        parts[1].contains("expected FROM..TO") && parts[2].contains("expected FROM..TO"),
        "{got}"
    );
    assert!(
        parts[3].contains("at least") && parts[4].contains("FROM must be less than TO"),
        "{got}"
    );
    let json = parts[5].split_once('\n').expect("JSON").1;
    let json: serde_json::Value = serde_json::from_str(json).expect("JSON");
    assert_eq!(json["calls"].as_array().map(Vec::len), Some(41), "{got}");
    assert_eq!(json["calls"][1]["depth"], 1, "{got}");
}

/// The lines of the sources that a session answered, in the order of its questions.
fn guilty_lines(out: &str) -> Vec<&str> {
    let parts = out.split("(rjvm) origin ").skip(1);
    let lines = parts.map(|part| {
        let written = part.lines().find(|l| l.starts_with("written at "));
        let line = written.and_then(|l| l.split(['(', ')']).nth(1));
        line.unwrap_or_else(|| panic!("no answer in {part}"))
    });
    lines.collect()
}

#[test]
fn a_write_is_later_than_the_initializer_that_it_begins() {
    let commands = [
        // in the initializer, the write that began it is not made
        "break Slow:39",
        "c",
        "origin Slow.value",
        "delete",
        "goto 99999999999",
        "origin Slow.value",
        "goto 99999999999",
        "origin Quick.value",
        "print value",
        "goto 99999999999",
        "origin Never.value",
    ];
    let got = session("initial", &[], "Initial", &commands);
    let out = got.out();
    assert_eq!(got.exit, 0, "{out}{}", got.err());
    let lines = ["34", "6", "5", "46"].map(|n| format!("Initial.java:{n}"));
    assert_eq!(guilty_lines(&out), lines, "{out}");
    for value in ["Slow.value = 43", "Quick.value = 42", "Never.value = 3"] {
        assert!(out.contains(&format!("\n{value}\n")), "{value}: {out}");
    }
    // whatever checkpoints there are
    for limit in ["--checkpoints=2", "--checkpoints=40"] {
        let commands = ["break Initial.main:23", "c", "origin Slow.value"];
        let got = session(&format!("initial{limit}"), &[limit], "Initial", &commands);
        assert_eq!(
            guilty_lines(&got.out()),
            ["Initial.java:6"],
            "{}",
            got.out()
        );
    }
}

#[test]
fn a_store_that_throws_is_no_write() {
    let commands = [
        "break Initial.main:23",
        "c",
        "origin things[0]",
        "c",
        "origin things[1]",
    ];
    let got = session("stores", &[], "Initial", &commands);
    let (out, err) = (got.out(), got.err());
    let lines = ["Initial.java:14", "Initial.java:15"];
    assert_eq!(guilty_lines(&out), lines, "{out}{err}");
}

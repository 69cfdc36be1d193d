//! `origin`: who wrote a value. Ten programs with a bug each, in `tests/origin`: a session leads to the guilty line in at most
//! three questions.

use crate::common;
use crate::common::golden;
use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, switch, tests_dir, work_dir};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn classes() -> PathBuf {
    let dir = tests_dir().join("origin");
    let sources = common::files_with_extension(&dir, "java");
    jdk::compile("origin", &sources, &["-g"], Path::new("none"))
}

fn run(name: &str, words: &[&str], stdin: Option<PathBuf>) -> Outcome {
    let sources = format!("--source-path={}", tests_dir().join("origin").display());
    let classes = classes();
    let run = Run::new(&vm(), &format!("origin-{name}"));
    let (before, main) = words.split_at(words.len() - 1);
    let run = run.args(before).args([&*sources, "-cp", &classes.to_string_lossy()]);
    run.args(main).stdin(stdin).finish()
}

/// A session of `rjvm debug` with these commands.
fn session(name: &str, options: &[&str], main: &str, commands: &[&str]) -> Outcome {
    let script = work_dir().join(format!("origin-{name}.commands"));
    let text = commands.iter().map(|c| format!("{c}\n"));
    std::fs::write(&script, text.collect::<String>()).expect("the target directory is writable");
    let words = [&["debug"], options, &[main]].concat();
    run(name, &words, Some(script))
}

/// The positions in a text: numbers before a thread's name.
fn positions(text: &str) -> Vec<&str> {
    let before = |part: &'static str| move |text: &'_ str| text.contains(part);
    let lines = text.lines().filter(|l| before("  \"")(l) || before("  the program")(l));
    let number = |line| {
        let head = str::split("  \"", line).next()?;
        let word = head.split("  the program").next()?.split_whitespace().next_back()?;
        word.starts_with(|c: char| c.is_ascii_digit()).then_some(word)
    };
    lines.filter_map(number).collect()
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
        let library = line.find("  java.").map(|i| i + line[i..].find('(').unwrap_or(0));
        let library = library.or_else(|| line.find("by java.").map(|i| i + line[i..].find('(').unwrap_or(0)));
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

/// Compares a session with `tests/origin/NAME.txt`, or writes it. Its questions lead to the guilty line.
fn compare(name: &str, options: &[&str], main: &str, commands: &[&str], guilty: &str) {
    let questions = commands.iter().filter(|c| c.starts_with("origin")).count();
    assert!((1..=3).contains(&questions), "{questions} questions");
    let got = session(name, options, main, commands);
    let out = got.out();
    assert_eq!(got.exit, 0, "{out}{}", got.err());
    let text = plain(&out);
    let file = tests_dir().join(format!("origin/{name}.txt"));
    if switch("BLESS") {
        std::fs::write(&file, &text).expect("golden files can be written");
    }
    let want = std::fs::read(&file).expect("BLESS=1 writes it");
    let problem = golden::diff(name, &want, text.as_bytes());
    assert!(problem.is_empty(), "{problem}");
    let last = text.rsplit("(rjvm) origin").next().unwrap_or_default();
    assert!(last.contains(guilty), "{guilty} is not in the last answer:\n{last}");
}

const THROWN: &str = "catch java.lang.RuntimeException";

#[test]
fn a_total_is_wrong_far_from_its_cause() {
    compare(
        "total",
        &[],
        "Totals",
        &[THROWN, "c", "origin orders[13].total"],
        "Totals.java:25",
    );
}

#[test]
fn another_thread_overwrites_a_field() {
    compare(
        "shared",
        &[],
        "Shared",
        &[THROWN, "c", "origin mine.size", "where"],
        "\"cleaner\"  Shared$Buffer.reset(Shared.java:7)",
    );
}

#[test]
fn a_list_is_aliased() {
    compare(
        "aliased",
        &[],
        "Aliased",
        &[THROWN, "c", "origin last", "goto 1", "origin second.names"],
        "Aliased.java:20",
    );
}

#[test]
fn a_cache_is_stale() {
    compare(
        "stale",
        &[],
        "Stale",
        &[THROWN, "c", "origin after", "origin"],
        "Stale.java:20",
    );
}

#[test]
fn an_iterator_is_invalidated() {
    compare(
        "iterated",
        &[],
        "Iterated",
        &[THROWN, "c", "origin all.open.modCount"],
        "Iterated.forget(Iterated.java:17)",
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
    compare(
        "lost",
        &[&replay],
        "Lost",
        &[THROWN, "c", "origin Lost.count", "origin", "origin"],
        "end: written before the first bytecode of main",
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
        &[THROWN, "c", "origin seen[8]"],
        "OffByOne.java:9",
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
        &[THROWN, "c", "origin shown"],
        "WrongBuffer.java:14",
    );
}

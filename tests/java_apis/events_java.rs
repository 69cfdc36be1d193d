//! Events reported to an agent in Java: its counts are exact, and the program does not notice.

use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, tests_dir, work_dir};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

fn classes() -> PathBuf {
    let api = work_dir().join("events-api.jar");
    std::fs::create_dir_all(work_dir()).expect("the target directory is writable");
    let written = Command::new(vm())
        .arg(format!("--agent-api={}", api.display()))
        .status();
    assert!(written.is_ok_and(|s| s.success()));
    let dir = tests_dir().join("events");
    let sources = ["Listened.java", "Listens.java"].map(|n| dir.join(n));
    let class_path = api.display().to_string();
    jdk::compile(
        "events-java",
        &sources,
        &["-cp", &class_path],
        &dir.join("none"),
    )
}

/// The folder's name has always the same length: the program's properties report it.
fn run(name: &str, options: &[&str]) -> (Outcome, String) {
    let run = Run::new(&vm(), &format!("events-java-{name:-<10}"))
        .arg("-cp")
        .arg(classes())
        .args(["-Xmx16m", "--quiet", "--profile=exact", "-o", "x.flat"])
        .args(options)
        .arg("Listened");
    let dir = run.dir();
    let ran = run.finish();
    assert_eq!(ran.exit, 0, "{}", ran.err());
    (ran, dir.display().to_string())
}

#[test]
fn an_agent_in_java_is_notified_of_all_kinds_and_may_ask() {
    let read = |dir: &str, name: &str| {
        std::fs::read_to_string(format!("{dir}/{name}")).expect("it was written")
    };
    let (with, dir) = run("with", &["--agent=Listens"]);
    assert_eq!(with.err(), "");
    assert_eq!(with.out(), "60000 3000 behind\n");
    let (without, other) = run("without", &[]);
    assert_eq!(without.out(), "60000 3000 before\n");
    assert_eq!(read(&dir, "x.flat"), read(&other, "x.flat"));
    let reported = read(&dir, "listens.txt");
    let (_, again) = run("again", &["--agent=Listens"]);
    assert_eq!(
        read(&again, "listens.txt"),
        reported,
        "the reports are the same each time"
    );
    let line = |what: &str| {
        let found = reported.lines().find_map(|l| l.strip_prefix(what));
        found.unwrap_or_else(|| panic!("{what}: {reported}")).trim()
    };
    assert!(!reported.contains("wrong"), "{reported}");
    let counts = line("counts ").trim_matches(['{', '}']);
    let counts: BTreeMap<&str, u64> = counts
        .split(", ")
        .filter_map(|c| c.split_once('='))
        .map(|(k, v)| (k, v.parse().expect("a number")))
        .collect();
    for kind in [
        "alloc",
        "move",
        "free",
        "classLoad",
        "hook",
        "enter",
        "wait",
        "gc",
    ] {
        assert!(
            counts.get(kind).is_some_and(|&n| n > 0),
            "{kind}: {reported}"
        );
    }
    assert!(
        counts["alloc"] > 120_000 && counts["free"] > 100_000,
        "{reported}"
    );
    assert_eq!(counts["enter"], counts["entered"]);
    assert_eq!(counts["init"], 1);
    assert_eq!(
        line("arenas "),
        "{1=eden, 2=survivor 0, 3=survivor 1, 4=old}"
    );
    assert!(line("threads ").contains("one two"), "{reported}");
    assert!(
        line("contended ").starts_with("Listened$Gate of "),
        "{reported}"
    );
    assert!(line("gate ").starts_with("Listened$Gate {"), "{reported}");
    assert_eq!(
        line("dumps "),
        "contended.hprof written no/such/folder/x.hprof-1"
    );
    let tool = |args: &[&str]| {
        let got = Command::new(vm()).arg("heap").args(args).output();
        String::from_utf8(got.expect("rjvm starts").stdout).expect("text")
    };
    let dump = format!("{dir}/contended.hprof");
    assert!(tool(&["histogram", "--limit=0", &dump]).contains("Listened$Gate"));
    assert_eq!(line("entries "), "2000");
    assert_eq!(line("trace ").split('|').count(), 3, "{reported}");
    for yes in ["unknown ", "bytecodes ", "monitors "] {
        assert_eq!(line(yes), "true", "{yes}: {reported}");
    }
}

//! `rjvm search`: bottlenecks are found while programs run, the hidden one with deep starters only, and the findings agree with
//! exact counts.

use crate::common::tool::{self, rjvm};
use crate::common::{jdk, tests_dir};
use serde_json::Value;
use std::path::{Path, PathBuf};

const PROGRAMS: [&str; 5] = ["Routes", "Records", "Hidden", "Allocates", "Sleeps"];

fn classes() -> PathBuf {
    let sources = PROGRAMS.map(|p| tests_dir().join(format!("causes/search/{p}.java")));
    let convoy = tests_dir().join("causes/why/Convoy.java");
    jdk::compile(
        "search",
        &[&sources[..], &[convoy]].concat(),
        &[],
        &tests_dir().join("causes/search/none"),
    )
}

/// A folder of a test's own.
fn folder(name: &str) -> PathBuf {
    tool::folder("search", name)
}

fn run(dir: &Path, command: &[&str], program: &[&str]) -> (String, String, i32) {
    let classes = classes();
    let path = ["--deterministic", "-cp", classes.to_str().expect("a name")];
    rjvm(dir, &[command, &path, program].concat())
}

fn searched(dir: &Path, options: &[&str], program: &str) -> Value {
    let command = [&["search", "-o", "s.json"], options].concat();
    let (out, err, code) = run(dir, &command, &[program]);
    assert_eq!(
        (out, err.as_str(), code),
        (run(dir, &[], &[program]).0, "", 0),
        "{program}"
    );
    let text = std::fs::read_to_string(dir.join("s.json")).expect("it is written");
    serde_json::from_str(&text).expect("it is JSON")
}

fn names(found: &Value) -> Vec<&str> {
    names_of(found, "bottlenecks")
}

fn names_of<'a>(found: &'a Value, which: &str) -> Vec<&'a str> {
    let all = found[which].as_array().expect("bottlenecks");
    all.iter().filter_map(|b| b["name"].as_str()).collect()
}

/// The thousandths of a bottleneck, by all that is known at the end.
fn permille(found: &Value, name: &str) -> u64 {
    let all = found["bottlenecks"].as_array().expect("bottlenecks");
    let one = all.iter().find(|b| b["name"] == name);
    one.and_then(|b| b["share"].as_u64())
        .unwrap_or_else(|| panic!("{name} in {found}"))
}

#[test]
fn the_way_to_the_hot_method_is_found() {
    let dir = folder("routes");
    let found = searched(&dir, &[], "Routes");
    let all = names(&found);
    let mut sorted = all.clone();
    sorted.sort_unstable();
    let way = [
        "Edge.isMe",
        "Edge.same",
        "Finder.around",
        "Finder.findNextNode",
        "Finder.relax",
        "Finder.route",
        "Network.edge",
    ];
    assert_eq!(sorted, way);
    // what builds the network is a bottleneck while little else has been executed, as in the paper (section 3.2)
    let mut early = names_of(&found, "for_a_time");
    early.sort_unstable();
    assert_eq!(early, ["Network.join", "Network.load"]);
    for b in found["for_a_time"].as_array().expect("some") {
        assert!(
            b["permille"].as_u64() >= Some(100) && b["share"].as_u64() < Some(20),
            "{b}"
        );
        assert!(b["until"].as_u64() >= b["found"].as_u64(), "{b}");
    }
    assert_eq!(all[0], "Edge.same", "the most specific one first");
    // 82 % by exact counts
    assert!((750..=900).contains(&permille(&found, "Edge.same")));
    // it is the end of the way, and was known when a small part of the run was over
    let first = &found["bottlenecks"][0];
    let way: Vec<&str> = first["way"]
        .as_array()
        .expect("a way")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(
        (way.first(), way.last()),
        (Some(&"Routes.main"), Some(&"Edge.same"))
    );
    assert!(
        first["found"].as_u64() < found["bytecodes"].as_u64().map(|n| n / 5),
        "{first}"
    );
}

#[test]
fn a_sort_that_is_called_a_few_times_is_found() {
    let dir = folder("records");
    let found = searched(&dir, &[], "Records");
    let all = names(&found);
    assert!(
        all.contains(&"Records.shellSort") && all.contains(&"Records.compare"),
        "{all:?}"
    );
}

#[test]
fn the_hidden_bottleneck_is_found_with_deep_starters_only() {
    let dir = folder("hidden");
    let top_down = searched(&dir, &["--strategy=top-down"], "Hidden");
    assert_eq!(names(&top_down), [""; 0]);
    let hybrid = searched(&dir, &[], "Hidden");
    assert_eq!(names(&hybrid), ["Hidden.digits"]);
    assert_eq!(hybrid["bottlenecks"][0]["via"], "starter");
    // 87.7 % by exact counts
    assert!((850..=900).contains(&permille(&hybrid, "Hidden.digits")));
}

#[test]
fn other_metrics_have_other_bottlenecks() {
    let dir = folder("metrics");
    assert_eq!(
        names(&searched(&dir, &["--metric=allocations"], "Allocates")),
        ["Allocates.greedy"]
    );
    let both = searched(&dir, &[], "Allocates");
    assert_eq!(names(&both), ["Allocates.plain", "Allocates.greedy"]);
    let found = searched(&dir, &["--metric=contention"], "Convoy");
    assert_eq!(names(&found)[0], "Convoy.work");
    assert!(
        permille(&found, "Convoy.work") > 950,
        "all is waited for there"
    );
    // the clock is that of bytecodes, which goes on while all sleep
    let found = searched(&dir, &["--metric=wall"], "Sleeps");
    let mut all = names(&found);
    all.sort_unstable();
    assert_eq!(all, ["Sleeps.lazy", "Sleeps.turn"]);
    assert!(permille(&found, "Sleeps.lazy") > 900);
    let found = searched(&dir, &[], "Sleeps");
    let mut all = names(&found);
    all.sort_unstable();
    assert_eq!(all, ["Sleeps.busy", "Sleeps.turn"]);
}

#[test]
fn nothing_is_different_for_the_program() {
    let dir = folder("same");
    let profile = |command: &[&str]| {
        let (out, err, code) = run(&dir, command, &["Routes"]);
        assert_eq!(code, 0, "{err}");
        out
    };
    let options = ["-o", "a.txt", "-o", "a.html", "-o", "a.dot", "-o", "a.json"];
    let command = [&["search"], &options[..]].concat();
    let read = || {
        ["a.txt", "a.html", "a.dot", "a.json"]
            .map(|f| std::fs::read_to_string(dir.join(f)).expect("it is written"))
    };
    let (first, one) = (profile(&command), read());
    assert_eq!(
        (profile(&command), read()),
        (first, one.clone()),
        "the same in each run"
    );
    // all bytecodes but those up to the first method of the program
    let _ = profile(&["--quiet", "--profile=exact", "-o", "p.rjp"]);
    let (metrics, _, _) = rjvm(&dir, &["profile", "metrics", "p.rjp"]);
    let counted = metrics
        .lines()
        .find(|l| l.starts_with("Bytecodes"))
        .expect("a line");
    let counted: u64 = counted
        .split_whitespace()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .expect("a number");
    let json: Value = serde_json::from_str(&one[3]).expect("JSON");
    let all = json["bytecodes"].as_u64().expect("a number");
    assert!(all >= counted && all < counted + 200_000, "{all} {counted}");
    assert!(
        one[2].starts_with("digraph search {") && one[2].contains("peripheries"),
        "{}",
        one[2]
    );
    assert!(one[1].contains("<svg") && one[1].contains("Edge.isMe"));
}

#[test]
fn wrong_options_are_reported() {
    let dir = folder("wrong");
    for (args, message) in [
        (&["search"][..], "required"),
        (&["search", "--threshold=200%", "Main"][..], "percentage"),
        (
            &["search", "--limit-late=x", "Main"][..],
            "a number or none",
        ),
        (
            &["search", "--profile=exact", "Main"][..],
            "are not allowed here",
        ),
    ] {
        let (_, err, code) = rjvm(&dir, args);
        assert!(err.contains(message) && code == 2, "{args:?}: {code} {err}");
    }
}

//! `--profile=locks`: a planted convoy and a planted deadlock are found by one command, and the report is the same each time.

use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, tests_dir};
use std::path::PathBuf;

fn run(name: &str, options: &[&str], what: &str) -> (Outcome, PathBuf) {
    let dir = tests_dir().join("causes/locks");
    let classes = jdk::compile("locks", &[dir.join("Locked.java")], &[], &dir.join("none"));
    let run = Run::new(&vm(), &format!("locks-{name}"))
        .arg("-cp")
        .arg(classes)
        .args(options)
        .args(["Locked", what]);
    let dir = run.dir();
    (run.finish(), dir)
}

fn read(dir: &std::path::Path, name: &str) -> String {
    std::fs::read_to_string(dir.join(name)).expect("it was written")
}

/// The number in column `i` of the first line that contains `what`.
fn figure(table: &str, what: &str, i: usize) -> u64 {
    let line = table.lines().find(|l| l.contains(what));
    let line = line.unwrap_or_else(|| panic!("{what}\n{table}"));
    let word = line.split_whitespace().nth(i).expect("a column");
    word.replace(',', "").parse().expect("a number")
}

#[test]
fn a_convoy_is_found_with_its_lock_place_and_holder() {
    let options = [
        "--profile=locks",
        "--locks=locks.txt",
        "-o",
        "x.folded",
        "-o",
        "y.html",
    ];
    let mut tables = Vec::new();
    for name in ["one", "two", "three"] {
        let (ran, dir) = run(name, &options, "convoy");
        assert_eq!(ran.exit, 0, "{}", ran.err());
        assert_eq!(ran.out(), "1000000 1000000\n");
        assert!(read(&dir, "y.html").contains("</html>"));
        tables.push((read(&dir, "locks.txt"), read(&dir, "x.folded")));
    }
    assert_eq!(tables[0], tables[1]);
    assert_eq!(tables[0], tables[2]);
    let (table, folded) = &tables[0];
    assert!(table.starts_with("Blocked by monitors\n"), "{table}");
    let till = "  Locked$Till";
    let (times, others) = (figure(table, till, 0), figure(table, till, 1));
    // four customers, one of whom works: the others wait for three times as much as is done, more or less
    assert!(times >= 40, "{table}");
    assert!((20_000_000..170_000_000).contains(&others), "{table}");
    let rows: Vec<&str> = table
        .lines()
        .filter(|l| l.contains("  at Locked.pay(Locked.java:"))
        .collect();
    assert!(rows.len() >= 4, "{table}");
    for row in &rows {
        assert!(
            row.contains(", held by \"customer-") && row.contains("in Locked.pay("),
            "{row}"
        );
    }
    let sum: u64 = rows.iter().map(|r| figure(r, "at", 0)).sum();
    assert_eq!(sum, times);
    let parked = "  java.util.concurrent.locks.ReentrantLock$NonfairSync";
    assert!(figure(table, parked, 0) >= 1, "{table}");
    assert!(table.contains("  at Locked.pass(Locked.java:"), "{table}");
    // join, and the wait that nobody ends
    assert!(figure(table, "at Locked.main(", 0) >= 1, "{table}");
    assert!(table.contains("(1 timed out)"), "{table}");
    // the profile has what was lost to locks
    let of_till: u64 = folded
        .lines()
        .filter(|l| l.contains("Locked$Till.[monitor]"))
        .filter_map(|l| l.rsplit(' ').next()?.parse::<u64>().ok())
        .sum();
    assert_eq!(of_till, others, "{folded}");
}

#[test]
fn a_deadlock_is_named_with_the_graph_of_waits() {
    let (ran, dir) = run("dead", &["--profile=locks", "--locks=l.txt"], "deadlock");
    assert_eq!(ran.exit, 1);
    let table = read(&dir, "l.txt");
    for what in [
        "(1 not over)",
        "held by \"philosopher-1\" in Locked.lambda$deadlock$",
        "\"philosopher-0\" -> \"philosopher-1\": the monitor of <0x",
        "Found one Java-level deadlock:",
        "Found 1 deadlock.",
    ] {
        assert!(table.contains(what), "{what}\n{table}");
    }
}

#[test]
fn listening_changes_no_count() {
    let count = |name: &str, options: &[&str]| {
        let (ran, _) = run(name, options, "convoy");
        assert_eq!(ran.exit, 0, "{}", ran.err());
        ran.out()
    };
    let deterministic = "--deterministic=1";
    let with = count("det-with", &[deterministic, "--profile=locks", "--quiet"]);
    assert_eq!(with, count("det-without", &[deterministic]));
    let (_, dir) = run(
        "det-times",
        &[deterministic, "--profile=locks", "--locks=l.txt"],
        "convoy",
    );
    // times of a virtual clock are a part of the table
    assert!(read(&dir, "l.txt").contains("longest          ms  lock, place, holder"));
}

#[test]
fn options_without_effect_are_refused() {
    let (ran, _) = run("refused", &["--profile=exact", "--locks=l.txt"], "convoy");
    assert_eq!(ran.exit, 1);
    assert!(
        ran.err().contains("--locks requires --profile=locks"),
        "{}",
        ran.err()
    );
}

#[test]
fn virtual_threads_that_wait_for_a_lock_are_seen() {
    let dir = tests_dir().join("causes/locks");
    let sources = ["Locked.java", "VirtualLocked.java"].map(|name| dir.join(name));
    let classes = jdk::compile("locks-virtual", &sources, &[], &dir.join("none"));
    for jdk in jdk::newer() {
        let mut tables = Vec::new();
        for turn in ["one", "two"] {
            let run = Run::new(&vm(), &format!("locks-virtual-{}-{turn}", jdk.feature()))
                .arg("--deterministic")
                .arg(format!("--java-home={}", jdk.home().display()))
                .args(["--profile=locks", "--locks=l.txt", "-o", "x.folded"])
                .arg("-cp")
                .arg(&classes)
                .arg("VirtualLocked");
            let dir = run.dir();
            let ran = run.finish();
            assert_eq!(ran.exit, 0, "{}", ran.err());
            assert_eq!(ran.out(), "30000\n");
            tables.push((read(&dir, "l.txt"), read(&dir, "x.folded")));
        }
        assert_eq!(tables[0], tables[1]);
        let (table, folded) = &tables[0];
        let at = "at Locked.pass(Locked.java:47)";
        let rows: Vec<&str> = table.lines().filter(|l| l.contains(at)).collect();
        assert!(
            !rows.is_empty() && rows.iter().all(|r| r.contains(", held by \"")),
            "{table}"
        );
        // the last one waits until two others have counted to 20,000
        let others = rows.iter().map(|r| figure(r, at, 1)).sum::<u64>();
        let most = rows.iter().map(|r| figure(r, at, 2)).max();
        assert!(others > 500_000 && most > Some(300_000), "{table}");
        let times = rows.iter().map(|r| figure(r, at, 0)).sum::<u64>();
        assert!(times >= 3, "{table}");
        assert!(table.contains("  [Ljava.lang.String;"), "{table}");
        assert!(
            table.contains("main$lambda") || table.contains("(1 not over)"),
            "{table}"
        );
        assert!(folded.contains("Locked.pass"), "{folded}");
    }
}

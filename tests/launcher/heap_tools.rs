//! `rjvm heap` on dumps of a program that keeps more than it needs, of rjvm and of HotSpot: the two report the same.

use crate::common;
use crate::common::jdk;
use crate::common::run::{Outcome, Run, vm, vm_is_rjvm};
use rjvm_heapdump::{Dominators, Dump, Histogram};
use std::path::{Path, PathBuf};

fn classes() -> PathBuf {
    let sources =
        ["Keep", "Storm"].map(|n| common::tests_dir().join(format!("launcher/heap/{n}.java")));
    jdk::compile("heap-tools", &sources, &["-g"], Path::new("none"))
}

/// A dump of `Keep` with so many objects in its cache, by a VM.
fn dump(program: &Path, name: &str, n: u32) -> PathBuf {
    let run = Run::new(program, name);
    let file = run.dir().join("keep.hprof");
    let _ = std::fs::remove_file(&file);
    let run = run.arg("-cp").arg(classes()).arg("Keep").arg(&file);
    let got = run.arg(n.to_string()).finish();
    assert_eq!(
        (got.exit, got.out().as_str()),
        (0, "1000\n"),
        "{}",
        got.err()
    );
    file
}

fn heap(name: &str, args: &[&str], files: &[&Path]) -> Outcome {
    let (command, rest) = args.split_first().expect("a command");
    let run = Run::new(&vm(), name).args(["heap", command]);
    let run = run.args(files).args(rest);
    run.finish()
}

fn reported(name: &str, args: &[&str], files: &[&Path]) -> String {
    let got = heap(name, args, files);
    assert_eq!(got.exit, 0, "{args:?}: {}", got.err());
    got.out()
}

/// Objects and bytes of the classes of the program.
fn own(dump: &Dump) -> Vec<(String, u64)> {
    let tree = Dominators::new(dump);
    let histogram = Histogram::new(dump, |o| tree.reachable(o));
    let rows = histogram.rows.iter();
    let mut rows: Vec<(String, u64)> = rows
        .map(|r| (dump.classes()[r.class as usize].name.clone(), r.objects))
        .filter(|r| r.0.starts_with("Keep"))
        .collect();
    rows.sort();
    rows
}

#[test]
fn who_keeps_what_is_reported_by_one_command() {
    if !vm_is_rjvm() {
        return;
    }
    let ours = dump(&vm(), "heap-tools-ours", 500);
    let theirs = dump(&jdk::tool("java"), "heap-tools-hotspot", 500);
    for (file, local) in [
        (
            &ours,
            "local variable `keeper` of Keep.b(Keep.java:29), thread \"main\"",
        ),
        // whose dumps have no slots
        (
            &theirs,
            "a local variable or operand of Keep.b(Keep.java:29), thread \"main\"",
        ),
    ] {
        let read = Dump::open(file).expect("a dump");
        let held = [("Keep$C", 501), ("Keep$D", 1)];
        let held = held.map(|(n, count)| (n.to_string(), count));
        assert_eq!(own(&read), held, "{}", file.display());
        let text = reported("heap-paths", &["paths", "Keep$C"], &[file]);
        assert!(
            text.starts_with("502 objects, 501 of them alive, by 2 paths\n")
                || text.starts_with("501 objects, 501 of them alive, by 2 paths\n"),
            "{text}"
        );
        let at = text
            .find(local)
            .unwrap_or_else(|| panic!("{local}: {text}"));
        let steps: Vec<&str> = text[at..].lines().skip(1).take(2).map(str::trim).collect();
        assert!(
            steps[0].starts_with("Keep$D @0x") && steps[0].ends_with("  .held"),
            "{text}"
        );
        assert!(steps[1].starts_with("Keep$C @0x"), "{text}");
        assert!(text.contains("  .CACHE (static)\n"), "{text}");
        let text = reported("heap-retained", &["retained", "Keep$D"], &[file]);
        assert!(
            text.starts_with("Keep$D: 1 objects of 16 bytes retain 3 objects of 10"),
            "{text}"
        );
        let text = reported(
            "heap-histogram",
            &["histogram", "--live", "--retained", "--limit=0"],
            &[file],
        );
        assert!(text.lines().any(|l| l.ends_with(" Keep$C")), "{text}");
        let text = reported("heap-summary", &["summary"], &[file]);
        assert!(text.contains("\n  \"main\" "), "{text}");
        let json = reported("heap-json", &["dominators", "--json", "--depth=4"], &[file]);
        let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert!(value["bytes"].as_u64() > Some(500_000), "{json}");
    }
}

#[test]
fn what_grows_is_found_with_its_holder() {
    if !vm_is_rjvm() {
        return;
    }
    let old = dump(&vm(), "heap-tools-old", 10);
    let new = dump(&vm(), "heap-tools-new", 2000);
    let text = reported("heap-diff", &["diff"], &[&old, &new]);
    let rows: Vec<&str> = text.lines().filter(|l| l.ends_with("  Keep$C")).collect();
    let [row] = rows[..] else { panic!("{text}") };
    assert!(row.trim().starts_with("+1990 "), "{text}");
    let at = text
        .find("suspect 1: java.util.HashMap$Node[] @0x")
        .expect(&text);
    assert!(
        text[at..].contains("    holds 2000 java.util.HashMap$Node, 10 before\n"),
        "{text}"
    );
    assert!(
        text[at..].contains("class Keep @0x") && text[at..].contains("  .CACHE (static)\n"),
        "{text}"
    );
    let json = reported("heap-diff-json", &["diff", "--json"], &[&old, &new]);
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value["suspects"][0]["grown"][0]["objects"], 2000);
}

/// Freed objects are not in a dump, but their site is, and how long they lived.
#[test]
fn a_storm_of_short_lived_objects_is_found_by_one_command() {
    if !vm_is_rjvm() {
        return;
    }
    let run = Run::new(&vm(), "heap-storm");
    let file = run.dir().join("storm.hprof");
    let run = run.arg("-agentlib:hprof=heap=all,format=b,depth=3,file=storm.hprof");
    let got = run.arg("-cp").arg(classes()).arg("Storm").finish();
    assert_eq!(got.exit, 0, "{}", got.err());
    let by = |by: &str| reported("heap-storm-sites", &["sites", "--limit=1", by], &[&file]);
    let allocated = by("--by=allocated");
    let row = allocated.lines().nth(1).expect("a row");
    assert!(
        row.starts_with("1. 0 bytes (0.00 %) in 0 Storm$Key; allocated 640000 bytes in 40000; freed 40000, on average after "),
        "{allocated}"
    );
    assert!(
        allocated.contains("Storm.look(Storm.java:10)"),
        "{allocated}"
    );
    assert!(by("--by=live").contains("in 1 int[]; allocated "));
}

#[test]
fn what_makes_no_sense_is_reported() {
    if !vm_is_rjvm() {
        return;
    }
    let dir = common::work_dir().join("heap-wrong");
    std::fs::create_dir_all(&dir).expect("a folder");
    let file = dir.join("wrong.hprof");
    std::fs::write(
        &file,
        b"JAVA PROFILE 1.0.2\0\0\0\0\x08\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\x10\0",
    )
    .expect("written");
    let got = heap("heap-wrong", &["summary"], &[&file]);
    assert_eq!(got.exit, 1);
    assert!(
        got.err().contains("a record ends too early at byte 31"),
        "{}",
        got.err()
    );
    let ours = dump(&vm(), "heap-tools-names", 1);
    for (what, says) in [
        ("NoSuchClass", "no object has the class NoSuchClass"),
        ("0xzz", "0xzz is not an address"),
        ("0x1", "no object at 0x1"),
    ] {
        let got = heap("heap-names", &["retained", what], &[&ours]);
        assert_eq!(got.exit, 1);
        assert!(got.err().contains(says), "{}", got.err());
    }
    let got = heap("heap-sites", &["sites"], &[&ours]);
    assert!(
        got.err()
            .contains("no object of the dump has an allocation stack"),
        "{}",
        got.err()
    );
}

//! Instruments in Java: plan blocks before, after and around methods and before basic blocks, placed and removed while the
//! program runs, which is none the wiser.

use crate::common::run::{Run, vm};
use crate::common::{jdk, tests_dir, work_dir};
use std::path::PathBuf;
use std::process::Command;

fn classes() -> PathBuf {
    let api = work_dir().join("instruments-api.jar");
    std::fs::create_dir_all(work_dir()).expect("the target directory is writable");
    let written = Command::new(vm())
        .arg(format!("--agent-api={}", api.display()))
        .status();
    assert!(written.is_ok_and(|s| s.success()));
    let dir = tests_dir().join("vms/instruments");
    let sources = ["Probed.java", "Plans.java"].map(|n| dir.join(n));
    let class_path = api.display().to_string();
    jdk::compile(
        "instruments-java",
        &sources,
        &["-cp", &class_path],
        &dir.join("none"),
    )
}

/// The folder's name has always the same length: the program's properties report it.
fn run(name: &str, options: &[&str]) -> (Vec<u8>, String, PathBuf) {
    let run = Run::new(&vm(), &format!("instruments-java-{name:-<10}"))
        .arg("-cp")
        .arg(classes())
        .args(["-Xmx16m", "--quiet", "--profile=exact", "-o", "x.flat"])
        .args(options)
        .arg("Probed");
    let dir = run.dir();
    let ran = run.finish();
    assert_eq!((ran.exit, ran.err().as_str()), (0, ""));
    let profile = std::fs::read_to_string(dir.join("x.flat")).expect("it was written");
    (ran.out().into_bytes(), profile, dir)
}

#[test]
fn plan_blocks_are_reported_and_change_nothing() {
    let (out, profile, dir) = run("with", &["--agent=Plans"]);
    let (plain_out, plain, _) = run("without", &[]);
    assert_eq!(out, plain_out);
    assert!(profile == plain, "the profile has changed");
    let reported = std::fs::read_to_string(dir.join("plans.txt")).expect("it was written");
    let lines: Vec<&str> = reported.lines().collect();
    assert_eq!(lines[0], "no such strategy: 2");
    assert_eq!(lines[1], "before Probed.fact(I)I [5]");
    assert_eq!(lines[5], "before Probed.fact(I)I [1]");
    assert_eq!(lines[6], "after Probed.fact(I)I = 1 8");
    assert_eq!(lines[10], "after Probed.fact(I)I = 120 52");
    let throws = "after Probed.fails(I)I throws java.lang.IllegalStateException -1";
    assert_eq!(lines[11..15], [throws; 4]);
    let outer = lines[15].strip_prefix("after Probed.outer(I)I = ");
    assert!(outer.is_some_and(|l| l.ends_with(" late")), "{reported}");
    let sums = lines[16];
    assert!(sums.ends_with(" blocks, 3 calls, instrument 4"), "{sums}");
    assert!(sums.split(' ').next().and_then(|n| n.parse::<u32>().ok()) > Some(1000));
    assert_eq!(lines.len(), 17);
    let (_, _, again) = run("again", &["--agent=Plans"]);
    let again = std::fs::read_to_string(again.join("plans.txt")).expect("it was written");
    assert_eq!(again, reported);
}

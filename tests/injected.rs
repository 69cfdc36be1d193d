//! `--faults`: programs see the exceptions that a full disk, denied files, short transfers, broken connections and a clock
//! that is set would give them; recorded runs repeat them.

mod common;

use common::run::{Outcome, Run, vm};
use common::{jdk, tests_dir, work_dir};
use std::path::PathBuf;

fn classes() -> PathBuf {
    let source = tests_dir().join("record/Injected.java");
    jdk::compile("injected", &[source], &[], &tests_dir().join("record/none"))
}

/// Runs a part of the program under these faults and replays it; the folder of its files is gone then.
fn under(part: &str, faults: &str) -> Outcome {
    let dir = work_dir().join("run").join(format!("injected-{part}"));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(dir.join("files")).expect("a folder");
    let recording = dir.join("run.rec");
    let faults = faults.replace("DIR", &dir.join("files").to_string_lossy());
    let ran = Run::new(&vm(), &format!("faults-{part}"))
        .arg(format!("--record={}", recording.display()))
        .arg(format!("--faults={faults}"))
        .arg("-cp")
        .arg(classes())
        .args(["Injected", part])
        .arg(dir.join("files"))
        .finish();
    assert_eq!(ran.exit, 0, "{}", ran.err());
    std::fs::remove_dir_all(dir.join("files")).expect("it was there");
    let again = Run::new(&vm(), &format!("faults-{part}-again"))
        .arg("replay")
        .arg(&recording)
        .finish();
    assert_eq!((again.exit, again.out()), (0, ran.out()), "{}", again.err());
    ran
}

#[test]
fn a_full_disk() {
    let ran = under("disk", "disk-full@10k");
    assert_eq!(ran.out(), "No space left on device after 10240\n");
    let err = ran.err();
    let mut told = err
        .lines()
        .filter(|l| l.starts_with("rjvm fault: disk-full: Descriptors::write(fd "));
    // the part that was still written, and what failed
    assert_eq!(told.clone().count(), 2, "{err}");
    assert!(told.all(|l| l.contains(" at bytecode ")), "{err}");
}

#[test]
fn denied_files() {
    let ran = under("denied", "denied:DIR/secret");
    assert_eq!(ran.out(), "denied secret\ntrue\n");
}

#[test]
fn short_transfers_change_no_contents() {
    let ran = under("short", "short-io:40%");
    assert_eq!(ran.out(), "true\ntrue\n");
    assert!(
        ran.err().contains("rjvm fault: short-io: "),
        "{}",
        ran.err()
    );
}

#[test]
fn broken_connections() {
    let ran = under("reset", "reset:100%");
    assert_eq!(
        ran.out(),
        "write: Connection reset by peer\nread: Connection reset\n"
    );
}

#[test]
fn a_clock_that_is_set_back() {
    let ran = under("clock", "clock-jump@4s:-1h");
    assert_eq!(ran.out(), "5 true\n");
    assert!(
        ran.err().contains("rjvm fault: clock-jump: "),
        "{}",
        ran.err()
    );
}

#[test]
fn what_is_no_fault_is_told() {
    let ran = Run::new(&vm(), "faults-wrong")
        .args(["--faults=fire", "X"])
        .finish();
    assert_eq!(ran.exit, 1);
    assert!(
        ran.err()
            .starts_with("Error: --faults: fire: no fault; there are disk-full@SIZE, ")
    );
}

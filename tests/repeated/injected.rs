//! `--faults`: programs see the exceptions that a full disk, denied files, short transfers, broken connections and a clock
//! that is set would give them; recorded runs repeat them.

use crate::common::run::{Outcome, Run, vm};
use crate::common::{jdk, tests_dir, work_dir};
use std::path::PathBuf;

fn classes() -> PathBuf {
    let source = tests_dir().join("repeated/record/Injected.java");
    jdk::compile(
        "injected",
        &[source],
        &[],
        &tests_dir().join("repeated/record/none"),
    )
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
    std::fs::remove_dir_all(dir.join("files")).expect("it was there");
    let again = Run::new(&vm(), &format!("faults-{part}-again"))
        .arg("replay")
        .arg(&recording)
        .finish();
    let same = (ran.exit, ran.out());
    assert_eq!((again.exit, again.out()), same, "{}", again.err());
    ran
}

#[test]
fn a_full_disk() {
    let ran = under("disk", "disk-full@10k");
    assert_eq!(ran.out(), "No space left on device after 10240\n");
    let err = ran.err();
    let mut reported = err
        .lines()
        .filter(|l| l.starts_with("rjvm: note: fault: disk-full: Descriptors::write(fd "));
    // the part that was still written, and what failed
    assert_eq!(reported.clone().count(), 2, "{err}");
    assert!(reported.all(|l| l.contains(" at bytecode ")), "{err}");
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
        ran.err().contains("rjvm: note: fault: short-io: "),
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
fn a_broken_connection_is_ready() {
    let ran = under("select", "reset:100%");
    assert_eq!(
        ran.out(),
        "0\nwrite: Connection reset by peer\n1\nread: Connection reset\n"
    );
}

#[test]
fn a_clock_that_is_set_back() {
    let ran = under("clock", "clock-jump@4s:-1h");
    assert_eq!(ran.out(), "5 true\n");
    assert!(
        ran.err().contains("rjvm: note: fault: clock-jump: "),
        "{}",
        ran.err()
    );
}

/// The reports before the numbered allocation of `Injected oom` fails, with these options.
fn allocations(n: u64, options: &[&str]) -> (u64, String) {
    let ran = Run::new(&vm(), &format!("faults-oom-{n}{}", options.join("")))
        .arg(format!("--faults=oom@{n}"))
        .args(options)
        .arg("-cp")
        .arg(classes())
        .args(["Injected", "oom", "."])
        .finish();
    assert_eq!(ran.exit, 0, "{}", ran.err());
    let reported = format!("rjvm: note: fault: oom: allocation {n}, of ");
    assert!(ran.err().starts_with(&reported), "{}", ran.err());
    let out = ran.out();
    let [first, made, after] = out.lines().collect::<Vec<_>>()[..] else {
        panic!("{out}");
    };
    assert_eq!(after, "1000");
    let made = made.strip_prefix("made ").expect("a number");
    let err = ran.err();
    let (bytes, _) = err[reported.len()..].split_once(" at ").expect("bytes");
    let what = format!("{first}, {bytes}");
    (made.parse().expect("a number"), what)
}

#[test]
fn the_allocation_with_the_number_fails() {
    // each round allocates one object, every third a clone of 100 references
    let (made, what) = allocations(10_000, &[]);
    let round = 150 * 7 - made % 150;
    let (later, clone) = allocations(10_000 + round, &[]);
    assert_eq!(later, made + round);
    assert_eq!(clone, "Java heap space at clone, 416 bytes");
    let (later, array) = allocations(10_000 + round + 49, &[]);
    assert_eq!(later, made + round + 49);
    assert_eq!(array, "Java heap space at oom, 408 bytes");
    // it is the same one whatever is collected or counted
    for options in [
        &["-Xmx8m"][..],
        &["-Xmx8m", "--gc-stress"],
        &["--allocations", "--profile=exact"],
    ] {
        assert_eq!(allocations(10_000, options), (made, what.clone()));
    }
    let (made, _) = allocations(400_000, &["-Xmx8m"]);
    assert_eq!(allocations(400_000, &["-Xmx200m"]).0, made);
}

#[test]
fn allocations_fail_again_in_a_replay() {
    let ran = under("oom", "oom@5000");
    let (out, err) = (ran.out(), ran.err());
    // which of the loop's allocations it is depends on how many the library made before
    let message: Vec<&str> = out.split_whitespace().collect();
    let ["Java", "heap", "space", "at", place, "made", made, "1000"] = message[..] else {
        panic!("{out}{err}");
    };
    let made: u32 = made.parse().expect("a number");
    let expected = if made.is_multiple_of(3) {
        "clone"
    } else {
        "oom"
    };
    assert!(
        place == expected && (4000..5000).contains(&made),
        "{out}{err}"
    );
    // several, wherever they are
    for n in (1..2000).step_by(111) {
        let ran = under("much", &format!("oom@{n},oom@{}", n + 17));
        let uncaught = ran
            .err()
            .contains("thrown from the UncaughtExceptionHandler");
        let uncaught = uncaught || ran.err().contains("Exception in thread");
        let ends = ran.exit == 0 && ran.out().ends_with("end\n");
        assert!(ends || ran.exit == 1 && uncaught, "{}", ran.err());
    }
}

#[test]
fn what_is_no_fault_is_reported() {
    let ran = Run::new(&vm(), "faults-wrong")
        .args(["--faults=fire", "X"])
        .finish();
    assert_eq!(ran.exit, 1);
    assert!(ran.err().starts_with(
        "rjvm: error: --faults: fire: unknown fault; the faults are disk-full@SIZE, "
    ));
}

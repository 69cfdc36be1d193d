//! `--virtual-clock`: programs that sleep, wait with timeouts and read clocks run alike each time.

use crate::common;
use crate::common::run::{Run, vm};
use crate::common::{jdk, tests_dir, work_dir};

/// Runs `clock/Sleepers.java` with exact counts: what it printed, and its profile.
fn sleepers(name: &str, rate: &str) -> (String, Vec<u8>) {
    let classes = jdk::compile(
        "clock",
        &[tests_dir().join("repeated/clock/Sleepers.java")],
        &[],
        &tests_dir().join("repeated/clock/none"),
    );
    let file = work_dir().join(format!("{name}.paths"));
    let file = file.to_string_lossy();
    let classes = classes.to_string_lossy();
    let got = Run::new(&vm(), name)
        .args([
            rate,
            "--profile=exact",
            "--view=full",
            "--quiet",
            "-o",
            &file,
            "-cp",
            &classes,
            "Sleepers",
        ])
        .finish();
    assert_eq!((got.exit, got.err().as_str()), (0, ""));
    (got.out(), std::fs::read(&*file).expect("a profile"))
}

/// Under load and without.
#[test]
fn a_virtual_clock_makes_time_a_function_of_the_bytecodes() {
    let first = sleepers("clock-1", "--virtual-clock=1");
    let names: Vec<String> = (2..6).map(|i| format!("clock-{i}")).collect();
    let run = |n: &String| (n.clone(), sleepers(n, "--virtual-clock=1"));
    for (name, again) in common::in_parallel(&names, run) {
        assert!(again == first, "{name}");
    }
    // it began at 0 in the year 2000, and slept for a second that took no time
    let millis = first.0.rsplit(' ').next().unwrap_or_default().trim();
    let millis: i64 = millis.parse().expect("the program ends with the time");
    assert!(
        (946_684_801_000..946_684_802_000).contains(&millis),
        "{millis}"
    );
    assert_ne!(sleepers("clock-7", "--virtual-clock=2.5").0, first.0);
}

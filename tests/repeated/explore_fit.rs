//! Failures that explorations report: correct programs do not fail by any strategy; a program that cannot end is reported as
//! such when it is found.
//!
//! The programs in `tests/explore/correct` run under a few schedules each; `RJVM_TEST_SCHEDULES=5000` runs so many by each of five strategies.

use crate::common;
use crate::common::explored::{explore, folder, is_found_with};
use crate::common::tool::{self, rjvm};
use crate::common::{jdk, tests_dir};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const STRATEGIES: [&str; 5] = ["mixed", "pos", "pct:3", "preempt:2", "random"];

#[test]
fn correct_programs_do_not_fail() {
    let sources = common::files_with_extension(&tests_dir().join("explore/correct"), "java");
    let classes = jdk::compile("explore-correct", &sources, &[], Path::new("none"));
    let name = |p: &std::path::PathBuf| {
        let stem = p.file_stem().expect("a name");
        stem.to_string_lossy().into_owned()
    };
    let programs: Vec<String> = sources.iter().map(name).filter(|n| n != "Check").collect();
    assert!(programs.len() >= 60, "{programs:?}");
    let requested = std::env::var("RJVM_TEST_SCHEDULES").ok();
    // each program by one of the strategies, or by all of them
    let (schedules, all) = match &requested {
        Some(n) => (n.as_str(), true),
        None => ("3", false),
    };
    let mut runs = Vec::new();
    for (i, program) in programs.iter().enumerate() {
        let one = [STRATEGIES[i % STRATEGIES.len()]];
        let by: &[&str] = if all { &STRATEGIES } else { &one };
        runs.extend(by.iter().map(|s| (program.clone(), s.to_string())));
    }
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let iterations = format!("--iterations={schedules}");
    let run = || {
        while let Some((program, strategy)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let dir = tool::folder("explore-correct", &format!("{program}-{strategy}"));
            let path = classes.to_str().expect("a name");
            let by = format!("--strategy={strategy}");
            let line = [
                "explore",
                &by,
                &iterations,
                "--jobs=1",
                "-cp",
                path,
                program,
            ];
            let (out, err, code) = rjvm(&dir, &line);
            if (code, &err[..]) != (0, "") {
                let mut failed = failed.lock().expect("nobody panics");
                failed.push(format!("{program} by {strategy}: {code}\n{out}{err}"));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(run);
        }
    });
    let failed = failed.into_inner().expect("nobody panics");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A thread that spins forever is lowered soon, whatever it writes, and so is a thread that waits in short times.
#[test]
fn who_waits_in_a_loop_lets_others_go_on() {
    let sources = common::files_with_extension(&tests_dir().join("explore/correct"), "java");
    let classes = jdk::compile("explore-correct", &sources, &[], Path::new("none"));
    let path = classes.to_str().expect("a name");
    for (program, strategy, most) in [
        ("TicketLock", "pct:3", "200000"),
        ("StopFlag", "pct:3", "200000"),
        ("SpinLock", "preempt:2", "200000"),
        ("PollSynchronized", "pct:3", "400000"),
        ("Sleeps", "pos", "400000"),
        // each spins in turn
        ("Peterson", "pos", "400000"),
    ] {
        let dir = tool::folder("explore-loops", program);
        let by = format!("--strategy={strategy}");
        let most = format!("--max-bytecodes={most}");
        let line = [
            "explore",
            &by,
            &most,
            "--iterations=25",
            "-cp",
            path,
            program,
        ];
        let (out, err, code) = rjvm(&dir, &line);
        assert_eq!((code, &err[..]), (0, ""), "{program}: {out}");
        // "139 to 2007 choices, 1164 on average": a thread that others keep waiting goes on only when few bytecodes are left
        let choices = out.split(" to ").nth(1).and_then(|s| s.split(' ').next());
        let most: Option<u32> = choices.and_then(|n| n.parse().ok());
        assert!(most.is_some_and(|n| n < 5000), "{program}: {out}");
    }
}

#[test]
fn classes_that_wait_for_each_other_are_found() {
    let says = [
        "deadlock of \"a\" (thread 4) and \"b\" (thread 5)",
        "waits for the initialization of ClassInits$Derived, which thread 5 holds",
        "waits for the initialization of ClassInits$Base, which thread 4 holds",
        "begins to initialize ClassInits$",
    ];
    for strategy in ["dpor", "mixed"] {
        let strategy = format!("--strategy={strategy}");
        let replayed = ("rjvm: deadlock", 1);
        is_found_with(&[&strategy], "ClassInits", "60", &says, replayed);
    }
}

#[test]
fn what_comes_before_the_second_thread_does_not_count() {
    let dir = folder("Prelude");
    let options = ["--iterations=3", "--max-bytecodes=100000"];
    let (out, err, code) = explore(&dir, &options, &["Prelude"]);
    assert_eq!((code, &err[..]), (0, ""), "{out}");
    let (out, err, code) = explore(&dir, &["--max-prelude=100000"], &["Prelude"]);
    assert_eq!((code, &out[..]), (2, ""));
    let says = "the program has not started a second thread after 100000 bytecodes";
    assert!(err.contains(says), "{err}");
}

#[test]
fn waiting_for_who_cannot_come_is_waiting_for_ever() {
    let dir = folder("Peers");
    for how in ["accept", "read", "select", "pipe"] {
        let (out, err, code) = explore(&dir, &["--iterations=2"], &["Peers", how]);
        assert_eq!((code, &err[..]), (1, ""), "{out}");
        assert!(out.contains("\"main\" (thread 0) waits forever"), "{out}");
        assert!(out.contains("waits for a connection or data"), "{out}");
    }
    let classes = crate::common::explored::classes();
    let path = classes.to_str().expect("a name");
    let (_, err, code) = rjvm(&dir, &["--deterministic", "-cp", path, "Peers", "accept"]);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("rjvm: deadlock"), "{err}");
}

/// A failure is reported and its schedule written before it is made short, and `--time` ends that.
#[test]
fn failures_are_reported_when_they_are_found() {
    let dir = folder("reported");
    let (out, err, code) = explore(&dir, &["--iterations=50"], &["LostUpdate"]);
    assert_eq!((code, &err[..]), (1, ""), "{out}");
    let found = out.find("found: java.lang.IllegalStateException: counter is 1");
    assert_eq!(found, Some(0), "{out}");
    assert!(out.contains("are needed"), "{out}");
    let (_, rest) = out
        .split_once("not minimized yet: rjvm ")
        .expect("a command");
    let replay = rest.lines().next().expect("a line");
    let (_, err, code) = rjvm(&dir, &[replay]);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("counter is 1"), "{err}");
}

/// A schedule that is tried to make a failure shorter, and takes minutes, is ended when `--time` has passed.
#[test]
fn shortening_ends_with_the_time() {
    let dir = folder("shortening");
    let began = std::time::Instant::now();
    let options = [
        "--time=4",
        "--iterations=1",
        "--strategy=random",
        "--max-bytecodes=20000000000",
    ];
    let (out, err, code) = explore(&dir, &options, &["LongIfShort"]);
    assert_eq!((code, &err[..]), (1, ""), "{out}");
    assert!(out.contains("it came between"), "{out}");
    let (_, replay) = out.split_once("To replay it: rjvm ").expect("a command");
    let (_, err, code) = rjvm(&dir, &[replay.lines().next().expect("a line")]);
    assert_eq!(code, 1, "{err}");
    // the long schedules take several minutes
    assert!(began.elapsed().as_secs() < 90, "{:?}", began.elapsed());
}

#[test]
fn waking_for_no_reason_is_a_choice() {
    let (out, err, code) = explore(&folder("reason"), &["--iterations=60"], &["NoReason"]);
    assert_eq!((code, &err[..]), (0, ""), "{out}");
    let says = ["IllegalStateException: not done", "wakes up spuriously"];
    is_found_with(&["--spurious"], "NoReason", "60", &says, ("not done", 1));
    // who waits forever is not saved by it
    let options = ["--spurious", "--iterations=50"];
    let (out, _, code) = explore(&folder("missed"), &options, &["MissedNotify"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("waits forever"), "{out}");
}

#[test]
fn random_numbers_are_a_choice() {
    let mut fail = 0;
    for n in ["0", "1", "2", "3"] {
        let (out, ..) = explore(&folder("numbers"), &["--iterations=20"], &["Numbers", n]);
        fail += i32::from(!out.contains("no failure"));
    }
    assert_eq!(fail, 1, "they are the same in all schedules");
    for n in ["0", "3"] {
        let dir = folder(&format!("numbers-{n}"));
        let (out, err, code) = explore(&dir, &["--random", "--iterations=60"], &["Numbers", n]);
        assert_eq!((code, &err[..]), (1, ""), "{out}");
        let (_, replay) = out.split_once("To replay it: rjvm ").expect("a command");
        let replay = replay.lines().next().expect("a line");
        let (_, err, _) = rjvm(&dir, &[replay]);
        assert!(err.contains(&format!("number {n}")), "{err}");
    }
    let options = ["--random", "--strategy=dpor"];
    let (_, err, code) = explore(&folder("numbers-all"), &options, &["Numbers", "0"]);
    assert_eq!(code, 2);
    assert!(err.contains("cannot be combined with --random"), "{err}");
}

#[test]
fn each_schedule_has_its_own_input_and_folder() {
    let dir = folder("own");
    std::fs::write(dir.join("in.txt"), "first\n2\n3\n").expect("a file");
    let options = ["--same-output", "--iterations=8", "--keep-going"];
    let with = [&["--input=in.txt"], &options[..]].concat();
    let (out, err, code) = explore(&dir, &[&with[..], &["-o", "all.json"]].concat(), &["Lines"]);
    assert_eq!((code, &err[..]), (0, ""), "{out}");
    let found = std::fs::read_to_string(dir.join("all.json")).expect("it is written");
    assert!(found.contains("first and 2"), "{found}");
    let (_, err, code) = explore(&dir, &["--input=none.txt"], &["Lines"]);
    assert_eq!(code, 2);
    assert!(err.contains("none.txt: "), "{err}");
    std::fs::write(dir.join("old.txt"), "old").expect("a file");
    let with = [&["--own-folder"], &options[..]].concat();
    let (out, err, code) = explore(&dir, &with, &["WorkFiles"]);
    assert_eq!((code, &err[..]), (0, ""), "{out}");
    let read = std::fs::read_to_string(dir.join("old.txt"));
    assert_eq!(read.expect("it is there"), "old");
    assert!(!dir.join("new.txt").exists());
}

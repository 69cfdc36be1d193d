//! `rjvm explore`: planted bugs of concurrency are found, shown, made small, and replayed each time; correct programs
//! do not fail; everything is a function of the seed.

use crate::common;
use crate::common::explored::{classes, explore, folder, is_found, is_found_with};
use crate::common::tool::rjvm;
use std::path::Path;

#[test]
fn a_lost_update_is_found() {
    let says = [
        "java.lang.IllegalStateException: counter is 1 in \"main\"",
        "reads LostUpdate.counter = 0",
        "writes LostUpdate.counter = 1",
        "LostUpdate.java:6",
        "is interrupted",
    ];
    is_found("LostUpdate", "50", &says, "counter is 1");
}

#[test]
fn locks_in_two_orders_are_found() {
    let says = [
        "deadlock of \"main\" (thread 0) and \"other\"",
        "LockOrder.java:8",
    ];
    is_found("LockOrder", "50", &says, "rjvm: deadlock");
}

#[test]
fn a_notification_that_comes_too_early_is_found() {
    is_found(
        "MissedNotify",
        "50",
        &["\"main\" (thread 0) waits forever"],
        "rjvm: deadlock",
    );
}

#[test]
fn a_node_that_comes_back_is_found() {
    is_found(
        "Aba",
        "200",
        &["is in the stack again"],
        "in the stack again",
    );
}

#[test]
fn checking_and_then_acting_is_found() {
    is_found("CheckThenAct", "50", &["x is 1"], "x is 1");
}

#[test]
fn a_pool_that_is_shut_down_too_early_is_found() {
    let rejected = "RejectedExecutionException";
    is_found("PoolShutdown", "50", &[rejected], rejected);
}

#[test]
fn a_timeout_that_comes_first_is_found() {
    let says = ["java.lang.NullPointerException", "TimeoutRace.java:11"];
    is_found("TimeoutRace", "300", &says, "NullPointerException");
}

/// Accesses to data that only one thread touches at a time are not points, so that the points that matter are few.
#[test]
fn half_of_two_writes_is_found() {
    is_found_with(
        &[],
        "Reordered",
        "300",
        &["IllegalStateException: half"],
        ("half", 0),
    );
}

/// A variable that no other thread has touched yet is not a point, but a thread that waits for it lets others run.
#[test]
fn waiting_for_what_is_not_written_yet_is_not_for_ever() {
    for strategy in ["pos", "pct:3", "preempt:2"] {
        let options = [&format!("--strategy={strategy}"), "--iterations=100"];
        let (out, err, code) = explore(&folder("PlainSpin"), &options, &["PlainSpin"]);
        assert_eq!((code, &err[..]), (0, ""), "{out}");
    }
}

#[test]
fn each_schedule_has_its_own_processes() {
    let options = ["--same-output", "--iterations=10"];
    let (out, err, code) = explore(&folder("Spawned"), &options, &["Spawned"]);
    assert_eq!((code, &err[..]), (0, ""), "{out}");
    assert!(out.starts_with("Spawned: 10 schedules"), "{out}");
}

#[test]
fn spinning_for_ever_is_found() {
    let dir = folder("Spin");
    let (out, _, code) = explore(&dir, &["--max-bytecodes=20000"], &["Spin"]);
    assert_eq!(code, 1);
    assert!(out.contains("no end after 20000 bytecodes"), "{out}");
}

#[test]
fn time_passes_while_threads_run_or_only_when_none_does() {
    let dir = folder("LateTimeout");
    let options = ["--strategy=dpor", "--timeouts=any"];
    let (out, _, code) = explore(&dir, &options, &["LateTimeout"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("not within a minute"), "{out}");
    for strategy in ["dpor", "mixed", "pos", "random", "preempt:2"] {
        let strategy = format!("--strategy={strategy}");
        let options = [&strategy[..], "--timeouts=last", "--iterations=60"];
        let (out, err, code) = explore(&dir, &options, &["LateTimeout"]);
        assert_eq!((code, &err[..]), (0, ""), "{out}");
    }
}

/// What goes wrong only where processors and compilers reorder.
#[test]
fn what_the_memory_model_permits_is_found() {
    let jmm = ["--memory=jmm"];
    for (program, within, says, exits) in [
        ("StoreBuffering", "100", "neither has seen the other", 1),
        ("BrokenDcl", "500", "size is 0", 0),
        ("UnsafePublication", "500", "plain is 0", 1),
    ] {
        is_found_with(&jmm, program, within, &[says], (says, exits));
        // nobody sees that on a machine that keeps the order
        let (out, _, code) = explore(&folder("in-order"), &["--iterations=100"], &[program]);
        assert_eq!(code, 0, "{out}");
    }
    let dir = folder("MissingVolatile");
    let options = ["--memory=jmm", "--iterations=100"];
    let (out, _, code) = explore(&dir, &options, &["MissingVolatile"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("\"looper\" (thread 4) runs"), "{out}");
    assert!(out.contains("MissingVolatile.java:8"), "{out}");
}

/// A copy is made of reads and stores, and others come between.
#[test]
fn copies_are_of_what_reads_find() {
    let dir = folder("Copies");
    for how in ["copyOf", "cloned", "object"] {
        let options = ["--strategy=dpor", "--same-output", "--keep-going"];
        let (out, err, _) = explore(&dir, &options, &["Copies", how]);
        assert_eq!(err, "");
        assert!(out.contains("there are no more schedules"), "{out}");
        let printed = |o: &&str| out.lines().any(|l| l.ends_with(&format!(" × {o}")));
        let all = ["0 0", "0 1", "1 0", "1 1"];
        let found: Vec<&str> = all.into_iter().filter(printed).collect();
        assert_eq!(found, all, "{how}: {out}");
    }
    let says = ("second is 0", 1);
    is_found_with(&["--memory=jmm"], "Copies", "500", &[says.0], says);
}

#[test]
fn what_the_memory_model_forbids_is_not_found() {
    let dir = folder("safe");
    let iterations = format!("--iterations={}", if common::all() { 150 } else { 50 });
    for program in ["SafeDcl", "ClassHolder"] {
        let options = ["--memory=jmm", &iterations];
        let (out, err, code) = explore(&dir, &options, &[program]);
        assert_eq!((code, &err[..]), (0, ""), "{out}");
    }
}

#[test]
fn all_schedules_are_a_finite_number() {
    let dir = folder("Orders");
    for (program, options, outputs) in [
        ("Orders", &[][..], "1 0|1 1|2 0|2 1|2 2"),
        ("StoreBuffering", &[], ""),
        ("LostUpdate", &[], ""),
    ] {
        let options = [&["--strategy=dpor", "--keep-going"], options].concat();
        let (out, err, _) = explore(&dir, &options, &[program]);
        assert_eq!(err, "");
        assert!(out.contains("there are no more schedules"), "{out}");
        for output in outputs.split('|') {
            assert!(out.contains(output), "{output}: {out}");
        }
    }
    // under the memory model there are more of them, and one fails
    let options = ["--strategy=dpor", "--memory=jmm", "--keep-going"];
    let (out, ..) = explore(&dir, &options, &["StoreBuffering"]);
    assert!(out.contains("there are no more schedules"), "{out}");
    assert!(out.contains("neither has seen the other"), "{out}");
}

/// A place that is not a scheduling point in the first schedules, because no other thread has been there, becomes one later,
/// anywhere in the code.
#[test]
fn all_schedules_are_those_between_all_places_where_threads_meet() {
    let dir = folder("TwoDoors");
    let (out, err, code) = explore(&dir, &["--strategy=dpor"], &["TwoDoors"]);
    assert_eq!((code, &err[..]), (1, ""), "{out}");
    assert!(out.contains("IllegalStateException: closed"), "{out}");
}

/// Two threads that have slept do not count as holding one monitor.
#[test]
fn threads_that_have_slept_are_not_alone() {
    let dir = folder("Slept");
    let (out, err, code) = explore(&dir, &["--strategy=dpor"], &["Slept"]);
    assert_eq!((code, &err[..]), (1, ""), "{out}");
    assert!(out.contains("n is 1"), "{out}");
}

#[test]
fn a_correct_program_does_not_fail_by_any_strategy() {
    for strategy in ["mixed", "pos", "pct:3", "random", "quanta:5"] {
        let dir = folder("Counted");
        let options = [
            &format!("--strategy={strategy}")[..],
            "--iterations=8",
            "--same-output",
        ];
        let (out, err, code) = explore(&dir, &options, &["Counted"]);
        assert_eq!((code, &err[..]), (0, ""), "{strategy}:\n{out}");
        assert!(out.contains("no failure"), "{out}");
        let files = std::fs::read_dir(&dir).expect("a folder").count();
        assert_eq!(files, 0, "nothing is left behind");
    }
}

/// A schedule does not see the writes of another schedule, and nothing stays behind.
#[test]
fn temporary_files_are_those_of_one_schedule() {
    let dir = folder("TemporaryFiles");
    let classes = classes();
    let out = std::process::Command::new(common::run::vm())
        .current_dir(&dir)
        .env("TMPDIR", &dir)
        .args([
            "explore",
            "--iterations=40",
            "--keep-going",
            "--same-output",
            "-cp",
        ])
        .arg(&classes)
        .arg("TemporaryFiles")
        .output()
        .expect("the VM starts");
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(
        (out.status.code(), &out.stderr[..]),
        (Some(0), &b""[..]),
        "{text}"
    );
    assert!(text.contains("40 schedules"), "{text}");
    let left: Vec<_> = std::fs::read_dir(&dir).expect("a folder").collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_program_with_one_thread_has_one_schedule() {
    let dir = folder("Alone");
    let (out, _, code) = explore(&dir, &[], &["Alone"]);
    assert_eq!(code, 0);
    assert!(
        out.starts_with("Alone: 1 schedule by mixed, 1 of them different"),
        "{out}"
    );
    assert!(out.contains("there are no more schedules"), "{out}");
    let (out, _, code) = explore(&dir, &[], &["Alone", "now"]);
    assert_eq!(code, 1);
    assert!(out.contains("exit with code 3"), "{out}");
}

#[test]
fn output_in_another_order_is_a_failure_where_that_is_requested() {
    let dir = folder("Order");
    assert_eq!(explore(&dir, &["--iterations=30"], &["Order"]).2, 0);
    let options = ["--iterations=30", "--same-output"];
    let (out, _, code) = explore(&dir, &options, &["Order"]);
    assert_eq!(code, 1, "{out}");
    assert!(
        out.contains("output differs from the output of schedule 0"),
        "{out}"
    );
}

#[test]
fn an_oracle_finds_output_right_or_wrong() {
    let dir = folder("oracle");
    let ask = |command: &str, program: &str| {
        let oracle = format!("--oracle={command}");
        explore(&dir, &["--iterations=30", &oracle], &[program])
    };
    let order = "read first; test \"$first\" = a || { echo \"$first comes first\"; false; }";
    let (out, err, code) = ask(order, "Order");
    assert_eq!((code, &err[..]), (1, ""), "{out}");
    assert!(out.contains("oracle: b comes first"), "{out}");
    assert!(out.contains("are needed"), "it is made small: {out}");
    let (out, _, code) = ask("test $(wc -l) = 2", "Order");
    assert_eq!(code, 0, "{out}");
    let (out, _, code) = ask("exit 3", "Alone");
    assert_eq!(code, 1);
    assert!(out.contains("oracle: exit status: 3"), "{out}");
    let (_, err, code) = ask("no-such-command-here", "Order");
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("--oracle=no-such-command-here: "), "{err}");
}

#[test]
fn a_failure_is_a_page_and_data_as_well() {
    let dir = folder("pages");
    let options = [
        "-o",
        "f.html",
        "-o",
        "f.json",
        "-o",
        "f.txt",
        "--iterations=50",
    ];
    assert_eq!(explore(&dir, &options, &["LostUpdate"]).2, 1);
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).expect("it is written");
    assert!(read("f.html").contains("LostUpdate.counter"));
    assert!(read("f.txt").contains("counter is 1"));
    let json = read("f.json");
    let found = rjvm_explore::result::Summary::from_json(&json).expect("it can be read");
    let shown = found.failures[0].shown.as_ref().expect("it is shown");
    assert!(shown.failure.outcome.is_failure());
    let steps = &shown.failure.steps;
    assert!(steps.iter().any(|s| s.value.as_deref() == Some("1")));
    assert_eq!(
        shown.schedule,
        std::fs::read_to_string(dir.join(&shown.file)).expect("it is there")
    );
    let (_, err, code) = explore(&dir, &["-o", "f.pdf"], &["LostUpdate"]);
    assert_eq!(code, 2);
    assert!(err.contains(".html, .json or .txt"), "{err}");
}

/// The findings without the figures of time.
fn found(dir: &Path, options: &[&str], program: &str) -> String {
    let (out, ..) = explore(dir, options, &[program]);
    let timeless = |l: &&str| !l.contains(" a second)");
    let lines = out.lines().filter(timeless).map(|l| format!("{l}\n"));
    lines.collect()
}

#[test]
fn what_is_found_is_a_function_of_the_seed() {
    let dir = folder("seeds");
    let options = ["--iterations=60", "--keep-going", "--seed=5", "--jobs=2"];
    let first = found(&dir, &options, "LostUpdate");
    assert_eq!(found(&dir, &options, "LostUpdate"), first);
    // however many processes there are
    let alone = ["--iterations=60", "--keep-going", "--seed=5", "--jobs=1"];
    assert_eq!(found(&dir, &alone, "LostUpdate"), first);
    let other = ["--iterations=60", "--keep-going", "--seed=6", "--jobs=2"];
    assert_ne!(found(&dir, &other, "LostUpdate"), first);
}

#[test]
fn parts_are_joined_to_what_one_exploration_finds() {
    let dir = folder("parts");
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).expect("it is written");
    let counts: &[u32] = if common::all() {
        &[1, 2, 3, 7]
    } else {
        &[1, 7]
    };
    for (program, more, parts) in [
        ("LostUpdate", &["--races"][..], counts),
        ("Order", &["--same-output"], &[3]),
        ("TimeoutRace", &["--strategy=pct:3"], &[2]),
    ] {
        let options = ["--iterations=60", "--keep-going", "--seed=3"];
        let run = |shard: &str, file: &str| {
            let own = ["--shard", shard, "-o", file];
            explore(&dir, &[&options, more, &own].concat(), &[program])
        };
        let (whole_text, err, code) = run("1/1", "whole.json");
        assert_eq!((code, &err[..]), (1, ""));
        for &n in parts {
            let files: Vec<String> = (1..=n)
                .map(|i| format!("{program}-{i}-of-{n}.json"))
                .collect();
            for (i, file) in (1..).zip(&files) {
                run(&format!("{i}/{n}"), file);
            }
            let mut line = vec!["explore", "merge", "-o", "joined.json"];
            // in any order
            line.extend(files.iter().rev().map(|f| &f[..]));
            let (text, err, merged) = rjvm(&dir, &line);
            assert_eq!((merged, &err[..]), (code, ""), "{text}");
            assert!(
                read("joined.json") == read("whole.json"),
                "{n} parts of {program}"
            );
            // one line says how long it took, after the report of the moment it was found
            let rest = |t: &str| {
                let (_, rest) = t.split_once(" of them different").expect("a summary");
                rest.split_once('\n').expect("lines").1.to_owned()
            };
            assert_eq!(rest(&text), rest(&whole_text));
        }
    }
    let (out, err, code) = rjvm(
        &dir,
        &["explore", "merge", "Order-1-of-3.json", "Order-3-of-3.json"],
    );
    assert_eq!((code, &err[..]), (1, ""));
    assert!(out.contains("missing parts: 2"), "{out}");
    let (_, err, code) = rjvm(
        &dir,
        &["explore", "merge", "Order-1-of-3.json", "Order-1-of-3.json"],
    );
    assert_eq!(code, 2);
    assert!(err.contains("part 1/3 occurs twice"), "{err}");
    let (_, err, code) = rjvm(&dir, &["explore", "merge", "nowhere.json"]);
    assert_eq!(code, 2);
    assert!(err.contains("nowhere.json: "), "{err}");
}

#[test]
fn what_follows_from_what_was_found_is_not_run_in_parts() {
    let options = ["--strategy=dpor", "--shard=1/2"];
    let (out, err, code) = explore(&folder("parts-of-all"), &options, &["Orders"]);
    assert_eq!((&out[..], code), ("", 2), "{err}");
    assert!(err.contains("cannot be combined with --shard"), "{err}");
}

#[test]
fn a_program_that_is_none_is_reported() {
    let (out, err, code) = explore(&folder("none"), &[], &["NoSuchProgram"]);
    assert_eq!((&out[..], code), ("", 2), "{err}");
    let message = "Error: Could not find or load main class NoSuchProgram\n";
    assert!(err.starts_with(message), "{err}");
}

/// The output of a failing schedule is shown with it.
#[test]
fn what_a_failing_schedule_prints_is_shown() {
    let dir = folder("printing");
    let options = ["--oracle=false", "--iterations=1"];
    let (out, _, code) = explore(&dir, &options, &["Orders"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("\nIts output:\n  2 "), "{out}");
}

#[test]
fn a_schedule_that_does_not_fit_is_reported() {
    let dir = folder("unfit");
    let classes = classes();
    let classes = classes.to_str().expect("a name");
    let file = dir.join("x.schedule");
    let write = |text: &str| std::fs::write(&file, text).expect("a file");
    write("rjvm schedule 1\nat 10 run 77\nend 20\n");
    let run = |program| rjvm(&dir, &["--replay=x.schedule", "-cp", classes, program]);
    let (_, err, code) = run("LostUpdate");
    assert_eq!(code, 76, "{err}");
    assert!(
        err.contains("the run does not follow the schedule"),
        "{err}"
    );
    write("rjvm schedule 1\nat ten run 7\n");
    let (_, err, code) = run("LostUpdate");
    assert_eq!(code, 1);
    assert!(
        err.contains("--replay=x.schedule: line 2: \"ten\" is not a number"),
        "{err}"
    );
    let (_, err, code) = rjvm(&dir, &["explore", "--strategy=best", "Main"]);
    assert_eq!(code, 2);
    assert!(err.contains("unknown strategy"), "{err}");
}

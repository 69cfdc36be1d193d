//! Options of profiles: values that make no sense are refused in one line, before the program runs.

use crate::common;
use crate::common::run::Outcome;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// [`common::example`] with the runs of this file kept apart.
fn run(run_name: &str, options: &[&str]) -> (Outcome, PathBuf) {
    common::example("Threads", &format!("options-{run_name}"), options)
}

fn assert_refused(options: &[&str], line: &str) {
    // tests run side by side
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let name = format!("refused-{}", RUNS.fetch_add(1, Ordering::Relaxed));
    let (got, dir) = run(&name, options);
    assert_eq!((got.exit, got.out().as_str()), (1, ""), "{options:?}");
    let want = format!("rjvm: error: {line}\n");
    let err = got.err();
    assert!(err == want, "{options:?}: {err}");
    assert!(common::entries(&dir).is_empty(), "{options:?}");
}

#[test]
fn an_option_without_its_value_reports_what_is_expected() {
    for (name, form) in [
        ("--java-home", "dir"),
        ("--profile", "exact|callsites|blocks|locks"),
        ("--sample-gran", "N[+r]"),
        ("--sample-clock", "thread|global"),
        ("--upcalls", "caller|root"),
        ("--bba", "default|precise"),
        ("--dump-classes", "dir"),
        ("--sample-output", "file"),
        ("--sample-log", "file"),
        ("--view", "full|app|app-only"),
        ("--scope", "main|all"),
        ("--natives", "on|off"),
        ("--include", "pattern,..."),
        ("--exclude", "pattern,..."),
        ("--max-depth", "N"),
        ("--min-percent", "P"),
        ("--max-nodes", "N"),
        ("--threads", "merged|name|apart"),
        ("--agent", "class"),
        ("--agent-api", "file"),
        ("--test-api", "file"),
        ("--seed", "N"),
        ("--quantum", "N"),
        ("--virtual-clock", "NS"),
    ] {
        for word in [name.to_string(), format!("{name}=")] {
            let message = format!("{word}: expected a value, {name}={form}");
            assert_refused(&[&word], &message);
        }
    }
    for name in [
        "--allocations",
        "--sample-sites",
        "--fold-recursion",
        "--no-prune",
        "--quiet",
        "--gc-stress",
    ] {
        let word = format!("{name}=on");
        assert_refused(&[&word], &format!("{word}: {name} does not take a value"));
    }
    assert_refused(&["-o=x.txt"], "-o=x.txt: expected -o <[format:]file>");
}

#[test]
fn values_that_make_no_sense_are_refused() {
    for (name, value, expected) in [
        (
            "--profile",
            "Exact",
            "expected exact, callsites, blocks or locks",
        ),
        ("--sample-clock", "x", "expected one of thread, global"),
        ("--upcalls", "x", "expected one of caller, root"),
        ("--bba", "x", "expected one of default, precise"),
        ("--view", "x", "expected one of full, app, app-only"),
        ("--scope", "x", "expected one of main, all"),
        ("--natives", "x", "expected one of on, off"),
        ("--threads", "x", "expected one of merged, name, apart"),
        ("--max-depth", "0", "expected a number from 1 to 4294967295"),
        (
            "--max-depth",
            "-1",
            "expected a number from 1 to 4294967295",
        ),
        (
            "--min-percent",
            "101",
            "expected a percentage from 0 to 100",
        ),
        (
            "--min-percent",
            "nan",
            "expected a percentage from 0 to 100",
        ),
        (
            "--quantum",
            "0",
            "expected a number from 1 to 1099511627776",
        ),
        (
            "--virtual-clock",
            "1.2345",
            "expected nanoseconds from 0.001 to 1000000",
        ),
        (
            "--seed",
            "-1",
            "expected a number from 0 to 18446744073709551615",
        ),
    ] {
        let option = format!("{name}={value}");
        assert_refused(&[&option], &format!("{option}: {expected}"));
    }
    for option in ["--include", "--exclude"] {
        for pattern in ["a..b", ",", "a,", " ", "a.b(", "::m"] {
            let (got, _) = run(
                "pattern",
                &["--profile=exact", &format!("{option}={pattern}")],
            );
            assert_eq!((got.exit, got.out().as_str()), (1, ""), "{pattern}");
            let begin = format!("rjvm: error: {option}={pattern}: '");
            assert!(got.err().starts_with(&begin), "{}", got.err());
            assert_eq!(got.err().lines().count(), 1, "{}", got.err());
        }
    }
    let home = "--java-home=/no/such/jdk";
    let (got, _) = run("home", &[home]);
    assert_eq!(
        (got.exit, got.err().lines().count()),
        (1, 1),
        "{}",
        got.err()
    );
}

#[test]
fn options_that_would_have_no_effect_are_refused() {
    let profile = "--profile=exact, --profile=callsites, --profile=blocks, --profile=locks or --sample-gran=N";
    for option in [
        "-o x.txt",
        "--allocations",
        "--view=app-only",
        "--natives=on",
        "--include=a.B",
        "--exclude=a.B",
        "--max-depth=3",
        "--min-percent=3",
        "--max-nodes=3",
        "--no-prune",
        "--fold-recursion",
        "--threads=name",
        "--scope=all",
        "--upcalls=root",
    ] {
        let words: Vec<&str> = option.split(' ').collect();
        let name = words[0].split('=').next().unwrap_or_default();
        assert_refused(&words, &format!("{name} requires {profile}"));
    }
    assert_refused(
        &["--profile=exact", "--sample-clock=global"],
        "--sample-clock requires --sample-gran=N",
    );
}

#[test]
fn files_that_cannot_be_written_are_known_before_the_program_runs() {
    let exact = "--profile=exact";
    for (options, message) in [
        (
            &[exact, "-o", "x.txt", "-o", "no/x.txt"][..],
            "no/x.txt: cannot write the profile: the folder no does not exist",
        ),
        (
            &[exact, "-o", "x.txt", "-o", "y.txt", "-o", "x.txt"],
            "x.txt: cannot write the profile: two outputs have this file",
        ),
        (
            &[
                exact,
                "--sample-gran=9",
                "-o",
                "x.rjp",
                "-o",
                "x.samples.rjp",
            ],
            "x.samples.rjp: cannot write the profile: two outputs have this file",
        ),
        (
            &["--sample-gran=9", "-o", "x.txt", "--sample-log=x.txt"],
            "x.txt: cannot write the samples: two outputs have this file",
        ),
        (
            &["--sample-gran=9", "--sample-log=/"],
            "/: cannot write the samples: it is a folder",
        ),
    ] {
        assert_refused(options, message);
    }
    // what only runs will report; the program has run then
    let (got, _) = run("full", &[exact, "--quiet", "-o", "/proc/x.txt"]);
    assert_eq!(got.exit, 1);
    assert!(!got.out().is_empty());
    let begin = "rjvm: error: /proc/x.txt: cannot write the profile: ";
    assert!(got.err().starts_with(begin), "{}", got.err());
    // no program runs: nothing is written, and nothing is notified of it
    for other in ["--dry-run", "--version"] {
        let (got, dir) = run("other", &[exact, "-o", "x.txt", other]);
        assert_eq!((got.exit, got.err().as_str()), (0, ""), "{other}");
        assert!(!dir.join("x.txt").exists(), "{other}");
    }
}

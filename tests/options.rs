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
            let message = format!("{word}: a value is expected, {name}={form}");
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
        assert_refused(&[&word], &format!("{word}: {name} takes no value"));
    }
    assert_refused(&["-o=x.txt"], "-o=x.txt: -o <[format:]file> is expected");
}

#[test]
fn values_that_make_no_sense_are_refused() {
    for (name, value, expected) in [
        (
            "--profile",
            "Exact",
            "a profile is exact, callsites, blocks or locks",
        ),
        ("--sample-clock", "x", "one of thread, global is expected"),
        ("--upcalls", "x", "one of caller, root is expected"),
        ("--bba", "x", "one of default, precise is expected"),
        ("--view", "x", "one of full, app, app-only is expected"),
        ("--scope", "x", "one of main, all is expected"),
        ("--natives", "x", "one of on, off is expected"),
        ("--threads", "x", "one of merged, name, apart is expected"),
        (
            "--max-depth",
            "0",
            "a number from 1 to 4294967295 is expected",
        ),
        (
            "--max-depth",
            "-1",
            "a number from 1 to 4294967295 is expected",
        ),
        (
            "--min-percent",
            "101",
            "a percentage from 0 to 100 is expected",
        ),
        (
            "--min-percent",
            "nan",
            "a percentage from 0 to 100 is expected",
        ),
        (
            "--quantum",
            "0",
            "a number from 1 to 1099511627776 is expected",
        ),
        (
            "--virtual-clock",
            "1.2345",
            "nanoseconds from 0.001 to 1000000 are expected",
        ),
        (
            "--seed",
            "-1",
            "a number from 0 to 18446744073709551615 is expected",
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
        assert_refused(&words, &format!("{name} needs {profile}"));
    }
    assert_refused(
        &["--profile=exact", "--sample-clock=global"],
        "--sample-clock needs --sample-gran=N",
    );
}

#[test]
fn files_that_cannot_be_written_are_known_before_the_program_runs() {
    let exact = "--profile=exact";
    for (options, message) in [
        (
            &[exact, "-o", "x.txt", "-o", "no/x.txt"][..],
            "no/x.txt: cannot write the profile: there is no folder no",
        ),
        (
            &[exact, "-o", "x.txt", "-o", "y.txt", "-o", "x.txt"],
            "x.txt: cannot write the profile: it would be written twice",
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
            "x.samples.rjp: cannot write the profile: it would be written twice",
        ),
        (
            &["--sample-gran=9", "-o", "x.txt", "--sample-log=x.txt"],
            "x.txt: cannot write the samples: it would be written twice",
        ),
        (
            &["--sample-gran=9", "--sample-log=/"],
            "/: cannot write the samples: it is a folder",
        ),
    ] {
        assert_refused(options, message);
    }
    // what only runs will tell; the program has run then
    let (got, _) = run("full", &[exact, "--quiet", "-o", "/proc/x.txt"]);
    assert_eq!(got.exit, 1);
    assert!(!got.out().is_empty());
    let begin = "rjvm: error: /proc/x.txt: cannot write the profile: ";
    assert!(got.err().starts_with(begin), "{}", got.err());
    // no program runs: nothing is written, and nothing is told of it
    for other in ["--dry-run", "--version"] {
        let (got, dir) = run("other", &[exact, "-o", "x.txt", other]);
        assert_eq!((got.exit, got.err().as_str()), (0, ""), "{other}");
        assert!(!dir.join("x.txt").exists(), "{other}");
    }
}

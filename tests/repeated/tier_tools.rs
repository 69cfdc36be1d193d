//! Compiled code for users: `--tier=verify`, the log of compilations, the map for `perf`, machine code as text, and the
//! reasons of runs that are interpreted.

use crate::common::in_parallel;
use crate::common::run::{Outcome, Run, vm};
use crate::tier::{mix, of_tests};
use rjvm_vm::interp::TIER;
use std::path::Path;

fn run(name: &str, options: &[&str], classes: &Path, program: &[&str]) -> Outcome {
    Run::new(&vm(), &format!("tier-tools-{name}"))
        .args(options)
        .arg("-cp")
        .arg(classes)
        .args(program)
        .finish()
}

#[test]
fn verification_finds_no_difference_where_there_is_none() {
    let tests = [
        "language/Lambdas",
        "language/StringSwitch",
        "language/Arrays1",
        "language/Interfaces",
        "language/Enums",
        "exceptions/TryCatch",
        "exceptions/Rethrow",
        "invoke/MethodHandles1",
        "collections/Maps",
        "concurrency/WaitNotify",
    ];
    let mut programs = vec![(mix(), vec!["Mix", "300"]), (mix(), vec!["Loops", "300"])];
    for program in tests {
        let name = program.rsplit('/').next().expect("a name");
        programs.push((of_tests(program), vec![name]));
    }
    in_parallel(&programs, |(classes, program)| {
        let plain = run(
            &format!("plain-{}", program[0]),
            &["-Xint", "--deterministic"],
            classes,
            program,
        );
        assert!(!plain.stdout.is_empty(), "{program:?}");
        let got = run(program[0], &["--tier=verify"], classes, program);
        let err = got.err();
        assert_eq!(
            (got.exit, &got.stdout),
            (plain.exit, &plain.stdout),
            "{program:?} {err}"
        );
        assert!(
            err.contains("bytecodes: compiled and interpreted runs are the same"),
            "{program:?} {err}"
        );
    });
}

/// Compiled code that is wrong is found, and its method.
#[test]
fn verification_finds_faults() {
    if !TIER {
        return;
    }
    // methods that run early, so that each of the many runs is short
    let faults = [
        (
            "value@java.util.HashMap.hash(",
            "java.util.HashMap.hash(Ljava/lang/Object;)I",
        ),
        (
            "count@java.lang.StringLatin1.hashCode(",
            "java.lang.StringLatin1.hashCode([B)I",
        ),
    ];
    for (fault, method) in faults {
        let option = format!("--tier-fault={fault}");
        let options = ["--tier=verify", &option];
        let got = run("fault", &options, &mix(), &["Mix", "20"]);
        let err = got.err();
        assert_eq!(got.exit, 76, "{err}");
        let begin =
            format!("rjvm: error: the compiled code of {method} differs from the interpreter");
        assert!(err.contains(&begin), "{err}");
        let place = "the first difference is seen after bytecode ";
        assert!(err.contains(place) && err.contains("    at java."), "{err}");
        // interpreted, all is right
        let right = run("fault", &["-Xint", &option], &mix(), &["Mix", "20"]);
        let plain = run("fault", &["-Xint"], &mix(), &["Mix", "20"]);
        assert_eq!(right, plain);
    }
}

#[test]
fn compilations_are_logged() {
    if !TIER {
        return;
    }
    let log = |name: &str, tier: &str| {
        let options = ["--deterministic", tier, "-XX:+PrintCompilation"];
        let got = run(name, &options, &mix(), &["Mix", "30000"]);
        assert_eq!(got.exit, 0, "{}", got.err());
        got.out()
    };
    let first = log("log", "--tier=on");
    assert_eq!(first, log("log", "--tier=on"), "it is deterministic");
    let is_line = |l: &&str| l.contains(" bytes of code, ");
    let lines: Vec<&str> = first.lines().filter(is_line).collect();
    assert!(lines.len() >= 10, "{first}");
    let counts = lines
        .iter()
        .map(|l| l.split_whitespace().next().expect("a count"));
    let counts: Vec<u64> = counts.map(|n| n.parse().expect("a number")).collect();
    assert!(counts.is_sorted() && counts[0] > 3_900_000, "{counts:?}");
    let ints = lines.iter().any(|l| l.contains("  Mix.ints(I)I ("));
    assert!(ints, "a method that takes long: {first}");
    let none = run(
        "log-off",
        &["-Xint", "-XX:+PrintCompilation"],
        &mix(),
        &["Mix", "300"],
    );
    assert!(!none.out().contains(" bytes of code, "));
}

#[test]
fn perf_finds_the_names_of_compiled_methods() {
    if !TIER {
        return;
    }
    for options in [
        &["--perf-map"][..],
        &["-XX:+UnlockDiagnosticVMOptions", "-XX:+DumpPerfMapAtExit"],
    ] {
        let classes = mix();
        let options = [&["--tier=all"], options].concat();
        let running = Run::new(&vm(), "tier-tools-perf")
            .args(options)
            .arg("-cp")
            .arg(&classes)
            .args(["Mix", "300"])
            .start();
        let file = format!("/tmp/perf-{}.map", running.id());
        let got = running.finish(crate::common::run::time_limit());
        assert_eq!(got.exit, 0, "{}", got.err());
        let map = std::fs::read_to_string(&file).expect("a map");
        std::fs::remove_file(&file).expect("a file");
        let mut found = false;
        for line in map.lines() {
            let words: Vec<&str> = line.splitn(3, ' ').collect();
            let [from, bytes, name] = words[..] else {
                panic!("{line}")
            };
            let number = |w| u64::from_str_radix(w, 16).expect("a number");
            assert!(number(from) > 0 && number(bytes) >= 32, "{line}");
            found |= name == "Mix.ints(I)I";
        }
        assert!(found && map.lines().count() > 500, "{map}");
    }
}

#[test]
fn machine_code_is_shown_beside_bytecode() {
    if !TIER {
        return;
    }
    let classes = mix();
    let list = |path: Option<&str>| {
        let run = Run::new(&vm(), "tier-tools-dis")
            .args(["dis", "--compiled", "-cp"])
            .arg(&classes)
            .arg("Mix.fib");
        let run = match path {
            Some(path) => run.env("PATH", path),
            None => run,
        };
        run.finish()
    };
    // nothing is there that could read machine code
    let bytes = list(Some("/nonexistent"));
    assert_eq!(bytes.exit, 0, "{}", bytes.err());
    assert!(
        bytes.err().contains("there is no objdump"),
        "{}",
        bytes.err()
    );
    let text = bytes.out();
    assert!(text.starts_with("Mix.fib(I)I: "), "{text}");
    assert!(
        text.contains("iload_0\n") && text.contains("ireturn\n"),
        "{text}"
    );
    assert!(text.contains("            +0000  "), "{text}");
    let read = list(None);
    assert_eq!(read.exit, 0, "{}", read.err());
    if read.err().contains("there is no objdump") {
        crate::common::not_checked("machine code by objdump");
        return;
    }
    assert!(read.out().contains("  mov    "), "{}", read.out());
}

/// A verification is a run of its own.
#[test]
fn subcommands_refuse_a_verification() {
    for subcommand in ["debug", "bisect", "explore", "why"] {
        let options = [subcommand, "--tier=verify"];
        let got = run("refused", &options, &mix(), &["Mix", "20"]);
        let err = got.err();
        assert_eq!(
            (got.exit, got.out().as_str()),
            (2, ""),
            "{subcommand} {err}"
        );
        let why = "subcommands cannot be combined with --tier=verify";
        assert!(err.contains(why), "{subcommand} {err}");
    }
}

/// A run that cannot be compiled says why, once.
#[test]
fn interpreted_runs_say_so() {
    let modes: [(&[&str], &str); 2] = [
        (
            &["--profile=blocks"],
            "counts of blocks need each taken edge",
        ),
        (
            &["--explorable", "--profile=exact"],
            "the run can come under the control of an exploration",
        ),
    ];
    for (options, why) in modes {
        let got = run("mode", options, &mix(), &["Mix", "20"]);
        let err = got.err();
        assert_eq!(got.exit, 0, "{err}");
        if TIER {
            let note = format!("rjvm interpreted all methods: {why}");
            assert_eq!(err.matches(&note).count(), 1, "{options:?} {err}");
        }
    }
    let options = ["--profile=exact", "--tier-report"];
    let off = run(
        "mode",
        &[options[0], options[1], "-Xint"],
        &mix(),
        &["Mix", "20"],
    );
    let err = off.err();
    assert!(!err.contains("rjvm interpreted all methods"), "{err}");
    assert!(
        err.contains("tier: rjvm interprets all methods: the options ask for it"),
        "{err}"
    );
}

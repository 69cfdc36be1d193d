//! Exact profiles equal those of an independent profiler on HotSpot, line by line.
//!
//! `tests/oracle/NAME.java` are the programs; `expected/NAME.txt` is what the independent profiler
//! (every bytecode stepped by JVMTI) says of the application's methods, `NAME.sites.txt` the same by
//! call site with natives and the executions of every single bytecode.

#[path = "../common/mod.rs"]
mod common;

use common::run::{self, Outcome, Run};
use common::{files_with_extension, golden, in_parallel, jdk, selected, stem, tests_dir};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Runs a program with its profile written to `file`; the run, and the file's text.
fn profiled(
    class: &str,
    classes: &Path,
    run_name: &str,
    file: &str,
    options: &[&str],
) -> (Outcome, String) {
    let run = Run::new(&run::vm(), run_name);
    let path = run.dir().join(file);
    let outcome = run
        .args(run::extra_args())
        .args(["--quiet", "--no-prune", "-o", file, "--view=app-only"])
        .args(options)
        .arg("-cp")
        .arg(classes)
        .arg(class)
        .finish();
    (outcome, std::fs::read_to_string(path).unwrap_or_default())
}

fn expected(name: &str) -> String {
    let file = tests_dir().join("oracle/expected").join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

/// Calls and bytecodes by method from a table of methods (`of_table`) or from the oracle's lines; for
/// the methods that recurse until the stack overflows, how deep is up to the VM: bytecodes per call.
fn per_call(text: &str, of_table: bool) -> Vec<(String, String, String)> {
    let mut rows: Vec<_> = text
        .lines()
        .filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (method, calls, bytecodes) = match (of_table, &words[..]) {
                (true, [rank, _, _, _, own, _, calls, method]) if rank.parse::<u32>().is_ok() => {
                    (method, calls, own)
                }
                (false, [method, calls, bytecodes]) => (method, calls, bytecodes),
                _ => return None,
            };
            let name = method.split('(').next().unwrap_or_default().to_string();
            let deep = ["down", "self", "ping", "pong"]
                .iter()
                .any(|m| name.ends_with(m));
            Some(
                match (
                    deep && of_table,
                    calls.parse::<f64>(),
                    bytecodes.parse::<f64>(),
                ) {
                    (true, Ok(c), Ok(b)) => (name, "*".to_string(), (b / c).to_string()),
                    _ => (name, calls.to_string(), bytecodes.to_string()),
                },
            )
        })
        .collect();
    rows.sort();
    rows
}

fn check(class: &str, classes: &Path) -> Result<(), String> {
    let deep = class == "StackOver";
    let file = if deep { "out.flat" } else { "out.paths" };
    let run_name = format!("oracle-{class}");
    let (outcome, text) = profiled(class, classes, &run_name, file, &["--profile=exact"]);
    let java = Run::new(&jdk::tool("java"), &format!("oracle-java-{class}"))
        .arg("-cp")
        .arg(classes)
        .arg(class)
        .finish();
    let mut report = String::new();
    if outcome.exit != java.exit {
        let _ = writeln!(
            report,
            "  exit code {}, java's is {}",
            outcome.exit, java.exit
        );
    }
    report += &golden::diff("stdout", &java.stdout, &outcome.stdout);
    report += &golden::diff("stderr", &java.stderr, &outcome.stderr);
    let want = expected(&format!("{class}.txt"));
    if deep {
        let (want, got) = (per_call(&want, false), per_call(&text, true));
        if want != got {
            let _ = writeln!(report, "  calls and bytecodes: {got:?}, expected {want:?}");
        }
    } else {
        report += &golden::diff("the profile", want.as_bytes(), text.as_bytes());
        let sites = expected(&format!("{class}.sites.txt"));
        let columns = |n: usize| -> String {
            let row =
                |line: &str| line.splitn(4, '\t').take(n).collect::<Vec<_>>().join("\t") + "\n";
            sites.lines().map(row).collect()
        };
        for (mode, n) in [("callsites", 3), ("blocks", 4)] {
            let options = [&*format!("--profile={mode}"), "--natives=on"];
            let run_name = format!("oracle-{mode}-{class}");
            let (_, text) = profiled(class, classes, &run_name, "out.paths", &options);
            let what = format!("the profile of {mode}");
            report += &golden::diff(&what, columns(n).as_bytes(), text.as_bytes());
        }
    }
    match report.is_empty() {
        true => Ok(()),
        false => Err(report),
    }
}

#[test]
fn profiles_equal_the_oracle() {
    let sources = files_with_extension(&tests_dir().join("oracle"), "java");
    assert_eq!(sources.len(), 23, "all examples are there");
    let examples: Vec<(String, PathBuf)> = sources
        .iter()
        .map(|source| {
            let class = stem(source);
            let classes = jdk::compile(
                &format!("oracle/{class}"),
                std::slice::from_ref(source),
                &[],
                Path::new("none"),
            );
            (class, classes)
        })
        .filter(|(class, _)| selected(&format!("oracle/{class}")))
        .collect();
    let results = in_parallel(&examples, |(class, classes)| {
        (format!("oracle/{class}"), check(class, classes))
    });
    golden::report("oracle", &results);
}

#[test]
fn profiles_of_two_runs_are_the_same_bytes() {
    let source = tests_dir().join("oracle/Threads.java");
    let classes = jdk::compile("oracle/Threads", &[source], &[], Path::new("none"));
    let options = ["--profile=callsites", "--scope=all", "--view=full"];
    let one = profiled("Threads", &classes, "oracle-1st", "out.paths", &options).1;
    let two = profiled("Threads", &classes, "oracle-2nd", "out.paths", &options).1;
    assert!(one.lines().count() > 1_000, "the library is in the profile");
    assert!(one == two, "two profiles of one program differ");
}

#[test]
fn executions_of_single_bytecodes_add_up_in_every_context() {
    let source = tests_dir().join("oracle/Exceptions.java");
    let classes = jdk::compile("oracle/Exceptions", &[source], &[], Path::new("none"));
    let options = ["--profile=blocks", "--scope=all", "--view=full"];
    let text = profiled("Exceptions", &classes, "oracle-sums", "out.paths", &options).1;
    let mut nodes = 0;
    for line in text.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let counts = columns.get(3).copied().unwrap_or_default();
        let sum: u64 = counts
            .split(',')
            .filter_map(|c| c.split_once(':')?.1.parse::<u64>().ok())
            .sum();
        assert_eq!(columns[2], sum.to_string(), "{line}");
        nodes += 1;
    }
    assert!(
        nodes > 10_000,
        "the library is in the profile: {nodes} contexts"
    );
}

//! The programs in `examples/embed` run, and print what they are to show.

use std::path::PathBuf;
use std::process::Command;

/// The built example. Cargo builds examples with the tests of their package.
fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test program has a file");
    let profile = test.ancestors().nth(2).expect("target/PROFILE/deps");
    profile.join("examples").join(format!("embed-{name}"))
}

/// What it prints. It must end well.
fn run(name: &str) -> String {
    let path = built(name);
    let output = Command::new(&path).output();
    let output = output.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{name}: {}\n{err}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn results_are_those_of_java() {
    assert_eq!(run("hello"), "Hello, world!\n");
    let functions = "500500\n3 fields\nParser.sum(II)J does not return java.lang.String\n";
    assert_eq!(run("functions"), functions);
    let exceptions = run("exceptions");
    let first = exceptions.lines().next();
    assert_eq!(first, Some("java.lang.IllegalStateException: no bank"));
    assert!(
        exceptions.contains("\nCaused by: java.io.IOException: "),
        "{exceptions}"
    );
}

#[test]
fn fuel_stops_calls_that_go_on() {
    let fuel = run("fuel");
    let lines: Vec<&str> = fuel.lines().collect();
    let stops = lines
        .iter()
        .filter(|l| l.starts_with("stopped after "))
        .count();
    assert_eq!(stops, 2, "{fuel}");
    assert_eq!(lines[2], "the sum is 5736396", "{fuel}");
}

#[test]
fn futures_yield_and_come_to_the_same() {
    let all = run("async");
    let sums = ["1548136", "5736396", "12295969", "21171191"];
    assert_eq!(all.lines().count(), sums.len(), "{all}");
    for (line, sum) in all.lines().zip(sums) {
        let rest = line.strip_prefix(&format!("the sum is {sum}, after "));
        let yields = rest.and_then(|r| r.strip_suffix(" yields")?.parse::<u32>().ok());
        assert!(yields.is_some_and(|n| n > 2), "{line}");
    }
}

#[test]
fn counts_and_schedules_are_those_of_each_run() {
    for name in ["assertions", "threads", "plugin"] {
        let first = run(name);
        assert!(first.lines().count() > 1, "{name}: {first}");
        assert_eq!(run(name), first, "{name}");
    }
}

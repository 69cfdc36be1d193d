//! JFR files, as the JDK's own `jfr` reads them: profiles written as such, whose events tell what the VM knows.

mod common;

use common::jdk;
use common::run::{Outcome, Run, vm};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn classes() -> PathBuf {
    let sources = common::files_with_extension(&common::tests_dir().join("jfr"), "java");
    jdk::compile("jfr", &sources, &[], Path::new("none"))
}

/// Runs `Busy` with options in a folder of its own; what it printed, and the folder.
fn busy(name: &str, options: &[&str]) -> (Outcome, PathBuf) {
    let run = Run::new(&vm(), &format!("jfr-{name}"));
    let dir = run.dir();
    let run = run.args(["--deterministic", "-cp"]).arg(classes());
    let got = run.args(options).arg("Busy").finish();
    assert_eq!(got.exit, 0, "{}", got.err());
    assert_eq!(got.out(), "entered\n81\n17711\n", "{}", got.err());
    (got, dir)
}

/// What the JDK's tool writes.
fn jfr(args: &[&str], file: &Path) -> String {
    let mut command = Command::new(jdk::tool("jfr"));
    let ended = command.args(args).arg(file).output().expect("jfr starts");
    let err = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && err.is_empty(), "{err}");
    String::from_utf8(ended.stdout).expect("text")
}

/// How many events of each kind a file has, without kinds that it has none of.
fn summary(file: &Path) -> BTreeMap<String, u64> {
    let text = jfr(&["summary"], file);
    let rows = text.lines().skip_while(|l| !l.starts_with("====")).skip(1);
    let rows = rows.map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words[0].to_owned(), words[1].parse().expect("a number"))
    });
    rows.filter(|(_, n)| *n > 0).collect()
}

/// The events of these kinds.
fn events(kinds: &str, file: &Path) -> Vec<Value> {
    let text = jfr(
        &["print", "--json", "--stack-depth", "100", "--events", kinds],
        file,
    );
    let mut all: Value = serde_json::from_str(&text).expect("JSON");
    let Value::Array(events) = all["recording"]["events"].take() else {
        panic!("no events");
    };
    events
}

/// The methods of an event's stack, the outermost first, with the thread's name in front.
fn path(event: &Value, thread: &str) -> Vec<String> {
    let values = &event["values"];
    let text = |v: &Value| v.as_str().expect("text").to_owned();
    let frames = values["stackTrace"]["frames"].as_array().expect("frames");
    let method = |f: &Value| {
        let m = &f["method"];
        [&m["type"]["name"], &m["name"], &m["descriptor"]]
            .map(text)
            .join(" ")
    };
    let thread = text(&values[thread]["osName"]);
    let methods = frames.iter().rev().map(method);
    std::iter::once(thread).chain(methods).collect()
}

#[test]
fn an_exact_profile_is_contexts_and_samples_at_equal_distances() {
    let options = [
        "--quiet",
        "--profile=exact",
        "--allocations",
        "--threads=apart",
        "-o",
        "x.jfr",
    ];
    let (_, dir) = busy("exact", &options);
    let file = dir.join("x.jfr");
    let fact = |name: &str| {
        let facts = events("rjvm.ProfileFact", &file);
        let mut facts = facts.iter().map(|f| &f["values"]);
        let fact = facts.find(|v| v["name"] == name);
        fact.map(|v| v["value"].as_str().expect("text").to_owned())
    };
    let total: u64 = fact("Bytecodes").expect("a sum").parse().expect("a number");
    let distance = fact("Sample distance").expect("a distance");
    let (distance, _) = distance.split_once(' ').expect("a unit");
    let distance: u64 = distance.parse().expect("a number");
    assert_eq!(fact("Program").as_deref(), Some("Busy"));

    let contexts = events("rjvm.ContextCount", &file);
    let number = |e: &Value, field: &str| e["values"][field].as_u64().expect("a number");
    let sum = |field| contexts.iter().map(|e| number(e, field)).sum::<u64>();
    assert_eq!(sum("bytecodes"), total);
    assert_eq!(sum("calls").to_string(), fact("calls").expect("a sum"));
    // 2,000 arrays of 10,000 bytes and their headers
    assert!(sum("allocatedBytes") > 20_000_000 && sum("allocatedObjects") > 2_000);
    // each context has as many samples, with what is below it, as is its share, but for one
    let mut below: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    let samples = events("jdk.ExecutionSample", &file);
    for sample in &samples {
        let path = path(sample, "sampledThread");
        for end in 1..=path.len() {
            *below.entry(path[..end].to_vec()).or_default() += 1;
        }
    }
    assert!(samples.len() > 10_000, "{}", samples.len());
    for context in &contexts {
        let got = below.get(&path(context, "thread")).copied().unwrap_or(0);
        let want = number(context, "inclusive") as f64 / distance as f64;
        assert!(
            (got as f64 - want).abs() <= 1.0,
            "{got} for {want}: {context}"
        );
    }
}

#[test]
fn a_sampled_profile_has_its_samples() {
    let options = ["--sample-gran=1000", "-o", "x.jfr", "-o", "x.rjp"];
    let (got, dir) = busy("sampled", &options);
    let file = dir.join("x.jfr");
    let all = summary(&file);
    let contexts = events("rjvm.ContextCount", &file);
    let calls = contexts.iter().map(|e| e["values"]["calls"].as_u64());
    let sum: u64 = calls.map(|n| n.expect("a number")).sum();
    assert_eq!(all["jdk.ExecutionSample"], sum, "{}", got.err());
    assert!(sum > 100);
    // from the native format it is the same
    let rjvm = env!("CARGO_BIN_EXE_rjvm");
    let converted = dir.join("converted.jfr");
    let mut command = Command::new(rjvm);
    command.args(["profile", "convert"]).arg(dir.join("x.rjp"));
    let ended = command
        .arg("-o")
        .arg(&converted)
        .output()
        .expect("rjvm starts");
    assert!(ended.status.success(), "{ended:?}");
    let again = summary(&converted);
    assert_eq!(again["jdk.ExecutionSample"], sum);
}

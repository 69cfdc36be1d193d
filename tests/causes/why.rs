//! `rjvm why`: the planted cause is first, phases are where they are, and the report is the same in each run.

use crate::common::tool::{self, rjvm};
use crate::common::{jdk, not_checked, tests_dir};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs with the cause that was planted in each.
const PLANTED: [(&str, &str); 13] = [
    ("Duplicates", "quadratic loop"),
    ("Pairs", "quadratic loop"),
    ("Boxes", "boxing"),
    ("Convoy", "locks"),
    ("Chatty", "chatty"),
    ("Throws", "exceptions as control flow"),
    ("Regexes", "regex compiled in a loop"),
    ("Hashes", "hashing collisions"),
    ("Plugins", "start"),
    ("Slow", "string building"),
    ("Copies", "big copies"),
    ("Shapes", "megamorphic calls"),
    ("Mirrors", "reflection"),
];

fn source(name: &str) -> PathBuf {
    tests_dir().join(format!("causes/why/{name}.java"))
}

fn classes() -> PathBuf {
    let all = PLANTED.map(|p| p.0);
    let sources: Vec<PathBuf> = all.iter().chain(&["Phases"]).map(|p| source(p)).collect();
    jdk::compile("why", &sources, &[], &tests_dir().join("causes/why/none"))
}

/// A folder of a test's own.
fn folder(name: &str) -> PathBuf {
    tool::folder("why", name)
}

fn why(dir: &Path, options: &[&str], program: &[&str]) -> (String, String, i32) {
    let classes = classes();
    let path = ["--deterministic", "-cp", classes.to_str().expect("a name")];
    rjvm(dir, &[&["why"], options, &path, program].concat())
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn report(path: &Path) -> Value {
    serde_json::from_str(&read(path)).expect("it is JSON")
}

/// The line that says it is planted.
fn planted(name: &str) -> Option<u64> {
    let text = read(&source(name));
    let at = text.lines().position(|l| l.contains("// planted"));
    at.map(|l| l as u64 + 1)
}

#[test]
fn the_planted_cause_stands_first() {
    let dir = folder("planted");
    let classes = classes();
    let mut wrong = Vec::new();
    for (name, cause) in PLANTED {
        let file = format!("{name}.json");
        let (out, err, code) = why(&dir, &["-o", &file], &[name]);
        let path = [
            "--deterministic",
            "-cp",
            classes.to_str().expect("a name"),
            name,
        ];
        assert_eq!((out, code), (rjvm(&dir, &path).0, 0), "{name}: {err}");
        let found = report(&dir.join(file));
        let first = &found["claims"][0];
        let at = &first["place"]["line"];
        // collisions are found where the map is used; the key is named
        let here = match name {
            "Hashes" => first["title"]
                .as_str()
                .is_some_and(|t| t.contains("hashCode of Hashes$Key")),
            _ => at.as_u64() == planted(name),
        };
        if first["why"][1] != cause || !here {
            wrong.push(format!(
                "{name}: {} at {at}, not {cause} at {:?}",
                first["why"],
                planted(name)
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn phases_are_found_by_themselves() {
    let dir = folder("phases");
    let (_, err, code) = why(&dir, &["-o", "p.json"], &["Phases"]);
    assert_eq!((err.as_str(), code), ("", 0));
    let found = report(&dir.join("p.json"));
    let phases = found["phases"].as_array().expect("phases");
    let within: Vec<&str> = phases.iter().filter_map(|p| p["within"].as_str()).collect();
    assert_eq!(within, ["Phases.make", "Phases.sort", "Phases.count"]);
    // each begins where the one before ends, and they are all of the run
    let mut at = 0;
    for p in phases {
        assert_eq!(p["from"], at);
        at = p["to"].as_u64().expect("a number");
    }
    assert_eq!(found["bytecodes"], at);
}

#[test]
fn the_report_counts_what_the_exact_profile_counts() {
    let dir = folder("exact");
    let _ = why(&dir, &["-o", "w.json"], &["Phases"]);
    let classes = classes();
    let path = classes.to_str().expect("a name");
    let options = [
        "--deterministic",
        "--quiet",
        "--profile=exact",
        "--allocations",
        "-o",
        "p.rjp",
        "-cp",
        path,
        "Phases",
    ];
    let (_, err, code) = rjvm(&dir, &options);
    assert_eq!(code, 0, "{err}");
    let found = report(&dir.join("w.json"));
    let of = |name: &str| {
        let (text, _, _) = rjvm(&dir, &["profile", "metrics", "p.rjp"]);
        let line = text
            .lines()
            .find(|l| l.to_lowercase().contains(name))
            .map(str::to_string);
        line.unwrap_or_else(|| panic!("{name} in {text}"))
    };
    let digits = |text: &str| {
        text.chars()
            .filter(char::is_ascii_digit)
            .collect::<String>()
    };
    assert_eq!(digits(&of("bytecodes")), found["bytecodes"].to_string());
}

#[test]
fn reports_are_the_same_in_each_run() {
    let dir = folder("same");
    let forms = ["a.txt", "a.html", "a.json"];
    let options: Vec<&str> = forms.iter().flat_map(|f| ["-o", f]).collect();
    let once = || {
        let (_, err, code) = why(&dir, &options, &["Convoy"]);
        assert_eq!((err.as_str(), code), ("", 0));
        forms.map(|f| read(&dir.join(f)))
    };
    let first = once();
    assert_eq!(first, once());
    // a block for each cause, with all that belongs to it
    let text = &first[0];
    for part in [
        "rjvm why: Convoy: ",
        "\nWhen\n  phase 1: ",
        "\n1. threads wait ",
        "   why       contention and waiting > locks (counted)",
        "   where     class Convoy, method work, Convoy.java:7",
        "   thread    worker-",
        "   saves     about ",
        "   estimate  ",
        "   evidence  where, and the holder",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
}

#[test]
fn a_page_is_clicked_through() {
    let dir = folder("page");
    let (_, err, code) = why(&dir, &["-o", "p.html"], &["Phases"]);
    assert_eq!((err.as_str(), code), ("", 0));
    let page = read(&dir.join("p.html"));
    assert!(
        page.contains("<h2>When</h2>") && page.contains("data-why=") && page.contains("</html>")
    );
    assert!(
        !page.contains("src=") && !page.contains("href="),
        "one file"
    );
    let chromium = "/usr/bin/chromium";
    if !Path::new(chromium).exists() {
        not_checked("chromium is not installed");
        return;
    }
    // a click on the third phase leaves its causes
    let clicked = page.replace(
        "</script>",
        "document.querySelector('.phase[data-phase=\"3\"]').click();</script>",
    );
    std::fs::write(dir.join("c.html"), clicked).expect("it is written");
    let got = Command::new("timeout")
        .args([
            "60",
            chromium,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .args(["--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!(
            "--user-data-dir={}",
            dir.join("chromium").display()
        ))
        .arg(format!("file://{}", dir.join("c.html").display()))
        .output()
        .expect("timeout starts");
    let text = String::from_utf8_lossy(&got.stdout).into_owned();
    let details: Vec<&str> = text
        .split("<details ")
        .skip(1)
        .map(|d| d.split('>').next().unwrap_or(""))
        .collect();
    let hidden = |phases: &str| {
        details
            .iter()
            .filter(|d| d.contains(phases))
            .all(|d| d.contains("hidden"))
    };
    assert!(
        details.len() > 2 && hidden("data-phases=\"2\"") && !hidden("data-phases=\"3\""),
        "{details:?}"
    );
}

#[test]
fn what_can_t_be_looked_at_is_refused() {
    let dir = folder("wrong");
    for (args, message) in [
        (&["why"][..], "required"),
        (&["why", "-o", "x.svg", "Main"][..], ".html, .json or .txt"),
        (
            &["why", "--profile=exact", "Main"][..],
            "are not allowed here",
        ),
        (&["why", "-version"][..], "no program"),
        (
            &["why", "--deterministic", "-o", "x.txt", "Main"][..],
            "-o FILE before",
        ),
    ] {
        let (_, err, code) = rjvm(&dir, args);
        assert!(err.contains(message) && code == 2, "{args:?}: {code} {err}");
    }
    let (_, err, code) = why(&dir, &["-o", "missing/x.txt"], &["Boxes"]);
    assert!(err.contains("missing/x.txt") && code == 1, "{code} {err}");
    // the program's own exit code
    let (_, err, code) = why(&dir, &[], &["Missing"]);
    assert!(
        err.contains("Could not find or load main class Missing") && code == 1,
        "{code} {err}"
    );
}

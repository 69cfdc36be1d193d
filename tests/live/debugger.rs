//! Debuggers attach to `rjvm` and see what they see of `java`: `jdb`, and a client of the JDK's own interface for debuggers
//! (`com.sun.jdi`). The counts of a program are the same with and without a debugger.
#![cfg(unix)]

use crate::common::cc::{cc, compiles};
use crate::common::debuggee::{Debuggee, PATIENCE, classes, command, new_classes, source};
use crate::common::run::vm;
use crate::common::{self, jdk, work_dir};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long `jdb` says nothing more when it has printed all.
const QUIET: Duration = Duration::from_millis(250);

/// A `jdb`, with what it has printed.
struct Jdb {
    process: Child,
    input: ChildStdin,
    printed: Arc<Mutex<String>>,
}

fn held(printed: &Mutex<String>) -> MutexGuard<'_, String> {
    printed.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Jdb {
    fn attach(home: &Path, port: u16) -> Jdb {
        let mut process = command(&home.join("bin/jdb"), home)
            .args(["-attach", &port.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("jdb starts");
        let printed: Arc<Mutex<String>> = Arc::default();
        let (mut out, heard) = (process.stdout.take().expect("piped"), printed.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = out.read(&mut bytes) {
                held(&heard).push_str(&String::from_utf8_lossy(&bytes[..n]));
            }
        });
        Jdb {
            input: process.stdin.take().expect("piped"),
            process,
            printed,
        }
    }
    /// What it says until it says nothing more, but this at least.
    fn hear(&mut self, wanted: &str) -> String {
        let begin = Instant::now();
        let (mut before, mut since) = (0, Instant::now());
        loop {
            let text = held(&self.printed).clone();
            if text.len() != before {
                (before, since) = (text.len(), Instant::now());
            }
            let prompted = text.ends_with("> ") || text.ends_with("] ");
            let ended = text.contains("The application exited");
            if text.contains(wanted) && (prompted || ended) && since.elapsed() > QUIET {
                held(&self.printed).drain(..before);
                return text;
            }
            let over = begin.elapsed() > PATIENCE;
            assert!(!over, "jdb does not say {wanted:?}, but {text}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    fn report(&mut self, line: &str) {
        self.input.write_all(line.as_bytes()).expect("jdb reads");
        self.input.write_all(b"\n").expect("jdb reads");
        self.input.flush().expect("jdb reads");
    }
}

impl Drop for Jdb {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Without numbers that differ from run to run, prompts and empty lines.
fn normal(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        // prompts are where jdb happened to be, in the middle of a line perhaps
        let prompts = ["> ", "main[1] ", "main[2] ", "worker[1] "];
        let line = prompts
            .iter()
            .fold(format!("{line} "), |l, p| l.replace(p, ""));
        let line = line.trim();
        // a thread that is HotSpot's alone, and one that rjvm constructs when it has its first turn
        let other = ["Notification Thread", "Signal Dispatcher"];
        if line.is_empty() || line == ">" || other.iter().any(|name| line.contains(name)) {
            continue;
        }
        let line = numbers_after(line, "id=");
        let line = numbers_after(&numbers_after(&line, "@"), "/0x");
        let _ = writeln!(out, "{}", without_digits_after_parenthesis(&line));
    }
    out
}

/// `N` instead of numbers of several digits after a mark: of objects and hidden classes.
fn numbers_after(line: &str, mark: &str) -> String {
    let mut parts = line.split(mark);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        out += mark;
        out += match part.len() - rest.len() {
            // a bytecode's index is short
            0..=2 => part,
            _ => "N",
        };
        if part.len() - rest.len() > 2 {
            out += rest;
        }
    }
    out
}

/// Numbers of objects in lists of threads and groups: `(java.lang.Thread)123`.
fn without_digits_after_parenthesis(line: &str) -> String {
    match line.rsplit_once(')') {
        Some((before, rest)) if before.contains("(java.lang.") || before.contains("(jdk.") => {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let words: Vec<&str> = rest.split_whitespace().collect();
            format!("{before}) {}", words.join(" "))
        }
        _ => line.to_owned(),
    }
}

/// A session of `jdb` by the script; what it printed to each command, and what the program printed.
fn session(program: &Path, home: &Path) -> Vec<(String, String)> {
    let debuggee = Debuggee::start(program, home, "y", &[]);
    let mut jdb = Jdb::attach(home, debuggee.port);
    jdb.hear("VM Started");
    let script = std::fs::read_to_string(source("session.jdb")).expect("a script");
    let new = new_classes().display().to_string();
    let mut all = Vec::new();
    for line in script.lines().filter(|l| !l.starts_with('#')) {
        let (line, wanted) = line.split_once(" => ").unwrap_or((line, ""));
        jdb.report(&line.replace("NEW", &new));
        let printed = normal(&jdb.hear(wanted)).replace(&new, "NEW");
        all.push((line.to_owned(), printed));
    }
    let (out, code) = debuggee.end();
    all.push(("the program".into(), format!("{out}{code}")));
    all
}

/// JDK 17, and the newest one whose `jdb` is there.
fn jdks() -> Vec<PathBuf> {
    let newer = jdk::newer().into_iter().rev();
    let mut homes = newer.map(|jdk| jdk.home().to_path_buf());
    let newest = homes.find(|home| home.join("bin/jdb").is_file());
    if newest.is_none() {
        common::not_checked("no newer JDK with jdb is installed");
    }
    std::iter::once(jdk::java_home().to_path_buf())
        .chain(newest)
        .collect()
}

#[test]
fn jdb_says_of_rjvm_what_it_says_of_java() {
    // all at once: a session waits for most of its time
    let sessions = |home: &Path| {
        std::thread::scope(|scope| {
            let of_java = scope.spawn(|| session(&home.join("bin/java"), home));
            let of_rjvm = session(&vm(), home);
            (of_java.join().expect("a session"), of_rjvm)
        })
    };
    let homes = jdks();
    let all: Vec<_> = std::thread::scope(|scope| {
        let begun: Vec<_> = homes.iter().map(|h| scope.spawn(|| sessions(h))).collect();
        let ended = begun.into_iter().map(|s| s.join().expect("sessions"));
        ended.collect()
    });
    for (home, (of_java, of_rjvm)) in homes.iter().zip(&all) {
        assert!(of_java.len() > 80, "a long session");
        let mut differ = String::new();
        for ((line, java), (_, rjvm)) in of_java.iter().zip(of_rjvm) {
            if java != rjvm {
                let _ = writeln!(differ, "{line}:\n--- java\n{java}--- rjvm\n{rjvm}");
            }
        }
        assert!(differ.is_empty(), "{}:\n{differ}", home.display());
    }
}

/// What the client prints of a scenario; the debuggee's output follows.
fn client(program: &Path, scenario: &str, options: &[&str]) -> String {
    let home = jdk::java_home();
    let debuggee = Debuggee::start(program, home, "y", options);
    let output = command(&home.join("bin/java"), home)
        .arg("-cp")
        .arg(classes())
        .args(["JdiClient", "attach", &debuggee.port.to_string(), scenario])
        .arg(new_classes())
        .output()
        .expect("java starts");
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let (out, code) = debuggee.end();
    format!("{}{out}{code}\n", normal(&printed))
}

/// What the client looks for.
const SCENARIOS: [&str; 24] = [
    "throws",
    "lines",
    "watch",
    "exits",
    "exceptions",
    "classes",
    "calls",
    "frames",
    "counts",
    "monitors",
    "steps",
    "redefine",
    "errors",
    "threads",
    "idle",
    "early",
    "interrupted",
    "last",
    "values",
    "recursion",
    "natives",
    "modules",
    "strata",
    "rewatched",
];

#[test]
fn a_client_finds_in_rjvm_what_it_finds_in_java() {
    let java = jdk::tool("java");
    let mut differ = String::new();
    for scenario in SCENARIOS {
        let (java, rjvm) = (client(&java, scenario, &[]), client(&vm(), scenario, &[]));
        if java != rjvm {
            let _ = writeln!(differ, "{scenario}:\n--- java\n{java}--- rjvm\n{rjvm}");
        }
    }
    assert!(differ.is_empty(), "{differ}");
}

#[test]
fn a_client_sees_monitors_that_native_methods_have_entered() {
    let dir = work_dir().join("debug-native");
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    let mut cc = cc();
    cc.args(["-shared", "-fPIC", "-o"])
        .arg(dir.join("libhold.so"))
        .arg(source("hold.c"));
    if !compiles(cc) {
        return;
    }
    let path = format!("-Djava.library.path={}", dir.display());
    let seen = |program: &Path| client(program, "held", &[&path, "-Dhold=yes"]);
    let java = seen(&jdk::tool("java"));
    assert!(java.contains("ArrayList depth -1"), "{java}");
    assert_eq!(seen(&vm()), java);
}

/// Operations that change nothing in the execution.
const LOOKING: [&str; 12] = [
    "throws",
    "lines",
    "watch",
    "exits",
    "classes",
    "monitors",
    "steps",
    "threads",
    "last",
    "recursion",
    "natives",
    "strata",
];

#[test]
fn a_debugger_that_only_looks_changes_no_count_and_no_output() {
    let home = jdk::java_home();
    let dir = work_dir().join("debug-counts");
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    let profile = |name: &str| dir.join(format!("{name}.paths"));
    let option = |name: &str| profile(name).display().to_string();
    let alone = command(&vm(), home)
        .args([
            "--deterministic",
            "--profile=exact",
            "-o",
            &option("alone"),
            "-cp",
        ])
        .arg(classes())
        .arg("Shop")
        .output()
        .expect("it starts");
    let printed = String::from_utf8_lossy(&alone.stdout).into_owned();
    let wanted = std::fs::read_to_string(profile("alone")).expect("a profile");
    assert!(wanted.lines().count() > 100, "a profile");
    for scenario in LOOKING {
        let output = client(
            &vm(),
            scenario,
            &[
                "--deterministic",
                "--profile=exact",
                "-o",
                &option(scenario),
            ],
        );
        assert!(output.contains(&printed), "{scenario}: {output}");
        let counts = std::fs::read_to_string(profile(scenario)).expect("a profile");
        assert!(counts == wanted, "{scenario} changes counts");
    }
}

/// Tools of the JDK ask a VM that waits for its debugger where that is to connect.
#[test]
fn a_debugger_attaches_to_a_process_by_its_number() {
    let home = jdk::java_home();
    let script = work_dir().join("process-attach.jdb");
    std::fs::write(&script, "threads\nquit\n").expect("the target directory is writable");
    for program in [home.join("bin/java"), vm()] {
        let debuggee = Debuggee::start(&program, home, "y", &[]);
        let connector = format!("com.sun.jdi.ProcessAttach:pid={}", debuggee.id());
        let got = command(&home.join("bin/jdb"), home)
            .args(["-connect", &connector])
            .stdin(std::fs::File::open(&script).expect("it has been written"))
            .output()
            .expect("jdb starts");
        let text = String::from_utf8_lossy(&got.stdout).into_owned();
        assert!(text.contains("(java.lang.Thread)"), "{text}\n{got:?}");
        assert_eq!(debuggee.end().1, 0, "{text}");
    }
}

#[test]
fn a_program_may_call_the_debugger() {
    let home = jdk::java_home();
    let mut listener = command(&home.join("bin/java"), home)
        .arg("-cp")
        .arg(classes())
        .args(["JdiClient", "listen", "0", "watch"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("java starts");
    let mut err = BufReader::new(listener.stderr.take().expect("piped"));
    let mut line = String::new();
    err.read_line(&mut line).expect("text");
    let port = line
        .trim()
        .strip_prefix("address ")
        .expect("an address")
        .to_owned();
    let run = command(&vm(), home)
        .arg(format!(
            "-Xrunjdwp:transport=dt_socket,address=localhost:{port}"
        ))
        .arg("-cp")
        .arg(classes())
        .arg("Shop")
        .output()
        .expect("it starts");
    assert!(
        String::from_utf8_lossy(&run.stdout).starts_with("open true\n"),
        "{run:?}"
    );
    let mut printed = String::new();
    let mut out = listener.stdout.take().expect("piped");
    out.read_to_string(&mut printed).expect("text");
    let _ = listener.wait();
    let attached = client(&vm(), "watch", &[]);
    assert!(
        attached.starts_with(&normal(&printed)) && printed.len() > 200,
        "{printed}"
    );
}

#[test]
fn options_are_looked_at_first() {
    let home = jdk::java_home();
    let run = |option: &str| {
        let run = command(&vm(), home).args([option, "-version"]).output();
        let run = run.expect("it starts");
        let text = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
        (text.into_owned(), run.status.code())
    };
    let (help, code) = run("-agentlib:jdwp=help");
    assert!(help.contains("suspend=y|n") && code == Some(0), "{help}");
    for wrong in [
        "transport=dt_shmem",
        "transport=dt_socket,server=maybe",
        "server=y",
        "transport=dt_socket,blue=y",
    ] {
        let (text, code) = run(&format!("-agentlib:jdwp={wrong}"));
        assert!(text.contains("JDWP") && code == Some(1), "{wrong}: {text}");
    }
}

//! Debuggers attach to `rjvm` and see what they see of `java`: `jdb`, and a client of the JDK's own interface for debuggers
//! (`com.sun.jdi`). The counts of a program are the same with and without a debugger. Bytes that are no packets do no harm.
#![cfg(unix)]

use crate::common::run::vm;
use crate::common::{self, jdk, tests_dir, work_dir};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long `jdb` says nothing more when it has said all.
const QUIET: Duration = Duration::from_millis(250);

fn source(name: &str) -> PathBuf {
    tests_dir().join("debug").join(name)
}

/// The program that is debugged, the client, and (in `new`) other class files of the program.
fn classes() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let sources = [source("Shop.java"), source("JdiClient.java")];
        let none = Path::new("none");
        let classes = jdk::compile("debug", &sources, &["-g"], none);
        let text = std::fs::read_to_string(&sources[0]).expect("a source");
        let folder = work_dir().join("debug-variants");
        let variants = [
            ("new", text.replace("\"one\"", "\"two\"")),
            (
                "new/more",
                text.replace(
                    "class Version {",
                    "class Version {\n    static void other() {\n    }\n",
                ),
            ),
        ];
        for (name, text) in variants {
            let dir = folder.join(name);
            std::fs::create_dir_all(&dir).expect("the target directory is writable");
            let file = dir.join("Shop.java");
            std::fs::write(&file, text).expect("the target directory is writable");
            let made = jdk::compile(
                &format!("debug-made-{}", name.replace('/', "-")),
                &[file],
                &["-g"],
                none,
            );
            jdk::copy_tree(&made, &dir);
        }
        classes
    })
}

fn new_classes() -> PathBuf {
    classes();
    work_dir().join("debug-variants/new")
}

/// A virtual machine that a debugger may attach to.
struct Debuggee {
    process: Child,
    port: u16,
    out: BufReader<std::process::ChildStdout>,
}

fn command(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("JAVA_HOME", home).env("LC_ALL", "C.UTF-8");
    for name in [
        "JAVA_TOOL_OPTIONS",
        "JDK_JAVA_OPTIONS",
        "LD_LIBRARY_PATH",
        "CLASSPATH",
    ] {
        command.env_remove(name);
    }
    command.current_dir(tests_dir().join("debug"));
    command
}

impl Debuggee {
    fn start(program: &Path, home: &Path, suspend: &str, options: &[&str]) -> Debuggee {
        let agent =
            format!("-agentlib:jdwp=transport=dt_socket,server=y,suspend={suspend},address=0");
        let mut process = command(program, home)
            .arg(agent)
            .args(options)
            .arg("-cp")
            .arg(classes())
            .arg("Shop")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut out = BufReader::new(process.stdout.take().expect("piped"));
        let mut line = String::new();
        out.read_line(&mut line).expect("text");
        let port = line.strip_prefix("Listening for transport dt_socket at address: ");
        let port = port.unwrap_or_else(|| panic!("{line:?}")).trim();
        Debuggee {
            port: port.parse().expect("a port"),
            process,
            out,
        }
    }
    /// What it prints, and its exit code.
    fn end(mut self) -> (String, i32) {
        let begin = Instant::now();
        while self.process.try_wait().expect("a child").is_none() {
            if begin.elapsed() > PATIENCE {
                let _ = self.process.kill();
                panic!("the program does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let (mut out, mut err) = (String::new(), String::new());
        self.out.read_to_string(&mut out).expect("text");
        let mut errors = self.process.stderr.take().expect("piped");
        errors.read_to_string(&mut err).expect("text");
        let status = self.process.wait().expect("a child");
        // whether it listens again before it ends is a matter of time
        let lines = out
            .lines()
            .filter(|l| !l.starts_with("Listening for transport"));
        let out: String = lines.map(|l| format!("{l}\n")).collect();
        (out + &err, status.code().unwrap_or(-1))
    }
}

impl Drop for Debuggee {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A `jdb`, with what it has said.
struct Jdb {
    process: Child,
    input: ChildStdin,
    said: Arc<Mutex<String>>,
}

fn held(said: &Mutex<String>) -> MutexGuard<'_, String> {
    said.lock().unwrap_or_else(PoisonError::into_inner)
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
        let said: Arc<Mutex<String>> = Arc::default();
        let (mut out, heard) = (process.stdout.take().expect("piped"), said.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = out.read(&mut bytes) {
                held(&heard).push_str(&String::from_utf8_lossy(&bytes[..n]));
            }
        });
        Jdb {
            input: process.stdin.take().expect("piped"),
            process,
            said,
        }
    }
    /// What it says until it says nothing more, but this at least.
    fn hear(&mut self, wanted: &str) -> String {
        let begin = Instant::now();
        let (mut before, mut since) = (0, Instant::now());
        loop {
            let text = held(&self.said).clone();
            if text.len() != before {
                (before, since) = (text.len(), Instant::now());
            }
            let prompted = text.ends_with("> ") || text.ends_with("] ");
            let ended = text.contains("The application exited");
            if text.contains(wanted) && (prompted || ended) && since.elapsed() > QUIET {
                held(&self.said).drain(..before);
                return text;
            }
            let over = begin.elapsed() > PATIENCE;
            assert!(!over, "jdb does not say {wanted:?}, but {text}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    fn tell(&mut self, line: &str) {
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
        let mut line = line.trim();
        // prompts stand where jdb happened to be
        loop {
            let rest = line.strip_prefix("> ").or_else(|| {
                let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
                word.ends_with("[1]")
                    .then_some(rest)
                    .or_else(|| word.ends_with("[2]").then_some(rest))
            });
            match rest {
                Some(rest) => line = rest.trim(),
                None => break,
            }
        }
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

/// `N` in place of numbers of several digits after a mark: of objects and hidden classes.
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

/// A session of `jdb` by the script; what it said to each command, and what the program printed.
fn session(program: &Path, home: &Path) -> Vec<(String, String)> {
    let debuggee = Debuggee::start(program, home, "y", &[]);
    let mut jdb = Jdb::attach(home, debuggee.port);
    jdb.hear("VM Started");
    let script = std::fs::read_to_string(source("session.jdb")).expect("a script");
    let new = new_classes().display().to_string();
    let mut all = Vec::new();
    for line in script.lines().filter(|l| !l.starts_with('#')) {
        let (line, wanted) = line.split_once(" => ").unwrap_or((line, ""));
        jdb.tell(&line.replace("NEW", &new));
        let said = normal(&jdb.hear(wanted)).replace(&new, "NEW");
        all.push((line.to_owned(), said));
    }
    let (out, code) = debuggee.end();
    all.push(("the program".into(), format!("{out}{code}")));
    all
}

/// The JDKs whose `jdb` is there.
fn jdks() -> Vec<PathBuf> {
    let newer = std::env::var_os("RJVM_TEST_JDKS").unwrap_or_default();
    let newer = std::env::split_paths(&newer).map(|p| p.to_path_buf());
    let usual = Path::new("/usr/lib/jvm")
        .read_dir()
        .into_iter()
        .flatten()
        .flatten();
    let usual = usual
        .map(|e| e.path())
        .filter(|p| p.to_string_lossy().contains("25"));
    let mut all = vec![jdk::java_home().to_path_buf()];
    let has_jdb = |p: &PathBuf| p.join("bin/jdb").is_file();
    all.extend(newer.chain(usual).filter(has_jdb).take(1));
    if all.len() < 2 {
        common::not_checked("no newer JDK with jdb is installed");
    }
    all
}

#[test]
fn jdb_says_of_rjvm_what_it_says_of_java() {
    for home in jdks() {
        let of_java = session(&home.join("bin/java"), &home);
        let of_rjvm = session(&vm(), &home);
        assert!(of_java.len() > 80, "a long session");
        let mut differ = String::new();
        for ((line, java), (_, rjvm)) in of_java.iter().zip(&of_rjvm) {
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
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let (out, code) = debuggee.end();
    format!("{}{out}{code}\n", normal(&said))
}

/// What the client looks for.
const SCENARIOS: [&str; 14] = [
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
    "values",
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

/// What changes nothing of what is executed.
const LOOKING: [&str; 7] = [
    "lines", "watch", "exits", "classes", "monitors", "steps", "threads",
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
        let said = client(
            &vm(),
            scenario,
            &[
                "--deterministic",
                "--profile=exact",
                "-o",
                &option(scenario),
            ],
        );
        assert!(said.contains(&printed), "{scenario}: {said}");
        let counts = std::fs::read_to_string(profile(scenario)).expect("a profile");
        assert!(counts == wanted, "{scenario} changes counts");
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
    let mut said = String::new();
    let mut out = listener.stdout.take().expect("piped");
    out.read_to_string(&mut said).expect("text");
    let _ = listener.wait();
    let attached = client(&vm(), "watch", &[]);
    assert!(
        attached.starts_with(&normal(&said)) && said.len() > 200,
        "{said}"
    );
}

/// Bytes that look random, the same each time.
fn noise(seed: u64) -> impl Iterator<Item = u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::from_fn(move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        Some((x >> 24) as u8)
    })
}

fn connect(port: u16) -> TcpStream {
    let begin = Instant::now();
    loop {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        let mut word = [0; 14];
        // one that is still busy with the last connection closes this one
        if stream.write_all(b"JDWP-Handshake").is_ok() && stream.read_exact(&mut word).is_ok() {
            assert_eq!(&word, b"JDWP-Handshake");
            return stream;
        }
        assert!(begin.elapsed() < PATIENCE, "nobody answers");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn packet(id: u32, set: u8, number: u8, data: &[u8]) -> Vec<u8> {
    let mut all = ((11 + data.len()) as u32).to_be_bytes().to_vec();
    all.extend(id.to_be_bytes());
    all.extend([0, set, number]);
    all.extend(data);
    all
}

/// The error of the reply to a packet; events are passed over.
fn error_of(stream: &mut TcpStream, id: u32) -> Option<u16> {
    loop {
        let mut header = [0; 11];
        stream.read_exact(&mut header).ok()?;
        let length = u32::from_be_bytes([header[0], header[1], header[2], header[3]]);
        let mut rest = vec![0; length as usize - 11];
        stream.read_exact(&mut rest).ok()?;
        let answers = u32::from_be_bytes([header[4], header[5], header[6], header[7]]);
        if header[8] == 0x80 && answers == id {
            return Some(u16::from_be_bytes([header[9], header[10]]));
        }
    }
}

#[test]
fn bytes_that_are_no_packets_do_no_harm() {
    let home = jdk::java_home();
    let debuggee = Debuggee::start(&vm(), home, "y", &[]);
    // what says nothing that is known, or too little, is answered with an error
    let mut stream = connect(debuggee.port);
    let mut errors = 0;
    for (id, seed) in (1..).zip(0..3000u64) {
        let mut bytes = noise(seed);
        let (set, number) = ((seed % 20) as u8, (seed / 20 % 24) as u8);
        // those that end the connection or the program, or let it go on, are no faults
        let ends =
            set == 1 && matches!(number, 6 | 9 | 10 | 15) || set == 11 && matches!(number, 3 | 10);
        if ends {
            continue;
        }
        let length = usize::from(bytes.next().unwrap_or(0) % 60);
        let data: Vec<u8> = match seed % 3 {
            0 => bytes.take(length).collect(),
            // numbers that may be somebody's
            1 => (0..length)
                .map(|i| u8::from(i % 8 == 7) * (bytes.next().unwrap_or(0) % 9))
                .collect(),
            _ => vec![0; length],
        };
        stream
            .write_all(&packet(id, set, number, &data))
            .expect("it reads");
        errors += usize::from(error_of(&mut stream, id).expect("an answer") != 0);
    }
    assert!(errors > 1000, "{errors}");
    stream
        .write_all(&packet(9999, 1, 6, b""))
        .expect("it reads");
    assert_eq!(error_of(&mut stream, 9999), Some(0), "disposed of");
    ends_well(debuggee);
    // lengths that no packet has, and cut packets, end the connection: then nobody holds the program any more
    let wholes = [
        packet(1, 1, 1, b""),
        packet(2, 1, 2, b"\0\0\0\x10Ljava/lang/Object;"),
    ];
    let mut wrong: Vec<Vec<u8>> = vec![
        vec![0; 11],
        vec![0xff; 11],
        b"\0\0\0\x0a\0\0\0\0\0\x01\x01".to_vec(),
    ];
    wrong.extend(wholes.iter().map(|p| p[..p.len() - 3].to_vec()));
    for bytes in wrong {
        let debuggee = Debuggee::start(&vm(), home, "y", &[]);
        let mut stream = connect(debuggee.port);
        stream.write_all(&bytes).expect("it reads");
        let _ = stream.shutdown(std::net::Shutdown::Write);
        ends_well(debuggee);
    }
}

fn ends_well(debuggee: Debuggee) {
    let (out, code) = debuggee.end();
    assert!(out.contains("sold ") && code == 0, "{out}{code}");
}

#[test]
fn who_says_nothing_holds_nobody_up() {
    let home = jdk::java_home();
    let debuggee = Debuggee::start(&vm(), home, "y", &[]);
    let _silent = TcpStream::connect(("127.0.0.1", debuggee.port)).expect("it listens");
    let mut wrong = TcpStream::connect(("127.0.0.1", debuggee.port)).expect("it listens");
    wrong.write_all(b"GET / HTTP/1.1").expect("it reads");
    let mut stream = connect(debuggee.port);
    stream
        .write_all(&packet(1, 1, 10, &7u32.to_be_bytes()))
        .expect("it reads");
    assert_eq!(error_of(&mut stream, 1), Some(0));
    assert_eq!(debuggee.end().1, 7, "the code that the debugger asks for");
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

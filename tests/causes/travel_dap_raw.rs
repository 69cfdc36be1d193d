//! `rjvm debug --dap`: clients that send anything, malformed messages among it, and connections by a port.

use crate::common::run::vm;
use crate::travel_dap::{adapter, classes};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a session may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// A client that sends any bytes.
struct RawClient {
    process: Child,
    input: Option<ChildStdin>,
}

impl RawClient {
    fn start() -> RawClient {
        let mut process = adapter()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        RawClient {
            input: process.stdin.take(),
            process,
        }
    }
    /// Sends bytes and closes the connection; all messages that come, the error output, and the exit code.
    fn finish(mut self, bytes: &[u8]) -> (Vec<Value>, String, Option<i32>) {
        let mut input = self.input.take().expect("piped");
        let bytes = bytes.to_vec();
        let writer = std::thread::spawn(move || {
            // an adapter that has ended reads no more
            let _ = input.write_all(&bytes);
        });
        let mut out = self.process.stdout.take().expect("piped");
        let reader = std::thread::spawn(move || {
            let mut all = Vec::new();
            out.read_to_end(&mut all).expect("a pipe");
            all
        });
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.process.try_wait().expect("a child") {
                break status;
            }
            if begun.elapsed() > PATIENCE {
                let _ = self.process.kill();
                panic!("the adapter does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        writer.join().expect("it ends");
        let all = reader.join().expect("it ends");
        let mut errors = String::new();
        let stderr = self.process.stderr.as_mut().expect("piped");
        stderr.read_to_string(&mut errors).expect("text");
        (messages(&all), errors, status.code())
    }
}

/// The messages in a stream, which has nothing else.
fn messages(mut bytes: &[u8]) -> Vec<Value> {
    let mut all = Vec::new();
    while let Some(message) = next_message(&mut bytes) {
        all.push(message);
    }
    all
}

/// The next message of a stream.
fn next_message(from: &mut dyn BufRead) -> Option<Value> {
    let mut line = String::new();
    from.read_line(&mut line).expect("text");
    let length = line.strip_prefix("Content-Length: ")?.trim().parse();
    let mut empty = String::new();
    from.read_line(&mut empty).expect("text");
    assert_eq!(empty, "\r\n");
    let mut message = vec![0; length.expect("a length")];
    from.read_exact(&mut message).expect("a message");
    Some(serde_json::from_slice(&message).expect("JSON"))
}

fn framed(message: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{message}", message.len())
}

fn request(seq: i64, command: &str, arguments: &Value) -> String {
    let message =
        json!({"seq": seq, "type": "request", "command": command, "arguments": arguments});
    framed(&message.to_string())
}

/// What begins a session that has stopped at the beginning of `main`.
fn begin() -> String {
    let launch = json!({"mainClass": "Walk", "classPath": classes(), "stopOnEntry": true});
    request(1, "initialize", &json!({}))
        + &request(2, "launch", &launch)
        + &request(3, "configurationDone", &json!({}))
}

#[test]
fn malformed_messages_are_answered_or_end_the_session() {
    for (bytes, want, last) in [
        ("", "", false),
        ("nothing\r\n\r\n", "has no colon", false),
        ("Content-Length: 99999999999\r\n\r\n", "more than", false),
        ("Content-Length: 10\r\n\r\n{", "", false),
        ("Content-Length: 1\r\n\r\n{", "is not JSON", true),
        (&framed("[1]"), "has no type", true),
        (
            &framed("{\"seq\":1,\"type\":\"request\"}"),
            "has no command",
            true,
        ),
        (&framed(&"[".repeat(200_000)), "is not JSON", true),
        (
            &request(1, "threads", &json!({})),
            "initialize comes first",
            true,
        ),
        (
            &request(1, "initialize", &json!({"pathFormat": "uri"})),
            "pathFormat uri",
            true,
        ),
    ] {
        let more = request(7, "initialize", &json!({}));
        let all = format!("{bytes}{more}");
        let sent = if last { &all } else { bytes };
        let (got, errors, code) = RawClient::start().finish(sent.as_bytes());
        let text = format!("{got:?}");
        assert_eq!((code, &*errors), (Some(0), ""), "{bytes}: {text}");
        assert!(text.contains(want), "{bytes}: {text}");
        let answered = got
            .iter()
            .any(|m| m["request_seq"] == 7 && m["success"] == true);
        assert_eq!(answered, last, "{bytes}: {text}");
    }
}

#[test]
fn what_cannot_be_launched_is_refused() {
    let classes = classes();
    for (launch, want) in [
        (json!({}), "mainClass, jar or recording"),
        (json!({"mainClass": "-version"}), "is not a class name"),
        (
            json!({"mainClass": "Missing", "classPath": classes}),
            "ended before main",
        ),
        (
            json!({"mainClass": "Walk", "cwd": "/nowhere/at/all"}),
            "cwd",
        ),
        (
            json!({"mainClass": "Walk", "vmArgs": ["--profile=exact"]}),
            "--profile",
        ),
        (
            json!({"mainClass": "Walk", "vmArgs": ["-Xmx1"]}),
            "Too small",
        ),
        (
            json!({"mainClass": "Walk", "vmArgs": ["--no-such-option"]}),
            "no-such-option",
        ),
        (
            json!({"mainClass": "Walk", "stdin": "nothing.txt"}),
            "nothing.txt",
        ),
        (
            json!({"mainClass": "Walk", "checkpointMemory": "x"}),
            "checkpointMemory",
        ),
        (json!({"jar": "nothing.jar"}), "nothing.jar"),
    ] {
        let bytes = request(1, "initialize", &json!({}))
            + &request(2, "launch", &launch)
            + &request(3, "disconnect", &json!({}));
        let (got, _, code) = RawClient::start().finish(bytes.as_bytes());
        let answer = got
            .iter()
            .find(|m| m["request_seq"] == 2)
            .expect("an answer");
        let text = answer["message"].as_str().unwrap_or_default();
        assert_eq!(
            (&answer["success"], code),
            (&json!(false), Some(0)),
            "{launch}"
        );
        assert!(text.contains(want), "{launch}: {text}");
    }
}

/// A generator of numbers, the same ones each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
    fn value(&mut self, depth: usize) -> Value {
        let texts = [
            "",
            "n",
            "this.squares[9]",
            "Walk.total",
            "Walk.java",
            "((((",
            "% 2",
            "0x7fff0001",
            "caught",
            "{n}",
            "goto 9",
            "\u{1F980}",
        ];
        match self.below(if depth > 2 { 6 } else { 9 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(12)),
            3 => json!([-1, 1 << 40, i64::MAX, i64::MIN][self.below(4)]),
            4 | 5 => json!(texts[self.below(texts.len())]),
            6 => json!([self.value(depth + 1), self.value(depth + 1)]),
            _ => self.arguments(depth + 1),
        }
    }
    fn arguments(&mut self, depth: usize) -> Value {
        let names = [
            "threadId",
            "frameId",
            "variablesReference",
            "expression",
            "context",
            "start",
            "count",
            "filter",
            "levels",
            "startFrame",
            "source",
            "path",
            "line",
            "breakpoints",
            "condition",
            "hitCondition",
            "logMessage",
            "name",
            "filters",
            "filterOptions",
            "dataId",
            "memoryReference",
            "instructionCount",
            "instructionOffset",
            "offset",
            "sourceReference",
            "granularity",
            "position",
        ];
        let mut all = json!({});
        for _ in 0..self.below(6) {
            all[names[self.below(names.len())]] = self.value(depth);
        }
        all
    }
}

#[test]
fn random_requests_are_answered() {
    const REQUESTS: usize = 3000;
    let looks = [
        "threads",
        "stackTrace",
        "scopes",
        "variables",
        "evaluate",
        "setBreakpoints",
        "setFunctionBreakpoints",
        "setDataBreakpoints",
        "setExceptionBreakpoints",
        "dataBreakpointInfo",
        "exceptionInfo",
        "disassemble",
        "source",
        "rjvm/position",
        "pause",
        "launch",
        "configurationDone",
        "initialize",
        "",
        "\u{1F980}",
        "modules",
    ];
    let moves = [
        "next",
        "stepIn",
        "stepOut",
        "stepBack",
        "reverseContinue",
        "continue",
        "rjvm/goto",
    ];
    let mut numbers = Numbers(11);
    let mut bytes = begin();
    for seq in 0..REQUESTS {
        let command = match numbers.below(40) {
            0 => moves[numbers.below(moves.len())],
            _ => looks[numbers.below(looks.len())],
        };
        let mut arguments = numbers.arguments(0);
        if matches!(command, "initialize" | "launch") {
            // what they change would change the rest
            arguments = json!({"pathFormat": "uri"});
        }
        bytes += &request(seq as i64 + 10, command, &arguments);
    }
    bytes += &request(1_000_000, "disconnect", &json!({}));
    let (got, errors, code) = RawClient::start().finish(bytes.as_bytes());
    assert_eq!((code, &*errors), (Some(0), ""), "{:?}", got.last());
    let answers: Vec<&Value> = got.iter().filter(|m| m["type"] == "response").collect();
    assert_eq!(answers.len(), REQUESTS + 4);
    let good = answers.iter().filter(|m| m["success"] == true).count();
    assert!(good > REQUESTS / 10, "{good} of {REQUESTS}");
    // messages have numbers in their order
    let seqs: Vec<i64> = got.iter().filter_map(|m| m["seq"].as_i64()).collect();
    assert!(seqs.iter().copied().eq(1..=got.len() as i64));
}

#[test]
fn random_bytes_end_the_session() {
    let mut numbers = Numbers(5);
    for _ in 0..40 {
        let mut bytes = begin().into_bytes();
        for _ in 0..1 + numbers.below(20) {
            let at = numbers.below(bytes.len());
            match numbers.below(3) {
                0 => bytes[at] = numbers.below(256) as u8,
                1 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, b"\r\n:0{\"["[numbers.below(7)]),
            }
        }
        let (got, errors, code) = RawClient::start().finish(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!((code, &*errors), (Some(0), ""), "{text}: {got:?}");
    }
}

/// A connection by TCP: the bytes to send, and the messages up to the end of the connection.
fn connect(port: u16, bytes: &str) -> Vec<Value> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    stream
        .set_read_timeout(Some(PATIENCE))
        .expect("a time limit");
    stream.write_all(bytes.as_bytes()).expect("it reads");
    let mut from = BufReader::new(stream);
    let mut all = Vec::new();
    while let Some(message) = next_message(&mut from) {
        all.push(message);
    }
    all
}

#[test]
fn a_port_takes_the_token_only() {
    let mut command = adapter();
    let classes = classes();
    let args = [
        "debug",
        "--dap=0",
        "-cp",
        &*classes.to_string_lossy(),
        "Walk",
    ];
    let mut plain = Command::new(vm());
    plain.args(args);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => plain.env(name, value),
            None => plain.env_remove(name),
        };
    }
    command = plain;
    let mut process = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut errors = BufReader::new(process.stderr.take().expect("piped"));
    let mut line = String::new();
    errors.read_line(&mut line).expect("text");
    let (before, token) = line.trim().split_once(", token ").expect("a token");
    let port = before.rsplit(':').next().and_then(|p| p.parse().ok());
    let port: u16 = port.expect("a port");
    assert_eq!(token.len(), 32, "{line}");
    let hello = request(1, "initialize", &json!({}));
    let bye = request(9, "disconnect", &json!({}));
    let answer = |all: &[Value], seq: i64| {
        let found = all.iter().find(|m| m["request_seq"] == seq);
        let found = found.unwrap_or_else(|| panic!("no answer: {all:?}"));
        (found["success"] == true, found["message"].to_string())
    };
    // no token: nothing can be launched or looked at
    let launch = request(2, "launch", &json!({}));
    let all = connect(
        port,
        &format!("{hello}{}{launch}{bye}", request(3, "threads", &json!({}))),
    );
    assert!(
        !answer(&all, 2).0 && answer(&all, 2).1.contains("token"),
        "{all:?}"
    );
    assert!(!answer(&all, 3).0, "{all:?}");
    // another one: the way is closed
    let wrong = request(2, "launch", &json!({"token": "0".repeat(32)}));
    let all = connect(
        port,
        &format!("{hello}{wrong}{}", request(3, "threads", &json!({}))),
    );
    assert!(!answer(&all, 2).0, "{all:?}");
    assert!(all.iter().all(|m| m["request_seq"] != 3), "{all:?}");
    // the right one: the program of the command line
    let right = json!({"token": token, "stopOnEntry": true});
    let session = hello.clone()
        + &request(2, "attach", &right)
        + &request(3, "configurationDone", &json!({}))
        + &request(4, "rjvm/position", &json!({}))
        + &bye;
    let all = connect(port, &session);
    assert!(
        answer(&all, 2).0 && answer(&all, 4).0 && answer(&all, 9).0,
        "{all:?}"
    );
    let stopped = all.iter().find(|m| m["event"] == "stopped");
    assert_eq!(stopped.map(|m| &m["body"]["reason"]), Some(&json!("entry")));
    let status = process.wait().expect("a child");
    let mut rest = String::new();
    errors.read_to_string(&mut rest).expect("text");
    assert_eq!((status.code(), &*rest), (Some(0), ""));
}

#[test]
fn wrong_command_lines_are_refused() {
    for (args, want) in [
        (&["debug", "--dap=x"][..], "expected a port"),
        (&["debug", "--dap=70000"], "expected a port"),
        (&["debug", "--dap", "--at=7"], "--at"),
        (&["debug"], "COMMAND"),
    ] {
        let out = Command::new(vm()).args(args).stdin(Stdio::null()).output();
        let out = out.expect("it starts");
        let errors = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {errors}");
        assert!(errors.contains(want), "{args:?}: {errors}");
    }
}

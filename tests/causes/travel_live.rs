//! `rjvm debug --live`: programs in the real world, recorded while they are debugged.

use super::travel::classes;
use crate::common;
use crate::common::run::{Run, vm};
use crate::common::{not_checked, tests_dir};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long a text may take to appear.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long a client waits for an answer that must not come.
const SOON: Duration = Duration::from_millis(300);

/// A session that is driven step by step.
struct Driven {
    child: Child,
    commands: ChildStdin,
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Driven {
    fn begin(dir: &Path, options: &[&str], main: &[&str]) -> Driven {
        let mut command = Command::new(vm());
        command.arg("debug").args(options);
        command.arg(format!(
            "--source-path={}",
            tests_dir().join("causes/travel").display()
        ));
        command.arg("-cp").arg(classes()).args(main);
        command.current_dir(dir).stderr(Stdio::inherit());
        let mut child = { command.stdin(Stdio::piped()).stdout(Stdio::piped()) }
            .spawn()
            .expect("rjvm starts");
        let (send, lines) = channel();
        let out = BufReader::new(child.stdout.take().expect("it is piped"));
        std::thread::spawn(move || {
            for line in out.lines() {
                let Ok(line) = line else { break };
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let commands = child.stdin.take().expect("it is piped");
        Driven {
            child,
            commands,
            lines,
            seen: Vec::new(),
        }
    }
    fn send(&mut self, command: &str) {
        writeln!(self.commands, "{command}").expect("the session is there");
    }
    /// Waits for a line with this text, from here on.
    fn expect(&mut self, text: &str) -> String {
        let begun = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let line = match self.lines.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("no {text:?} after\n{}", self.seen.join("\n"));
                }
            };
            self.seen.push(line.clone());
            if line.contains(text) {
                return line;
            }
        }
    }
    /// The value that `print` shows.
    fn print(&mut self, expression: &str) -> String {
        self.send(&format!("print {expression}"));
        self.expect(&format!("(rjvm) print {expression}"));
        self.expect("")
    }
    /// Ends the session; all that it has shown.
    fn end(mut self) -> String {
        self.send("quit");
        let mut text = self.seen.join("\n") + "\n";
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            text += &(line + "\n");
        }
        assert!(self.child.wait().expect("it ends").success(), "{text}");
        text
    }
}

fn client(port: &str) -> TcpStream {
    let port = port.strip_prefix("port ").expect("a port").trim();
    let stream = TcpStream::connect(("127.0.0.1", port.parse().expect("a number")));
    let mut stream = stream.expect("the server listens");
    stream.write_all(b"A").expect("it is there");
    stream
}

fn answer(mut stream: &TcpStream) -> i64 {
    let mut text = String::new();
    stream.set_read_timeout(Some(PATIENCE)).expect("a time");
    stream.read_to_string(&mut text).expect("an answer");
    text.trim().parse().expect("a number")
}

#[test]
fn a_server_stops_for_real_and_is_gone_back_in() {
    let dir = common::tool::folder("travel", "live");
    let file = dir.join("total.txt");
    let written = file.to_string_lossy().into_owned();
    // one of an earlier run
    let _ = std::fs::remove_file(&file);
    let mut session = Driven::begin(&dir, &["--record=run.rec"], &["Live", &written, "2"]);
    session.send("break Live.answer");
    session.send("continue");
    let port = session.expect("port ");
    let first = client(&port);
    let there = session.expect("Live.answer(Live.java:");
    assert_eq!(session.print("n"), "1");
    // nothing of what comes next has been done
    first.set_read_timeout(Some(SOON)).expect("a time");
    let read = (&first).read(&mut [0]);
    assert!(read.is_err(), "{read:?}: an answer has come");
    session.send("next");
    session.expect("Live.java:31");
    assert_eq!(session.print("word"), "65");
    // back to the breakpoint, and on
    session.send("reverse-continue");
    assert_eq!(session.expect("Live.answer(Live.java:"), there);
    session.send("continue");
    let value = answer(&first);
    let second = client(&port);
    session.expect("1: break Live.answer");
    assert_eq!(session.print("total"), format!("{value}L"));
    // who wrote it, in the past
    session.send("origin Live.total");
    session.expect("by Live.main(Live.java:");
    assert_eq!(session.print("value"), format!("{value}L"));
    assert!(!file.exists());
    session.send("delete");
    session.send("continue");
    let total = value + answer(&second);
    session.expect(&format!("total {total}"));
    session.expect("exit code 0");
    let text = std::fs::read_to_string(&file).expect("it has been written");
    assert_eq!(text, format!("total {total}"));
    // through all of it again: nothing is done twice
    std::fs::remove_file(&file).expect("it is there");
    session.send("break Live.answer");
    session.send("rc");
    session.expect("2: break Live.answer");
    assert_eq!(session.print("n"), "2");
    session.send("rc");
    session.expect("2: break Live.answer");
    assert_eq!(session.print("n"), "1");
    session.send("delete");
    session.send("c");
    session.expect("exit code 0");
    let out = session.end();
    assert!(!file.exists());
    assert_eq!(out.matches("port ").count(), 1, "{out}");
    assert_eq!(out.matches(&format!("total {total}")).count(), 1, "{out}");
    // the recording has been kept
    let run = Run::new(&vm(), "travel-live-replay");
    let got = run.arg("replay").arg(dir.join("run.rec")).finish();
    assert_eq!((got.exit, got.err()), (0, String::new()));
    assert_eq!(got.out(), format!("{port}\ntotal {total}\n"));
}

#[test]
fn changed_values_and_far_positions() {
    let dir = common::tool::folder("travel", "live-changed");
    let written = dir.join("total.txt").to_string_lossy().into_owned();
    let mut session = Driven::begin(&dir, &["--live"], &["Live", &written, "1"]);
    session.send("break Live:32");
    session.send("continue");
    let port = session.expect("port ");
    let stream = client(&port);
    let there = session.expect("Live.answer(Live.java:32");
    // a branch is no part of the real run
    session.send("set total = 7");
    session.send("next");
    session.expect("Live.java:33");
    let value = session.print("value");
    let number: i64 = value.trim_end_matches('L').parse().expect("a number");
    assert_eq!(session.print("total"), format!("{}L", number + 7));
    session.send("goto 1,000,000,000,000,000");
    session.expect("the program has not been recorded any further");
    session.expect("Live.answer(Live.java:32");
    session.send("next");
    session.expect("Live.java:33");
    session.send("reverse-continue");
    session.expect("Live.answer(Live.java:32");
    session.send("reverse-continue");
    session.expect("Live.main(Live.java:");
    session.send("continue");
    assert_eq!(session.expect("Live.answer(Live.java:32"), there);
    assert_eq!(session.print("total"), "0L");
    // so far does no program run
    session.send("goto 1,000,000,000,000,000");
    assert_eq!(answer(&stream), number);
    session.expect("exit code 0");
    assert!(session.end().contains(&format!("total {number}\n")));
}

/// Interrupts a program that waits, and one that computes.
const INTERRUPTS: &str = r#"
import os, pty, re, select, socket, sys, time
P = '(rjvm) '
pid, terminal = pty.fork()
if pid == 0:
    os.environ['TERM'] = 'xterm'
    os.environ['NO_COLOR'] = '1'
    os.execv(sys.argv[1], sys.argv[1:])
all, seen, begun = '', 0, time.time()
def until(*texts):
    global all, seen
    for wanted in texts:
        while not re.search(wanted, all[seen:]):
            if time.time() - begun > 120: sys.exit('no ' + repr(wanted) + ' in ' + repr(all[seen:]))
            if select.select([terminal], [], [], 1)[0]: all += os.read(terminal, 65536).decode('utf-8', 'replace')
        found = re.search(wanted, all[seen:])
        seen += found.end()
    return found
def type(text): os.write(terminal, text.encode())
P = re.escape(P)
until(P); type('c\r')
port = int(until(r'port (\d+)\r').group(1))
for _ in range(2):
    time.sleep(0.3); type('\x03')
    until('interrupted', P); type('bt\r')
    until(r'Live\.main\(Live\.java:20\)', P); type('c\r')
time.sleep(0.3); type('\x03')
until('interrupted', P); type('break Live.answer\r')
until('1: break', P); type('c\r')
client = socket.create_connection(('127.0.0.1', port)); client.sendall(b'B')
until(r'Live\.answer\(', P); type('p n\r')
until(r'\n1\r', P); type('c\r')
until('exit code 0', P); type('quit\r')
print('answer ' + client.makefile().read())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"#;

#[test]
fn a_program_that_waits_is_interrupted() {
    let dir = common::tool::folder("travel", "live-waits");
    let mut command = Command::new("python3");
    command.args(["-c", INTERRUPTS]).arg(vm());
    command.args(["debug", "--live", "-cp"]).arg(classes());
    command.args(["Live", "total.txt", "1"]).current_dir(&dir);
    let Ok(got) = command.output() else {
        not_checked("python3 is not installed");
        return;
    };
    let text = String::from_utf8_lossy(&got.stdout).into_owned();
    let errors = String::from_utf8_lossy(&got.stderr);
    assert!(got.status.success(), "{}: {errors}\n{text}", got.status);
    assert!(text.starts_with("answer "), "{text}");
}

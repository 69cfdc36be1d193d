//! The way to a client: requests that have come, answers and events that go.

use super::super::attention::Attention;
use super::super::seen::SeenThread;
use super::super::shown::ShowOutput;
use super::frames::{DapRequest, Unframer, framed};
use rustix::fd::BorrowedFd;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::rc::Rc;

/// Requests that wait while the program runs; the client waits with more.
const MOST_WAITING: usize = 256;
/// Bytes that are read at a time.
const PIECE: usize = 64 << 10;

/// What ends or changes a search. The others wait, or are answered at once.
const INTERRUPTS: [&str; 9] = [
    "pause",
    "terminate",
    "disconnect",
    "restart",
    "setBreakpoints",
    "setFunctionBreakpoints",
    "setExceptionBreakpoints",
    "setDataBreakpoints",
    "configurationDone",
];

/// Requests that need a program that has stopped.
const STOPPED: [&str; 23] = [
    "setVariable",
    "setExpression",
    "completions",
    "loadedSources",
    "stepInTargets",
    "restartFrame",
    "gotoTargets",
    "stackTrace",
    "scopes",
    "variables",
    "evaluate",
    "disassemble",
    "exceptionInfo",
    "dataBreakpointInfo",
    "continue",
    "next",
    "stepIn",
    "stepOut",
    "stepBack",
    "reverseContinue",
    "rjvm/goto",
    "rjvm/position",
    "rjvm/reverseStepOut",
];

/// One end of the way.
pub struct DapLink {
    /// Both are gone in a copy of the process that runs the program.
    streams: Option<(File, File)>,
    unframer: Unframer,
    waiting: VecDeque<DapRequest>,
    /// The client is gone, or what it sends cannot be read.
    closed: bool,
    seq: i64,
    /// A search is under way.
    pub running: bool,
    /// The number of the request whose expression is evaluated.
    evaluates: Option<i64>,
    /// The threads at the last stop.
    pub threads: Vec<SeenThread>,
    /// Bytes of the program's output that end in the middle of a character.
    rests: [Vec<u8>; 2],
}

/// A link that a session shares with its searches.
pub type SharedLink = Rc<RefCell<DapLink>>;

impl DapLink {
    /// A link over two streams.
    pub fn new(input: File, output: File) -> DapLink {
        DapLink {
            streams: Some((input, output)),
            unframer: Unframer::default(),
            waiting: VecDeque::new(),
            closed: false,
            seq: 0,
            running: false,
            evaluates: None,
            threads: Vec::new(),
            rests: [Vec::new(), Vec::new()],
        }
    }
    /// This process leaves the streams to another process.
    pub fn close(&mut self) {
        self.streams = None;
        self.closed = true;
    }
    /// Whether nothing more comes.
    pub fn is_closed(&self) -> bool {
        self.closed && self.waiting.is_empty()
    }
    /// The next request; waits for it. `None`: there are no more.
    pub fn receive(&mut self) -> Option<DapRequest> {
        while self.waiting.is_empty() && !self.closed {
            self.read();
        }
        self.waiting.pop_front()
    }
    /// A request that has come already.
    pub fn take(&mut self) -> Option<DapRequest> {
        self.waiting.pop_front()
    }
    /// It is the next one again.
    pub fn put_back(&mut self, request: DapRequest) {
        self.waiting.push_front(request);
    }
    /// The expression of a request is evaluated, or no one is.
    pub fn evaluates(&mut self, seq: Option<i64>) {
        self.evaluates = seq;
    }
    /// A request that waits, which the client takes back.
    pub fn take_back(&mut self, seq: i64) -> Option<DapRequest> {
        let at = self.waiting.iter().position(|r| r.seq == seq)?;
        self.waiting.remove(at)
    }
    /// Whether the client takes back the expression that is evaluated, or is gone.
    pub fn is_cancelled(&self) -> bool {
        let cancels = |r: &DapRequest| {
            r.command == "cancel" && self.evaluates == r.number("requestId")
                || matches!(&*r.command, "disconnect" | "terminate")
        };
        self.closed || self.waiting.iter().any(cancels)
    }
    /// Reads once.
    fn read(&mut self) {
        let Some((input, _)) = &mut self.streams else {
            return;
        };
        let mut piece = vec![0; PIECE];
        match input.read(&mut piece) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => self.closed = true,
            Ok(n) => {
                self.unframer.push(&piece[..n]);
                self.unframe();
            }
        }
    }
    fn unframe(&mut self) {
        loop {
            let message = match self.unframer.take() {
                Ok(Some(message)) => message,
                Ok(None) => return,
                Err(why) => {
                    self.note(&format!("{why}: the session ends\n"));
                    self.closed = true;
                    return;
                }
            };
            match DapRequest::read(&message) {
                Ok(Some(request)) => self.waiting.push_back(request),
                Ok(None) => {}
                Err(wrong) => match wrong.seq {
                    Some(seq) => self.answer(seq, "", Err(&wrong.why)),
                    None => self.note(&format!("{}\n", wrong.why)),
                },
            }
        }
    }
    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        message["seq"] = self.seq.into();
        let Some((_, output)) = &mut self.streams else {
            return;
        };
        let sent = output.write_all(&framed(&message));
        if sent.and_then(|()| output.flush()).is_err() {
            self.closed = true;
        }
    }
    fn answer(&mut self, seq: i64, command: &str, done: Result<Value, &str>) {
        let mut message = json!({
            "type": "response",
            "request_seq": seq,
            "command": command,
            "success": done.is_ok(),
        });
        match done {
            Ok(Value::Null) => {}
            Ok(body) => message["body"] = body,
            Err(why) => {
                message["message"] = why.into();
                let error =
                    json!({"id": 1, "format": why.replace(['{', '}'], "'"), "showUser": true});
                message["body"] = json!({ "error": error });
            }
        }
        self.send(message);
    }
    /// Answers a request.
    pub fn respond(&mut self, request: &DapRequest, done: Result<Value, &str>) {
        self.answer(request.seq, &request.command, done);
    }
    /// Reports an event.
    pub fn event(&mut self, name: &str, body: Value) {
        let mut message = json!({"type": "event", "event": name});
        if !body.is_null() {
            message["body"] = body;
        }
        self.send(message);
    }
    /// Text of the debugger.
    pub fn note(&mut self, text: &str) {
        self.event("output", json!({"category": "console", "output": text}));
    }
    /// Output of the program. A character that has come in part waits for the rest.
    fn program_output(&mut self, stream: usize, bytes: &[u8]) {
        let mut all = std::mem::take(&mut self.rests[stream]);
        all.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&all) {
            Err(e) if e.error_len().is_none() => e.valid_up_to(),
            _ => all.len(),
        };
        self.rests[stream] = all.split_off(whole);
        if !all.is_empty() {
            let category = ["stdout", "stderr"][stream];
            let text = String::from_utf8_lossy(&all);
            self.event("output", json!({"category": category, "output": text}));
        }
    }
    /// The program has ended, or another program begins: incomplete characters are shown as they are.
    pub fn end_output(&mut self) {
        for stream in 0..2 {
            let rest = std::mem::take(&mut self.rests[stream]);
            if !rest.is_empty() {
                let category = ["stdout", "stderr"][stream];
                let text = String::from_utf8_lossy(&rest);
                self.event("output", json!({"category": category, "output": text}));
            }
        }
    }
    /// Answers requests that have come while the program runs, if that is possible. Whether one of the rest ends the search.
    fn serve_running(&mut self) -> bool {
        let all = std::mem::take(&mut self.waiting);
        for request in all {
            match &*request.command {
                "threads" => {
                    let threads = threads_body(&self.threads);
                    self.respond(&request, Ok(threads));
                }
                command if STOPPED.contains(&command) => self.respond(&request, Err("notStopped")),
                _ => self.waiting.push_back(request),
            }
        }
        let interrupts = |r: &DapRequest| INTERRUPTS.contains(&&*r.command);
        self.closed || self.waiting.iter().any(interrupts)
    }
}

/// The number of a thread in the protocol, where some clients take 0 for none.
pub fn thread_number(id: u32) -> i64 {
    i64::from(id) + 1
}

/// The thread that a request names by its number.
pub fn thread_of(request: &DapRequest) -> Option<u32> {
    let number = request.number("threadId")?;
    u32::try_from(number.checked_sub(1)?).ok()
}

/// Threads as the protocol has them.
pub fn threads_body(threads: &[SeenThread]) -> Value {
    let name = |t: &SeenThread| match t.name.is_empty() {
        true => format!("thread {}", thread_number(t.id)),
        false => t.name.clone(),
    };
    let all = threads.iter();
    let all = all.map(|t| json!({"id": thread_number(t.id), "name": name(t)}));
    json!({"threads": all.collect::<Vec<Value>>()})
}

/// The client, as a search looks at it.
pub struct LinkAttention {
    link: SharedLink,
    input: File,
}

impl LinkAttention {
    /// Looks at the client of this link.
    ///
    /// # Errors
    /// As from copying a descriptor.
    pub fn new(link: &SharedLink) -> io::Result<LinkAttention> {
        let shared = link.borrow();
        let (input, _) = shared.streams.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        Ok(LinkAttention {
            link: link.clone(),
            input: input.try_clone()?,
        })
    }
}

impl Attention for LinkAttention {
    fn source(&self) -> Option<BorrowedFd<'_>> {
        let link = self.link.borrow();
        let takes = (link.running || link.evaluates.is_some())
            && !link.closed
            && link.waiting.len() < MOST_WAITING;
        takes.then(|| self.input.as_fd())
    }
    fn look(&mut self) -> bool {
        let mut link = self.link.borrow_mut();
        link.read();
        match link.running {
            true => link.serve_running(),
            false => link.is_cancelled(),
        }
    }
}

/// The program's output as events.
pub struct LinkOutput(pub SharedLink);

impl ShowOutput for LinkOutput {
    fn show(&mut self, stream: usize, bytes: &[u8]) -> io::Result<()> {
        self.0.borrow_mut().program_output(stream, bytes);
        Ok(())
    }
    fn note(&mut self, text: &str) -> io::Result<()> {
        self.0.borrow_mut().note(&format!("{text}\n"));
        Ok(())
    }
}

//! What the session and the processes of the program send each other: lines of JSON.

use super::mark::Mark;
use super::origin::{OriginLook, OriginSeen, Trail, Watch};
use super::seen::{Assignment, Evaluation, Look, Seen};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

/// How a program has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramEnd {
    /// Bytecodes of all threads.
    pub position: i64,
    /// The exit code.
    pub code: i32,
}

/// One end of the way between a session and a process of the program.
pub struct Wire(BufReader<UnixStream>);

impl AsFd for Wire {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.get_ref().as_fd()
    }
}

impl Wire {
    pub fn new(stream: UnixStream) -> Wire {
        Wire(BufReader::new(stream))
    }
    pub fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_string(message).map_err(io::Error::other)?;
        line.push('\n');
        self.0.get_mut().write_all(line.as_bytes())
    }
    /// The next message. `None`: the other end is gone.
    pub fn receive<T: for<'a> Deserialize<'a>>(&mut self) -> io::Result<Option<T>> {
        let mut line = String::new();
        match self.0.read_line(&mut line)? {
            0 => Ok(None),
            _ => serde_json::from_str(&line)
                .map(Some)
                .map_err(io::Error::other),
        }
    }
}

/// An order to a process of the program.
#[derive(Debug, Serialize, Deserialize)]
pub enum Order {
    /// Make a copy, which connects by itself.
    Copy,
    /// Continue until this many bytecodes have been executed.
    Run(i64, Watched),
    /// Where the program is.
    Place,
    /// Where a thread is.
    Thread(u32),
    /// Text about the stopped program.
    Show(View),
    /// What the origin of a value needs.
    Origin(OriginLook),
    /// Data about the stopped program.
    Look(Look),
    /// The value of an expression, or elements of a collection; methods are called, so this process is used for nothing else.
    Evaluate(Evaluation),
    /// Write a value: this process is another run from here on.
    Assign(Assignment),
}

/// The watches on the way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Watched {
    Nothing,
    /// The hits of watches on the way to here.
    Same,
    New(Box<Query>),
}

/// The search on the way.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Query {
    pub stops: Vec<NumberedStop>,
    pub step: Option<StepQuery>,
    pub origin: Option<Watch>,
    /// Where the first hit is wanted: after so many bytecodes.
    pub after: i64,
    /// Where the last hit is wanted: before so many bytecodes.
    pub before: i64,
    /// Only positions are wanted, so the process runs at full speed.
    #[serde(default)]
    pub fast: bool,
    /// The program stops at the first hit, and at each message.
    #[serde(default)]
    pub halts: bool,
}

/// A breakpoint, watchpoint or catchpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberedStop {
    /// Its number, counted from 1.
    pub number: u32,
    /// As it was given.
    pub text: String,
    /// Where it is.
    pub at: DebugStop,
    /// At which arrivals there.
    #[serde(default)]
    pub only: StopFilter,
}

/// The arrivals at a stop that count.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StopFilter {
    /// Those at which this expression is true.
    pub condition: Option<String>,
    /// Of these, the ones with such a number, counted from 1 since `main` began.
    pub number: Option<ArrivalRule>,
    /// How many there were before the search began.
    pub arrivals: u64,
    /// The program does not stop: this is the message, with expressions in braces.
    pub log: Option<String>,
    /// Of exceptions, only those that are caught (true), or are not.
    pub caught: Option<bool>,
}

/// A rule for the number of an arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ArrivalRule {
    /// This one.
    Exactly(u64),
    /// This one and those after it.
    From(u64),
    /// Those after this one.
    After(u64),
    /// Those before this one.
    Before(u64),
    /// Those up to this one.
    UpTo(u64),
    /// Multiples.
    Every(u64),
}

impl ArrivalRule {
    pub fn is_met(self, number: u64) -> bool {
        match self {
            ArrivalRule::Exactly(n) => number == n,
            ArrivalRule::From(n) => number >= n,
            ArrivalRule::After(n) => number > n,
            ArrivalRule::Before(n) => number < n,
            ArrivalRule::UpTo(n) => number <= n,
            ArrivalRule::Every(n) => number.checked_rem(n) == Some(0),
        }
    }
}

/// Where a program stops.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum DebugStop {
    /// `Class.method`, index of the bytecode
    Index(String, u16),
    /// `Class.method` or `Class`, line
    Line(String, u16),
    /// The path of a source file, line
    Source(String, u16),
    /// A field, `Class.field`, is about to be written.
    Write(String),
    /// An exception of a class or one below it is thrown.
    Throw(String),
    /// A thread is about to end by an exception.
    Uncaught,
}

/// A step of a thread, forwards or backwards.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StepQuery {
    pub thread: u32,
    pub kind: StepKind,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum StepKind {
    /// A line begins, in any method of the program, or of all classes.
    Into { library: bool },
    /// A line begins in one of these methods, in a frame that is at most so high.
    Over {
        height: usize,
        methods: Vec<MethodKey>,
    },
    /// This call begins.
    Entry { height: usize, method: MethodKey },
    /// This call ends.
    End { height: usize, method: MethodKey },
}

/// A method by class, name and descriptor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodKey {
    pub class: String,
    pub name: String,
    pub descriptor: String,
}

/// The hits on the way.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Found {
    pub first: Option<FoundHit>,
    pub last: Option<FoundHit>,
    pub trail: Option<Trail>,
    /// Messages of stops that do not stop, by position, since this was requested last.
    #[serde(default)]
    pub logged: Vec<(i64, String)>,
    /// Arrivals at the stops with rules for their number, by the number of the stop.
    #[serde(default)]
    pub arrivals: Vec<(u32, u64)>,
}

/// Something that was looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundHit {
    /// Bytecodes of all threads before it.
    pub position: i64,
    /// Numbers of the stops; none at the end of a step.
    pub stops: Vec<u32>,
}

/// A part of a stopped program, to be shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum View {
    Frames,
    /// A frame and its source line, by its number: 0 is the top one.
    Frame(usize),
    /// The locals of a frame.
    Locals(usize),
    Value(String),
    /// The value of an expression with calls in a frame, in a separate process.
    Evaluated(usize, String),
    Threads,
    /// Source lines around a frame's line.
    List(usize),
    /// All that `--stop-at` shows.
    State,
}

/// What a process of the program reports.
#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    /// It has been made.
    Hello {
        pid: i32,
    },
    /// It has made a copy.
    Copied,
    /// It has stopped.
    Stopped {
        position: i64,
        found: Found,
        printed: PrintedText,
        mark: Mark,
    },
    /// The program has ended.
    Ended {
        position: i64,
        code: i32,
        /// Whether `main` was reached.
        begun: bool,
        found: Found,
        printed: PrintedText,
        /// Why a replay could not follow its recording, and the position.
        parted: Option<(String, i64)>,
    },
    /// A value has been written; calls may have executed bytecodes.
    Assigned {
        position: i64,
        printed: PrintedText,
        mark: Mark,
    },
    Place(Place),
    Thread(Option<PlaceThread>),
    Text(String),
    /// The value needs a separate process.
    Apart,
    Origin(Box<OriginSeen>),
    Seen(Seen),
    Problem(String),
}

/// What the program has printed on each stream, and how many bytes before.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PrintedText {
    pub before: [u64; 2],
    pub text: [Vec<u8>; 2],
}

/// Where a stopped program is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Place {
    pub position: i64,
    /// The thread that runs next, if one does.
    pub thread: Option<PlaceThread>,
}

/// The thread that runs next.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlaceThread {
    pub id: u32,
    pub name: String,
    /// `Class.method(File.java:12)  next 3: iload_1`
    pub at: String,
    /// Line number and text.
    pub source: Option<(u16, String)>,
    /// Whether the method has just been entered.
    pub fresh: bool,
    /// Whether the method is one of the class library.
    pub library: bool,
    /// The frames of methods, the top one first: height and method.
    pub frames: Vec<(usize, MethodKey)>,
}

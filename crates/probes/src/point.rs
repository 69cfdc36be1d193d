//! Probe points: the moments of a run at which a probe is asked.

use crate::pattern::{ClassPattern, MemberPattern};
use std::fmt;

/// A moment of a run, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Point {
    /// `BEGIN`: before the program's first bytecode.
    Begin,
    /// `END`: after its last one.
    End,
    /// `entry:METHODS`: a method has been entered, nothing of it executed.
    Entry(MemberPattern),
    /// `return:METHODS`: a method is about to return.
    Return(MemberPattern),
    /// `throw:METHODS`: a method is left by an exception.
    Throw(MemberPattern),
    /// `around:METHODS`: a method is left, in either way.
    Around(MemberPattern),
    /// `call:METHODS` or `call:METHODS in METHODS`: an instruction is about to call a method.
    Call {
        /// The called method, as the instruction names it.
        callee: MemberPattern,
        /// In which methods; none: in all.
        within: Option<Box<MemberPattern>>,
    },
    /// `block:METHODS`: a basic block begins.
    Block(MemberPattern),
    /// `line:METHODS:12` or `line:METHODS:12-20` or `line:METHODS`: control comes to a source line from another line or from a
    /// jump.
    Line {
        /// In which methods.
        within: MemberPattern,
        /// First and last line.
        lines: (u16, u16),
    },
    /// `bytecode:METHODS:17` or `bytecode:METHODS`: the bytecode at an index of the method's code is about to be executed.
    Bytecode {
        /// In which methods.
        within: MemberPattern,
        /// First and last index.
        indices: (u16, u16),
    },
    /// `alloc:CLASSES`: an object has been allocated.
    Alloc(ClassPattern),
    /// `read:FIELDS`: a field is about to be read.
    Read(MemberPattern),
    /// `write:FIELDS`: a field is about to be written.
    Write(MemberPattern),
    /// `monitor:WHAT:CLASSES`: what happens to monitors of objects of these classes.
    Monitor(Monitor, ClassPattern),
    /// `thread:start` (true), in the thread that starts it, or `thread:end`, last in the thread.
    Thread(bool),
    /// `class:CLASSES`: a class has been defined.
    Class(ClassPattern),
    /// `gc:start` (true) or `gc:end`.
    Gc(bool),
    /// `exception:CLASSES`: an exception is about to be thrown, by the VM or an `athrow`.
    Exception(ClassPattern),
    /// `io:open`, `io:read`, `io:write`, `io:close`, `io:connect`, `io:accept` or `io` for all: a native has done it.
    Io(Option<Io>),
    /// `every N bytecodes`: of all threads together.
    Every(u64),
}

/// What happens to a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Monitor {
    /// Entered, for the first time or again, by an instruction or a synchronized method.
    Enter,
    /// Left.
    Exit,
    /// A thread has had to wait for it, and has entered it now.
    Contended,
    /// A thread is back from `Object.wait`.
    Wait,
}

/// What a native does with the outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Io {
    /// A file is opened.
    Open,
    /// Bytes are read from a file or socket.
    Read,
    /// Bytes are written.
    Write,
    /// A file or socket is closed.
    Close,
    /// A socket is connected.
    Connect,
    /// A connection is accepted.
    Accept,
}

impl Monitor {
    /// All, with what they are called.
    pub const ALL: [(Monitor, &'static str); 4] = [
        (Monitor::Enter, "enter"),
        (Monitor::Exit, "exit"),
        (Monitor::Contended, "contended"),
        (Monitor::Wait, "wait"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        name_in(&Monitor::ALL, self)
    }
}

impl Io {
    /// All, with what they are called.
    pub const ALL: [(Io, &'static str); 6] = [
        (Io::Open, "open"),
        (Io::Read, "read"),
        (Io::Write, "write"),
        (Io::Close, "close"),
        (Io::Connect, "connect"),
        (Io::Accept, "accept"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        name_in(&Io::ALL, self)
    }
}

fn name_in<T: PartialEq>(all: &[(T, &'static str)], one: T) -> &'static str {
    all.iter()
        .find(|(x, _)| *x == one)
        .map_or("", |(_, name)| name)
}

impl Point {
    /// The word it begins with.
    pub fn word(&self) -> &'static str {
        match self {
            Point::Begin => "BEGIN",
            Point::End => "END",
            Point::Entry(_) => "entry",
            Point::Return(_) => "return",
            Point::Throw(_) => "throw",
            Point::Around(_) => "around",
            Point::Call { .. } => "call",
            Point::Block(_) => "block",
            Point::Line { .. } => "line",
            Point::Bytecode { .. } => "bytecode",
            Point::Alloc(_) => "alloc",
            Point::Read(_) => "read",
            Point::Write(_) => "write",
            Point::Monitor(..) => "monitor",
            Point::Thread(_) => "thread",
            Point::Class(_) => "class",
            Point::Gc(_) => "gc",
            Point::Exception(_) => "exception",
            Point::Io(_) => "io",
            Point::Every(_) => "every",
        }
    }

    /// Is a method left there?
    pub fn is_exit(&self) -> bool {
        matches!(self, Point::Return(_) | Point::Throw(_) | Point::Around(_))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.word();
        match self {
            Point::Begin | Point::End => f.write_str(word),
            Point::Entry(m)
            | Point::Return(m)
            | Point::Throw(m)
            | Point::Around(m)
            | Point::Block(m)
            | Point::Read(m)
            | Point::Write(m) => write!(f, "{word}:{m}"),
            Point::Call {
                callee,
                within: None,
            } => write!(f, "{word}:{callee}"),
            Point::Call {
                callee,
                within: Some(within),
            } => write!(f, "{word}:{callee} in {within}"),
            Point::Line {
                within,
                lines: range,
            }
            | Point::Bytecode {
                within,
                indices: range,
            } => match *range {
                (0, u16::MAX) => write!(f, "{word}:{within}"),
                (a, b) if a == b => write!(f, "{word}:{within}:{a}"),
                (a, b) => write!(f, "{word}:{within}:{a}-{b}"),
            },
            Point::Alloc(c) | Point::Class(c) | Point::Exception(c) => write!(f, "{word}:{c}"),
            Point::Monitor(what, c) => write!(f, "{word}:{}:{c}", what.name()),
            Point::Thread(start) | Point::Gc(start) => {
                write!(f, "{word}:{}", if *start { "start" } else { "end" })
            }
            Point::Io(None) => f.write_str(word),
            Point::Io(Some(io)) => write!(f, "{word}:{}", io.name()),
            Point::Every(n) => write!(f, "{word} {n} bytecodes"),
        }
    }
}

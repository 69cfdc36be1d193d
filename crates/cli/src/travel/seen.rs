//! Parts of a stopped program as data: what a front end requests of a process of the program, and what it gets.

use serde::{Deserialize, Serialize};

/// A part of a stopped program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Look {
    /// The threads that are alive.
    Threads,
    /// Some frames of a thread, the top one first.
    Frames {
        thread: u32,
        start: usize,
        count: usize,
    },
    /// Some of the values that something holds.
    Values {
        of: ValueHolder,
        start: usize,
        count: usize,
    },
    /// The value of an expression, in a frame or, without one, among static fields.
    Value {
        frame: Option<FrameAt>,
        text: String,
    },
    /// The lines that have code in loaded classes of a source file.
    Lines(String),
    /// The bytecodes of a method.
    Code { method: u32 },
    /// Names that complete a word after the text before it: `a.b.` or nothing.
    Words {
        frame: Option<FrameAt>,
        of: String,
        word: String,
    },
    /// The source files of loaded classes that the class library does not have.
    Files,
    /// The calls of methods that are left on the line of a frame.
    Calls(FrameAt),
    /// The exception that the thread that runs next is about to throw, or has just made.
    Thrown,
}

/// A request to evaluate something.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Evaluation {
    /// The value of an expression in a frame.
    Value {
        frame: Option<FrameAt>,
        text: String,
    },
    /// Some elements of a collection or a map, an object by its number.
    Elements {
        object: u32,
        start: usize,
        count: usize,
    },
}

/// A value that is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Assignment {
    pub frame: Option<FrameAt>,
    /// The local, field or element.
    pub target: String,
    /// The expression.
    pub value: String,
}

/// A frame of a thread: how many are above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameAt {
    pub thread: u32,
    pub frame: usize,
}

/// What holds values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValueHolder {
    /// The locals of a frame that have a value.
    Locals(FrameAt),
    /// The operands of a frame, the lowest first.
    Operands(FrameAt),
    /// The static fields of the class of a frame.
    Statics(FrameAt),
    /// The fields or elements of an object, by the number that it has until the program continues.
    Object(u32),
}

/// The parts that were requested.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Seen {
    Threads(Vec<SeenThread>),
    /// The frames, and how many the thread has.
    Frames(Vec<SeenFrame>, usize),
    /// The values, and how many there are.
    Values(Vec<SeenValue>, usize),
    Value(SeenValue),
    Lines(Vec<u16>),
    /// Names that complete a word.
    Words(Vec<SeenWord>),
    /// Source files of loaded classes, `package/File.java`.
    Files(Vec<String>),
    /// Calls of a line.
    Calls(Vec<SeenCall>),
    Code(Vec<SeenCode>),
    Thrown(Option<SeenThrown>),
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenThread {
    pub id: u32,
    pub name: String,
    /// Whether it runs next.
    pub current: bool,
}

/// A frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeenFrame {
    pub method: u32,
    /// `package.Class.method`
    pub name: String,
    /// `package/File.java`
    pub file: Option<String>,
    pub line: Option<u16>,
    /// Index of the bytecode; none in a native method.
    pub bci: Option<u16>,
    /// `next 14: iload_2`; empty in a native method.
    pub bytecode: String,
    /// Whether the method is one of the class library.
    pub library: bool,
}

/// A value with its name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeenValue {
    pub name: String,
    pub text: String,
    /// Its type, as in Java's source.
    pub kind: String,
    /// The number of the object if that has parts; or else 0.
    pub object: u32,
    /// How many fields the object shows.
    pub named: usize,
    /// How many elements the object has.
    pub indexed: usize,
    /// `Class.field`, if it is one.
    pub field: Option<String>,
    /// Whether it is a collection or a map, which has elements.
    #[serde(default)]
    pub collection: bool,
}

/// A bytecode.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeenCode {
    pub bci: u16,
    pub text: String,
    pub line: Option<u16>,
    pub bytes: Vec<u8>,
}

/// A name that completes a word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SeenWord {
    pub name: String,
    /// `variable`, `field` or `method`, as the protocol has it.
    pub kind: String,
}

/// A call on a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeenCall {
    /// Index of the bytecode that calls.
    pub bci: u16,
    /// `Class.method`
    pub name: String,
}

/// An exception.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeenThrown {
    pub class: String,
    pub message: Option<String>,
}

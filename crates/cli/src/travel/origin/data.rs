//! What a session and the processes of the program send each other about the origin of a value.

use super::calls::CallList;
use crate::travel::wire::MethodKey;
use serde::{Deserialize, Serialize};

/// A call of a method that is under way, or was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameKey {
    pub thread: u32,
    pub height: usize,
    pub method: MethodKey,
}

/// Something that holds a value. Objects are known by their address at the position of the question: the program comes to the same
/// addresses each time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OriginVariable {
    /// A local of a call; `stores` are the indices of the bytecodes that write its slot.
    Local {
        frame: FrameKey,
        slot: u16,
        stores: Vec<u16>,
        parameter: bool,
    },
    Static {
        class: String,
        name: String,
    },
    /// A field of an object, and the class that declares it.
    Field {
        object: u64,
        class: String,
        name: String,
    },
    Element {
        array: u64,
        class: String,
        index: usize,
    },
    /// An operand: so many slots are above it.
    Operand {
        frame: FrameKey,
        depth: usize,
    },
    /// What a call from this frame returned, which was made at one position and has ended at the other.
    Result {
        frame: FrameKey,
        begun: i64,
        ended: i64,
        name: String,
    },
    /// The exception that a thread threw last.
    Exception {
        thread: u32,
    },
}

/// A question for the last write of a variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    pub variable: OriginVariable,
    /// The write is one of the bytecodes before this position.
    pub before: i64,
    /// As in a source.
    pub name: String,
    pub value: String,
}

/// The target of a search while the program runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Watch {
    /// The last write of a local, or the beginning of its call.
    Local { frame: FrameKey, stores: Vec<u16> },
    /// The last write of a field, static field or element.
    Memory(OriginVariable),
    /// Where an object of this class was made that is at the address when the search ends.
    Birth { object: u64, class: String },
    /// The last end of a call in a thread, of methods of this name.
    Return { thread: u32, name: Option<String> },
    /// The last exception that a thread throws.
    Thrown { thread: u32 },
    /// The calls from a position on, those of the class library too if wanted.
    Calls { from: i64, library: bool },
    /// The bytecodes that a call executes, for the source of an operand.
    Path { frame: FrameKey, start: FlowStart },
}

/// The operand to follow.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum FlowStart {
    /// One before the bytecode at this index, with so many slots above it.
    Operand { index: u16, depth: usize },
    /// The one in this slot of the last call's arguments.
    Argument(usize),
    /// None: only where the last bytecode is.
    Last,
}

/// What a search has found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Trail {
    pub last: Option<WriteHit>,
    /// The address of the object where the search began; none if it was not there.
    pub start: Option<u64>,
    pub flow: Option<Flow>,
    pub calls: Option<CallList>,
    /// Of a static field: the initializer of its class ran when the search began.
    pub under_way: bool,
    /// The write that began the initializer that runs when the search ends. It is yet to be made.
    pub open: Option<WriteHit>,
    /// The initializer has ended meanwhile, and the write that began it, before the search, is later than the last one that is known.
    pub awaits: bool,
    /// Why nothing can be said.
    pub problem: Option<String>,
}

/// A write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteHit {
    /// Bytecodes of all threads before it.
    pub position: i64,
    pub how: How,
}

/// How a value is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum How {
    /// By a bytecode.
    Bytecode,
    /// The method has been entered.
    Entry,
    /// By the VM or a native method, for this bytecode of a call that is under way at the position.
    Within { method: MethodKey, index: u16 },
    /// A method returned it.
    Return { native: Option<String> },
}

/// Where an operand comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Flow {
    /// It was moved from there. `call`: the call that had it as its argument.
    Moved {
        source: ValueSource,
        call: Option<i64>,
    },
    /// A bytecode made it of others.
    Computed {
        text: String,
        sources: Vec<ValueSource>,
        call: Option<i64>,
    },
    /// The path begins too late.
    Unfinished,
}

/// A bytecode that pushed an operand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueSource {
    pub position: i64,
    pub index: u16,
    pub kind: SourceKind,
    /// Of a field or element, the name of the object; of others their own.
    pub name: String,
}

/// What pushed an operand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SourceKind {
    Constant,
    Local(u16),
    /// A static field, which was read at that position at the latest: its class may have been initialized on the way.
    Static {
        ended: i64,
    },
    Field,
    Element,
    /// A call, which has ended at that position.
    Call {
        ended: i64,
        method: String,
    },
    New,
    /// An exception, which was caught at that position.
    Caught {
        ended: i64,
    },
    Unknown,
}

/// A look at a stopped program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum OriginLook {
    /// What an expression names.
    Resolve(String),
    /// The next bytecode, which is to write the variable.
    Site(OriginVariable),
    /// The value that a source pushes next; or has pushed, where only that is known.
    Leaf(ValueSource),
    /// The top operand, as text.
    Top,
}

/// An answer to that.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum OriginSeen {
    Question(Question),
    Site(Box<WriteSite>),
    /// What a source pushes: it can be asked on if that is a variable.
    Leaf {
        question: Option<Question>,
    },
    Text(String),
}

/// The bytecode that writes, and where it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WriteSite {
    pub position: i64,
    pub thread: u32,
    pub thread_name: String,
    pub frame: FrameKey,
    pub file: Option<String>,
    pub line: Option<u16>,
    pub index: Option<u16>,
    pub instruction: String,
    /// `Class.method(File.java:12)`
    pub place: String,
    pub source: Option<String>,
    pub library: bool,
    /// The frames, the top one first.
    pub stack: Vec<String>,
    /// The same as keys, each with the index of its bytecode.
    pub frames: Vec<(FrameKey, Option<u16>)>,
    /// The frame below, and whether it is about to get a result from this one by a bytecode that calls.
    pub caller: Option<(FrameKey, bool)>,
    pub stores: Stored,
}

/// What a bytecode stores.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Stored {
    /// The top operand.
    Top,
    /// A local and a constant.
    Increment {
        local: Option<Question>,
        delta: i16,
    },
    /// A native copies another variable.
    Copied(Question),
    /// The default value of what it makes.
    Default(String),
    /// A native method.
    Native(String),
    Other,
}

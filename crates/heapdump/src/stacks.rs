//! Stack traces and threads of a dump.

/// A frame of a stack.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Frame {
    /// Class, as in Java sources.
    pub class: String,
    /// Method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Source file; may be empty.
    pub source: String,
    /// Line; 0 or less if it is not known, -3 for a native method.
    pub line: i32,
}

impl std::fmt::Display for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}(", self.class, self.method)?;
        match (self.source.as_str(), self.line) {
            (_, -3) => write!(f, "Native Method)"),
            ("", _) => write!(f, "Unknown Source)"),
            (source, 1..) => write!(f, "{source}:{})", self.line),
            (source, _) => write!(f, "{source})"),
        }
    }
}

/// A stack trace.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// Serial number of its thread, or 0.
    pub thread: u32,
    /// Its frames, by the dump's identifiers, the innermost first.
    pub frames: Vec<u64>,
}

/// A thread of the dump.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its serial number.
    pub serial: u32,
    /// Its object, by number.
    pub object: u32,
    /// Serial number of its stack.
    pub trace: u32,
    /// Its name.
    pub name: String,
}

/// A slot of a frame that holds an object.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub thread: u32,
    pub frame: u32,
    pub slot: u32,
    /// The object's address.
    pub object: u64,
    /// The local variable's name, by the dump's identifier, or 0.
    pub name: u64,
}

//! Facts about a run: plain data, which the code that runs a program fills in.

/// A run.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Name of the program.
    pub program: String,
    /// All methods that have contexts.
    pub methods: Vec<Method>,
    /// All calling contexts. A context comes after the one it was called in.
    pub contexts: Vec<Context>,
    /// Names of the threads.
    pub threads: Vec<String>,
    /// The run in the order of time.
    pub windows: Vec<Window>,
    /// What threads lost to each other.
    pub waits: Vec<Wait>,
    /// Copies of large pieces.
    pub copied: Vec<Copied>,
    /// Classes that were loaded from the application's class path, or made while it ran.
    pub classes: Vec<Loaded>,
    /// Contexts that were folded for lack of memory: the paths have gaps then.
    pub folded: u64,
    /// Whether times of waits are those of a clock that is the same in each run.
    pub virtual_clock: bool,
}

/// A method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Method {
    /// Class, with dots.
    pub class: String,
    /// Name.
    pub name: String,
    /// Descriptor (JVMS 4.3.3).
    pub descriptor: String,
    /// It has no bytecode.
    pub native: bool,
    /// What it asks of the operating system, if it does: read, write, open, seek, sync, stat, connect or directory.
    pub outside: Option<&'static str>,
    /// It belongs to the program rather than to the class library.
    pub app: bool,
    /// Source file without folders; empty if it is not known.
    pub file: String,
    /// Rows of the table of lines: bytecode index and line, by ascending index.
    pub lines: Vec<(u32, u32)>,
    /// What its bytecodes are, and how often each was executed in all contexts together, by ascending index; only of
    /// methods that matter.
    pub code: Vec<Insn>,
}

/// A bytecode of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insn {
    /// Its index.
    pub bci: u32,
    /// How often it was executed.
    pub executed: u64,
    /// What matters of it.
    pub kind: Kind,
}

/// What matters of a bytecode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Other,
    /// It may continue at this index.
    Branch(u32),
    /// It makes an object or array of this class.
    New(String),
    /// It calls a method that is chosen by the receiver's class.
    Virtual,
    /// It throws.
    Throw,
}

/// A method called along one path of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Who called it.
    pub parent: Option<u32>,
    /// Which method.
    pub method: u32,
    /// Index of the bytecode that called it.
    pub site: Option<u32>,
    /// Index of the thread.
    pub thread: u32,
}

/// A part of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Bytecodes of all threads at its end.
    pub end: u64,
    /// What contexts did in it, each once, those left out that did nothing.
    pub deltas: Vec<Delta>,
    /// Collections of garbage in it.
    pub collections: u64,
    /// Bytes that were in use before these, in sum.
    pub before: u64,
    /// The same after them.
    pub after: u64,
    /// Bytecodes of others that threads lost to locks in it, in sum.
    pub lost: u64,
}

/// What a context did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// Which one.
    pub context: u32,
    /// Bytecodes executed in it and below it.
    pub inclusive: u64,
    /// How often it was entered.
    pub calls: u64,
    /// Objects allocated in it alone.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Why a thread did not continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// Another thread had entered the monitor.
    Monitor,
    /// It was parked for a lock of `java.util.concurrent`.
    Lock,
    /// It was parked for nothing in particular.
    Park,
    /// It waited to be notified.
    Wait,
    /// It slept.
    Sleep,
}

/// What threads lost at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Why.
    pub why: Waited,
    /// Class of the lock, or `-`.
    pub lock: String,
    /// Where they were, as a stack trace shows it.
    pub site: String,
    /// Which thread had the lock, and where; empty if no thread had it.
    pub holder: String,
    /// How often.
    pub times: u64,
    /// Bytecodes that others executed meanwhile, in sum.
    pub others: u64,
    /// The most at a time.
    pub most: u64,
    /// Nanoseconds in sum.
    pub nanos: u64,
    /// How often a time limit ended it, and no thread did.
    pub timed_out: u64,
}

/// What `System.arraycopy` moved in large pieces for one place of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Index of the program's method.
    pub method: u32,
    /// Index of the bytecode in it that leads to the copies.
    pub bci: u32,
    /// Index of the method that is called there.
    pub callee: u32,
    /// How often.
    pub times: u64,
    /// Bytes in sum.
    pub bytes: u64,
    /// The most at a time.
    pub most: u64,
}

/// A class that was loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Its name, with dots.
    pub name: String,
    /// Bytecodes of all threads when it was loaded.
    pub at: u64,
    /// Whether it belongs to the program.
    pub app: bool,
}

impl Method {
    /// The line of the bytecode at an index.
    pub fn line(&self, bci: u32) -> Option<u32> {
        let row = self.lines.partition_point(|&(start, _)| start <= bci);
        self.lines.get(row.checked_sub(1)?).map(|r| r.1)
    }
    /// The line it begins at.
    pub fn first_line(&self) -> Option<u32> {
        self.lines.iter().map(|r| r.1).min()
    }
    /// `Class.name` without the package.
    pub fn short(&self) -> String {
        format!("{}.{}", self.simple_class(), self.name)
    }
    /// The class without its package.
    pub fn simple_class(&self) -> &str {
        self.class.rsplit('.').next().unwrap_or(&self.class)
    }
    /// The package; empty if it has none.
    pub fn package(&self) -> &str {
        self.class.rsplit_once('.').map_or("", |p| p.0)
    }
    /// Whether it is that method, whatever its descriptor.
    pub fn is(&self, class: &str, name: &str) -> bool {
        self.name == name && self.class == class
    }
}

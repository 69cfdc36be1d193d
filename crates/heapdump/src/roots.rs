//! What keeps objects alive from outside the heap.

/// The kinds of roots, in the format's order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RootKind {
    /// A local variable or an operand of a frame.
    Frame,
    /// A thread.
    Thread,
    /// A monitor that is held or waited for.
    Monitor,
    /// A class of a loader that never goes.
    Class,
    /// A global reference of native code.
    JniGlobal,
    /// A local reference of native code.
    JniLocal,
    /// Something in a native frame.
    Native,
    /// Something a thread's block refers to.
    ThreadBlock,
    /// The VM itself.
    Unknown,
}

impl RootKind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            RootKind::Frame => "frame",
            RootKind::Thread => "thread",
            RootKind::Monitor => "monitor",
            RootKind::Class => "class",
            RootKind::JniGlobal => "JNI global",
            RootKind::JniLocal => "JNI local",
            RootKind::Native => "native frame",
            RootKind::ThreadBlock => "thread block",
            RootKind::Unknown => "VM",
        }
    }
}

/// A root: an object that is alive for a reason outside the heap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Root {
    /// The object, by its number.
    pub object: u32,
    /// Why it is alive.
    pub kind: RootKind,
    /// Serial number of the thread, for kinds that have one; else `u32::MAX`.
    pub thread: u32,
    /// Index of the frame in the thread's stack, for kinds that have one; else `u32::MAX`.
    pub frame: u32,
}

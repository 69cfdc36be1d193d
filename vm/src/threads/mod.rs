//! Green threads, their stacks, and what they wait for.

pub mod monitor;
pub mod sched;
pub mod stack;

use crate::ids::{Ref, ThreadId};
use crate::interp::Regs;
use crate::throw::{Cont, Throw};
use rjvm_profiler::cct::Node;
use stack::Stack;

/// Why a thread is not runnable.
#[derive(Clone, Debug, PartialEq)]
pub enum Wait {
    /// `LockSupport.park`, until unparked, interrupted or the deadline.
    Park,
    /// `Thread.sleep`.
    Sleep,
    /// `Object.wait` on this monitor index.
    Notify(u32),
    /// Entering this monitor index.
    Monitor(u32),
    /// Another thread initializes this class.
    ClassInit(crate::ids::ClassId),
    /// A file descriptor is to become readable (bit 0) or writable (bit 1).
    Fd(i32, u8),
    /// A child process is to end.
    Process(i32),
    /// The VM's own reason: reference handler waiting for pending references, signal dispatcher, …
    Event(&'static str),
}

/// Why a thread woke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// What it waited for has come (unpark, notify, monitor free, descriptor ready, event).
    Ready,
    /// The deadline has passed.
    Timeout,
    /// `Thread.interrupt`.
    Interrupt,
}

/// State of a green thread.
#[derive(Clone, Debug, PartialEq)]
pub enum ThreadState {
    /// Created, not started.
    New,
    /// In the run queue or running.
    Runnable,
    /// Waiting, perhaps with a deadline (nanoseconds of the VM's monotonic clock).
    Waiting {
        /// For what.
        on: Wait,
        /// Until when at most.
        deadline: Option<i64>,
    },
    /// Ended.
    Dead,
}

/// A green thread.
pub struct JavaThread {
    /// This thread.
    pub id: ThreadId,
    /// Its `java.lang.Thread` object.
    pub object: Ref,
    /// Value and control stack.
    pub stack: Stack,
    /// Registers while it does not run.
    pub regs: Regs,
    /// Continuations; each has a stub frame on the control stack, in the same order.
    pub conts: Vec<(Cont, crate::throw::Resume)>,
    /// State.
    pub state: ThreadState,
    /// Set when it wakes, taken by the native that waited.
    pub wake: Option<Wake>,
    /// `LockSupport` permit.
    pub permit: bool,
    /// Daemon threads do not keep the VM alive.
    pub daemon: bool,
    /// Started in the dynamic extent of `main` (profile scope).
    pub in_main: bool,
    /// Roots of its calling-context tree (null with profiling off).
    pub root: *mut Node,
    /// Thrown when it next runs.
    pub pending: Option<Box<Throw>>,
    /// Monitor reentry count saved over `Object.wait`.
    pub saved_recursions: u32,
    /// Scratch words of a native that blocks and runs again; zero when no native is under way.
    pub native_state: [u64; 2],
    /// Root objects pinned by the native that is under way, cleared when it returns.
    pub native_refs: Vec<Ref>,
}

//! What threads and continuations know of each other.

use crate::ids::{Ref, ThreadId};

/// What a thread has to do with continuations.
#[derive(Default)]
pub(crate) struct Mount {
    /// It is a continuation, or was one.
    pub continuation: bool,
    /// Of a continuation: who carries it.
    pub carrier: Option<ThreadId>,
    /// Of a carrier: the continuation that it carries.
    pub carries: Option<ThreadId>,
    /// Of a carrier: whom `Thread.currentThread` returns, if not the carrier.
    pub shown: Ref,
    /// Of a continuation: the `StackChunk` that represents its stack.
    pub chunk: Ref,
    /// Of a continuation: how often it is pinned.
    pub pins: u32,
    /// Of a continuation: when it last unmounted, as a number of all those.
    pub unmounted: u64,
    /// Of a continuation: it is among those that `VirtualThread-unblocker` is to see to.
    pub unblocked: bool,
    /// Of a packed stack: it has no reference to a young object.
    pub settled: bool,
    /// Of a continuation that is held weakly: the collection that is under way has reached it.
    pub reached: bool,
}

/// Why a virtual thread leaves its carrier without having asked to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnmountReason {
    /// It waits for a monitor, or for a class.
    Blocked,
    /// It is in `Object.wait`, for so many milliseconds (0: without end).
    Waits(i64),
}

//! What the method at the bottom of a thread's stack is.

/// What the method at the bottom of a thread's stack is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A call of the host's: its result goes to the host and the thread lives on.
    Host,
    /// What a continuation runs: `Continuation.enter`.
    Continuation,
    /// The thread's own entry.
    Run,
    /// `Thread.dispatchUncaughtException`.
    Dispatch,
    /// `Thread.exit`.
    Exit,
    /// A call of the signal dispatcher's.
    Signals(super::arrived::SystemStep),
    /// A call of the thread that reports collections.
    Notices(super::arrived::SystemStep),
    /// A call of the thread that runs requests of a host.
    PendingCalls(super::arrived::SystemStep),
    /// A call of `DestroyJavaVM` before the other threads have ended.
    Shutdown(super::arrived::SystemStep),
    /// Nothing: the thread waits for the monitor of its `Thread` object so that it can end.
    Finish,
}

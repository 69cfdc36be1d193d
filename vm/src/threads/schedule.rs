//! Which thread runs next, and for how long.

use crate::ids::ThreadId;

/// What a [`Schedule`] knows when it chooses.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The threads that can run, at least one, in the order in which they became runnable; one whose slice has ended comes
    /// last.
    pub runnable: &'a [ThreadId],
    /// The thread that ran last.
    pub last: ThreadId,
    /// Bytecodes all threads have executed so far.
    pub executed: i64,
}

/// The free choices of the scheduler. The schedule is a function of the program, its input, the clock and these answers;
/// an implementation that answers by its own state alone makes it repeatable.
pub trait Schedule: Send {
    /// The place in [`Turn::runnable`] of the thread that runs next.
    fn choose(&mut self, turn: Turn<'_>) -> usize;
    /// Bytecodes `thread` may execute before the choice is made again, at least 1. Asked when it begins to run, and again
    /// when it has executed them while no other thread could run. The VM's threads that see to references get a multiple.
    fn slice(&mut self, thread: ThreadId) -> i64;
}

/// First come, first served, with the same number of bytecodes for each: the default.
#[derive(Clone, Copy, Debug)]
pub struct RoundRobin {
    /// Bytecodes of a slice.
    pub quantum: i64,
}

impl Schedule for RoundRobin {
    fn choose(&mut self, _: Turn<'_>) -> usize {
        0
    }
    fn slice(&mut self, _: ThreadId) -> i64 {
        self.quantum
    }
}

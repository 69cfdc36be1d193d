//! Which thread runs next, and for how long.

use crate::ids::ThreadId;
use crate::vm::Vm;

/// Slices that the reference handler and the finalizer have in a turn: in other JVMs they run beside the
/// program, which counts on objects being finalized as fast as they are made.
const REFERENCES_SHARE: i64 = 8;

/// What a [`Schedule`] knows when it chooses.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The threads that can run, at least one, in the order in which they became runnable; one whose slice is over comes
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

impl Vm {
    /// Takes the thread that runs next out of the run queue.
    pub(super) fn choose_thread(&mut self) -> Option<ThreadId> {
        let executed = self.bytecodes;
        let runnable = self.sched.run.make_contiguous();
        if runnable.is_empty() {
            return None;
        }
        let chosen = self.schedule.choose(Turn {
            runnable,
            last: self.cur,
            executed,
        });
        let n = runnable.len();
        let taken = self.sched.run.remove(chosen);
        assert!(
            taken.is_some(),
            "the schedule chose thread {chosen} of {n} that can run"
        );
        taken
    }
    /// Bytecodes of the slice of `thread` that begins.
    pub(crate) fn slice_of(&mut self, thread: ThreadId) -> i64 {
        let slice = self.schedule.slice(thread).max(1);
        match self.threads[thread.0 as usize].serves_references {
            true => slice.saturating_mul(REFERENCES_SHARE),
            false => slice,
        }
    }
    /// Gives the VM another schedule.
    pub fn set_schedule(&mut self, schedule: Box<dyn Schedule>) {
        self.schedule = schedule;
    }
}

//! Strategies: which thread runs next at a scheduling point.

pub mod guided;
pub mod inertia;
pub mod method;
pub mod mixed;
pub mod pct;
pub mod pos;
pub mod preempt;
pub mod quanta;
pub mod spinning;
pub mod walk;

use crate::{Candidate, Op, Random, ThreadNo};
use spinning::Spinning;

/// A schedule that begins.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start {
    /// The seed of the exploration.
    pub seed: u64,
    /// The number of the schedule within it.
    pub number: u64,
    /// How many choices between two threads or more a schedule of the program has, by experience; 0 if that is not known.
    pub length: u64,
}

/// A scheduling point.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The threads that can run, at least one, in the order of their numbers.
    pub candidates: &'a [Candidate],
    /// Which of them is the one that ran last, if it can continue.
    pub current: Option<usize>,
    /// How many scheduling points there were before.
    pub step: u64,
}

impl Choice<'_> {
    /// The candidate of a thread.
    pub fn index_of(&self, thread: ThreadNo) -> Option<usize> {
        self.candidates.iter().position(|c| c.thread == thread)
    }
}

/// Chooses at each scheduling point. The code that runs the program calls [`begin`](Strategy::begin) once, then at each point
/// [`choose`](Strategy::choose) (also where there is one candidate only, or not; strategies do not care) and, when the
/// chosen thread has performed its operation, [`executed`](Strategy::executed).
pub trait Strategy: Send {
    /// A schedule begins.
    fn begin(&mut self, start: &Start);

    /// The index of the candidate that runs next.
    fn choose(&mut self, choice: &Choice<'_>) -> usize;

    /// Which of `n` stores, the newest first, a read sees under the memory model.
    fn choose_value(&mut self, n: usize) -> usize;

    /// `thread` has performed `op`. It is the pending operation, unless the operation turned out otherwise: an update that did
    /// not write is a read. `changed`: of a write, another value is there than before.
    fn executed(&mut self, thread: ThreadNo, op: Op, changed: bool) {
        let _ = (thread, op, changed);
    }

    /// A thread has been started. Threads of one kind have the same to do, by what they were made with; the kind of the first
    /// thread is 0.
    fn started(&mut self, thread: ThreadNo, kind: u32) {
        let _ = (thread, kind);
    }

    /// Whether the rest of this schedule would only repeat a different schedule, so that it may be left off.
    fn redundant(&self) -> bool {
        false
    }
}

/// Values of the memory model by chance. How often something else than the newest store is seen differs from schedule to schedule:
/// some failures need one old value among many new ones, others many old ones. In one of eight it is always the oldest, as if a
/// compiler had moved loads out of loops: a thread that waits for a plain variable to change then waits forever.
#[derive(Clone, Copy, Debug, Default)]
struct Values {
    /// Of eight reads that have a choice, how many look for an older store.
    old: u64,
}

impl Values {
    fn begin(random: &mut Random) -> Values {
        Values {
            old: [1, 2, 3, 4, 4, 6, 7, 8][random.index(8)],
        }
    }

    fn choose(self, random: &mut Random, n: usize) -> usize {
        match self.old {
            _ if n < 2 => 0,
            8 => n - 1,
            old if random.below(8) >= old => 0,
            _ => 1 + random.index(n - 1),
        }
    }
}

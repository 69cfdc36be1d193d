//! Vector clocks: how much of each thread's past is known.

use crate::ThreadNo;
use smallvec::SmallVec;

/// For each thread, up to which time its past is known; 0 is nothing. A thread's own time advances when it publishes its
/// operations, so that later operations are not taken for published.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock(SmallVec<[u32; 8]>);

impl Clock {
    pub fn get(&self, thread: ThreadNo) -> u32 {
        self.0.get(thread.index()).copied().unwrap_or(0)
    }

    /// The thread's time advances.
    pub fn tick(&mut self, thread: ThreadNo) {
        if self.0.len() <= thread.index() {
            self.0.resize(thread.index() + 1, 0);
        }
        self.0[thread.index()] += 1;
    }

    /// What either of them knows. Whether that is more than before.
    pub fn join(&mut self, other: &Clock) -> bool {
        let mut more = false;
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, &theirs) in self.0.iter_mut().zip(&other.0) {
            if *mine < theirs {
                *mine = theirs;
                more = true;
            }
        }
        more
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// A moment of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Epoch {
    pub thread: ThreadNo,
    pub time: u32,
}

impl Epoch {
    /// Whether the clock's owner knows the operations up to then.
    pub fn is_known(self, clock: &Clock) -> bool {
        clock.get(self.thread) >= self.time
    }
}

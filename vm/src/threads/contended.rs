//! Notes how often threads are blocked and wait, and how long.

use super::contention::{Contention, WaitCounts};
use super::{ThreadState, Wait};
use crate::ids::ThreadId;
use crate::natives::Env;
use crate::vm::Vm;

impl Contention {
    fn of(&mut self, state: &ThreadState) -> Option<&mut WaitCounts> {
        match state {
            ThreadState::Waiting { on, .. } => match on {
                Wait::Monitor(_) => Some(&mut self.blocked),
                Wait::Notify(_) | Wait::Sleep | Wait::Park => Some(&mut self.waited),
                Wait::ClassInit(_)
                | Wait::Fd(..)
                | Wait::Process(_)
                | Wait::Carries(_)
                | Wait::Unmounted
                | Wait::Event(_) => None,
            },
            _ => None,
        }
    }
}

impl Vm {
    /// The state of a thread is about to become `new`.
    pub(super) fn note_contention(&mut self, t: ThreadId, new: &ThreadState) {
        let measured = self.measures_contention;
        let now = measured.then(|| self.clock_ns());
        let thread = &mut self.threads[t.0 as usize];
        // who has been on its way into the monitor, or is back from waiting, was counted then
        let again = matches!(thread.state, ThreadState::Runnable) && thread.acquiring;
        let (contention, old) = (&mut thread.contention, &thread.state);
        let since = contention.since.take();
        if let (Some(since), Some(now), Some(spell)) = (since, now, contention.of(old)) {
            spell.nanos += (now - since).max(0);
        }
        if let Some(spell) = contention.of(new) {
            spell.count += i64::from(!again);
            contention.since = now;
        }
    }
    /// What a thread has lost to others so far.
    pub fn contention_of(&self, t: ThreadId) -> Contention {
        self.threads[t.0 as usize].contention
    }
}

impl Env {
    /// Whether it is measured how long threads are blocked and waiting.
    pub fn measures_contention(&self) -> bool {
        self.0.measures_contention
    }
    /// Measures that from now on, or no longer.
    pub fn measure_contention(&mut self, on: bool) {
        self.0.measures_contention = on;
        let now = on.then(|| self.0.clock_ns());
        for thread in &mut self.0.threads {
            thread.contention.since = now;
        }
    }
    /// Forgets how long a thread was blocked and waiting.
    pub fn reset_contention_times(&mut self, t: ThreadId) {
        let contention = &mut self.0.threads[t.0 as usize].contention;
        contention.blocked.nanos = 0;
        contention.waited.nanos = 0;
    }
}

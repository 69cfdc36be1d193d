//! What threads lose to locks: reported by events, with the stacks of those that wait.

use rjvm_vm::ThreadId;
use rjvm_vm::events::{Event, EventSet, EventView, Observer};
use rjvm_why::search::Reading;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Default)]
struct LostWork {
    /// Bytecodes that others have executed while threads waited.
    lost: u64,
    /// The same by method that is timed: callees included, recursion once.
    timed: BTreeMap<u32, Reading>,
    /// Bytecodes of all threads, and of the thread itself, when it began to wait.
    waits: BTreeMap<ThreadId, (i64, i64)>,
}

/// The lost work that is reported.
#[derive(Clone, Default)]
pub struct LockWaits(Arc<Mutex<LostWork>>);

impl LockWaits {
    fn state(&self) -> MutexGuard<'_, LostWork> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// What all threads have lost.
    pub fn lost(&self) -> u64 {
        self.state().lost
    }
    /// A method is timed from now on.
    pub fn time(&self, m: u32) {
        self.state().timed.insert(m, Reading::default());
    }
    /// It is no longer.
    pub fn untime(&self, m: u32) {
        self.state().timed.remove(&m);
    }
    /// The work lost in methods that are timed.
    pub fn readings(&self) -> BTreeMap<u32, Reading> {
        self.state().timed.clone()
    }
}

impl Observer for LockWaits {
    fn events(&self) -> EventSet {
        EventSet::MONITOR_CONTENDED_ENTER
            | EventSet::MONITOR_CONTENDED_ENTERED
            | EventSet::PARK
            | EventSet::PARKED
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let Some(t) = seen.thread() else { return };
        let now = (seen.bytecodes(), seen.executed());
        let mut state = self.state();
        match event {
            // who is parked for nothing waits for work
            Event::Park { blocker, .. } if blocker.is_null() => {}
            Event::MonitorContendedEnter { .. } | Event::Park { .. } => {
                state.waits.insert(t, now);
            }
            _ => {
                let Some(then) = state.waits.remove(&t) else {
                    return;
                };
                let others = (now.0 - then.0) - (now.1 - then.1);
                let others = others.max(0) as u64;
                state.lost += others;
                let stack = seen.stack();
                for (&m, reading) in &mut state.timed {
                    if stack.iter().any(|f| f.method == m) {
                        reading.calls += 1;
                        reading.used += others;
                    }
                }
            }
        }
    }
}

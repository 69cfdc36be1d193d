//! Alarms: after how many bytecodes of a thread an observer has its next event.

use super::observer_id::ObserverId;

/// The most bytecodes up to an [`Event::Reached`](super::Event::Reached).
pub const MAX_INTERVAL: u64 = 1 << 50;

/// An observer that has been notified that a thread is profiled.
pub(super) struct Alarm {
    pub(super) id: ObserverId,
    /// Bytecodes of the thread after which it is notified again.
    pub(super) next: Option<i64>,
    /// Frames at the root that have not changed since it was last notified.
    pub(super) unchanged: usize,
}

/// What observers have requested in a thread.
#[derive(Default)]
pub(crate) struct Alarms {
    pub(super) list: Vec<Alarm>,
    first: Option<i64>,
}

impl Alarms {
    /// Bytecodes of the thread after which the first of them is due.
    #[inline]
    pub fn first(&self) -> Option<i64> {
        self.first
    }
    pub(super) fn set(&mut self, id: ObserverId, executed: i64, interval: u64) {
        let next = (interval > 0).then(|| executed + interval.min(MAX_INTERVAL) as i64);
        match self.list.iter_mut().find(|a| a.id == id) {
            Some(alarm) => alarm.next = next,
            None => self.list.push(Alarm {
                id,
                next,
                unchanged: usize::MAX,
            }),
        }
        self.first = self.list.iter().filter_map(|a| a.next).min();
    }
    pub(super) fn is_due(&self, id: ObserverId, n: i64) -> bool {
        self.list.iter().any(|a| a.id == id && a.next == Some(n))
    }
    pub(super) fn has(&self, id: ObserverId) -> bool {
        self.list.iter().any(|a| a.id == id)
    }
    pub(super) fn remove(&mut self, id: ObserverId) -> bool {
        let before = self.list.len();
        self.list.retain(|a| a.id != id);
        self.first = self.list.iter().filter_map(|a| a.next).min();
        self.list.len() < before
    }
}

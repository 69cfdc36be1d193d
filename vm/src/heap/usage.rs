//! Notes how much memory is in use before and after collections, for the management interface.

use super::history::{PastCollection, YOUNG};
use super::pools::{HEAP, InUse, POOLS};
use crate::natives::Env;
use crate::vm::Vm;

impl Vm {
    /// The present usage.
    pub(crate) fn memory_in_use(&self) -> InUse {
        let m = self.heap.metaspace();
        let [eden, survivors, old] = self.spaces_in_use().map(|s| s.used);
        [m.used(), m.class_space(), eden, survivors, old]
    }
    fn note_peak(&mut self) -> InUse {
        let now = self.memory_in_use();
        for (peak, now) in self.memory.history.peak.iter_mut().zip(now) {
            *peak = now.max(*peak);
        }
        now
    }
    /// The last collection, full or young, and nanoseconds that all of its kind have taken.
    pub fn past_collections(&self, full: bool) -> (Option<PastCollection>, i64) {
        self.memory.history.kinds[usize::from(full)]
    }
    pub(super) fn note_collection_start(&mut self) {
        let now = self.note_peak();
        self.memory.history.before = now;
        self.memory.history.sensors.measure_use(now);
    }
    /// A collection that began at `start` has ended, after `pause` nanoseconds.
    pub(super) fn note_collection(&mut self, full: bool, start: i64, pause: i64) {
        let start = start - self.started;
        let now = self.memory_in_use();
        let in_use = (self.memory.history.before, now);
        let pools = if full { HEAP } else { YOUNG };
        for i in pools.clone() {
            self.memory.history.left[i] = Some(now[i]);
        }
        self.memory.history.sensors.measure_left(now, pools);
        self.memory.history.sensors.measure_use(now);
        let (last, nanos) = &mut self.memory.history.kinds[usize::from(full)];
        *last = Some(PastCollection {
            number: last.map_or(0, |l| l.number) + 1,
            span: (start, start + pause),
            in_use,
        });
        *nanos += pause;
    }
}

impl Env {
    /// The most that was in use since the peak was last reset.
    pub fn memory_peak(&mut self) -> InUse {
        self.0.note_peak();
        self.0.memory.history.peak
    }
    /// What the last collection of each pool left in it, if there was one.
    pub fn memory_left(&self) -> [Option<usize>; POOLS] {
        self.0.memory.history.left
    }
    /// Makes the present use the peak of part `i` of [`InUse`].
    pub fn reset_memory_peak(&mut self, i: usize) {
        self.0.memory.history.peak[i] = self.0.memory_in_use()[i];
    }
}

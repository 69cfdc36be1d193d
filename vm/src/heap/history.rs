//! What the management interface remembers of memory: peaks, and the last collection of each kind.

use crate::natives::Env;
use crate::vm::Vm;

/// Bytes in use in the heap, in all metadata, and in classes' blocks among these.
pub type InUse = [usize; 3];

/// A collection that is over.
#[derive(Clone, Copy, Debug)]
pub struct PastCollection {
    /// Number among those of its kind, from 1.
    pub number: u64,
    /// Its start and end, nanoseconds since the VM was made.
    pub span: (i64, i64),
    /// What was in use before and after it.
    pub in_use: (InUse, InUse),
}

/// See the module.
#[derive(Default)]
pub(crate) struct History {
    peak: InUse,
    /// Young and full: the last one, and nanoseconds of all.
    kinds: [(Option<PastCollection>, i64); 2],
    /// What was in use before the collection under way.
    before: InUse,
}

impl Vm {
    /// What is in use now.
    pub(crate) fn memory_in_use(&self) -> InUse {
        let m = self.heap.metaspace();
        [self.heap_used(), m.used(), m.class_space()]
    }
    fn note_peak(&mut self) -> InUse {
        let now = self.memory_in_use();
        for (peak, now) in self.history.peak.iter_mut().zip(now) {
            *peak = now.max(*peak);
        }
        now
    }
    /// The last collection, full or young, and nanoseconds that all of its kind have taken.
    pub fn past_collections(&self, full: bool) -> (Option<PastCollection>, i64) {
        self.history.kinds[usize::from(full)]
    }
    pub(super) fn note_collection_start(&mut self) {
        self.history.before = self.note_peak();
    }
    /// A collection that began at `start` is over, after `pause` nanoseconds.
    pub(super) fn note_collection(&mut self, full: bool, start: i64, pause: i64) {
        let start = start - self.started;
        let in_use = (self.history.before, self.memory_in_use());
        let (last, nanos) = &mut self.history.kinds[usize::from(full)];
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
        self.0.history.peak
    }
    /// Makes what is in use now the peak of part `i` of [`InUse`].
    pub fn reset_memory_peak(&mut self, i: usize) {
        self.0.history.peak[i] = self.0.memory_in_use()[i];
    }
}

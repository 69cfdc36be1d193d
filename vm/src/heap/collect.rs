//! When to collect what: `Vm::collect`, allocation in the slow path, heap figures and `-verbose:gc`.

use super::gc_state::GcState;
use super::policy::{
    DISCARDED, DISCARDED_WORK, FOR_ERRORS, LEAST_EDEN, PATIENCE, SOFT_FACTOR, STRESS_FULL,
    STRESS_VERIFY, SpaceSizes,
};
use super::refs::Soft;
use crate::classes::metadata::CAUSES;
use crate::events::{Collection, Event, EventSet};
use crate::ids::Ref;
use crate::natives::Env;
use crate::throw::{R, Throw};
use crate::vm::Vm;

impl Vm {
    /// `bytes` zeroed bytes (a multiple of 8) of the heap, or [`Throw::Collect`]. Never collects.
    pub(crate) fn alloc_raw(&mut self, bytes: usize) -> R<Ref> {
        let base = self.heap.region.base();
        let gc = &self.heap.gc;
        if gc.policy.beyond == 0 && gc.unclean(gc.bump(base), bytes).is_some() {
            return Err(Box::new(Throw::Collect(bytes)));
        }
        if gc.watched && gc.policy.beyond == 0 && gc.fits(gc.bump(base), bytes) {
            self.fail(bytes)?;
        }
        if let Some(r) = self.heap.gc.alloc(base, bytes) {
            self.allocated.0 += 1;
            self.allocated.1 += bytes as u64;
            self.note_allocated(r, bytes);
            return Ok(r);
        }
        Err(Box::new(Throw::Collect(bytes)))
    }
    /// Collects the young generation or all, for a host between two runs: references it has not put into root
    /// cells are good no more. Does nothing while a thread is where the fuel's end stopped it, whose
    /// references are not known. Panics while a native is under way.
    pub fn collect_garbage(&mut self, full: bool) {
        assert!(
            !self.in_interpreter,
            "objects stay where they are while a native runs"
        );
        self.settle_heap();
        if self.limits.stopped.is_some() || self.heap.gc.collecting {
            return;
        }
        match full {
            true => {
                self.collect(0, true);
            }
            false => self.run_young("System.gc()"),
        }
    }
    /// Makes room for an allocation of `bytes`, between two instructions. 0 bytes: collects the whole
    /// heap (`System.gc`), unless `full` says it is for stress. `false`: there is no room even after
    /// clearing soft references, and an OutOfMemoryError is due (see [`Vm::beyond_the_limit`]).
    pub(crate) fn collect(&mut self, bytes: usize, full: bool) -> bool {
        if self.heap.gc.collecting {
            // a fault has stopped the collector, and the VM with it
            return false;
        }
        if self.limits.stopped.is_some() && !self.limits.stopped_safely {
            // a thread is where the bytecode limit stopped it, between safepoints: its references
            // are not known
            return bytes == 0;
        }
        self.free_obsolete();
        let base = self.heap.region.base();
        let stress = self.heap.gc.stress;
        let requested = bytes == 0 && !(full && stress);
        let gc = &self.heap.gc;
        if !requested && !stress && !full && gc.fits(gc.bump(base), bytes) {
            self.heap.gc.make_clean(base, bytes);
            let gc = &self.heap.gc;
            gc.publish(base, gc.bump(base));
            return true;
        }
        if bytes > gc.spaces.max || !(requested || stress || self.makes_progress(bytes)) {
            return false;
        }
        let tries = usize::from(self.heap.metaspace.tries);
        let cause = match (requested, stress) {
            (true, _) if tries > 0 => CAUSES[tries - 1],
            (true, _) => "System.gc()",
            (_, true) => "GC stress",
            _ => "Allocation Failure",
        };
        let full = requested
            || full && !stress
            || stress && self.heap.gc.collections.is_multiple_of(STRESS_FULL)
            || self.wants_full(bytes);
        if !full {
            self.run_young(cause);
            let gc = &self.heap.gc;
            let least = gc.spaces.eden_max / LEAST_EDEN;
            if gc.eden_end - gc.spaces.eden >= least && gc.fits(gc.spaces.eden, bytes) {
                return true;
            }
        }
        let soft = match requested && tries > 1 {
            true => Soft::Clear,
            false => self.soft_policy(),
        };
        self.run_full(cause, soft, bytes);
        if !self.heap.gc.fits(self.heap.gc.spaces.eden, bytes) {
            self.run_full(cause, Soft::Clear, bytes);
            if !self.heap.gc.fits(self.heap.gc.spaces.eden, bytes) {
                return false;
            }
        }
        let gc = &mut self.heap.gc;
        if !requested && !stress {
            if gc.room() < gc.spaces.max / 200 {
                gc.policy.futile += 1;
            } else {
                gc.policy.futile = 0;
            }
            if gc.policy.futile > PATIENCE {
                gc.policy.futile = 0;
                return false;
            }
        }
        true
    }
    /// A host calls this for each request to it: the memory that it allocated before was of use.
    pub fn begin_request(&mut self) {
        self.heap.gc.policy.last = Default::default();
    }
    /// A native that runs again and again because its allocations do not fit must not do so forever.
    fn makes_progress(&mut self, bytes: usize) -> bool {
        // SAFETY: the hot VM state lies at the base.
        let ticks = unsafe { (*self.hot()).regs.ticks };
        let now = (self.cur.0, ticks, bytes);
        let (last, times) = &mut self.heap.gc.policy.last;
        if *last != now {
            (*last, *times) = (now, 0);
            return true;
        }
        *times += 1;
        if *times > PATIENCE {
            *times = 0;
            return false;
        }
        true
    }
    fn wants_full(&self, bytes: usize) -> bool {
        let gc = &self.heap.gc;
        if bytes >= gc.spaces.large() {
            return true;
        }
        gc.old_used() > gc.threshold
    }
    /// Oldest use of a soft reference that keeps it: the more is free, the longer ago.
    fn soft_policy(&mut self) -> Soft {
        let gc = &self.heap.gc;
        let free = gc.spaces.max.saturating_sub(gc.old_used());
        let clock = gc.policy.allocated as i64;
        Soft::UsedSince(clock - (free * SOFT_FACTOR) as i64)
    }
    fn start(&mut self) -> (usize, i64) {
        self.forget_allocated();
        if self.wants(EventSet::COLLECTIONS) {
            self.emit(Event::CollectionStarted);
        }
        self.note_collection_start();
        let base = self.heap.region.base();
        let gc = &mut self.heap.gc;
        gc.policy.allocated += (gc.bump(base) - gc.spaces.eden) as u64;
        (gc.used(base), self.clock_ns())
    }
    fn take_gc(&mut self) -> GcState {
        let hollow = self.heap.gc.hollow();
        std::mem::replace(&mut self.heap.gc, hollow)
    }
    fn run_young(&mut self, cause: &'static str) {
        let (before, t) = self.start();
        let base = self.heap.region.base();
        let mut gc = self.take_gc();
        gc.collect_young(base, &mut super::roots::VmRoots { vm: self });
        gc.size_eden();
        gc.publish(base, gc.spaces.eden);
        self.heap.gc = gc;
        self.after(cause, "Young", before, t);
    }
    fn run_full(&mut self, cause: &'static str, soft: Soft, bytes: usize) {
        let (before, t) = self.start();
        let base = self.heap.region.base();
        let mut gc = self.take_gc();
        gc.collect_full(base, &mut super::roots::VmRoots { vm: self }, soft);
        gc.set_threshold(bytes);
        gc.size_eden();
        gc.publish(base, gc.spaces.eden);
        let keep = gc.old_top + gc.old_used() / 4 + gc.spaces.eden_max;
        if gc.old_high > keep && !gc.stress {
            let page = |off: usize| (off + 4095) & !4095;
            while gc.old_high > page(keep) {
                let from = gc.old_high.saturating_sub(DISCARDED).max(page(keep));
                self.heap.region.discard(from, page(gc.old_high));
                gc.old_high = from;
                gc.breath.work(DISCARDED_WORK);
            }
        }
        self.heap.gc = gc;
        self.tick_soft_clock();
        self.set_metadata_threshold();
        self.after(cause, "Full", before, t);
    }
    fn after(&mut self, cause: &'static str, kind: &str, before: usize, t: i64) {
        self.sweep_symbols();
        if self.heap.gc.stress && self.heap.gc.collections % STRESS_VERIFY <= 1 {
            self.verify_heap().unwrap_or_else(|e| {
                panic!(
                    "heap broken after collection {}: {e}",
                    self.heap.gc.collections
                )
            });
        }
        if !self.pending_references().is_null() {
            self.wake_reference_handler();
        }
        let pause = self.clock_ns() - t;
        self.note_collection(kind == "Full", t, pause);
        self.note_for_listeners(kind == "Full", cause);
        if self.wants(EventSet::COLLECTIONS) {
            let gc = &self.heap.gc;
            let (number, after, capacity) = (
                gc.collections - 1,
                gc.used(self.heap.region.base()),
                gc.capacity(),
            );
            self.emit(Event::CollectionEnded(Collection {
                number,
                kind,
                cause,
                before,
                after,
                capacity,
                pause,
            }));
        }
    }
    /// Whether each allocation takes the slow path, which reports it.
    pub(crate) fn watch_allocations(&mut self, on: bool) {
        let base = self.heap.region.base();
        let gc = &mut self.heap.gc;
        if gc.watched != on {
            gc.watched = on;
            gc.publish(base, gc.bump(base));
        }
    }
    /// Runs `f`, which makes an error: it may allocate beyond `-Xmx`, a little more if it is one of the
    /// few that are thrown when there is no room for others.
    pub(crate) fn beyond_the_limit<T>(&mut self, last: bool, f: impl FnOnce(&mut Vm) -> T) -> T {
        self.heap.gc.policy.beyond = match last {
            false => FOR_ERRORS,
            true => super::spaces::SLACK,
        };
        let made = f(self);
        self.heap.gc.policy.beyond = 0;
        made
    }
    /// Bytes of the heap in use, garbage included.
    pub fn heap_used(&self) -> usize {
        self.heap.gc.used(self.heap.region.base())
    }
    /// Eden, survivors and old space.
    pub fn spaces_in_use(&self) -> [SpaceSizes; 3] {
        let gc = &self.heap.gc;
        let old = gc.old_used();
        [
            SpaceSizes {
                used: gc.bump(self.heap.region.base()) - gc.spaces.eden,
                committed: gc.eden_end - gc.spaces.eden,
                max: gc.spaces.eden_max,
            },
            SpaceSizes {
                used: gc.survivor_used(),
                committed: gc.spaces.survivor_max,
                max: gc.spaces.survivor_max,
            },
            SpaceSizes {
                used: old,
                committed: gc.threshold.max(old),
                max: gc.spaces.max,
            },
        ]
    }
    /// Most bytes the heap may hold (`Runtime.maxMemory`).
    pub fn heap_max(&self) -> usize {
        self.heap.gc.spaces.max
    }
    /// Bytes allocated since the VM was made.
    pub fn heap_allocated(&self) -> u64 {
        let gc = &self.heap.gc;
        let young = gc.bump(self.heap.region.base()) - gc.spaces.eden;
        gc.policy.allocated + young as u64
    }
    /// Number of collections so far: all, and full ones.
    pub fn collections(&self) -> (u64, u64) {
        (self.heap.gc.collections, self.heap.gc.full_collections)
    }
}

impl Env {
    /// Bytes the heap holds before it is collected as a whole (`Runtime.totalMemory`).
    pub fn heap_total(&self) -> usize {
        self.0.heap.gc.capacity().max(self.0.heap_used())
    }
}

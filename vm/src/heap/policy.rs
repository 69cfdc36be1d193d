//! When to collect what: `Vm::collect`, allocation in the slow path, heap figures and `-verbose:gc`.

use super::gc::GcState;
use super::refs::Soft;
use crate::classes::metadata::CAUSES;
use crate::events::{Collection, Event, EventSet};
use crate::ids::Ref;
use crate::natives::Env;
use crate::throw::{R, Throw};
use crate::vm::Vm;

/// An eden smaller than this share of its largest size calls for a full collection.
const LEAST_EDEN: usize = 16;
/// Full collections in a row that leave next to nothing free before the program is told so.
const PATIENCE: u32 = 6;
/// Room beyond `-Xmx` for errors with a stack trace. Behind it is that for the few that are thrown when
/// there is none left, again and again.
const FOR_ERRORS: usize = super::spaces::SLACK - (64 << 10);
/// Allocated bytes per free byte after which an unused soft reference is cleared.
const SOFT_FACTOR: usize = 16;
/// Bytes that are zeroed at a time.
const CLEANED: usize = 256 << 10;
/// What that costs, as words of the heap.
const CLEANED_WORK: u32 = 2 << 10;
/// Bytes given back to the system at a time.
const DISCARDED: usize = 8 << 20;
/// What that costs, as words of the heap.
const DISCARDED_WORK: u32 = 4 << 10;
/// In stress mode one collection out of this many is a full one.
const STRESS_FULL: u64 = 64;
/// … and one out of this many is followed by a walk through the heap.
const STRESS_VERIFY: u64 = 16;

/// Bytes of a space of the heap.
#[derive(Clone, Copy, Debug)]
pub struct Space {
    /// In use, garbage included.
    pub used: usize,
    /// That may be used before the next collection.
    pub committed: usize,
    /// That may ever be used.
    pub max: usize,
}

/// What the decisions depend on.
#[derive(Default)]
pub(super) struct Policy {
    /// Bytes allocated up to the last collection.
    pub allocated: u64,
    /// Full collections in a row that left hardly anything free.
    futile: u32,
    /// What is allocated now is for an error: bytes of room beyond `-Xmx`.
    beyond: usize,
    /// Thread, ticks and bytes of the last collection asked for, and how often in a row it was the same.
    last: ((u32, i64, usize), u32),
}

impl GcState {
    /// Bytes that may still be used besides the old space and the survivors.
    pub(super) fn room(&self) -> usize {
        let used = self.old_used() + self.survivor_used();
        self.spaces.max.saturating_sub(used)
    }
    /// Sets the eden's end after a collection.
    fn size_eden(&mut self) {
        let bytes = self.spaces.eden_max.min(self.room()) & !7;
        self.eden_end = self.spaces.eden + bytes;
    }
    /// Whether an allocation of `bytes` would succeed now.
    fn fits(&self, bump: usize, bytes: usize) -> bool {
        if bytes >= self.spaces.large() || bytes > self.eden_end - self.spaces.eden {
            let young = bump - self.spaces.eden;
            young.saturating_add(bytes) <= self.room() && self.old_used() + bytes <= self.threshold
        } else {
            bump + bytes <= self.eden_end
        }
    }
    /// The part that is not zeroed yet of what an object of `bytes` would take, if there is so much of it that others
    /// should not have to wait for that.
    fn unclean(&self, bump: usize, bytes: usize) -> Option<(usize, usize)> {
        let from = self.old_top.max(self.clean);
        let end = self.old_high.min(self.old_top.saturating_add(bytes));
        let much = bytes >= self.spaces.large() && from + CLEANED < end;
        (much && !self.stress && self.fits(bump, bytes)).then_some((from, end))
    }
    /// Zeroes it, a little at a time.
    fn make_clean(&mut self, base: *mut u8, bytes: usize) {
        while let Some((from, end)) = self.unclean(self.bump(base), bytes) {
            let n = CLEANED.min(end - from);
            // SAFETY: inside the old space, behind its last object.
            unsafe { std::ptr::write_bytes(base.add(from), 0, n) };
            self.clean = from + n;
            self.breath.work(CLEANED_WORK);
        }
    }
    fn alloc(&mut self, base: *mut u8, bytes: usize) -> Option<Ref> {
        let bump = self.bump(base);
        if !self.fits(bump, bytes) {
            let most = self.spaces.max + self.policy.beyond;
            if self.policy.beyond == 0 || self.used(base) + bytes > most {
                return None;
            }
            return Some(self.take_old(base, bytes));
        }
        if bytes >= self.spaces.large() || bytes > self.eden_end - self.spaces.eden {
            let r = self.take_old(base, bytes);
            self.policy.allocated += bytes as u64;
            // the eden gives way
            let limit = self.spaces.eden + self.room();
            self.eden_end = self.eden_end.min(limit & !7).max(bump);
            self.publish(base, bump);
            return Some(r);
        }
        // SAFETY: bump..bump+bytes is free memory of the eden.
        unsafe { std::ptr::write_bytes(base.add(bump), 0, bytes) };
        self.publish(base, bump + bytes);
        Some(Ref((bump / 8) as u32))
    }
    /// Lets the old space grow in proportion to what is live in it.
    fn set_threshold(&mut self, bytes: usize) {
        let live = self.old_used();
        let t = live + live * 3 / 4 + 4 * self.spaces.eden_max + bytes;
        self.threshold = t.min(self.spaces.max);
    }
    fn used(&self, base: *mut u8) -> usize {
        self.old_used() + self.survivor_used() + self.bump(base) - self.spaces.eden
    }
    /// Bytes the heap would hold before it had to be collected as a whole.
    fn capacity(&self) -> usize {
        (self.threshold + self.spaces.eden_max + self.spaces.survivor_max).min(self.spaces.max)
    }
}

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
    /// cells are good no more. Does nothing while a thread stands where the fuel's end stopped it, whose
    /// references are not known. Panics while a native is under way.
    pub fn collect_garbage(&mut self, full: bool) {
        assert!(
            !self.in_interpreter,
            "objects stay where they are while a native runs"
        );
        self.settle_heap();
        if self.stopped.is_some() || self.heap.gc.collecting {
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
        if self.stopped.is_some() && !self.stopped_safely {
            // a thread stands where the bytecode limit stopped it, between safepoints: its references
            // are not known
            return bytes == 0;
        }
        self.free_obsolete();
        let base = self.heap.region.base();
        let stress = self.heap.gc.stress;
        let asked = bytes == 0 && !(full && stress);
        let gc = &self.heap.gc;
        if !asked && !stress && !full && gc.fits(gc.bump(base), bytes) {
            self.heap.gc.make_clean(base, bytes);
            let gc = &self.heap.gc;
            gc.publish(base, gc.bump(base));
            return true;
        }
        if bytes > gc.spaces.max || !(asked || stress || self.makes_progress(bytes)) {
            return false;
        }
        let tries = usize::from(self.heap.metaspace.tries);
        let cause = match (asked, stress) {
            (true, _) if tries > 0 => CAUSES[tries - 1],
            (true, _) => "System.gc()",
            (_, true) => "GC stress",
            _ => "Allocation Failure",
        };
        let full = asked
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
        let soft = match asked && tries > 1 {
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
        if !asked && !stress {
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
    /// To be called by a host for each request of its own: what it has allocated before was of use.
    pub fn begin_request(&mut self) {
        self.heap.gc.policy.last = Default::default();
    }
    /// A native that runs again and again because what it needs in all does not fit must not do so for ever.
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
    /// Whether each allocation takes the slow path, which tells of it.
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
    pub fn spaces_in_use(&self) -> [Space; 3] {
        let gc = &self.heap.gc;
        let old = gc.old_used();
        [
            Space {
                used: gc.bump(self.heap.region.base()) - gc.spaces.eden,
                committed: gc.eden_end - gc.spaces.eden,
                max: gc.spaces.eden_max,
            },
            Space {
                used: gc.survivor_used(),
                committed: gc.spaces.survivor_max,
                max: gc.spaces.survivor_max,
            },
            Space {
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

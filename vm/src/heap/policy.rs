//! How large the spaces are and how much room they have: what decides when to collect, which `collect` does.

use super::gc_state::GcState;
use crate::ids::Ref;

/// An eden smaller than this share of its largest size calls for a full collection.
pub(super) const LEAST_EDEN: usize = 16;
/// Full collections in a row that leave next to nothing free before the program gets an `OutOfMemoryError`.
pub(super) const PATIENCE: u32 = 6;
/// Room beyond `-Xmx` for errors with a stack trace. Behind it is that for the few that are thrown when
/// there is none left, again and again.
pub(super) const FOR_ERRORS: usize = super::spaces::SLACK - (64 << 10);
/// Allocated bytes per free byte after which an unused soft reference is cleared.
pub(super) const SOFT_FACTOR: usize = 16;
/// Bytes that are zeroed at a time.
const CLEANED: usize = 256 << 10;
/// What that costs, as words of the heap.
const CLEANED_WORK: u32 = 2 << 10;
/// Bytes given back to the system at a time.
pub(super) const DISCARDED: usize = 8 << 20;
/// What that costs, as words of the heap.
pub(super) const DISCARDED_WORK: u32 = 4 << 10;
/// In stress mode one collection out of this many is a full one.
pub(super) const STRESS_FULL: u64 = 64;
/// … and one out of this many is followed by a walk through the heap.
pub(super) const STRESS_VERIFY: u64 = 16;

/// Bytes of a space of the heap.
#[derive(Clone, Copy, Debug)]
pub struct SpaceSizes {
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
    pub(super) futile: u32,
    /// The present allocation is for an error: bytes of room beyond `-Xmx`.
    pub(super) beyond: usize,
    /// Thread, ticks and bytes of the last collection requested, and how often in a row it was the same.
    pub(super) last: ((u32, i64, usize), u32),
}

impl GcState {
    /// Bytes that may still be used besides the old space and the survivors.
    pub(super) fn room(&self) -> usize {
        let used = self.old_used() + self.survivor_used();
        self.spaces.max.saturating_sub(used)
    }
    /// Sets the eden's end after a collection.
    pub(super) fn size_eden(&mut self) {
        let bytes = self.spaces.eden_max.min(self.room()) & !7;
        self.eden_end = self.spaces.eden + bytes;
    }
    /// Whether an allocation of `bytes` would succeed now.
    pub(super) fn fits(&self, bump: usize, bytes: usize) -> bool {
        if bytes >= self.spaces.large() || bytes > self.eden_end - self.spaces.eden {
            let young = bump - self.spaces.eden;
            young.saturating_add(bytes) <= self.room() && self.old_used() + bytes <= self.threshold
        } else {
            bump + bytes <= self.eden_end
        }
    }
    /// The part that is not zeroed yet of what an object of `bytes` would take, if there is so much of it that others
    /// should not have to wait for that.
    pub(super) fn unclean(&self, bump: usize, bytes: usize) -> Option<(usize, usize)> {
        let from = self.old_top.max(self.clean);
        let end = self.old_high.min(self.old_top.saturating_add(bytes));
        let much = bytes >= self.spaces.large() && from + CLEANED < end;
        (much && !self.stress && self.fits(bump, bytes)).then_some((from, end))
    }
    /// Zeroes it, a little at a time.
    pub(super) fn make_clean(&mut self, base: *mut u8, bytes: usize) {
        while let Some((from, end)) = self.unclean(self.bump(base), bytes) {
            let n = CLEANED.min(end - from);
            // SAFETY: inside the old space, behind its last object.
            unsafe { std::ptr::write_bytes(base.add(from), 0, n) };
            self.clean = from + n;
            self.breath.work(CLEANED_WORK);
        }
    }
    pub(super) fn alloc(&mut self, base: *mut u8, bytes: usize) -> Option<Ref> {
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
    /// Lets the old space grow in proportion to its live objects.
    pub(super) fn set_threshold(&mut self, bytes: usize) {
        let live = self.old_used();
        let t = live + live * 3 / 4 + 4 * self.spaces.eden_max + bytes;
        self.threshold = t.min(self.spaces.max);
    }
    pub(super) fn used(&self, base: *mut u8) -> usize {
        self.old_used() + self.survivor_used() + self.bump(base) - self.spaces.eden
    }
    /// Bytes the heap would hold before it had to be collected as a whole.
    pub(super) fn capacity(&self) -> usize {
        (self.threshold + self.spaces.eden_max + self.spaces.survivor_max).min(self.spaces.max)
    }
}

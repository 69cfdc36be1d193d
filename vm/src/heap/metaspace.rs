//! The metaspace: memory for hot class blocks, mirrors and root cells, which never move.
//!
//! Blocks of classes that are unloaded are used again: free stretches are joined with their
//! neighbours, and a request takes the smallest stretch that is large enough (the lowest of them), so
//! that the same requests get the same places in every run.

use super::region::{HEAP_START, META_START};
use std::collections::{BTreeMap, BTreeSet};

/// At the end of the metaspace, for root cells and call caches: what defines no class must not fail.
const RESERVE: usize = 64 << 20;

/// Which bytes of the metaspace are taken.
pub struct Metaspace {
    /// End of the memory that has ever been taken.
    top: usize,
    /// Free stretches below `top`: bytes by offset.
    free: BTreeMap<usize, usize>,
    /// The same as (bytes, offset).
    by_size: BTreeSet<(usize, usize)>,
    used: usize,
    /// Bytes of class data elsewhere, as estimated.
    elsewhere: usize,
    /// Bytes of hot class blocks.
    blocks: usize,
    /// Bytes in use that ask for a collection.
    threshold: usize,
    /// Collections that the definition under way has requested without effect.
    pub(crate) tries: u8,
}

/// Most bytes that the metadata of a class may take in the metaspace besides its block: the mirror of
/// 65,535 static fields, and the maps of references.
const BESIDE_BLOCK: usize = 2 << 20;
/// Share of the metadata that is to be free after a collection, at least and at most, in percent.
const FREE: (usize, usize) = (40, 70);

impl Default for Metaspace {
    fn default() -> Metaspace {
        Metaspace {
            top: META_START,
            free: BTreeMap::new(),
            by_size: BTreeSet::new(),
            used: 0,
            elsewhere: 0,
            blocks: 0,
            threshold: 0,
            tries: 0,
        }
    }
}

impl Metaspace {
    /// Takes `bytes`, rounded up to 8; the offset from the region's base, and whether the memory was in
    /// use before (else it is zero). `None`: there is no room.
    pub(super) fn take(&mut self, bytes: usize) -> Option<(usize, bool)> {
        let bytes = (bytes + 7) & !7;
        if let Some(&(n, off)) = self.by_size.range((bytes, 0)..).next() {
            self.by_size.remove(&(n, off));
            self.free.remove(&off);
            if n > bytes {
                self.add_free(off + bytes, n - bytes);
            }
            self.used += bytes;
            return Some((off, true));
        }
        let off = self.top;
        if bytes > HEAP_START - off {
            return None;
        }
        self.top += bytes;
        self.used += bytes;
        Some((off, false))
    }
    /// Gives back what [`Metaspace::take`] gave for as many bytes.
    pub(crate) fn give_back(&mut self, off: usize, bytes: usize) {
        let bytes = (bytes + 7) & !7;
        if bytes == 0 {
            return;
        }
        self.used -= bytes;
        let (mut start, mut end) = (off, off + bytes);
        if let Some((&before, &n)) = self.free.range(..off).next_back()
            && before + n == off
        {
            self.by_size.remove(&(n, before));
            self.free.remove(&before);
            start = before;
        }
        if let Some(n) = self.free.remove(&end) {
            self.by_size.remove(&(n, end));
            end += n;
        }
        self.add_free(start, end - start);
    }
    fn add_free(&mut self, off: usize, bytes: usize) {
        self.free.insert(off, bytes);
        self.by_size.insert((bytes, off));
    }
    /// Whether the block of a class fits, and what belongs to it.
    pub(crate) fn fits(&self, bytes: usize) -> bool {
        let bytes = bytes + BESIDE_BLOCK;
        let largest = self.by_size.last().map_or(0, |&(n, _)| n);
        largest >= bytes || bytes.saturating_add(RESERVE) <= HEAP_START - self.top
    }
    /// A class has come (or gone) with a block of so many bytes, and so many elsewhere.
    pub(crate) fn account(&mut self, block: usize, elsewhere: usize, gone: bool) {
        if gone {
            self.blocks -= block;
            self.elsewhere -= elsewhere;
        } else {
            self.blocks += block;
            self.elsewhere += elsewhere;
        }
    }
    /// Sets the use that asks for the next collection; never less than `least`.
    pub(crate) fn set_threshold(&mut self, least: usize) {
        let used = self.used();
        let (low, high) = (
            used / (100 - FREE.0) * 100,
            (used / (100 - FREE.1) * 100).max(least),
        );
        self.threshold = self.threshold.clamp(low.min(high), high).max(least);
    }
    /// Whether `bytes` more ask for a collection.
    pub(crate) fn is_over_threshold(&self, bytes: usize) -> bool {
        self.used() + bytes > self.threshold
    }
    /// Bytes in use, class data elsewhere included.
    pub fn used(&self) -> usize {
        self.used + self.elsewhere
    }
    /// Bytes of the classes' blocks: what HotSpot has in its compressed class space.
    pub fn class_space(&self) -> usize {
        self.blocks
    }
    /// Bytes that are in use or were.
    pub fn committed(&self) -> usize {
        self.top - META_START + self.elsewhere
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_blocks_are_joined_and_used_again() {
        let mut m = Metaspace::default();
        let place = |m: &mut Metaspace, n| m.take(n).unwrap().0;
        let [a, b, c, d] = [24, 100, 8, 40].map(|n| place(&mut m, n));
        assert_eq!([b - a, c - b, d - c], [24, 104, 8]);
        assert_eq!(m.used(), 176);
        m.give_back(a, 24);
        m.give_back(c, 8);
        assert_eq!(m.take(8), Some((c, true)), "the smallest that is enough");
        m.give_back(c, 8);
        m.give_back(b, 100);
        assert_eq!(m.take(136), Some((a, true)), "joined on both sides");
        assert_eq!(m.take(16).unwrap().0, d + 40);
        m.give_back(a, 136);
        assert_eq!(place(&mut m, 30), a);
        assert_eq!(place(&mut m, 30), a + 32);
        assert_eq!(m.committed(), 192);
    }
    #[test]
    fn the_threshold_follows_the_use() {
        let mut m = Metaspace::default();
        m.set_threshold(1000);
        assert!(!m.is_over_threshold(1000) && m.is_over_threshold(1001));
        m.account(0, 60_000, false);
        m.set_threshold(1000);
        assert!(!m.is_over_threshold(40_000) && m.is_over_threshold(41_000));
        m.account(0, 59_000, true);
        m.set_threshold(1000);
        assert!(m.is_over_threshold(3_000));
    }
    #[test]
    fn there_is_an_end() {
        let mut m = Metaspace::default();
        assert!(m.fits(500 << 20));
        assert!(m.take(900 << 20).is_some());
        assert!(!m.fits(200 << 20) && m.take(200 << 20).is_none());
        assert!(m.take(8).is_some());
    }
}

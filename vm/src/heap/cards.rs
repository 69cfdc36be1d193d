//! Cards: the write barrier's record of old objects that may point at young ones, and the crossing
//! map that finds the object a card begins in.

use super::region::{CARD_SHIFT, CARD_SPAN};

/// Bytes of a card.
pub(super) const CARD: usize = 1 << CARD_SHIFT;
/// First crossing-map value that means "go back": `SKIP + k` says no object begins in this card and
/// the object that reaches into it begins at least `2^k` cards before.
const SKIP: u8 = 64;

/// For each card of the old space: where the last object that begins in it does (in words of 8
/// bytes), or how far to go back.
pub(super) struct Crossing {
    /// As far as there have been objects.
    map: Vec<u8>,
    /// Offset from the region's base of the first card.
    start: usize,
}

impl Crossing {
    /// For the space from `start` on, a card-aligned byte offset from the region's base.
    pub(super) fn new(start: usize) -> Crossing {
        let map = Vec::new();
        Crossing { map, start }
    }
    /// Notes an object of `bytes` at byte offset `at`. Objects come in ascending order.
    #[inline(always)]
    pub(super) fn record(&mut self, at: usize, bytes: usize) {
        let rel = at - self.start;
        let first = rel >> CARD_SHIFT;
        let last = (rel + bytes - 1) >> CARD_SHIFT;
        if last >= self.map.len() {
            self.grow(last);
        }
        self.map[first] = ((rel & (CARD - 1)) >> 3) as u8;
        if last > first {
            self.record_rest(first, last);
        }
    }
    #[cold]
    fn grow(&mut self, last: usize) {
        self.map.resize((last + 1).next_power_of_two(), 0);
    }
    fn record_rest(&mut self, first: usize, last: usize) {
        let n = last - first;
        let (mut d, mut k) = (1, 0);
        while d <= n {
            let to = (2 * d - 1).min(n);
            self.map[first + d..=first + to].fill(SKIP + k);
            d *= 2;
            k += 1;
        }
    }
    /// Byte offset of an object that begins at or before the start of the card of byte offset `at`
    /// and, of those, begins in the nearest card. The start of the space is the start of an object.
    #[inline]
    pub(super) fn object_before(&self, at: usize) -> usize {
        let mut c = (at - self.start) >> CARD_SHIFT;
        if c == 0 {
            return self.start;
        }
        // an object may begin exactly at the card's start, but then it may not be the last to begin in it
        c -= 1;
        loop {
            let e = self.map[c];
            if e < SKIP {
                return self.start + (c << CARD_SHIFT) + ((e as usize) << 3);
            }
            c -= 1 << (e - SKIP);
        }
    }
}

/// Calls `f` with the byte offset from the base of each dirty card of `[from, to)`, which it cleans before.
///
/// # Safety
/// `base` is the base of a region that contains the range.
pub(super) unsafe fn take_dirty(base: *mut u8, from: usize, to: usize, mut f: impl FnMut(usize)) {
    let table = base.sub(CARD_SPAN);
    let (mut c, end) = (from >> CARD_SHIFT, to.div_ceil(CARD));
    while c < end {
        // the table is read eight cards at a time where nothing was written
        if c.is_multiple_of(8) {
            while c + 8 <= end && table.add(c).cast::<u64>().read_unaligned() == 0 {
                c += 8;
            }
            if c >= end {
                break;
            }
        }
        let p = table.add(c);
        if *p != 0 {
            *p = 0;
            f(c << CARD_SHIFT);
        }
        c += 1;
    }
}

/// Cleans the cards of `[from, to)`.
///
/// # Safety
/// As [`take_dirty`].
pub(super) unsafe fn clean(base: *mut u8, from: usize, to: usize) {
    let (a, b) = (from >> CARD_SHIFT, to.div_ceil(CARD));
    std::ptr::write_bytes(base.sub(CARD_SPAN).add(a), 0, b - a);
}

/// Marks the card of an address.
///
/// # Safety
/// `p` lies in the region of `base`.
#[inline(always)]
pub(super) unsafe fn mark(base: *mut u8, p: *mut u32) {
    let off = p as usize - base as usize;
    *base.sub(CARD_SPAN).add(off >> CARD_SHIFT) = 1;
}

/// Whether the card of an address is dirty.
///
/// # Safety
/// As [`mark`].
pub(super) unsafe fn is_dirty(base: *mut u8, p: *mut u32) -> bool {
    let off = p as usize - base as usize;
    *base.sub(CARD_SPAN).add(off >> CARD_SHIFT) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crossing_map_finds_objects_of_every_size() {
        let start = 1 << 20;
        let mut c = Crossing::new(start);
        let (mut at, mut objects, mut x) = (start, Vec::new(), 7u64);
        // Miri interprets each access
        let span = if cfg!(miri) { 64 << 10 } else { 6 << 20 };
        while at < start + span {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1);
            let bytes = match x >> 60 {
                0 => 8 * (1 + (x >> 33) % 40_000) as usize,
                1..4 => 8 * (1 + (x >> 33) % 300) as usize,
                _ => 8 * (1 + (x >> 33) % 8) as usize,
            };
            c.record(at, bytes);
            objects.push((at, bytes));
            at += bytes;
        }
        for card in (start..at).step_by(CARD) {
            let got = c.object_before(card);
            let i = objects
                .binary_search_by_key(&got, |o| o.0)
                .expect("the start of an object");
            assert!(got <= card);
            // at most one card's worth of objects to walk before reaching the card
            let covering = objects.partition_point(|o| o.0 + o.1 <= card);
            assert!(covering - i <= 64, "{card:#x}: {i} for {covering}");
        }
    }
}

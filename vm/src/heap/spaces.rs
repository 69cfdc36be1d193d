//! Where the spaces of the heap lie, and how their sizes follow from `-Xmx`.
//!
//! ```text
//! HEAP_START   eden | survivor 0 | survivor 1 | old …
//! ```
//! Address space is cheap and committed by the kernel at first touch, so every space is reserved at
//! its largest. The part that may be *used* has a budget: the objects of all spaces together never exceed
//! `-Xmx` between collections, and the eden shrinks when the old generation needs the room. The old
//! space is longer than `-Xmx` by a nursery, so evacuation never fails half-way.

use super::region::HEAP_START;

const PAGE: usize = 4096;
/// The largest heap 32-bit references can address besides the metaspace and the young spaces.
const MOST: usize = 30 << 30;
/// Behind the old space, for what must never fail (making and handling an OutOfMemoryError).
pub(super) const SLACK: usize = 4 << 20;

/// Places and sizes (bytes; offsets are from the region's base, multiples of the page size).
#[derive(Clone, Copy, Debug)]
pub struct Spaces {
    /// `-Xmx`, as far as it can be addressed.
    pub max: usize,
    /// Start of the eden.
    pub eden: usize,
    /// Most bytes of the eden.
    pub eden_max: usize,
    /// Starts of the survivor spaces.
    pub survivors: [usize; 2],
    /// Bytes of a survivor space.
    pub survivor_max: usize,
    /// Start of the old space, end of the young ones.
    pub old: usize,
    /// End of the reserved memory.
    pub end: usize,
}

impl Spaces {
    /// For `-Xmx` of `max` bytes.
    pub fn new(max: usize) -> Spaces {
        let max = max.clamp(1 << 20, MOST) & !(PAGE - 1);
        // Larger nurseries copy less and miss the caches more.
        let eden_max = (max / 16).clamp(4 << 20, 32 << 20).min(max / 2) & !(PAGE - 1);
        let survivor_max = (eden_max / 4) & !(PAGE - 1);
        let eden = HEAP_START;
        let s0 = eden + eden_max;
        let s1 = s0 + survivor_max;
        let old = s1 + survivor_max;
        Spaces {
            max,
            eden,
            eden_max,
            survivors: [s0, s1],
            survivor_max,
            old,
            end: old + max + eden_max + survivor_max + SLACK,
        }
    }
    /// Bytes of address space behind `HEAP_START`.
    pub fn reservation(&self) -> usize {
        self.end - HEAP_START
    }
    /// Objects of this size go to the old space at once.
    pub fn large(&self) -> usize {
        self.eden_max / 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_do_not_overlap_and_references_reach_everything() {
        for max in [0, 1 << 20, 16 << 20, 100_000_001, 1 << 30, 8 << 30, 1 << 40] {
            let s = Spaces::new(max);
            assert!(s.eden + s.eden_max <= s.survivors[0]);
            assert!(s.survivors[0] + s.survivor_max <= s.survivors[1]);
            assert!(s.survivors[1] + s.survivor_max <= s.old);
            assert!(s.old + s.max + s.eden_max + s.survivor_max < s.end);
            assert!(s.end / 8 <= u32::MAX as usize, "{s:?}");
            for a in [s.eden, s.survivors[0], s.survivors[1], s.old] {
                assert_eq!(a % PAGE, 0);
            }
        }
    }
}

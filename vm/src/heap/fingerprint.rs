//! A number for all that is in the heap.

use super::Heap;
use crate::ids::ClassId;

/// Numbers folded into one.
#[derive(Clone, Copy)]
pub(crate) struct Mix(u64);

impl Mix {
    /// Nothing yet.
    pub(crate) fn new() -> Mix {
        Mix(0x9e37_79b9_7f4a_7c15)
    }
    /// One more.
    #[inline(always)]
    pub(crate) fn add(&mut self, n: u64) {
        self.0 = (self.0 ^ n)
            .wrapping_mul(0xff51_afd7_ed55_8ccd)
            .rotate_left(29);
    }
    /// The sum of all.
    pub(crate) fn get(self) -> u64 {
        let z = (self.0 ^ self.0 >> 32).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        z ^ z >> 29
    }
}

impl Heap {
    /// The same for two heaps that hold the same objects at the same places, with the same statics of these classes, and
    /// very likely for no others; without `values`, for two that hold as much.
    pub(crate) fn fingerprint(&self, classes: &[ClassId], values: bool) -> u64 {
        let base = self.region.base();
        let mut all = Mix::new();
        for (from, to) in self.gc.used_spaces(base) {
            all.add(to as u64 - from as u64);
            if values {
                all.add(self.words(from, to));
            }
        }
        if values {
            for &c in classes {
                // SAFETY: the hot block of a class that is in the list.
                let mirror = unsafe { (*self.hot(c)).mirror }.0 as usize * 8;
                if mirror != 0 {
                    all.add(self.words(mirror, mirror + self.class(c).mirror_size as usize));
                }
            }
        }
        all.get()
    }
    /// Sum of the words of a used stretch of the region.
    fn words(&self, from: usize, to: usize) -> u64 {
        let base = self.region.base();
        let mut all = Mix::new();
        {
            // lanes that do not wait for each other
            let mut lanes = [Mix::new(); 4];
            let words = (to - from) / 8;
            // SAFETY: objects, and the used part of a space, are committed memory of the region, aligned to words, and nothing runs.
            let words = unsafe { std::slice::from_raw_parts(base.add(from).cast::<u64>(), words) };
            let mut fours = words.chunks_exact(4);
            for four in fours.by_ref() {
                for (lane, &word) in lanes.iter_mut().zip(four) {
                    lane.add(word);
                }
            }
            fours.remainder().iter().for_each(|&word| all.add(word));
            lanes.iter().for_each(|lane| all.add(lane.get()));
        }
        all.get()
    }
}

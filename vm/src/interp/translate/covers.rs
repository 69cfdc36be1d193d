//! Which bytecodes an instruction stands for, and finding that for an address; packed, as there are tables for each
//! method that was ever called.

use super::Translated;

/// How far from where it should be an instruction is searched first.
const STEPS: usize = 16;

/// A bytecode range that an instruction stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cover {
    /// Byte offset of the instruction.
    pub off: u32,
    /// Number of the bytecode that may throw or call (counted from 0 in the method).
    pub idx: u16,
    /// Number of a bytecode it covers, from which control has come straight to `idx`.
    pub first: u16,
    /// Number of the jump that leads to `first`. `NO_JUMP`: there is none, the bytecode before it does.
    pub jump: u16,
    /// How many bytecodes before `idx` it covers; all count together.
    pub before: u16,
    /// Bytecodes after `idx` that are executed with it if it does not throw: the store of its result,
    /// or the loop condition that is repeated at the loop's end.
    pub more: u16,
    /// Potential of bytecode `idx`.
    pub pot: u16,
    /// Index of the reference map before the instruction, plus 1; 0: none.
    pub map: u32,
}

/// See [`Cover::jump`].
pub(super) const NO_JUMP: u16 = u16::MAX;

/// Units of a cover in a table, and of one that does not fit into these.
const NARROW: usize = 6;
const WIDE: usize = 10;

impl Cover {
    /// What the ticks lag behind the bytecodes that have begun before this instruction.
    pub fn lag(&self) -> i64 {
        i64::from(self.pot) - i64::from(self.before)
    }
    /// Number of the bytecode that began `back` bytecodes before `idx`, in straight code.
    pub(crate) fn before(&self, back: i64) -> usize {
        let straight = i64::from(self.idx - self.first);
        let (from, back) = match self.jump {
            jump if jump != NO_JUMP && back > straight => (jump, back - straight - 1),
            _ => (self.idx, back),
        };
        (i64::from(from) - back).max(0) as usize
    }
    /// What of it does not fit into few units; 0: nothing.
    #[inline(always)]
    fn excess(&self) -> u32 {
        let straight = self.idx.wrapping_sub(self.first);
        let small = u32::from(straight | self.before | self.more) | self.map;
        (self.off / 8) >> 16 | small >> 8
    }
    /// Into few units, if it fits.
    #[inline(always)]
    fn narrow(&self) -> [u16; NARROW] {
        let pair = |a: u16, b: u16| a | b << 8;
        [
            (self.off / 8) as u16,
            self.idx,
            self.pot,
            self.jump,
            pair(self.idx.wrapping_sub(self.first), self.before),
            pair(self.more, self.map as u16),
        ]
    }
    fn of_narrow(c: [u16; NARROW]) -> Cover {
        let [off, idx, pot, jump, behind, ahead] = c;
        let [[straight, before], [more, map]] = [behind, ahead].map(u16::to_le_bytes);
        Cover {
            off: u32::from(off) * 8,
            idx,
            first: idx - u16::from(straight),
            jump,
            before: before.into(),
            more: more.into(),
            pot,
            map: map.into(),
        }
    }
    fn wide(&self) -> [u16; WIDE] {
        let halves = |n: u32| [n as u16, (n >> 16) as u16];
        let ([off, off_high], [map, map_high]) = (halves(self.off), halves(self.map));
        let &Cover {
            idx, first, jump, ..
        } = self;
        let &Cover {
            before, more, pot, ..
        } = self;
        [
            off, off_high, idx, first, jump, before, more, pot, map, map_high,
        ]
    }
    fn of_wide(c: [u16; WIDE]) -> Cover {
        let [
            off,
            off_high,
            idx,
            first,
            jump,
            before,
            more,
            pot,
            map,
            map_high,
        ] = c;
        let whole = |low, high| u32::from(low) | u32::from(high) << 16;
        Cover {
            off: whole(off, off_high),
            idx,
            first,
            jump,
            before,
            more,
            pot,
            map: whole(map, map_high),
        }
    }
}

/// What leads from a method's code back to its bytecodes, and to references in its frame.
pub(super) struct Tables {
    /// Bytecode index by bytecode number; covers by ascending offset; reference maps.
    units: Box<[u16]>,
    bytecodes: u32,
    covers: u32,
    /// Units of a map. Bit i: slot i holds a reference.
    map_units: u16,
    wide: bool,
}

impl Tables {
    /// Of a method whose frame has so many slots, and maps of as many bits in whole words.
    pub fn new(bcis: &[u16], covers: &[Cover], maps: &[u64], slots: usize) -> Tables {
        let (words, map_units) = (slots.div_ceil(64), slots.div_ceil(16));
        let of_maps = maps.len() / words * map_units;
        let all = |each| vec![0; bcis.len() + covers.len() * each + of_maps].into_boxed_slice();
        let mut units = all(NARROW);
        let excess = fill(&mut units[bcis.len()..], covers, |c| {
            (c.excess(), c.narrow())
        });
        let wide = excess != 0;
        if wide {
            units = all(WIDE);
            fill(&mut units[bcis.len()..], covers, |c| (0, c.wide()));
        }
        units[..bcis.len()].copy_from_slice(bcis);
        let first = units.len() - of_maps;
        match map_units {
            1 => {
                for (unit, &map) in units[first..].iter_mut().zip(maps) {
                    *unit = map as u16;
                }
            }
            _ => {
                let maps = maps.chunks_exact(words);
                for (to, map) in units[first..].chunks_exact_mut(map_units).zip(maps) {
                    let (whole, rest) = to.as_chunks_mut();
                    for (to, &word) in whole.iter_mut().zip(map) {
                        *to = quarters(word);
                    }
                    for (to, unit) in rest.iter_mut().zip(quarters(map[words - 1])) {
                        *to = unit;
                    }
                }
            }
        }
        Tables {
            units,
            bytecodes: bcis.len() as u32,
            covers: covers.len() as u32,
            map_units: map_units as u16,
            wide,
        }
    }
    /// Bytecode indices by number.
    #[inline]
    pub fn bcis(&self) -> &[u16] {
        &self.units[..self.bytecodes as usize]
    }
    /// How many instructions there are.
    pub fn len(&self) -> usize {
        self.covers as usize
    }
    /// The covers, if they have so many units each.
    #[inline(always)]
    fn covers<const N: usize>(&self) -> &[[u16; N]] {
        let first = self.bytecodes as usize;
        self.units[first..first + self.len() * N].as_chunks().0
    }
    /// The cover of instruction `i`.
    #[inline]
    pub fn get(&self, i: usize) -> Option<Cover> {
        match self.wide {
            false => self.covers().get(i).copied().map(Cover::of_narrow),
            true => self.covers().get(i).copied().map(Cover::of_wide),
        }
    }
    /// Byte offset of instruction `i`.
    #[inline]
    pub fn off(&self, i: usize) -> Option<usize> {
        match self.wide {
            false => self.covers::<NARROW>().get(i).map(narrow_off),
            true => self.covers::<WIDE>().get(i).map(wide_off),
        }
    }
    /// All covers, by ascending offset.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Cover> {
        (0..self.len()).filter_map(|i| self.get(i))
    }
    /// How many instructions there are at offsets smaller than `off`, in code of so many bytes.
    fn before(&self, off: usize, code: usize) -> usize {
        match self.wide {
            false => search(self.covers(), narrow_off, off, code),
            true => search(self.covers(), wide_off, off, code),
        }
    }
    /// Which instruction is at that offset.
    pub fn find(&self, off: usize) -> Option<usize> {
        match self.wide {
            false => self.covers().binary_search_by_key(&off, narrow_off).ok(),
            true => self.covers().binary_search_by_key(&off, wide_off).ok(),
        }
    }
    /// The slots that hold references by that map, ascending.
    pub fn references(&self, map: usize) -> impl Iterator<Item = usize> {
        let n = usize::from(self.map_units);
        let each = if self.wide { WIDE } else { NARROW };
        let first = self.bytecodes as usize + self.len() * each;
        let map = &self.units[first + map * n..][..n];
        map.iter().enumerate().flat_map(|(i, &unit)| {
            let rest = |w: &u16| Some(w & (w - 1)).filter(|&w| w != 0);
            let bits = std::iter::successors(Some(unit).filter(|&w| w != 0), rest);
            bits.map(move |w| i * 16 + w.trailing_zeros() as usize)
        })
    }
}

/// The units of a map's word.
#[inline(always)]
fn quarters(word: u64) -> [u16; 4] {
    [0, 16, 32, 48].map(|low| (word >> low) as u16)
}

/// Packs covers; what of all of them does not fit.
#[inline(always)]
fn fill<const N: usize>(
    to: &mut [u16],
    covers: &[Cover],
    packed: impl Fn(&Cover) -> (u32, [u16; N]),
) -> u32 {
    let mut all = 0;
    for (to, c) in to.as_chunks_mut().0.iter_mut().zip(covers) {
        let excess;
        (excess, *to) = packed(c);
        all |= excess;
    }
    all
}

#[inline(always)]
fn narrow_off(c: &[u16; NARROW]) -> usize {
    usize::from(c[0]) * 8
}

#[inline(always)]
fn wide_off(c: &[u16; WIDE]) -> usize {
    usize::from(c[0]) | usize::from(c[1]) << 16
}

/// How many covers are at smaller offsets than `off`.
#[inline(always)]
fn search<const N: usize>(
    covers: &[[u16; N]],
    at: impl Fn(&[u16; N]) -> usize,
    off: usize,
    code: usize,
) -> usize {
    // instructions are of much the same size, so that the place is nearly known; a search by halves of
    // all would fetch more of a table that is seldom in the caches
    let among = |bytes: usize| covers.len() * bytes / code.max(1);
    let mut guess = among(off).min(covers.len());
    if covers.len() > 4 * STEPS
        && let Some(there) = covers.get(guess).map(&at)
    {
        let farther = among(off.abs_diff(there));
        guess = match there < off {
            true => (guess + farther).min(covers.len()),
            false => guess.saturating_sub(farther),
        };
    }
    let first = guess.saturating_sub(STEPS);
    let end = (guess + STEPS).min(covers.len());
    let found = first + covers[first..end].partition_point(|c| at(c) < off);
    // at an end that is not the table's, it may be farther away
    match (found == first && first > 0) || (found == end && end < covers.len()) {
        true => covers.partition_point(|c| at(c) < off),
        false => found,
    }
}

impl Translated {
    /// How many covers are at smaller offsets than `off`.
    pub(super) fn covers_before(&self, off: usize) -> usize {
        self.tables.before(off, 8 * self.code.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cover(off: u32, idx: u16) -> Cover {
        Cover {
            off,
            idx,
            first: idx - 3,
            jump: NO_JUMP,
            before: 4,
            more: 1,
            pot: idx + 1,
            map: 2,
        }
    }

    #[test]
    fn tables_give_what_was_put_in() {
        let far = Cover {
            jump: 9,
            map: 70_000,
            ..cover(600_000, 60_000)
        };
        let near = [cover(16, 3), cover(40, 300), cover(8 * 65_535, 65_000)];
        for (covers, wide) in [(near.to_vec(), false), ([&near[..], &[far]].concat(), true)] {
            let t = Tables::new(&[0, 1, 5], &covers, &[1 << 20 | 5, 1 << 33], 34);
            assert_eq!(
                (t.wide, t.len(), t.bcis()),
                (wide, covers.len(), &[0, 1, 5][..])
            );
            assert_eq!(t.iter().collect::<Vec<_>>(), covers);
            for (i, c) in covers.iter().enumerate() {
                let off = c.off as usize;
                assert_eq!(
                    (t.off(i), t.find(off), t.find(off + 4)),
                    (Some(off), Some(i), None)
                );
            }
            assert_eq!(t.get(covers.len()), None);
            assert_eq!([16, 17, 40].map(|off| t.before(off, 600_008)), [0, 1, 1]);
            assert_eq!(t.references(0).collect::<Vec<_>>(), [0, 2, 20]);
            assert_eq!(t.references(1).collect::<Vec<_>>(), [33]);
        }
    }
    #[test]
    fn instructions_are_found_wherever_they_are() {
        // dense, far apart, and dense again
        let offs = (0..500)
            .chain((500..600).map(|i| i * 50))
            .chain(30_000..30_700);
        let covers: Vec<_> = offs.map(|i| cover(8 * i, 3)).collect();
        for n in [1, 20, 90, covers.len()] {
            let t = Tables::new(&[0], &covers[..n], &[], 1);
            let code = 8 * 30_701;
            for (i, c) in covers[..n].iter().enumerate() {
                let off = c.off as usize;
                assert_eq!([off, off + 1].map(|off| t.before(off, code)), [i, i + 1]);
            }
            assert_eq!(t.before(code, code), n);
        }
    }
    #[test]
    fn a_map_has_all_its_slots() {
        for slots in [16, 17, 64, 65, 150] {
            let words = usize::div_ceil(slots, 64);
            let map: Vec<u64> = (0..words).map(|i| 0x8001_0000_4000_0003 << i).collect();
            let maps = [&map[..], &map[..]].concat();
            let t = Tables::new(&[0], &[cover(16, 3)], &maps, slots);
            let last = 16 * slots.div_ceil(16);
            let set = |&i: &usize| map[i / 64] >> (i % 64) & 1 != 0;
            let expected: Vec<_> = (0..last).filter(set).collect();
            for i in [0, 1] {
                assert_eq!(t.references(i).collect::<Vec<_>>(), expected, "{slots}");
            }
        }
    }
    #[test]
    fn what_does_not_fit_is_not_narrow() {
        let c = cover(16, 400);
        assert_eq!(c.excess(), 0);
        let others = [
            Cover { off: 8 << 16, ..c },
            Cover { first: 100, ..c },
            Cover { first: 401, ..c },
            Cover { before: 256, ..c },
            Cover { more: 256, ..c },
            Cover { map: 256, ..c },
        ];
        assert!(others.iter().all(|c| c.excess() != 0));
    }
}

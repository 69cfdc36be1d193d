//! Which bytecodes an instruction represents, and finding that for an address; packed, as there are tables for each
//! method that was ever called.

use std::cmp::Ordering;

/// How far from where it should be an instruction is searched first.
const STEPS: usize = 16;

/// A bytecode range that an instruction represents.
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

/// Units of a cover in a table of a small method, in others, and where one does not fit into these.
const SMALL: usize = 4;
const NARROW: usize = 6;
const WIDE: usize = 10;

/// In few bits: see [`NO_JUMP`].
const NO_SMALL_JUMP: u16 = 0xFF;

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
    /// What of it does not fit into the fewest units, in a method of so few bytecodes that numbers of jumps do; 0: nothing.
    #[inline(always)]
    fn excess_of_small(&self) -> u32 {
        let straight = self.idx.wrapping_sub(self.first);
        let bytes = u32::from(self.idx | self.pot | self.more) | self.map;
        (self.off / 8) >> 16 | u32::from((straight | self.before) >> 4) | bytes >> 8
    }
    /// Into the fewest units, if it fits.
    #[inline(always)]
    fn small(&self) -> [u16; SMALL] {
        let straight = self.idx.wrapping_sub(self.first);
        [
            (self.off / 8) as u16,
            self.idx | self.pot << 8,
            self.jump & NO_SMALL_JUMP | straight << 8 | self.before << 12,
            self.more | (self.map as u16) << 8,
        ]
    }
    fn of_small(c: [u16; SMALL]) -> Cover {
        let [off, units @ ..] = c;
        let [[idx, pot], [jump, behind], [more, map]] =
            units.map(|u| u.to_le_bytes().map(u16::from));
        Cover {
            off: u32::from(off) * 8,
            idx,
            first: idx - (behind & 0xF),
            jump: if jump == NO_SMALL_JUMP { NO_JUMP } else { jump },
            before: behind >> 4,
            more,
            pot,
            map: map.into(),
        }
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

/// How the tables of a method are laid out behind its code, which they lead from back to bytecodes and to references in
/// its frame: which bytecode indices there are, by number; covers by ascending offset; reference maps.
#[derive(Clone, Copy)]
pub(super) struct TableLayout {
    /// Units of the indices. Fewer than there are bytecodes: two in each.
    indices: u16,
    bytecodes: u16,
    covers: u32,
    /// Units of a map. Bit i: slot i holds a reference.
    map_units: u16,
    /// Units of a cover.
    each: u8,
}

/// The tables of a method.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    units: &'a [u16],
    shape: TableLayout,
}

/// Units of a word.
const IN_WORD: usize = size_of::<u64>() / size_of::<u16>();

fn units(words: &[u64]) -> &[u16] {
    // SAFETY: all units are in the words, and any bits are numbers.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len() * IN_WORD) }
}

fn units_mut(words: &mut [u64]) -> &mut [u16] {
    // SAFETY: as above, and the words are lent with them.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len() * IN_WORD) }
}

impl TableLayout {
    /// The code with its tables behind it, of a method whose frame has so many slots; maps have as many bits in whole words.
    pub fn pack(
        code: &[u64],
        bcis: &[u16],
        covers: &[Cover],
        maps: &[u64],
        slots: usize,
    ) -> (Box<[u64]>, TableLayout) {
        let (words, map_units) = (slots.div_ceil(64), slots.div_ceil(16));
        let in_pairs = bcis.last().is_some_and(|&last| last >> 8 == 0);
        let first = if in_pairs {
            bcis.len().div_ceil(2)
        } else {
            bcis.len()
        };
        let of_maps = maps.len() / words * map_units;
        let all = |each| {
            let units: usize = first + covers.len() * each + of_maps;
            let len = code.len() + units.div_ceil(IN_WORD);
            let mut all = Vec::with_capacity(len);
            all.extend_from_slice(code);
            all.resize(len, 0);
            all.into_boxed_slice()
        };
        let behind_code = code.len();
        let packed = || {
            // where bytecodes have small numbers, nearly all else is small
            if bcis.len() < usize::from(NO_SMALL_JUMP) {
                let mut all = all(SMALL);
                let small = |c: &Cover| (c.excess_of_small(), c.small());
                let units = &mut units_mut(&mut all[behind_code..])[first..];
                if fill(units, covers, small) == 0 {
                    return (all, SMALL);
                }
            }
            let mut near = all(NARROW);
            let units = &mut units_mut(&mut near[behind_code..])[first..];
            if fill(units, covers, |c| (c.excess(), c.narrow())) == 0 {
                return (near, NARROW);
            }
            let mut far = all(WIDE);
            let units = &mut units_mut(&mut far[behind_code..])[first..];
            fill(units, covers, |c| (0, c.wide()));
            (far, WIDE)
        };
        let (mut all, each) = packed();
        let units = units_mut(&mut all[behind_code..]);
        match in_pairs {
            true => {
                for (unit, pair) in units.iter_mut().zip(bcis.chunks(2)) {
                    *unit = pair[0] | pair.get(1).map_or(0, |second| second << 8);
                }
            }
            false => units[..first].copy_from_slice(bcis),
        }
        let behind = &mut units[first + covers.len() * each..][..of_maps];
        match map_units {
            1 => {
                for (unit, &map) in behind.iter_mut().zip(maps) {
                    *unit = map as u16;
                }
            }
            _ => {
                let maps = maps.chunks_exact(words);
                for (to, map) in behind.chunks_exact_mut(map_units).zip(maps) {
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
        let shape = TableLayout {
            indices: first as u16,
            bytecodes: bcis.len() as u16,
            covers: covers.len() as u32,
            map_units: map_units as u16,
            each: each as u8,
        };
        (all, shape)
    }
    /// The tables in these words, which were packed so.
    pub fn tables(self, words: &[u64]) -> Tables<'_> {
        Tables {
            units: units(words),
            shape: self,
        }
    }
}

impl<'a> Tables<'a> {
    /// Bytecode indices by number.
    pub fn bcis(self) -> Vec<u16> {
        let numbers = 0..self.shape.bytecodes.into();
        numbers.filter_map(|number| self.bci(number)).collect()
    }
    /// Index of the bytecode with that number.
    #[inline]
    pub fn bci(self, number: usize) -> Option<u16> {
        if number >= self.shape.bytecodes.into() {
            return None;
        }
        match self.shape.indices == self.shape.bytecodes {
            true => self.units.get(number).copied(),
            false => {
                let pair = *self.units.get(number / 2)?;
                Some(pair >> (number % 2 * 8) & 0xFF)
            }
        }
    }
    /// Number of the bytecode at an index.
    pub fn number(self, bci: u16) -> Option<u16> {
        let (mut low, mut high) = (0, usize::from(self.shape.bytecodes));
        while low < high {
            let middle = (low + high) / 2;
            match self.bci(middle)?.cmp(&bci) {
                Ordering::Equal => return Some(middle as u16),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        None
    }
    /// How many instructions there are.
    pub fn len(self) -> usize {
        self.shape.covers as usize
    }
    /// The covers, if they have so many units each.
    #[inline(always)]
    fn covers<const N: usize>(self) -> &'a [[u16; N]] {
        let first = usize::from(self.shape.indices);
        self.units[first..first + self.len() * N].as_chunks().0
    }
    /// The cover of instruction `i`.
    #[inline]
    pub fn get(self, i: usize) -> Option<Cover> {
        match usize::from(self.shape.each) {
            SMALL => self.covers().get(i).copied().map(Cover::of_small),
            NARROW => self.covers().get(i).copied().map(Cover::of_narrow),
            _ => self.covers().get(i).copied().map(Cover::of_wide),
        }
    }
    /// Of that cover, the number of the bytecode that may throw or call.
    #[inline]
    pub fn number_of(self, i: usize) -> Option<u16> {
        match usize::from(self.shape.each) {
            SMALL => self.covers::<SMALL>().get(i).map(|c| c[1] & 0xFF),
            NARROW => self.covers::<NARROW>().get(i).map(|c| c[1]),
            _ => self.covers::<WIDE>().get(i).map(|c| c[2]),
        }
    }
    /// And its potential.
    #[inline]
    pub fn pot_of(self, i: usize) -> Option<u16> {
        match usize::from(self.shape.each) {
            SMALL => self.covers::<SMALL>().get(i).map(|c| c[1] >> 8),
            NARROW => self.covers::<NARROW>().get(i).map(|c| c[2]),
            _ => self.covers::<WIDE>().get(i).map(|c| c[7]),
        }
    }
    /// Byte offset of instruction `i`.
    #[inline]
    pub fn off(self, i: usize) -> Option<usize> {
        match usize::from(self.shape.each) {
            SMALL => self.covers::<SMALL>().get(i).map(word_off),
            NARROW => self.covers::<NARROW>().get(i).map(word_off),
            _ => self.covers::<WIDE>().get(i).map(wide_off),
        }
    }
    /// All covers, by ascending offset.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Cover> + 'a {
        (0..self.len()).filter_map(move |i| self.get(i))
    }
    /// How many instructions there are at offsets smaller than `off`, in code of so many bytes.
    pub(super) fn before(self, off: usize, code: usize) -> usize {
        match usize::from(self.shape.each) {
            SMALL => search(self.covers::<SMALL>(), word_off, off, code),
            NARROW => search(self.covers::<NARROW>(), word_off, off, code),
            _ => search(self.covers(), wide_off, off, code),
        }
    }
    /// Which instruction is at that offset.
    pub fn find(self, off: usize) -> Option<usize> {
        let found = match usize::from(self.shape.each) {
            SMALL => self.covers::<SMALL>().binary_search_by_key(&off, word_off),
            NARROW => self.covers::<NARROW>().binary_search_by_key(&off, word_off),
            _ => self.covers().binary_search_by_key(&off, wide_off),
        };
        found.ok()
    }
    /// The slots that hold references by that map, ascending.
    pub fn references(self, map: usize) -> impl Iterator<Item = usize> + 'a {
        let n = usize::from(self.shape.map_units);
        let first = usize::from(self.shape.indices) + self.len() * usize::from(self.shape.each);
        let map = &self.units[first + map * n..][..n];
        ones(map)
    }
}

/// Bits of a unit.
const BITS: usize = u16::BITS as usize;

/// Which bits are set, ascending.
fn ones(units: &[u16]) -> impl Iterator<Item = usize> {
    units.iter().enumerate().flat_map(|(i, &unit)| {
        let rest = |w: &u16| Some(w & (w - 1)).filter(|&w| w != 0);
        let bits = std::iter::successors(Some(unit).filter(|&w| w != 0), rest);
        bits.map(move |w| i * BITS + w.trailing_zeros() as usize)
    })
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
fn word_off<const N: usize>(c: &[u16; N]) -> usize {
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
    // it is seldom more than a few steps away
    let first = guess.saturating_sub(STEPS);
    let end = (guess + STEPS).min(covers.len());
    let (behind, ahead) = (&covers[first..guess], &covers[guess..end]);
    let found = match behind.last().is_some_and(|c| at(c) >= off) {
        true => match behind.iter().rposition(|c| at(c) < off) {
            Some(i) => Some(first + i + 1),
            None => (first == 0).then_some(0),
        },
        false => match ahead.iter().position(|c| at(c) >= off) {
            Some(i) => Some(guess + i),
            None => (end == covers.len()).then_some(end),
        },
    };
    found.unwrap_or_else(|| covers.partition_point(|c| at(c) < off))
}

#[cfg(test)]
mod tests;

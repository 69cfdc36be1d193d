//! The table of interned strings. It knows strings by hashes of their contents, and stores no contents: the caller of a look-up
//! compares them.

use crate::ids::Ref;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// Interned strings. The collector updates the references, and forgets strings without other references.
pub struct StringTable {
    table: HashTable<InternedEntry>,
    /// Those that may be in the young generation.
    recent: Vec<InternedEntry>,
    seed: u64,
}

/// A string and the hash of its contents when it was entered.
#[derive(Clone, Copy, PartialEq, Eq)]
struct InternedEntry {
    hash: u32,
    string: Ref,
}

impl Default for StringTable {
    fn default() -> StringTable {
        StringTable {
            table: HashTable::new(),
            recent: Vec::new(),
            // not the same in each process: nobody can make many strings whose hashes are equal
            seed: DefaultHashBuilder::default().hash_one(0u8),
        }
    }
}

/// As the table's places want it.
fn spread(e: &InternedEntry) -> u64 {
    u64::from(e.hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Hashes four characters more.
fn step(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * 0xA076_1D64_78BD_642F;
    product as u64 ^ (product >> 64) as u64
}

fn word(units: [u16; 4]) -> u64 {
    let [a, b, c, d] = units.map(u64::from);
    a | b << 16 | c << 32 | d << 48
}

/// Hashes characters of LATIN1 behind others, whose number is a multiple of four.
pub(crate) fn hash_latin1(mut hash: u64, bytes: &[u8]) -> u64 {
    let (whole, rest) = bytes.as_chunks::<4>();
    for &four in whole {
        let w = u64::from(u32::from_le_bytes(four));
        let w = (w | w << 16) & 0x0000_FFFF_0000_FFFF;
        hash = step(hash, (w | w << 8) & 0x00FF_00FF_00FF_00FF);
    }
    last(hash, rest.len(), |i| rest[i].into())
}

/// The same of characters of UTF-16.
pub(crate) fn hash_utf16(mut hash: u64, units: &[u16]) -> u64 {
    let (whole, rest) = units.as_chunks::<4>();
    for &four in whole {
        hash = step(hash, word(four));
    }
    last(hash, rest.len(), |i| rest[i])
}

/// The same of their bytes.
pub(crate) fn hash_utf16_bytes(mut hash: u64, bytes: &[u8]) -> u64 {
    let (pairs, _) = bytes.as_chunks::<2>();
    let (whole, rest) = pairs.as_chunks::<4>();
    for four in whole {
        hash = step(hash, word(four.map(u16::from_ne_bytes)));
    }
    last(hash, rest.len(), |i| u16::from_ne_bytes(rest[i]))
}

/// Fewer than four.
fn last(hash: u64, n: usize, unit: impl Fn(usize) -> u16) -> u64 {
    match n {
        0 => hash,
        n => step(
            hash,
            word([0, 1, 2, 3].map(|i| if i < n { unit(i) } else { 0 })),
        ),
    }
}

impl StringTable {
    /// The hash of the empty string.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }
    /// The hash of so many characters.
    pub(crate) fn finish(hash: u64, characters: usize) -> u32 {
        let hash = step(hash, characters as u64);
        (hash ^ hash >> 32) as u32
    }
    /// The string with this hash of which `is` says that it is the one.
    pub(crate) fn get(&self, hash: u32, is: impl Fn(Ref) -> bool) -> Option<Ref> {
        let found = |e: &InternedEntry| e.hash == hash && is(e.string);
        let place = InternedEntry {
            hash,
            string: Ref::NULL,
        };
        self.table.find(spread(&place), found).map(|e| e.string)
    }
    /// Enters one that is not there.
    pub(crate) fn insert(&mut self, hash: u32, string: Ref) {
        let e = InternedEntry { hash, string };
        self.table.insert_unique(spread(&e), e, spread);
        self.recent.push(e);
    }
    /// All interned strings, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Ref> + '_ {
        self.table.iter().map(|e| e.string)
    }
    /// Where each string has gone (`None`: it is dead), for all or for those that were young;
    /// `is_young` reports whether it still is.
    pub(crate) fn update(
        &mut self,
        all: bool,
        is_young: impl Fn(Ref) -> bool,
        f: &mut dyn FnMut(Ref) -> Option<Ref>,
    ) {
        if all {
            self.recent.clear();
            self.table
                .retain(|e| f(e.string).map(|n| e.string = n).is_some());
            return;
        }
        let table = &mut self.table;
        self.recent.retain_mut(|young| {
            let Ok(mut at) = table.find_entry(spread(young), |e| e == young) else {
                return false;
            };
            match f(young.string) {
                Some(n) => {
                    (at.get_mut().string, young.string) = (n, n);
                    is_young(n)
                }
                None => {
                    at.remove();
                    false
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_characters_have_equal_hashes_however_they_are_stored() {
        for n in 0..20 {
            let latin1: Vec<u8> = (0..n).map(|i| 200 + i).collect();
            let units: Vec<u16> = latin1.iter().map(|&b| b.into()).collect();
            let bytes: Vec<u8> = units.iter().flat_map(|u| u.to_ne_bytes()).collect();
            let all = [
                hash_latin1(7, &latin1),
                hash_utf16(7, &units),
                hash_utf16_bytes(7, &bytes),
            ];
            assert!(all.iter().all(|&h| h == all[0]), "{n}: {all:?}");
            // in pieces
            for cut in (0..units.len()).step_by(4) {
                let (a, b) = units.split_at(cut);
                assert_eq!(hash_utf16(hash_utf16(7, a), b), all[0], "{n} at {cut}");
            }
        }
        let hash = |units: &[u16]| StringTable::finish(hash_utf16(7, units), units.len());
        assert_ne!(hash(&[]), hash(&[0]));
        assert_ne!(hash(&[1]), hash(&[1, 0]));
        assert_ne!(hash(&[1, 2]), hash(&[2, 1]));
    }

    #[test]
    fn strings_of_one_hash_are_distinguished_and_follow_the_collector() {
        let mut t = StringTable::default();
        for i in 1..=4 {
            t.insert(9, Ref(i));
        }
        assert_eq!(t.get(9, |r| r == Ref(3)), Some(Ref(3)));
        assert_eq!(t.get(8, |_| true), None);
        // 1 is dead, 2 and 3 move, 4 stays; 3 is young still
        let mut f = |r: Ref| (r.0 > 1).then(|| Ref(if r.0 < 4 { r.0 + 10 } else { r.0 }));
        t.update(false, |r| r == Ref(13), &mut f);
        let mut all: Vec<u32> = t.iter().map(|r| r.0).collect();
        all.sort_unstable();
        assert_eq!(all, [4, 12, 13]);
        let mut seen = Vec::new();
        t.update(false, |_| true, &mut |r| {
            seen.push(r.0);
            Some(r)
        });
        assert_eq!(seen, [13]);
        t.update(true, |_| true, &mut |r| (r.0 == 12).then_some(Ref(5)));
        assert_eq!(t.iter().collect::<Vec<_>>(), [Ref(5)]);
    }
}

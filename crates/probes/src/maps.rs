//! Maps: keys of several parts, each with what it has.

use crate::code::MapInfo;
use crate::gathered::Slot;
use crate::value::{self, Part};
use hashbrown::HashTable;

/// Integers below are found without a search.
const SMALL: i64 = 4096;

/// Rooms for keys that were requested lately: a power of two.
const ROOMS: usize = 1024;

/// A key of one or two parts, as it is compared at once.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ShortKey {
    /// The parts' kinds, each plus 1; 0 for one that is not there.
    kinds: u32,
    bits: [u64; 2],
}

impl ShortKey {
    #[inline(always)]
    pub fn one(part: Part) -> ShortKey {
        let (kind, bits) = part.bits();
        ShortKey {
            kinds: u32::from(kind) + 1,
            bits: [bits, 0],
        }
    }

    /// With a part more.
    #[inline(always)]
    pub fn and(self, part: Part) -> ShortKey {
        let (kind, bits) = part.bits();
        ShortKey {
            kinds: self.kinds | (u32::from(kind) + 1) << 8,
            bits: [self.bits[0], bits],
        }
    }

    /// A key, if it is short.
    #[inline(always)]
    fn of(key: &[Part]) -> Option<ShortKey> {
        match *key {
            [a] => Some(ShortKey::one(a)),
            [a, b] => Some(ShortKey::one(a).and(b)),
            _ => None,
        }
    }

    /// The integer that it is, if it is a small one.
    #[inline(always)]
    fn small(self) -> Option<usize> {
        let is = self.kinds == ShortKey::one(Part::Int(0)).kinds && self.bits[0] < SMALL as u64;
        is.then_some(self.bits[0] as usize)
    }

    /// The same as of the parts.
    fn hash(self) -> u64 {
        let kinds = [self.kinds & 0xFF, self.kinds >> 8];
        let parts = kinds.into_iter().zip(self.bits).filter(|p| p.0 > 0);
        parts.fold(0, |seed, (kind, n)| value::hash(seed, kind as u8 - 1, n))
    }

    #[inline(always)]
    fn room(self) -> usize {
        let [a, b] = self.bits;
        let mixed = a
            .wrapping_mul(0xBF58_476D_1CE4_E5B9)
            .rotate_left(32)
            .wrapping_add(b)
            .wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed >> 40) as usize % ROOMS
    }
}

/// A map.
#[derive(Default)]
pub struct Map {
    entries: Vec<(Box<[Part]>, Slot)>,
    index: HashTable<u32>,
    /// Of keys that are one small integer each: where it is, plus 1.
    small: Vec<u32>,
    /// Other short keys that were requested lately, each in its room if no other one has taken that, and where they are.
    lately: Vec<(ShortKey, u32)>,
    /// Not printed at the end.
    pub discarded: bool,
    /// Events whose keys had no room.
    pub refused: u64,
}

fn hash(key: &[Part]) -> u64 {
    key.iter().fold(0, |seed, part| part.hash(seed))
}

impl Map {
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn entries(&self) -> &[(Box<[Part]>, Slot)] {
        &self.entries
    }

    fn find(&self, key: &[Part]) -> Option<usize> {
        if key.is_empty() {
            return (!self.entries.is_empty()).then_some(0);
        }
        let entries = &self.entries;
        let found = self
            .index
            .find(hash(key), |&i| *entries[i as usize].0 == *key);
        found.map(|&i| i as usize)
    }

    pub fn get(&self, key: &[Part]) -> Option<&Slot> {
        self.find(key).map(|i| &self.entries[i].1)
    }

    /// What a short key has; with none, what a map without keys has. `None`: it is not there.
    #[inline(always)]
    pub fn known(&mut self, key: Option<ShortKey>) -> Option<&mut Slot> {
        let Some(key) = key else {
            return self.entries.first_mut().map(|e| &mut e.1);
        };
        let at = self.place(key)?;
        self.entries.get_mut(at).map(|e| &mut e.1)
    }

    #[inline(always)]
    fn place(&mut self, key: ShortKey) -> Option<usize> {
        match key.small() {
            Some(n) => (*self.small.get(n)? as usize).checked_sub(1),
            None => match self.lately.get(key.room()) {
                Some((known, at)) if *known == key => Some(*at as usize),
                _ => self.search(key),
            },
        }
    }

    #[inline(never)]
    fn search(&mut self, key: ShortKey) -> Option<usize> {
        let entries = &self.entries;
        let hash = key.hash();
        let is = |&i: &u32| ShortKey::of(&entries[i as usize].0) == Some(key);
        let at = *self.index.find(hash, is)?;
        self.lately.resize(ROOMS, (ShortKey::default(), 0));
        self.lately[key.room()] = (key, at);
        Some(at as usize)
    }

    /// What the key has. `None`: there is no room for another key, neither by number nor in `memory`, the bytes that
    /// may still be taken.
    #[inline]
    pub fn slot(
        &mut self,
        key: &[Part],
        info: &MapInfo,
        most: usize,
        memory: &mut usize,
    ) -> Option<&mut Slot> {
        if key.is_empty() {
            return self.only(info, most, memory);
        }
        let found = match ShortKey::of(key) {
            Some(short) => self.place(short),
            None => self.find(key),
        };
        match found {
            Some(at) => self.entries.get_mut(at).map(|e| &mut e.1),
            None => self.insert(key, info, most, memory),
        }
    }

    /// The same of a map without keys.
    #[inline]
    pub fn only(&mut self, info: &MapInfo, most: usize, memory: &mut usize) -> Option<&mut Slot> {
        if self.entries.is_empty() {
            return self.insert(&[], info, most, memory);
        }
        self.entries.first_mut().map(|e| &mut e.1)
    }

    #[cold]
    fn insert(
        &mut self,
        key: &[Part],
        info: &MapInfo,
        most: usize,
        memory: &mut usize,
    ) -> Option<&mut Slot> {
        let bytes = bytes(key, info);
        if self.entries.len() >= most || bytes > *memory {
            self.refused += 1;
            return None;
        }
        *memory -= bytes;
        let i = self.entries.len();
        self.entries.push((key.into(), Slot::new(info)));
        if !key.is_empty() {
            let entries = &self.entries;
            self.index
                .insert_unique(hash(key), i as u32, |&i| hash(&entries[i as usize].0));
        }
        if let Some(at) = ShortKey::of(key).and_then(ShortKey::small) {
            if self.small.len() <= at {
                self.small.resize((at + 1).next_power_of_two(), 0);
            }
            self.small[at] = i as u32 + 1;
        }
        self.entries.last_mut().map(|(_, slot)| slot)
    }

    /// Forgets a key.
    pub fn delete(&mut self, key: &[Part], info: &MapInfo, memory: &mut usize) {
        let Some(i) = self.find(key) else {
            return;
        };
        *memory += bytes(key, info);
        let last = self.entries.len() - 1;
        if !key.is_empty() {
            if let Ok(found) = self.index.find_entry(hash(key), |&n| n as usize == i) {
                found.remove();
            }
            if i != last
                && let Some(moved) = self
                    .index
                    .find_mut(hash(&self.entries[last].0), |&n| n as usize == last)
            {
                *moved = i as u32;
            }
        }
        self.entries.swap_remove(i);
        if let Some(short) = ShortKey::of(key) {
            match short.small() {
                Some(n) => self.small[n] = 0,
                None => self.forget(short),
            }
        }
        let moved = self.entries.get(i).and_then(|(key, _)| ShortKey::of(key));
        if let Some(moved) = moved {
            match moved.small() {
                Some(n) => self.small[n] = i as u32 + 1,
                None => self.forget(moved),
            }
        }
    }

    /// Where a key is has to be searched the next time.
    fn forget(&mut self, key: ShortKey) {
        match self.lately.get_mut(key.room()) {
            Some(known) if known.0 == key => *known = (ShortKey::default(), 0),
            _ => {}
        }
    }

    /// Forgets all keys.
    pub fn clear(&mut self, info: &MapInfo, memory: &mut usize) {
        for (key, _) in &self.entries {
            *memory += bytes(key, info);
        }
        self.entries.clear();
        self.index.clear();
        self.small.clear();
        self.lately.clear();
    }
}

/// Bytes that an entry takes.
fn bytes(key: &[Part], info: &MapInfo) -> usize {
    size_of_val(key) + size_of::<(Box<[Part]>, Slot)>() + 8 + Slot::most_bytes(info)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::Gather;

    #[test]
    fn short_keys_are_those_of_the_same_parts() {
        let parts = [
            Part::Null,
            Part::Bool(false),
            Part::Int(0),
            Part::Int(1),
            Part::Str(1),
            Part::Stack(1),
            Part::float(0.0),
        ];
        let ones = parts.map(|a| vec![a]);
        let twos = parts.iter().flat_map(|a| parts.map(|b| vec![*a, b]));
        let keys: Vec<Vec<Part>> = ones.into_iter().chain(twos).collect();
        for a in &keys {
            assert_eq!(ShortKey::of(a).map(ShortKey::hash), Some(hash(a)), "{a:?}");
            for b in &keys {
                assert_eq!(ShortKey::of(a) == ShortKey::of(b), a == b, "{a:?} {b:?}");
            }
        }
        assert_eq!(ShortKey::of(&[]), None);
        assert_eq!(ShortKey::of(&[Part::Null; 3]), None);
    }

    #[test]
    fn keys_are_found_after_others_were_deleted() {
        let info = MapInfo {
            name: String::new(),
            keys: 1,
            gather: Some(Gather::Count),
            range: (0, 0, 0),
        };
        let mut map = Map::default();
        let mut memory = 1 << 20;
        // some are small, others not
        let key = |n: i64| [Part::Int(if n % 2 == 0 { n } else { n << 32 })];
        for n in 0..100 {
            for _ in 0..n {
                if let Some(Slot::Count(count)) = map.slot(&key(n), &info, 100, &mut memory) {
                    *count += 1;
                }
            }
        }
        assert_eq!(map.len(), 99);
        for n in (1..100).step_by(3) {
            map.delete(&key(n), &info, &mut memory);
        }
        for n in 1..100 {
            let expected = ((n - 1) % 3 != 0).then_some(Slot::Count(n));
            assert_eq!(map.get(&key(n)).cloned(), expected, "{n}");
            // twice, since where it is may be known the second time
            for _ in 0..2 {
                let quick = map.known(Some(ShortKey::one(key(n)[0]))).cloned();
                assert_eq!(quick, expected, "{n}");
                let slot = map.slot(&key(n), &info, 0, &mut 0).cloned();
                assert_eq!(slot, expected, "{n}");
            }
        }
        let refused = map.refused;
        map.clear(&info, &mut memory);
        assert_eq!((map.len(), memory), (0, 1 << 20));
        assert!(map.slot(&[Part::Null], &info, 0, &mut memory).is_none());
        assert_eq!(map.refused, refused + 1);
    }
}

//! Maps: keys of several parts, each with what it has.

use crate::code::MapInfo;
use crate::gathered::Slot;
use crate::value::Part;
use hashbrown::HashTable;

/// Integers below are found without a search.
const SMALL: i64 = 4096;

/// A map.
#[derive(Default)]
pub struct Map {
    entries: Vec<(Box<[Part]>, Slot)>,
    index: HashTable<u32>,
    /// Of keys that are one small integer each: where it is, plus 1.
    small: Vec<u32>,
    /// The key that was asked for last.
    last: usize,
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

    #[inline(never)]
    fn find_again(&self, key: &[Part]) -> Option<usize> {
        self.find(key)
    }

    pub fn get(&self, key: &[Part]) -> Option<&Slot> {
        self.find(key).map(|i| &self.entries[i].1)
    }

    /// What the key has. `None`: there is no room for another key, neither by number nor in `memory`, the bytes that
    /// may still be taken.
    #[inline(always)]
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
        if let &[Part::Int(n @ 0..SMALL)] = key
            && let Some(&i) = self.small.get(n as usize)
            && i > 0
        {
            return self.entries.get_mut(i as usize - 1).map(|e| &mut e.1);
        }
        // the same key as the last time, often
        match self.entries.get(self.last) {
            Some((known, _)) if same(known, key) => {}
            _ => match self.find_again(key) {
                Some(i) => self.last = i,
                None => return self.insert(key, info, most, memory),
            },
        }
        self.entries.get_mut(self.last).map(|e| &mut e.1)
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
        if let &[Part::Int(n @ 0..SMALL)] = key {
            let at = n as usize;
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
        if let &[Part::Int(n @ 0..SMALL)] = key {
            self.small[n as usize] = 0;
        }
        if let Some((moved, _)) = self.entries.get(i)
            && let [Part::Int(n @ 0..SMALL)] = **moved
        {
            self.small[n as usize] = i as u32 + 1;
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
    }
}

/// Keys of the same length, part by part.
#[inline]
fn same(a: &[Part], b: &[Part]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
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
            let quick = map.slot(&key(n), &info, 0, &mut 0).cloned();
            assert_eq!(quick, expected, "{n}");
        }
        let refused = map.refused;
        map.clear(&info, &mut memory);
        assert_eq!((map.len(), memory), (0, 1 << 20));
        assert!(map.slot(&[Part::Null], &info, 0, &mut memory).is_none());
        assert_eq!(map.refused, refused + 1);
    }
}

//! What the entries of a class's constant pool have been resolved to. Most are never resolved, so there is
//! memory only for those that are.

use crate::classes::Resolved;
use std::ops::{Index, IndexMut};

/// Entries that are kept together.
const CHUNK: usize = 64;

static NONE: Resolved = Resolved::None;

/// Those of the entries next to each other that have a state, ascending.
#[derive(Default)]
struct Chunk {
    /// Which they are.
    which: u64,
    states: Vec<Resolved>,
}

impl Chunk {
    /// How many there are before entry `i`, and whether it is there.
    fn place(&self, i: usize) -> (usize, bool) {
        let bit = 1 << (i % CHUNK);
        let before = (self.which & (bit - 1)).count_ones() as usize;
        (before, self.which & bit != 0)
    }
}

/// State of each entry of a constant pool, by index.
#[derive(Default)]
pub struct Resolutions {
    len: u16,
    /// The entry that stands for the class itself, which is resolved from the beginning.
    own: u16,
    itself: Resolved,
    /// As far as anything was resolved.
    chunks: Box<[Chunk]>,
}

impl Resolutions {
    /// For a pool of that many entries, entry 0 included; `own` is the class's own.
    pub fn new(len: usize, own: u16) -> Resolutions {
        Resolutions {
            len: len as u16,
            own,
            itself: Resolved::None,
            chunks: Box::default(),
        }
    }
    /// The states of entries; some that are not resolved are left out.
    pub fn iter(&self) -> impl Iterator<Item = &Resolved> {
        let states = self.chunks.iter().flat_map(|chunk| &chunk.states);
        states.chain([&self.itself])
    }
    /// The state of an entry; `None` beyond the pool.
    pub fn get(&self, i: usize) -> Option<&Resolved> {
        (i < self.len.into()).then(|| &self[i])
    }
}

impl Index<usize> for Resolutions {
    type Output = Resolved;
    fn index(&self, i: usize) -> &Resolved {
        assert!(i < self.len.into(), "no constant {i}");
        if i == usize::from(self.own) {
            return &self.itself;
        }
        let Some(chunk) = self.chunks.get(i / CHUNK) else {
            return &NONE;
        };
        match chunk.place(i) {
            (at, true) => &chunk.states[at],
            _ => &NONE,
        }
    }
}

impl IndexMut<usize> for Resolutions {
    fn index_mut(&mut self, i: usize) -> &mut Resolved {
        assert!(i < self.len.into(), "no constant {i}");
        if i == usize::from(self.own) {
            return &mut self.itself;
        }
        let n = i / CHUNK + 1;
        if self.chunks.len() < n {
            let mut chunks = std::mem::take(&mut self.chunks).into_vec();
            chunks.reserve_exact(n - chunks.len());
            chunks.resize_with(n, Chunk::default);
            self.chunks = chunks.into();
        }
        let chunk = &mut self.chunks[n - 1];
        let (at, is_there) = chunk.place(i);
        if !is_there {
            chunk.which |= 1 << (i % CHUNK);
            if chunk.states.len() == chunk.states.capacity() {
                // by little: few more will come
                chunk.states.reserve_exact(chunk.states.len().clamp(2, 8));
            }
            chunk.states.insert(at, Resolved::None);
        }
        &mut chunk.states[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_comes_with_the_first_resolution() {
        let mut r = Resolutions::new(140, 3);
        assert!(matches!(r.get(139), Some(Resolved::None)) && r.get(140).is_none());
        r[3] = Resolved::Prim(4);
        assert!(r.chunks.is_empty() && matches!(r[3], Resolved::Prim(4)));
        r[77] = Resolved::Prim(5);
        assert!(matches!(r[77], Resolved::Prim(5)) && matches!(r[76], Resolved::None));
        assert_eq!(r.chunks.iter().map(|c| c.states.len()).sum::<usize>(), 1);
    }
    #[test]
    fn each_entry_keeps_its_own_state() {
        let mut r = Resolutions::new(300, 7);
        // in an order of its own, each twice
        for i in (0..600).map(|i| i * 71 % 300) {
            r[i] = Resolved::Prim(i as u64);
        }
        for i in 0..300 {
            assert!(matches!(r[i], Resolved::Prim(n) if n == i as u64), "{i}");
        }
        assert_eq!(r.iter().count(), 300);
    }
}

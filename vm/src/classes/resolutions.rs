//! What the entries of a class's constant pool have been resolved to. Most are never resolved, so there is
//! memory only for the neighbourhood of those that are.

use crate::classes::Resolved;
use std::ops::{Index, IndexMut};

/// Entries that get their memory together.
const CHUNK: usize = 16;
type Chunk = [Resolved; CHUNK];

static NONE: Resolved = Resolved::None;

/// State of each entry of a constant pool, by index.
#[derive(Default)]
pub struct Resolutions {
    len: usize,
    /// The entry that stands for the class itself, which is resolved from the beginning.
    own: usize,
    itself: Resolved,
    chunks: Box<[Option<Box<Chunk>>]>,
}

impl Resolutions {
    /// For a pool of that many entries, entry 0 included; `own` is the class's own.
    pub fn new(len: usize, own: u16) -> Resolutions {
        Resolutions {
            len,
            own: own.into(),
            itself: Resolved::None,
            chunks: (0..len.div_ceil(CHUNK)).map(|_| None).collect(),
        }
    }
    /// Bytes for a pool of that many entries, nothing of it resolved.
    pub(super) fn bytes(len: usize) -> usize {
        len.div_ceil(CHUNK) * size_of::<Option<Box<Chunk>>>()
    }
    /// The states of entries; some that are not resolved are left out.
    pub fn iter(&self) -> impl Iterator<Item = &Resolved> {
        let chunks = self.chunks.iter().flatten();
        chunks.flat_map(|chunk| chunk.iter()).chain([&self.itself])
    }
    /// The state of an entry; `None` beyond the pool.
    pub fn get(&self, i: usize) -> Option<&Resolved> {
        (i < self.len).then(|| &self[i])
    }
}

impl Index<usize> for Resolutions {
    type Output = Resolved;
    fn index(&self, i: usize) -> &Resolved {
        assert!(i < self.len, "no constant {i}");
        if i == self.own {
            return &self.itself;
        }
        match &self.chunks[i / CHUNK] {
            Some(chunk) => &chunk[i % CHUNK],
            None => &NONE,
        }
    }
}

impl IndexMut<usize> for Resolutions {
    fn index_mut(&mut self, i: usize) -> &mut Resolved {
        assert!(i < self.len, "no constant {i}");
        if i == self.own {
            return &mut self.itself;
        }
        &mut self.chunks[i / CHUNK].get_or_insert_default()[i % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_comes_with_the_first_resolution_nearby() {
        let mut r = Resolutions::new(40, 3);
        assert!(matches!(r.get(39), Some(Resolved::None)) && r.get(40).is_none());
        r[3] = Resolved::Prim(4);
        assert!(r.chunks.iter().all(Option::is_none) && matches!(r[3], Resolved::Prim(4)));
        r[17] = Resolved::Prim(5);
        assert!(matches!(r[17], Resolved::Prim(5)) && matches!(r[16], Resolved::None));
        assert_eq!(r.chunks.iter().flatten().count(), 1);
    }
}

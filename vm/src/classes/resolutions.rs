//! What the entries of a class's constant pool have been resolved to. Most are never resolved, so there is
//! memory only for those that are.

use crate::classes::Resolved;
use crate::classes::tables::RareData;
use crate::ids::{ClassId, MethodId};

/// Entries that are stored together.
const CHUNK: usize = 64;

/// A state in a word: its kind in the lowest bits, a number of [`NARROW`] bits, and one of 32 bits above. States that do not fit,
/// and rare ones, are elsewhere.
#[derive(Clone, Copy)]
struct Word(u64);

/// Bits of the first number, behind those that report the kind.
const NARROW: u32 = 32 - KIND;
const KIND: u32 = 3;

impl Word {
    const NONE: Word = Word(0);
    const CLASS: u64 = 1;
    const FIELD: u64 = 2;
    const METHOD: u64 = 3;
    const CELL: u64 = 4;
    const POLY: u64 = 5;
    /// The first number is the place in [`Resolutions::others`].
    const OTHER: u64 = 6;

    fn new(kind: u64, narrow: u32, wide: u32) -> Option<Word> {
        (narrow >> NARROW == 0)
            .then(|| Word(kind | u64::from(narrow) << KIND | u64::from(wide) << 32))
    }
    /// No state that is rare or does not fit.
    fn of(r: &Resolved) -> Option<Word> {
        match *r {
            Resolved::None => Some(Word::NONE),
            Resolved::Class(c) => Word::new(Word::CLASS, 0, c.0),
            Resolved::Field(c, index) => Word::new(Word::FIELD, index, c.0),
            Resolved::Method(m) => Word::new(Word::METHOD, 0, m.0),
            Resolved::Cell(cell) => Word::new(Word::CELL, 0, cell),
            Resolved::Poly(m, cell) => Word::new(Word::POLY, m.0, cell),
            Resolved::Prim(_) | Resolved::Error(_) => None,
        }
    }
    fn kind(self) -> u64 {
        self.0 & ((1 << KIND) - 1)
    }
    fn narrow(self) -> u32 {
        self.0 as u32 >> KIND
    }
    fn wide(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// Those of the entries next to each other that have a state, ascending.
#[derive(Default)]
struct Chunk {
    /// Which they are.
    which: u64,
    states: Vec<Word>,
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
    /// The entry that represents the class itself, which is resolved from the beginning.
    own: u16,
    /// That class.
    itself: Option<ClassId>,
    /// As far as anything was resolved.
    chunks: Box<[Chunk]>,
    /// Primitive dynamic constants, failures, and numbers that don't fit into a word.
    others: RareData<Vec<Resolved>>,
}

impl Resolutions {
    /// For a pool of that many entries, entry 0 included; `own` is the class's own.
    pub fn new(len: usize, own: u16) -> Resolutions {
        Resolutions {
            len: len as u16,
            own,
            ..Resolutions::default()
        }
    }
    /// The states of entries; some that are not resolved are left out.
    pub fn iter(&self) -> impl Iterator<Item = Resolved> {
        let words = self.chunks.iter().flat_map(|chunk| &chunk.states);
        let itself = self.itself.map(Resolved::Class);
        words.map(|&word| self.state(word)).chain(itself)
    }
    /// The state of an entry; `None` beyond the pool.
    pub fn get(&self, i: u16) -> Option<Resolved> {
        (i < self.len).then(|| self.at(i))
    }
    /// The state of an entry, which there is.
    pub fn at(&self, i: u16) -> Resolved {
        self.state(self.word(i))
    }
    /// Whether an entry, which there is, has no state yet.
    pub fn is_open(&self, i: u16) -> bool {
        self.word(i).0 == Word::NONE.0
    }
    /// Sets the state of an entry, which there is.
    pub fn set(&mut self, i: u16, state: Resolved) {
        assert!(i < self.len, "no constant {i}");
        if i == self.own
            && let Resolved::Class(class) = state
        {
            self.itself = Some(class);
            return;
        }
        let word = Word::of(&state).unwrap_or_else(|| {
            let others = self.others.make();
            others.push(state);
            Word::new(Word::OTHER, others.len() as u32 - 1, 0)
                .expect("fewer than there are constants")
        });
        let i = usize::from(i);
        let n = i / CHUNK + 1;
        if self.chunks.len() < n {
            let mut chunks = std::mem::take(&mut self.chunks).into_vec();
            chunks.reserve_exact(n - chunks.len());
            chunks.resize_with(n, Chunk::default);
            self.chunks = chunks.into();
        }
        let chunk = &mut self.chunks[n - 1];
        let (at, is_there) = chunk.place(i);
        if is_there {
            chunk.states[at] = word;
            return;
        }
        chunk.which |= 1 << (i % CHUNK);
        if chunk.states.len() == chunk.states.capacity() {
            // by little: few more will come
            chunk.states.reserve_exact(chunk.states.len().clamp(3, 4));
        }
        chunk.states.insert(at, word);
    }
    fn word(&self, i: u16) -> Word {
        assert!(i < self.len, "no constant {i}");
        if i == self.own
            && let Some(class) = self.itself
        {
            return Word::new(Word::CLASS, 0, class.0).unwrap_or(Word::NONE);
        }
        let Some(chunk) = self.chunks.get(usize::from(i) / CHUNK) else {
            return Word::NONE;
        };
        match chunk.place(i.into()) {
            (at, true) => chunk.states[at],
            _ => Word::NONE,
        }
    }
    fn state(&self, word: Word) -> Resolved {
        let (narrow, wide) = (word.narrow(), word.wide());
        match word.kind() {
            Word::CLASS => Resolved::Class(ClassId(wide)),
            Word::FIELD => Resolved::Field(ClassId(wide), narrow),
            Word::METHOD => Resolved::Method(MethodId(wide)),
            Word::CELL => Resolved::Cell(wide),
            Word::POLY => Resolved::Poly(MethodId(narrow), wide),
            Word::OTHER => self.others.get().expect("put there")[narrow as usize].clone(),
            _ => Resolved::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_comes_with_the_first_resolution() {
        let mut r = Resolutions::new(140, 3);
        assert!(matches!(r.get(139), Some(Resolved::None)) && r.get(140).is_none());
        assert!(r.is_open(3) && r.iter().next().is_none());
        r.set(3, Resolved::Class(ClassId(4)));
        assert!(r.chunks.is_empty() && matches!(r.at(3), Resolved::Class(ClassId(4))));
        r.set(77, Resolved::Prim(5));
        assert!(matches!(r.at(77), Resolved::Prim(5)) && r.is_open(76) && !r.is_open(77));
        assert_eq!(r.chunks.iter().map(|c| c.states.len()).sum::<usize>(), 1);
    }
    #[test]
    fn each_entry_keeps_its_own_state() {
        let mut r = Resolutions::new(300, 7);
        // in an order of its own, each twice
        for i in (0..600).map(|i: u16| i * 71 % 300) {
            r.set(i, Resolved::Cell(u32::MAX - u32::from(i)));
        }
        for i in 0..300 {
            assert!(
                matches!(r.at(i), Resolved::Cell(n) if n == u32::MAX - u32::from(i)),
                "{i}"
            );
        }
        assert_eq!(r.iter().count(), 300);
    }
    #[test]
    fn all_states_come_back() {
        let (class, most) = (ClassId(u32::MAX), u32::MAX);
        let fits = (1 << NARROW) - 1;
        let all = [
            Resolved::Class(class),
            Resolved::Field(class, fits),
            Resolved::Field(class, fits + 1),
            Resolved::Method(MethodId(most)),
            Resolved::Cell(most),
            Resolved::Poly(MethodId(fits), most),
            Resolved::Poly(MethodId(most), most),
            Resolved::Prim(u64::MAX),
            Resolved::None,
        ];
        let mut r = Resolutions::new(all.len(), 0);
        for (i, state) in (0..).zip(&all) {
            r.set(i, state.clone());
        }
        for (i, state) in (0..).zip(&all) {
            assert_eq!(format!("{:?}", r.at(i)), format!("{state:?}"));
        }
        assert_eq!(r.others.get().map(Vec::len), Some(3));
    }
}

//! Lists of types that share what they have in common. Data flow keeps a state for each instruction, and the states
//! of one method differ in little: as plain lists, locals and operands of a method of 64 KB could take gigabytes. So a
//! list is a tree of small pieces, a copy shares all of them, and a change makes new only those on the way to the
//! entry. Lists that are stored for long go through a [`Pool`], where equal pieces are one.

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

/// log2 of the entries of a piece.
const BITS: u32 = 4;
const FAN: usize = 1 << BITS;
/// Bytes that a piece takes beside its entries, and its place in a pool.
const PIECE: usize = 80;

enum SlotChildren<T> {
    Leaf(Vec<T>),
    Inner(Vec<Arc<SlotNode<T>>>),
}

struct SlotNode<T> {
    /// It is in the pool, and no other piece there is equal.
    pooled: bool,
    kids: SlotChildren<T>,
}

impl<T: Copy> Clone for SlotNode<T> {
    fn clone(&self) -> SlotNode<T> {
        let kids = match &self.kids {
            SlotChildren::Leaf(l) => SlotChildren::Leaf(l.clone()),
            SlotChildren::Inner(l) => SlotChildren::Inner(l.clone()),
        };
        SlotNode {
            pooled: false,
            kids,
        }
    }
}

impl<T> SlotNode<T> {
    fn bytes(&self) -> usize {
        PIECE
            + match &self.kids {
                SlotChildren::Leaf(l) => l.capacity() * size_of::<T>(),
                SlotChildren::Inner(l) => l.capacity() * size_of::<usize>(),
            }
    }
}

/// A list. Copies share what neither has changed.
pub struct SlotList<T> {
    root: Option<Arc<SlotNode<T>>>,
    len: usize,
}

impl<T> Clone for SlotList<T> {
    fn clone(&self) -> SlotList<T> {
        SlotList {
            root: self.root.clone(),
            len: self.len,
        }
    }
}

impl<T> Default for SlotList<T> {
    fn default() -> SlotList<T> {
        SlotList { root: None, len: 0 }
    }
}

/// Levels of inner pieces of a list of so many entries.
fn levels(len: usize) -> u32 {
    let mut levels = 0;
    while len > FAN << (levels * BITS) {
        levels += 1;
    }
    levels
}

/// A difference of two lists: where, and what the one and the other have there.
pub type Difference<T> = (usize, T, T);

impl<T> SlotList<T> {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.len
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// Whether both are the same without a look at the entries; lists of a [`Pool`] are equal if and only if they are.
    pub fn is(&self, other: &SlotList<T>) -> bool {
        let root = |s: &SlotList<T>| s.root.as_ref().map(Arc::as_ptr);
        self.len == other.len && root(self) == root(other)
    }
    fn leaf(&self, i: usize) -> &[T] {
        let Some(mut piece) = self.root.as_ref() else {
            return &[];
        };
        let mut level = levels(self.len);
        loop {
            match &piece.kids {
                SlotChildren::Leaf(l) => return l,
                SlotChildren::Inner(l) => {
                    piece = &l[(i >> (level * BITS)) % FAN];
                    level -= 1;
                }
            }
        }
    }
}

impl<T> SlotList<T> {
    /// Whether `is` holds of an entry. `known`: of which pieces of a pool, which are still there, that is known, by address.
    pub fn any(&self, is: &dyn Fn(&T) -> bool, known: &mut HashMap<usize, bool>) -> bool {
        let root = self.root.as_ref();
        root.is_some_and(|piece| any(piece, is, known))
    }
}

fn any<T>(
    piece: &Arc<SlotNode<T>>,
    is: &dyn Fn(&T) -> bool,
    known: &mut HashMap<usize, bool>,
) -> bool {
    let at = Arc::as_ptr(piece) as usize;
    if let Some(&found) = known.get(&at) {
        return found;
    }
    let found = match &piece.kids {
        SlotChildren::Leaf(l) => l.iter().any(is),
        SlotChildren::Inner(l) => l.iter().any(|kid| any(kid, is, known)),
    };
    if piece.pooled {
        known.insert(at, found);
    }
    found
}

impl<T: Copy + PartialEq> SlotList<T> {
    /// The entry at `i`.
    pub fn get(&self, i: usize) -> Option<T> {
        (i < self.len).then(|| self.leaf(i)[i % FAN])
    }
    /// The last entry.
    pub fn last(&self) -> Option<T> {
        self.get(self.len.wrapping_sub(1))
    }
    /// All entries.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter {
            list: self,
            leaf: &[],
            at: 0,
        }
    }
    /// The pieces of entries from the one on that has number `from`, with the number of the first entry of each.
    pub fn leaves(&self, from: usize) -> impl Iterator<Item = (usize, &[T])> {
        let mut at = from;
        std::iter::from_fn(move || {
            if at >= self.len {
                return None;
            }
            let (first, leaf) = (at, &self.leaf(at)[at % FAN..]);
            at += leaf.len();
            Some((first, leaf))
        })
    }
    /// Adds the entries from `from` on to others.
    pub fn copy_from(&self, from: usize, to: &mut Vec<T>) {
        self.leaves(from)
            .for_each(|(_, leaf)| to.extend_from_slice(leaf));
    }
    /// Whether an entry equals `t`.
    pub fn contains(&self, t: &T) -> bool {
        self.iter().any(|e| e == *t)
    }
    /// Sets the entry at `i`, which there is.
    pub fn set(&mut self, i: usize, t: T) {
        assert!(i < self.len, "no entry {i} of {}", self.len);
        if self.leaf(i)[i % FAN] == t {
            return;
        }
        let mut level = levels(self.len);
        let mut piece = self.root.as_mut().expect("it has entries");
        loop {
            let owned = Arc::make_mut(piece);
            // as it is changed, it may equal another one
            owned.pooled = false;
            match &mut owned.kids {
                SlotChildren::Leaf(l) => {
                    l[i % FAN] = t;
                    return;
                }
                SlotChildren::Inner(l) => piece = &mut l[(i >> (level * BITS)) % FAN],
            }
            level -= 1;
        }
    }
    /// Adds an entry.
    pub fn push(&mut self, t: T) {
        let i = self.len;
        let leaf = |t| {
            Arc::new(SlotNode {
                pooled: false,
                kids: SlotChildren::Leaf(vec![t]),
            })
        };
        let around = |piece| {
            Arc::new(SlotNode {
                pooled: false,
                kids: SlotChildren::Inner(vec![piece]),
            })
        };
        self.len += 1;
        let Some(root) = &mut self.root else {
            self.root = Some(leaf(t));
            return;
        };
        let mut level = levels(i + 1);
        if level > levels(i) {
            *root = around(root.clone());
        }
        let mut piece = root;
        loop {
            let owned = Arc::make_mut(piece);
            owned.pooled = false;
            match &mut owned.kids {
                SlotChildren::Leaf(l) => return l.push(t),
                SlotChildren::Inner(l) => {
                    let kid = (i >> (level * BITS)) % FAN;
                    level -= 1;
                    if kid == l.len() {
                        let new = (0..level).fold(leaf(t), |piece, _| around(piece));
                        return l.push(new);
                    }
                    piece = &mut l[kid];
                }
            }
        }
    }
    /// Takes the last entry away.
    pub fn pop(&mut self) -> Option<T> {
        let last = self.last()?;
        self.truncate(self.len - 1);
        Some(last)
    }
    /// Leaves the first `len` entries, if there are more.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        let before = levels(self.len);
        self.len = len;
        if len == 0 {
            self.root = None;
            return;
        }
        let root = self.root.as_mut().expect("it has entries");
        for _ in levels(len)..before {
            let SlotChildren::Inner(l) = &root.kids else {
                break;
            };
            *root = l[0].clone();
        }
        let (mut level, last) = (levels(len), len - 1);
        let mut piece = root;
        loop {
            let owned = Arc::make_mut(piece);
            owned.pooled = false;
            match &mut owned.kids {
                SlotChildren::Leaf(l) => return l.truncate(last % FAN + 1),
                SlotChildren::Inner(l) => {
                    let kid = (last >> (level * BITS)) % FAN;
                    l.truncate(kid + 1);
                    piece = &mut l[kid];
                    level -= 1;
                }
            }
        }
    }
    /// Makes it so long, with `t` where there was nothing.
    pub fn resize(&mut self, len: usize, t: T) {
        self.truncate(len);
        while self.len < len {
            self.push(t);
        }
    }
    /// Where the two differ, as far as both go, in order. Shared pieces are not looked at.
    pub fn differences(&self, other: &SlotList<T>) -> Vec<Difference<T>> {
        let mut found = Vec::new();
        if let (Some(a), Some(b)) = (&self.root, &other.root) {
            differences((a, levels(self.len)), (b, levels(other.len)), 0, &mut |d| {
                found.push(d);
                true
            });
        }
        found
    }
}

/// Hands the differences of two pieces, whose first entries have number `at`, to `found`, until that wants no more.
fn differences<T: Copy + PartialEq>(
    (a, a_level): (&Arc<SlotNode<T>>, u32),
    (b, b_level): (&Arc<SlotNode<T>>, u32),
    at: usize,
    found: &mut dyn FnMut(Difference<T>) -> bool,
) -> bool {
    if Arc::ptr_eq(a, b) {
        return true;
    }
    // the lower one is as long as the first part of the higher one, at most
    match (&a.kids, &b.kids) {
        (SlotChildren::Inner(l), _) if a_level > b_level => {
            differences((&l[0], a_level - 1), (b, b_level), at, found)
        }
        (_, SlotChildren::Inner(l)) if b_level > a_level => {
            differences((a, a_level), (&l[0], b_level - 1), at, found)
        }
        (SlotChildren::Leaf(a), SlotChildren::Leaf(b)) => {
            let mut pairs = a.iter().zip(b).enumerate().filter(|(_, (x, y))| x != y);
            pairs.all(|(i, (x, y))| found((at + i, *x, *y)))
        }
        (SlotChildren::Inner(a), SlotChildren::Inner(b)) => {
            let width = 1 << (a_level * BITS);
            let level = a_level - 1;
            let mut pairs = a.iter().zip(b).enumerate();
            pairs.all(|(i, (x, y))| differences((x, level), (y, level), at + i * width, found))
        }
        _ => unreachable!("pieces of one level are of one kind"),
    }
}

impl<T: Copy + PartialEq> PartialEq for SlotList<T> {
    fn eq(&self, other: &SlotList<T>) -> bool {
        self.len == other.len
            && match (&self.root, &other.root) {
                (Some(a), Some(b)) => {
                    let level = levels(self.len);
                    differences((a, level), (b, level), 0, &mut |_| false)
                }
                _ => true,
            }
    }
}

impl<T: Copy + Eq> Eq for SlotList<T> {}

impl<T: Copy + PartialEq> FromIterator<T> for SlotList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> SlotList<T> {
        let mut list = SlotList::default();
        list.extend(entries);
        list
    }
}

impl<T: Copy + PartialEq> Extend<T> for SlotList<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, entries: I) {
        entries.into_iter().for_each(|t| self.push(t));
    }
}

impl<T: Copy + PartialEq + fmt::Debug> fmt::Debug for SlotList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The entries of a list.
pub struct Iter<'s, T> {
    list: &'s SlotList<T>,
    leaf: &'s [T],
    at: usize,
}

impl<T: Copy> Iterator for Iter<'_, T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        if self.at == self.list.len {
            return None;
        }
        if self.at.is_multiple_of(FAN) {
            self.leaf = self.list.leaf(self.at);
        }
        let t = self.leaf[self.at % FAN];
        self.at += 1;
        Some(t)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len - self.at;
        (left, Some(left))
    }
}

impl<T: Copy> ExactSizeIterator for Iter<'_, T> {}

/// The pieces of the lists that are stored.
pub struct Pool<T> {
    table: HashTable<Arc<SlotNode<T>>>,
    hasher: DefaultHashBuilder,
    /// Bytes of the pieces in the table.
    bytes: usize,
    /// Bytes at which it is time to look for unused pieces.
    sweep_at: usize,
}

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool {
            table: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            bytes: 0,
            sweep_at: 1 << 20,
        }
    }
}

impl<T: Copy + Eq + Hash> Pool<T> {
    /// Makes the pieces of a list those of the pool.
    pub fn keep(&mut self, list: &mut SlotList<T>) {
        if let Some(root) = &mut list.root {
            self.share(root);
        }
    }
    /// A list of these entries. Those of one piece are left out of the pool, which is not worth it for them; pieces that are
    /// like the one before cost a comparison.
    pub fn list(&mut self, entries: &[T]) -> SlotList<T> {
        if entries.len() <= FAN {
            let piece = || SlotNode {
                pooled: false,
                kids: SlotChildren::Leaf(entries.to_vec()),
            };
            return SlotList {
                root: (!entries.is_empty()).then(|| Arc::new(piece())),
                len: entries.len(),
            };
        }
        let mut pieces: Vec<Arc<SlotNode<T>>> = Vec::with_capacity(entries.len() / FAN + 1);
        let mut before: &[T] = &[];
        for leaf in entries.chunks(FAN) {
            let piece = match pieces.last() {
                Some(last) if leaf == before => last.clone(),
                _ => self.pooled(SlotChildren::Leaf(leaf.to_vec())),
            };
            pieces.push(piece);
            before = leaf;
        }
        while pieces.len() > 1 {
            let above = pieces.chunks(FAN);
            pieces = above
                .map(|l| self.pooled(SlotChildren::Inner(l.to_vec())))
                .collect();
        }
        SlotList {
            root: pieces.pop(),
            len: entries.len(),
        }
    }
    fn pooled(&mut self, kids: SlotChildren<T>) -> Arc<SlotNode<T>> {
        let mut piece = Arc::new(SlotNode {
            pooled: false,
            kids,
        });
        self.find_or_add(&mut piece);
        piece
    }
    fn share(&mut self, piece: &mut Arc<SlotNode<T>>) {
        if piece.pooled {
            return;
        }
        if let SlotChildren::Inner(kids) = &mut Arc::make_mut(piece).kids {
            kids.iter_mut().for_each(|kid| self.share(kid));
        }
        self.find_or_add(piece);
    }
    /// A piece whose kids are the pool's.
    fn find_or_add(&mut self, piece: &mut Arc<SlotNode<T>>) {
        let (hasher, hash) = (&self.hasher, hash(&self.hasher, piece));
        let found = self.table.find(hash, |other| equal(other, piece));
        if let Some(found) = found {
            *piece = found.clone();
            return;
        }
        Arc::make_mut(piece).pooled = true;
        self.bytes += piece.bytes();
        self.table
            .insert_unique(hash, piece.clone(), |p| self::hash(hasher, p));
    }
    /// Bytes of the pieces in use, roughly: never less.
    pub fn bytes(&mut self) -> usize {
        if self.bytes > self.sweep_at {
            self.sweep();
            self.sweep_at = (self.bytes * 2).max(1 << 20);
        }
        self.bytes
    }
    fn sweep(&mut self) {
        // a piece that goes may have been the last to have others
        for _ in 0..=levels(usize::from(u16::MAX)) {
            let before = self.table.len();
            self.table.retain(|piece| Arc::strong_count(piece) > 1);
            if self.table.len() == before {
                break;
            }
        }
        self.bytes = self.table.iter().map(|piece| piece.bytes()).sum();
    }
}

fn hash<T: Hash>(hasher: &DefaultHashBuilder, piece: &SlotNode<T>) -> u64 {
    let mut h = hasher.build_hasher();
    match &piece.kids {
        SlotChildren::Leaf(l) => l.hash(&mut h),
        SlotChildren::Inner(l) => l.iter().for_each(|kid| Arc::as_ptr(kid).hash(&mut h)),
    }
    h.finish()
}

/// Whether two pieces, whose kids are the pool's, are equal.
fn equal<T: Eq>(a: &SlotNode<T>, b: &SlotNode<T>) -> bool {
    match (&a.kids, &b.kids) {
        (SlotChildren::Leaf(a), SlotChildren::Leaf(b)) => a == b,
        (SlotChildren::Inner(a), SlotChildren::Inner(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
        }
        _ => false,
    }
}

#[cfg(test)]
#[path = "tests/slots.rs"]
mod tests;

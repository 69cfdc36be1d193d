//! The optional columns of a tree: what was allocated in each context, and how often each bytecode
//! was executed in it. A column that nobody fills takes no memory.

use std::iter::FusedIterator;

/// Objects (arrays included) and the bytes they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Allocation {
    /// Number of objects.
    pub objects: u64,
    /// Their sizes together.
    pub bytes: u64,
}

impl Allocation {
    /// Nothing.
    pub const NONE: Allocation = Allocation {
        objects: 0,
        bytes: 0,
    };

    /// Was nothing allocated?
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// Adds another one.
    #[inline]
    pub fn add(&mut self, other: Allocation) {
        self.objects = self.objects.saturating_add(other.objects);
        self.bytes = self.bytes.saturating_add(other.bytes);
    }
}

/// What a VM knows of a context beside invocations and bytecodes. A
/// [`Builder`](crate::Builder) hands out an empty one for each node, to be filled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// Objects allocated in the context itself.
    pub objects: u64,
    /// Bytes they take.
    pub bytes: u64,
    /// Execution counts of bytecodes, by their index in the method's code. They may come in any
    /// order, and several times for one index.
    pub counts: Vec<(u16, u64)>,
}

impl Extra {
    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.objects = 0;
        self.bytes = 0;
        self.counts.clear();
    }

    #[inline]
    pub(crate) fn allocation(&self) -> Allocation {
        Allocation {
            objects: self.objects,
            bytes: self.bytes,
        }
    }

    pub(crate) fn set_allocation(&mut self, allocation: Allocation) {
        self.objects = allocation.objects;
        self.bytes = allocation.bytes;
    }

    /// Puts the counts in order, one for each index, none of them zero.
    pub(crate) fn normalise(&mut self) {
        add_up(&mut self.counts);
    }
}

/// Sorts counts, adds those of equal indices, drops zeros.
pub(crate) fn add_up(counts: &mut Vec<(u16, u64)>) {
    if counts.is_sorted_by(|a, b| a.0 < b.0) {
        counts.retain(|c| c.1 > 0);
        return;
    }
    counts.sort_unstable();
    counts.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 = kept.1.saturating_add(next.1);
        }
        same
    });
    counts.retain(|c| c.1 > 0);
}

/// Execution counts of the bytecodes of one context: pairs of bytecode index and count, by
/// ascending index. Bytecodes that were never executed are left out.
#[derive(Clone, Debug, Default)]
pub struct Counts<'a> {
    /// How many are left.
    left: usize,
    /// For each: its index, less the least it can be, and its count.
    bytes: &'a [u8],
    /// The least index of the next one.
    least: u64,
}

impl Counts<'_> {
    /// The count of the bytecode at `index`. All before it are looked at.
    pub fn at(&self, index: u16) -> u64 {
        let mut from = self.clone().skip_while(|count| count.0 < index);
        from.next()
            .filter(|count| count.0 == index)
            .map_or(0, |count| count.1)
    }

    /// The sum of all counts.
    pub fn total(&self) -> u64 {
        self.clone()
            .fold(0, |sum, (_, count)| sum.saturating_add(count))
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }
}

impl Iterator for Counts<'_> {
    type Item = (u16, u64);

    #[inline]
    fn next(&mut self) -> Option<(u16, u64)> {
        self.left = self.left.checked_sub(1)?;
        let index = self.least + take_number(&mut self.bytes);
        let count = take_number(&mut self.bytes);
        self.least = index + 1;
        Some((index as u16, count))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

/// Appends a number, seven bits a byte, lowest first; all bytes but the last have the top bit set.
#[inline]
fn push_number(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

/// Takes the first number away.
#[inline]
fn take_number(bytes: &mut &[u8]) -> u64 {
    let (mut n, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        n |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    n
}

impl ExactSizeIterator for Counts<'_> {}
impl FusedIterator for Counts<'_> {}

/// The columns of a tree, by node. Both are empty as long as only zeros came, so that equal trees
/// are equal however they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Columns {
    allocations: Vec<Allocation>,
    /// Where the counts of each node begin.
    begins: Vec<usize>,
    /// Of each node that has any, how many counts it has, and these, see [`Counts`]: there may be a hundred times as many as nodes, and
    /// most are small.
    counts: Vec<u8>,
}

impl Columns {
    pub fn has_allocations(&self) -> bool {
        !self.allocations.is_empty()
    }

    pub fn has_counts(&self) -> bool {
        !self.begins.is_empty()
    }

    pub fn allocation(&self, node: u32) -> Allocation {
        match self.allocations.get(node as usize) {
            Some(&allocation) => allocation,
            None => Allocation::NONE,
        }
    }

    pub fn counts(&self, node: u32) -> Counts<'_> {
        let Some(&begin) = self.begins.get(node as usize) else {
            return Counts::default();
        };
        let end = match self.begins.get(node as usize + 1) {
            Some(&end) => end,
            None => self.counts.len(),
        };
        let mut bytes = &self.counts[begin..end];
        Counts {
            left: take_number(&mut bytes) as usize,
            bytes,
            least: 0,
        }
    }

    /// Sets the values of `node`; nodes come in ascending order, those without values may be left
    /// out. `counts` are in order, without zeros.
    pub fn push(&mut self, node: u32, allocation: Allocation, counts: &[(u16, u64)]) {
        let node = node as usize;
        if !allocation.is_none() {
            self.allocations.resize(node, Allocation::NONE);
            self.allocations.push(allocation);
        }
        if !counts.is_empty() {
            self.begins.resize(node + 1, self.counts.len());
            push_number(&mut self.counts, counts.len() as u64);
            let mut least = 0;
            for &(index, count) in counts {
                push_number(&mut self.counts, u64::from(index) - least);
                push_number(&mut self.counts, count);
                least = u64::from(index) + 1;
            }
        }
    }

    /// Adds to what `node` has allocated.
    pub fn add_allocation(&mut self, node: u32, allocation: Allocation) {
        if allocation.is_none() {
            return;
        }
        if self.allocations.len() <= node as usize {
            self.allocations.resize(node as usize + 1, Allocation::NONE);
        }
        self.allocations[node as usize].add(allocation);
    }

    /// Fills up the columns that are there, for `nodes` nodes.
    pub fn finish(&mut self, nodes: usize) {
        if self.has_allocations() {
            self.allocations.resize(nodes, Allocation::NONE);
        }
        if self.has_counts() {
            self.begins.resize(nodes, self.counts.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_take_no_memory_and_make_no_difference() {
        let mut columns = Columns::default();
        columns.push(0, Allocation::NONE, &[]);
        columns.push(1, Allocation::NONE, &[]);
        columns.finish(2);
        assert_eq!(columns, Columns::default());
        assert!(!columns.has_allocations() && !columns.has_counts());
        assert!(columns.counts(1).is_empty() && columns.allocation(1).is_none());
    }

    #[test]
    fn values_are_those_of_their_node() {
        let two = Allocation {
            objects: 2,
            bytes: 48,
        };
        let mut columns = Columns::default();
        columns.push(1, two, &[]);
        columns.push(2, Allocation::NONE, &[(0, 5), (3, 1)]);
        columns.push(3, Allocation::NONE, &[(128, 300), (u16::MAX, u64::MAX)]);
        columns.push(4, Allocation::NONE, &[(7, 9)]);
        columns.add_allocation(5, two);
        columns.finish(8);
        let counts: Vec<Vec<_>> = (0..8).map(|n| columns.counts(n).collect()).collect();
        assert_eq!(counts[2], [(0, 5), (3, 1)]);
        assert_eq!(counts[3], [(128, 300), (u16::MAX, u64::MAX)]);
        assert_eq!(counts[4], [(7, 9)]);
        assert_eq!(counts.iter().flatten().count(), 5);
        assert_eq!(columns.counts(3).len(), 2);
        assert_eq!(columns.counts(3).at(u16::MAX), u64::MAX);
        assert_eq!(columns.counts(3).at(129), 0);
        assert_eq!(columns.counts(3).total(), u64::MAX);
        assert_eq!(columns.counts(2).at(3), 1);
        assert_eq!(columns.counts(2).at(2), 0);
        assert_eq!(columns.counts(2).total(), 6);
        let objects: Vec<u64> = (0..8).map(|n| columns.allocation(n).objects).collect();
        assert_eq!(objects, [0, 2, 0, 0, 0, 2, 0, 0]);
    }

    #[test]
    fn counts_are_put_in_order() {
        let mut extra = Extra {
            counts: vec![(5, 1), (2, 3), (5, u64::MAX), (9, 0)],
            ..Extra::default()
        };
        extra.normalise();
        assert_eq!(extra.counts, [(2, 3), (5, u64::MAX)]);
    }
}

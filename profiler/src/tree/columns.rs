//! The optional columns of a tree: the allocations in each context, how often each bytecode was executed in it, and
//! what callees that are not shown have executed, by call site. A column that is never filled takes no memory.

use crate::leb;
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

    /// Adds the counts of another node.
    #[inline]
    pub fn add(&mut self, other: Allocation) {
        self.objects = self.objects.saturating_add(other.objects);
        self.bytes = self.bytes.saturating_add(other.bytes);
    }
}

/// The data of a context beside invocations and bytecodes. A
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
    /// Bytecodes of callees that are not shown and count for the context itself, by the bytecode index of the call. What they
    /// don't report has no call site that is known.
    pub caused: Vec<(u16, u64)>,
}

impl Extra {
    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.objects = 0;
        self.bytes = 0;
        self.counts.clear();
        self.caused.clear();
    }

    #[inline]
    pub(crate) fn allocation(&self) -> Allocation {
        Allocation {
            objects: self.objects,
            bytes: self.bytes,
        }
    }

    /// The counts of bytecodes.
    #[inline]
    pub(crate) fn counts(&self) -> impl ExactSizeIterator<Item = (u16, u64)> {
        self.counts.iter().copied()
    }

    /// What callees that are not shown have executed.
    #[inline]
    pub(crate) fn caused(&self) -> impl ExactSizeIterator<Item = (u16, u64)> {
        self.caused.iter().copied()
    }

    pub(crate) fn set_allocation(&mut self, allocation: Allocation) {
        self.objects = allocation.objects;
        self.bytes = allocation.bytes;
    }

    /// Puts the counts in order, one for each index, none of them zero.
    pub(crate) fn normalise(&mut self) {
        add_up(&mut self.counts);
        add_up(&mut self.caused);
    }
}

/// The index of a call site, if that is known.
#[inline]
pub(crate) fn index_of(site: u32) -> Option<u16> {
    u16::try_from(site).ok()
}

/// Adds the bytecodes of a hidden callee; in order when all have come and were added up.
#[inline]
pub(crate) fn add_caused(caused: &mut Vec<(u16, u64)>, site: u32, bytecodes: u64) {
    let Some(index) = index_of(site).filter(|_| bytecodes > 0) else {
        return;
    };
    match caused.last_mut() {
        Some(last) if last.0 == index => last.1 = last.1.saturating_add(bytecodes),
        _ => caused.push((index, bytecodes)),
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
        let index = self.least + leb::take(&mut self.bytes);
        let count = leb::take(&mut self.bytes);
        self.least = index + 1;
        Some((index as u16, count))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Counts<'_> {}
impl FusedIterator for Counts<'_> {}

/// Counts by bytecode index, of each node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sparse {
    /// Where the counts of each node begin.
    begins: Vec<usize>,
    /// Of each node that has any, how many counts it has, and these, see [`Counts`]: there may be a hundred times as many as nodes, and
    /// most are small.
    bytes: Vec<u8>,
}

impl Sparse {
    fn get(&self, node: u32) -> Counts<'_> {
        let Some(&begin) = self.begins.get(node as usize) else {
            return Counts::default();
        };
        let end = match self.begins.get(node as usize + 1) {
            Some(&end) => end,
            None => self.bytes.len(),
        };
        let mut bytes = &self.bytes[begin..end];
        Counts {
            left: leb::take(&mut bytes) as usize,
            bytes,
            least: 0,
        }
    }

    fn push(&mut self, node: usize, counts: &[(u16, u64)]) {
        if counts.is_empty() {
            return;
        }
        self.begins.resize(node + 1, self.bytes.len());
        leb::push(&mut self.bytes, counts.len() as u64);
        let mut least = 0;
        for &(index, count) in counts {
            leb::push(&mut self.bytes, u64::from(index) - least);
            leb::push(&mut self.bytes, count);
            least = u64::from(index) + 1;
        }
    }

    fn finish(&mut self, nodes: usize) {
        if !self.begins.is_empty() {
            self.begins.resize(nodes, self.bytes.len());
        }
    }
}

/// The columns of a tree, by node. All are empty as long as only zeros came, so that equal trees
/// are equal however they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TreeColumns {
    allocations: Vec<Allocation>,
    counts: Sparse,
    caused: Sparse,
}

impl TreeColumns {
    pub fn has_allocations(&self) -> bool {
        !self.allocations.is_empty()
    }

    pub fn has_counts(&self) -> bool {
        !self.counts.begins.is_empty()
    }

    pub fn has_caused(&self) -> bool {
        !self.caused.begins.is_empty()
    }

    pub fn allocation(&self, node: u32) -> Allocation {
        match self.allocations.get(node as usize) {
            Some(&allocation) => allocation,
            None => Allocation::NONE,
        }
    }

    pub fn counts(&self, node: u32) -> Counts<'_> {
        self.counts.get(node)
    }

    pub fn caused(&self, node: u32) -> Counts<'_> {
        self.caused.get(node)
    }

    /// Sets the values of `node`; nodes come in ascending order, those without values may be left
    /// out. Counts are in order, without zeros.
    pub fn push(&mut self, node: u32, extra: &Extra) {
        let (node, allocation) = (node as usize, extra.allocation());
        if !allocation.is_none() {
            self.allocations.resize(node, Allocation::NONE);
            self.allocations.push(allocation);
        }
        self.counts.push(node, &extra.counts);
        self.caused.push(node, &extra.caused);
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
        self.counts.finish(nodes);
        self.caused.finish(nodes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_take_no_memory_and_make_no_difference() {
        let mut columns = TreeColumns::default();
        columns.push(0, &Extra::default());
        columns.push(1, &Extra::default());
        columns.finish(2);
        assert_eq!(columns, TreeColumns::default());
        assert!(!columns.has_allocations() && !columns.has_counts() && !columns.has_caused());
        assert!(columns.counts(1).is_empty() && columns.allocation(1).is_none());
    }

    #[test]
    fn values_are_those_of_their_node() {
        let two = Allocation {
            objects: 2,
            bytes: 48,
        };
        let mut columns = TreeColumns::default();
        let executed = |counts: &[(u16, u64)], caused: &[(u16, u64)]| Extra {
            counts: counts.to_vec(),
            caused: caused.to_vec(),
            ..Extra::default()
        };
        let mut allocated = Extra::default();
        allocated.set_allocation(two);
        columns.push(1, &allocated);
        columns.push(2, &executed(&[(0, 5), (3, 1)], &[]));
        columns.push(3, &executed(&[(128, 300), (u16::MAX, u64::MAX)], &[]));
        columns.push(4, &executed(&[(7, 9)], &[(9, 1000)]));
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
        let caused: Vec<Vec<_>> = (0..8).map(|n| columns.caused(n).collect()).collect();
        assert_eq!(caused.concat(), [(9, 1000)]);
        assert_eq!(caused[4].len(), 1);
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

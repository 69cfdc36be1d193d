//! The contexts of a page, packed as they come: a column of numbers for each thing that is reported about them. Columns
//! are one behind the other in the page, so each is compressed by itself and they are joined at the end. What
//! the page begins with, the sums, is known then as well, and the contexts need not be kept.

use crate::export::gzip::Blocks;
use crate::leb;
use crate::tree::PreorderContext;

/// Bytes that are compressed at once: each piece costs the compressor as much as a hundred bytes.
const PIECE: usize = 1 << 16;

/// After so many contexts, columns are looked at: a number takes up to ten bytes.
const OFTEN: u64 = 1 << 12;

/// Numbers one after the other.
#[derive(Default)]
struct Column {
    bytes: Vec<u8>,
    /// What came before those, if there were many.
    before: Option<Box<Blocks>>,
}

impl Column {
    #[inline]
    fn number(&mut self, n: u64) {
        leb::push(&mut self.bytes, n);
    }

    /// Compresses the bytes so far if there are enough.
    fn pack_much(&mut self) {
        if self.bytes.len() >= PIECE {
            self.pack();
        }
    }

    fn pack(&mut self) {
        self.before.get_or_insert_default().add(&self.bytes);
        self.bytes.clear();
    }

    /// Appends the column to the compressed bytes, and empties it.
    fn append_to(&mut self, all: &mut Blocks) {
        if self.before.is_some() {
            self.pack();
        }
        match self.before.take() {
            Some(before) => all.append(*before),
            None => all.add(&self.bytes),
        }
        self.bytes.clear();
    }
}

/// The columns, in order.
const UPS: usize = 0;
const METHODS: usize = 1;
const SITES: usize = 2;
const CALLS: usize = 3;
const BYTECODES: usize = 4;
const OBJECTS: usize = 5;
const ALLOCATED: usize = 6;

/// The contexts of all threads, as they come.
pub(super) struct PackedContexts {
    call_sites: bool,
    allocations: bool,
    /// Those that there are not are empty.
    columns: [Column; 7],
    /// Contexts that are open, and how many there were in all.
    open: usize,
    number: u64,
    /// The threads before this one.
    done: Blocks,
}

impl PackedContexts {
    /// Are contexts kept apart by call site, and have they allocations?
    pub fn new(call_sites: bool, allocations: bool) -> Self {
        PackedContexts {
            call_sites,
            allocations,
            columns: Default::default(),
            open: 0,
            number: 0,
            done: Blocks::default(),
        }
    }

    /// Adds the thread's next context in preorder.
    #[inline]
    pub fn add(&mut self, context: &PreorderContext) {
        self.columns[UPS].number((self.open - context.depth) as u64);
        self.open = context.depth + 1;
        self.number += 1;
        if self.number.is_multiple_of(OFTEN) {
            self.columns.iter_mut().for_each(Column::pack_much);
        }
        self.columns[METHODS].number(context.method.into());
        if self.call_sites {
            self.columns[SITES].number(u64::from(context.site.wrapping_add(1)));
        }
        self.columns[CALLS].number(context.invocations);
        self.columns[BYTECODES].number(context.bytecodes);
        if self.allocations {
            self.columns[OBJECTS].number(context.allocation.objects);
            self.columns[ALLOCATED].number(context.allocation.bytes);
        }
    }

    /// Ends the thread: how many contexts it has.
    pub fn end_thread(&mut self) -> u64 {
        for column in &mut self.columns {
            column.append_to(&mut self.done);
        }
        self.open = 0;
        std::mem::take(&mut self.number)
    }

    /// All threads.
    pub fn finish(self) -> Blocks {
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Allocation;
    use std::io::Read;

    #[test]
    fn columns_follow_each_other_however_long_they_are() {
        // A thread with few contexts, one with many, and one with few again; the columns as they are to be.
        let mut contexts = PackedContexts::new(false, true);
        let mut expected = Vec::new();
        for size in [3u64, 300_000, 2] {
            let values = |i: u64| [0, i % 7, i * i, i << 40, i % 3, i % 1000];
            for column in 0..6 {
                for i in 0..size {
                    leb::push(&mut expected, values(i)[column]);
                }
            }
            for i in 0..size {
                let [_, method, invocations, bytecodes, objects, bytes] = values(i);
                contexts.add(&PreorderContext {
                    depth: i as usize,
                    method: method as u32,
                    site: 5,
                    invocations,
                    bytecodes,
                    allocation: Allocation { objects, bytes },
                });
            }
            assert_eq!(contexts.end_thread(), size);
        }
        let mut all = Blocks::default();
        all.add(b"first");
        all.append(contexts.finish());
        all.add(b"last");
        let mut packed = Vec::new();
        all.write(&mut packed).unwrap();
        let mut got = Vec::new();
        flate2::read::GzDecoder::new(&packed[..])
            .read_to_end(&mut got)
            .unwrap();
        assert_eq!(
            got.strip_prefix(b"first")
                .unwrap()
                .strip_suffix(b"last")
                .unwrap(),
            expected
        );
        assert!(packed.len() < got.len() / 2);
    }
}

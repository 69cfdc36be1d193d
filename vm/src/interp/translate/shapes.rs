//! The shapes of frames at each bytecode, for a VM that can be inspected: the kind of each local and operand. There each bytecode
//! has its own instructions, and when they have run, all values are in their own slots; so the slots and these kinds are the
//! whole state of a frame, at any bytecode.

use super::shape::{FrameShape, KindRow};
use super::translated::{Position, Translated};
use super::translator::Tr;
use rjvm_classfile::opcodes as o;

impl Tr<'_> {
    /// Notes the contents of the frame before bytecode number `i`.
    pub(super) fn note_shape(&mut self, i: usize) {
        let Some(shapes) = &mut self.shapes else {
            return;
        };
        shapes.at.resize(i, None);
        let last = shapes.at.iter().rev().flatten().next();
        // most bytecodes change no local
        let same = last
            .map(|r| r.locals)
            .filter(|&l| shapes.letters[l as usize..].starts_with(&self.loc));
        let locals = same.unwrap_or_else(|| {
            let at = shapes.letters.len() as u32;
            shapes.letters.extend_from_slice(&self.loc);
            at
        });
        let row = KindRow {
            locals,
            stack: shapes.letters.len() as u32,
            depth: self.st.len() as u16,
        };
        shapes.letters.extend(self.st.iter().map(|e| e.t));
        shapes.at.push(Some(row));
    }
    /// After a bytecode, all values go to their slots, if requested.
    pub(super) fn settle(&mut self) {
        if self.shapes.is_some() && self.reachable {
            self.flush();
            self.forget();
        }
    }
}

impl Translated {
    /// The contents of a frame before bytecode number `i`; `None` if they are not stored.
    pub(crate) fn shape(&self, i: u16) -> Option<FrameShape> {
        let shapes = self.rest.get()?.shapes.as_ref()?;
        let row = (*shapes.at.get(usize::from(i))?)?;
        let letters = |at: u32, n: usize| &shapes.letters[at as usize..][..n];
        let mut slot = self.stack_base;
        let stack = letters(row.stack, row.depth.into()).iter().map(|&t| {
            let at = slot;
            slot += if matches!(t, b'J' | b'D') { 2 } else { 1 };
            (at, t)
        });
        Some(FrameShape {
            stack: stack.collect(),
            locals: letters(row.locals, self.max_locals()).to_vec(),
        })
    }
    /// Slots of the array and the index of the bytecode with this number, which writes an element; `None` if shapes are not kept.
    pub(crate) fn stored_element(&self, i: u16) -> Option<(u16, u16)> {
        match self.shape(i)?.stack[..] {
            [.., (array, _), (index, _), _] => Some((array, index)),
            _ => None,
        }
    }
    fn max_locals(&self) -> usize {
        self.lock_slot.into()
    }
}

impl Position<'_> {
    /// Number of the bytecode that comes next when the instruction is about to run, `ticks` are the thread's, and it
    /// has executed so many bytecodes; and the bytecodes before it that have been executed, though no instruction
    /// has: those that load what a loop's condition compares, where it is repeated at the loop's end.
    pub fn next(self, code: &[u8], ticks: i64, executed: i64) -> (u16, std::ops::Range<u16>) {
        let cover = self.cover();
        let back = ticks + self.begun() - (executed + 1);
        if back >= 0 {
            let next = cover.before(back) as u16;
            let ahead = match self.jumped() && next >= cover.first {
                true => cover.first..next,
                false => next..next,
            };
            return (next, ahead);
        }
        let after = (-back).min(self.more()) as u16;
        let bci = usize::from(self.bci());
        let first = match code[bci] {
            o::GOTO => self.code.number_at(bci, code),
            _ => None,
        };
        match first {
            Some(first) => (first + after - 1, first..first + after - 1),
            None => (cover.idx + after, cover.idx..cover.idx),
        }
    }
    fn jumped(self) -> bool {
        self.cover().jump != super::covers::NO_JUMP
    }
}

impl Translated {
    /// Number of the bytecode to which the `goto` at bytecode index `bci` leads.
    pub(super) fn number_at(&self, bci: usize, code: &[u8]) -> Option<u16> {
        let target = bci as i32 + super::scan::s2(code, bci);
        self.tables().number(target as u16)
    }
}

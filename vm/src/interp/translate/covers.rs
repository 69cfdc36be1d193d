//! Which bytecodes an instruction stands for, and finding that for an address.

use super::Translated;

/// How far from where it should be an instruction is searched one by one.
const STEPS: usize = 16;

/// A bytecode range that an instruction stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cover {
    /// Byte offset of the instruction.
    pub off: u32,
    /// Number of the bytecode that may throw or call (counted from 0 in the method).
    pub idx: u16,
    /// Number of a bytecode it covers, from which control has come straight to `idx`.
    pub first: u16,
    /// Number of the jump that leads to `first`. `NO_JUMP`: there is none, the bytecode before it does.
    pub jump: u16,
    /// How many bytecodes before `idx` it covers; all count together.
    pub before: u16,
    /// Bytecodes after `idx` that are executed with it if it does not throw: the store of its result,
    /// or the loop condition that is repeated at the loop's end.
    pub more: u16,
    /// Potential of bytecode `idx`.
    pub pot: u16,
    /// Index of the reference map before the instruction, plus 1; 0: none.
    pub map: u32,
}

/// See [`Cover::jump`].
pub(super) const NO_JUMP: u16 = u16::MAX;

impl Cover {
    /// What the ticks lag behind the bytecodes that have begun before this instruction.
    pub fn lag(&self) -> i64 {
        i64::from(self.pot) - i64::from(self.before)
    }
    /// Number of the bytecode that began `back` bytecodes before `idx`, in straight code.
    pub(crate) fn before(&self, back: i64) -> usize {
        let straight = i64::from(self.idx - self.first);
        let (from, back) = match self.jump {
            jump if jump != NO_JUMP && back > straight => (jump, back - straight - 1),
            _ => (self.idx, back),
        };
        (i64::from(from) - back).max(0) as usize
    }
}

impl Translated {
    /// How many covers are at smaller offsets than `off`.
    pub(super) fn covers_before(&self, off: usize) -> usize {
        // instructions are of much the same size, so that the place is nearly known; a search by halves
        // would fetch more of a table that is seldom in the caches
        let covers = &self.covers;
        let guess = (covers.len() * off / (8 * self.code.len()).max(1)).min(covers.len());
        let before = |i: usize| covers.get(i).is_some_and(|c| (c.off as usize) < off);
        let found = match guess > 0 && !before(guess - 1) {
            true => (guess.saturating_sub(STEPS)..guess)
                .rev()
                .find(|&i| i == 0 || before(i - 1)),
            false => (guess..guess + STEPS).find(|&i| !before(i)),
        };
        found.unwrap_or_else(|| covers.partition_point(|c| (c.off as usize) < off))
    }
}

//! Allocations that fail on purpose, by number.

use super::failure_plan::{Failing, OnFailure};
use crate::interp::exceptions::HEAP_SPACE;
use crate::throw::{R, Throw};
use crate::vm::Vm;

impl Vm {
    /// Lets the allocations with these numbers fail, with an `OutOfMemoryError`, as if the heap were full. They are counted
    /// from 1 on, as soon as [`Vm::count_allocations`] says so: objects of all threads, those included that natives and the
    /// VM itself make for the program.
    pub fn fail_allocations(&mut self, mut numbers: Vec<u64>, reported: OnFailure) {
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        self.memory.failing = Some(Box::new(Failing {
            at: numbers,
            count: 0,
            running: 0,
            on: false,
            reported,
        }));
    }
    /// Whether allocations that are to fail are counted from now on.
    pub fn count_allocations(&mut self, on: bool) {
        if let Some(failing) = &mut self.memory.failing {
            failing.on = on;
        }
        self.allocations_wanted();
    }
    /// Whether allocations are counted.
    pub(crate) fn may_fail(&self) -> bool {
        self.memory.failing.as_ref().is_some_and(|f| f.on)
    }
    /// There is room for an allocation of `bytes`; an error if it is to fail all the same.
    #[cold]
    pub(super) fn fail(&mut self, bytes: usize) -> R<()> {
        let Some(failing) = self.memory.failing.as_mut().filter(|f| f.on) else {
            return Ok(());
        };
        failing.count += 1;
        failing.running += 1;
        if failing.at.last() != Some(&failing.count) {
            return Ok(());
        }
        failing.at.pop();
        let executed = self.bytecodes_now();
        if let Some(failing) = &mut self.memory.failing {
            (failing.reported)(failing.count, bytes, executed);
            if failing.at.is_empty() {
                self.memory.failing = None;
                self.allocations_wanted();
            }
        }
        Err(Throw::msg("java/lang/OutOfMemoryError", HEAP_SPACE))
    }
    /// What the running instruction or native has allocated stays, or is allocated again.
    #[inline(always)]
    pub(crate) fn settle_failing(&mut self, stays: bool) {
        if let Some(failing) = &mut self.memory.failing {
            let running = std::mem::take(&mut failing.running);
            failing.count -= if stays { 0 } else { running };
        }
    }
}

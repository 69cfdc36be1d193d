//! Where the running thread is at an event: its stack, context and count, from the middle of an instruction.

use super::frame::{Frame as Control, Regs};

/// A place of the running thread. Its top frame may have been left since; the others may not.
#[derive(Clone, Copy)]
pub(crate) struct ThreadPosition {
    pub(super) regs: Regs,
    pub(super) top: Control,
}

// SAFETY: the pointers are those of a VM, which keeps the place to itself.
unsafe impl Send for ThreadPosition {}

impl ThreadPosition {
    /// The registers, and the top control frame.
    pub(super) fn parts(&self) -> (Regs, Control) {
        (self.regs, self.top)
    }
}

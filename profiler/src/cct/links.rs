//! Where the child links of nodes are, for a walk that wants to know early what it comes to.

use super::ContextNode;

/// The number of child links that nodes of each method have. By default it is not known.
#[derive(Clone, Debug, Default)]
pub struct ChildLinks {
    /// Bytes from a node's address to its first link.
    begin: usize,
    /// By method.
    numbers: Vec<u32>,
}

impl ChildLinks {
    /// Links that begin `begin` bytes from a node's address, by method so many.
    ///
    /// # Safety
    /// All nodes that are walked over with them have these links.
    pub unsafe fn new(begin: usize, numbers: Vec<u32>) -> Self {
        ChildLinks { begin, numbers }
    }

    /// Asks the processor for what the links of a node lead to. Contexts are scattered over much memory, and
    /// the chain of callees reports where the next one is only when the one before has come.
    ///
    /// # Safety
    /// `node` is live.
    #[inline(always)]
    pub(super) unsafe fn prefetch(&self, node: *const ContextNode) {
        // SAFETY: by contract, and that of `new`.
        unsafe {
            let method = (*node).method as usize;
            if (*node).first_link() == 0 || method >= self.numbers.len() {
                return;
            }
            for link in 0..self.numbers[method] as usize {
                prefetch(ContextNode::callee(
                    node,
                    self.begin + link * ContextNode::LINK,
                ));
            }
        }
    }
}

/// Asks the processor for a node.
#[inline(always)]
pub(super) fn prefetch(node: *const ContextNode) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: nothing is read as far as the program can report, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(node.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = node;
}

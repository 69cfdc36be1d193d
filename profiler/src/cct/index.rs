//! A hash table of the children of nodes that have many.

use super::ContextNode;
use std::collections::TryReserveError;
use std::ptr;

/// The children of wide nodes, hashed by parent, method and call site: a cache of the chains. Never
/// iterated for output, since the order depends on addresses.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Open addressing: parents and children; a power of two, at most three quarters full.
    slots: Vec<(*const ContextNode, *mut ContextNode)>,
    used: usize,
}

// SAFETY: the pointers are those of the arena's own nodes, which move between threads with it.
unsafe impl Send for Index {}

impl Index {
    const EMPTY: (*const ContextNode, *mut ContextNode) = (ptr::null(), ptr::null_mut());

    fn start(&self, parent: *const ContextNode, method: u32, site: u16) -> usize {
        let key = (parent as u64 >> 3) ^ u64::from(method) << 32 ^ u64::from(site) << 20;
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash ^ hash >> 29) as usize & (self.slots.len() - 1)
    }

    /// # Safety
    /// All nodes in the index are live.
    #[inline(always)]
    pub(super) unsafe fn find(
        &self,
        parent: *const ContextNode,
        method: u32,
        site: u16,
    ) -> *mut ContextNode {
        if self.slots.is_empty() {
            return ptr::null_mut();
        }
        let mut at = self.start(parent, method, site);
        // SAFETY: by contract.
        unsafe {
            loop {
                let (of, node) = self.slots[at];
                if node.is_null()
                    || (ptr::eq(of, parent) && (*node).method == method && (*node).site == site)
                {
                    return node;
                }
                at = (at + 1) & (self.slots.len() - 1);
            }
        }
    }

    /// # Safety
    /// All nodes in the index are live.
    pub(super) unsafe fn reserve(&mut self, more: usize) -> Result<(), TryReserveError> {
        let least = ((self.used + more) * 4).div_ceil(3);
        if least > self.slots.len() {
            let larger = least.next_power_of_two().max(64);
            let mut slots = Vec::new();
            slots.try_reserve_exact(larger)?;
            slots.resize(larger, Self::EMPTY);
            let old = std::mem::replace(&mut self.slots, slots);
            for (parent, node) in old.into_iter().filter(|slot| !slot.1.is_null()) {
                // SAFETY: by contract.
                unsafe { self.place(parent, node) }
            }
        }
        Ok(())
    }

    /// # Safety
    /// As [`Index::find`]; `node` is a live child of `parent` and not in the index, for which there is room.
    pub(super) unsafe fn insert(&mut self, parent: *const ContextNode, node: *mut ContextNode) {
        // SAFETY: by contract.
        unsafe { self.place(parent, node) }
        self.used += 1;
    }

    unsafe fn place(&mut self, parent: *const ContextNode, node: *mut ContextNode) {
        // SAFETY: of `insert`.
        let mut at = unsafe { self.start(parent, (*node).method, (*node).site) };
        while !self.slots[at].1.is_null() {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = (parent, node);
    }

    /// Forgets all nodes, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.slots.fill(Self::EMPTY);
        self.used = 0;
    }
}

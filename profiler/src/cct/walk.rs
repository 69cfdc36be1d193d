//! Visits all contexts of a tree.

use super::ContextNode;
use super::node::LAST;
use std::ptr;

/// What [`Walk`] reports about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Distance from the root of the walk.
    pub depth: usize,
    /// See [`ContextNode::inclusive`].
    pub inclusive: i64,
    /// See [`ContextNode::invocations`].
    pub invocations: u64,
    /// See [`ContextNode::method`].
    pub method: u32,
    /// See [`ContextNode::site`].
    pub site: u32,
    /// The node itself, for callers that store more in it. Valid as long as the arena.
    pub node: *const ContextNode,
}

/// Visits a tree in preorder without a stack: the parent links lead back.
#[derive(Clone, Debug)]
pub struct Walk {
    next: *const ContextNode,
    depth: usize,
}

impl Walk {
    /// A walk over `root` and everything below it.
    ///
    /// # Safety
    /// `root` is null or a live node; the arena outlives the walk and no code changes links meanwhile.
    pub unsafe fn new(root: *const ContextNode) -> Self {
        Walk {
            next: root,
            depth: 0,
        }
    }
}

impl Walk {
    /// Skips the subtree of the last context.
    pub fn pass_over(&mut self, last: &Visit) {
        // SAFETY: by the contract of `new`; `last` is a node of this walk, so its chains lead to where this one ends.
        unsafe {
            if ContextNode::first_child(last.node).is_null() {
                return;
            }
            self.depth = last.depth;
            self.next_after(last.node);
        }
    }

    /// What follows a node at the walk's depth and all below it comes next.
    ///
    /// # Safety
    /// As in [`Walk::new`]; the node is one of the walk's.
    unsafe fn next_after(&mut self, node: *const ContextNode) {
        // SAFETY: by contract.
        unsafe {
            let mut at = node;
            // Depth 0 is the root of the walk, whose own siblings are not part of it.
            while self.depth > 0 && (*at).filter & LAST != 0 {
                at = ContextNode::parent(at);
                self.depth -= 1;
            }
            self.next = match self.depth {
                0 => ptr::null(),
                _ => ContextNode::next_sibling(at),
            };
        }
    }

    /// A walk over what comes next and everything below it.
    pub(crate) fn below(&self) -> Walk {
        Walk {
            next: self.next,
            depth: 0,
        }
    }

    /// The node that the walk comes to next.
    pub(super) fn root(&self) -> Option<*const ContextNode> {
        (!self.next.is_null()).then_some(self.next)
    }
}

impl Iterator for Walk {
    type Item = Visit;

    fn next(&mut self) -> Option<Visit> {
        if self.next.is_null() {
            return None;
        }
        // SAFETY: by the contract of `new`, all links lead to live nodes.
        unsafe {
            let node = self.next;
            let visit = Visit {
                depth: self.depth,
                inclusive: (*node).inclusive,
                invocations: (*node).invocations,
                method: (*node).method,
                site: (*node).site(),
                node,
            };
            let first = ContextNode::first_child(node);
            if !first.is_null() {
                self.next = first;
                self.depth += 1;
                return Some(visit);
            }
            self.next_after(node);
            Some(visit)
        }
    }
}

//! Writes trees in preorder.

use super::columns::{Allocation, Extra, TreeColumns};
use super::{NONE, Node, Tree, TreeError};

/// Writes nodes in preorder.
#[derive(Debug, Default)]
pub(crate) struct TreeWriter {
    nodes: Vec<Node>,
    columns: TreeColumns,
    pub(super) path: Vec<u32>,
}

impl TreeWriter {
    /// Closes nodes until the path has `depth` nodes.
    pub fn leave_to(&mut self, depth: usize) {
        while self.path.len() > depth {
            let index = self.path.pop().expect("the path is longer than depth");
            self.nodes[index as usize].end = self.nodes.len() as u32;
        }
    }

    /// Number of open nodes.
    pub fn depth(&self) -> usize {
        self.path.len()
    }

    /// Makes room for another node where `more` are announced. Past the first ones no more than
    /// half as much as is there already is taken on trust.
    pub fn make_room(&mut self, more: u64) {
        let len = self.nodes.len();
        if len == self.nodes.capacity() {
            let trusted = (len / 2).max(1 << 12);
            let more = usize::try_from(more).map_or(trusted, |more| more.min(trusted));
            self.nodes.reserve_exact(more);
        }
    }

    /// Opens a node below the last one that is open.
    pub fn enter(
        &mut self,
        method: u32,
        site: u32,
        calls: u64,
        own: u64,
    ) -> Result<u32, TreeError> {
        let index = u32::try_from(self.nodes.len())
            .ok()
            .filter(|&index| index < NONE - 1)
            .ok_or(TreeError::TooManyNodes)?;
        self.nodes.push(Node {
            method,
            site,
            parent: self.path.last().copied().unwrap_or(NONE),
            end: NONE,
            invocations: calls,
            bytecodes: own,
        });
        self.path.push(index);
        Ok(index)
    }

    /// Sets the columns of the node opened last; `extra` is in order.
    pub fn set_extra(&mut self, extra: &Extra) {
        if let Some(node) = self.last() {
            self.columns.push(node, extra);
        }
    }

    /// Adds to the counters of the innermost node that is open.
    pub fn add(&mut self, calls: u64, own: u64, allocation: Allocation) {
        if let Some(&node) = self.path.last() {
            let at = &mut self.nodes[node as usize];
            at.invocations = at.invocations.saturating_add(calls);
            at.bytecodes = at.bytecodes.saturating_add(own);
            self.columns.add_allocation(node, allocation);
        }
    }

    fn last(&self) -> Option<u32> {
        (self.nodes.len() as u32).checked_sub(1)
    }

    /// The tree, with every node closed.
    pub fn finish(mut self) -> Tree {
        self.leave_to(0);
        self.columns.finish(self.nodes.len());
        Tree {
            nodes: self.nodes,
            columns: self.columns,
        }
    }
}

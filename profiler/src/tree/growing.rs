//! Trees that grow by whole stacks.

use super::columns::{Extra, add_up};
use super::writer::TreeWriter;
use super::{NONE, Tree, TreeError};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A tree that grows by whole stacks: what a sampler records and a reader of paths meets. Stacks
/// that follow each other share most of their frames, so only the part that differs is looked up.
#[derive(Clone, Debug, Default)]
pub(crate) struct GrowingTree {
    nodes: Vec<Grown>,
    children: HashMap<(u32, u32, u32), u32, BuildHasherDefault<Mixer>>,
    last_root: Option<u32>,
    /// The latest stack: method, call site, node.
    path: Vec<(u32, u32, u32)>,
    /// The columns of the nodes that have any.
    extras: HashMap<u32, Extra>,
}

/// A quick hash of a few numbers of our own.
#[derive(Clone, Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.write_u32(b.into()));
    }
    fn write_u32(&mut self, n: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(n)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

#[derive(Clone, Debug)]
struct Grown {
    method: u32,
    site: u32,
    invocations: u64,
    bytecodes: u64,
    parent: u32,
    last_child: Option<u32>,
    previous: Option<u32>,
    /// The child that was looked for last: mostly the next one, too.
    recent: u32,
}

impl GrowingTree {
    /// Adds to the context of a stack of (method, call site), root first. Contexts on the way are
    /// made if they are new. An empty stack is no context; its counts are dropped.
    pub fn add(
        &mut self,
        stack: impl IntoIterator<Item = (u32, u32)>,
        invocations: u64,
        bytecodes: u64,
    ) -> Result<Option<u32>, TreeError> {
        self.add_above(0, stack, invocations, bytecodes)
    }

    /// The same for a stack whose first `shared` entries are those of the latest one.
    pub fn add_above(
        &mut self,
        shared: usize,
        stack: impl IntoIterator<Item = (u32, u32)>,
        invocations: u64,
        bytecodes: u64,
    ) -> Result<Option<u32>, TreeError> {
        let mut depth = shared;
        for (method, site) in stack {
            if self
                .path
                .get(depth)
                .is_none_or(|&(m, s, _)| (m, s) != (method, site))
            {
                self.path.truncate(depth);
                let parent = self.path.last().map(|&(_, _, node)| node);
                let node = self.child(parent, method, site)?;
                self.path.push((method, site, node));
            }
            depth += 1;
        }
        self.path.truncate(depth);
        let node = self.path.last().map(|&(_, _, node)| node);
        if let Some(node) = node {
            self.count(node, invocations, bytecodes);
        }
        Ok(node)
    }

    /// Adds to the counters of a node.
    pub fn count(&mut self, node: u32, invocations: u64, bytecodes: u64) {
        let node = &mut self.nodes[node as usize];
        node.invocations = node.invocations.saturating_add(invocations);
        node.bytecodes = node.bytecodes.saturating_add(bytecodes);
    }

    /// The stack of a node as (method, call site), root first.
    pub fn path(&self, node: u32) -> Vec<(u32, u32)> {
        let mut path = Vec::new();
        let mut at = node;
        while at != NONE {
            let node = &self.nodes[at as usize];
            path.push((node.method, node.site));
            at = node.parent;
        }
        path.reverse();
        path
    }

    /// Adds to the columns of a node.
    pub fn add_extra(&mut self, node: u32, extra: &Extra) {
        if extra.allocation().is_none() && extra.counts.is_empty() {
            return;
        }
        let sum = self.extras.entry(node).or_default();
        let mut allocation = sum.allocation();
        allocation.add(extra.allocation());
        sum.set_allocation(allocation);
        sum.counts.extend_from_slice(&extra.counts);
        add_up(&mut sum.counts);
    }

    /// The child of a node (or the root) with that key, made if it is new.
    pub fn child(&mut self, parent: Option<u32>, method: u32, site: u32) -> Result<u32, TreeError> {
        let parent = parent.unwrap_or(NONE);
        if let Some(above) = self.nodes.get(parent as usize)
            && let Some(node) = self.nodes.get(above.recent as usize)
            && (node.method, node.site) == (method, site)
        {
            return Ok(above.recent);
        }
        if let Some(&node) = self.children.get(&(parent, method, site)) {
            if let Some(above) = self.nodes.get_mut(parent as usize) {
                above.recent = node;
            }
            return Ok(node);
        }
        let index = u32::try_from(self.nodes.len()).map_err(|_| TreeError::TooManyNodes)?;
        if index >= NONE - 1 {
            return Err(TreeError::TooManyNodes);
        }
        let last = match parent {
            NONE => &mut self.last_root,
            parent => {
                let above = &mut self.nodes[parent as usize];
                above.recent = index;
                &mut above.last_child
            }
        };
        let previous = last.replace(index);
        self.nodes.push(Grown {
            method,
            site,
            invocations: 0,
            bytecodes: 0,
            parent,
            last_child: None,
            previous,
            recent: NONE,
        });
        self.children.insert((parent, method, site), index);
        Ok(index)
    }

    /// The tree as it is now, its methods as they were added.
    pub fn tree(&self) -> Result<Tree, TreeError> {
        let mut writer = TreeWriter::default();
        let mut todo: Vec<(usize, u32)> = Vec::new();
        let siblings = |todo: &mut Vec<(usize, u32)>, depth, mut at: Option<u32>| {
            while let Some(index) = at {
                todo.push((depth, index));
                at = self.nodes[index as usize].previous;
            }
        };
        siblings(&mut todo, 0, self.last_root);
        while let Some((depth, index)) = todo.pop() {
            let node = &self.nodes[index as usize];
            writer.leave_to(depth);
            writer.enter(node.method, node.site, node.invocations, node.bytecodes)?;
            if let Some(extra) = self.extras.get(&index) {
                writer.set_extra(extra);
            }
            siblings(&mut todo, depth + 1, node.last_child);
        }
        Ok(writer.finish())
    }
}

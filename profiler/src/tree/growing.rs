//! Trees that grow by whole stacks.

use super::columns::Extra;
use super::writer::TreeWriter;
use super::{NONE, Tree, TreeError, site_order};
use std::cmp::Reverse;
use std::collections::HashMap;

/// A tree that grows by whole stacks: what a sampler records and a reader of paths meets. Stacks
/// that follow each other share most of their frames, so only the part that differs is looked up.
///
/// While a program is sampled, its tree leaves the processor's caches again and again; so what one step
/// down the tree reads lies close together.
#[derive(Clone, Debug, Default)]
pub(crate) struct GrowingTree {
    keys: Vec<NodeKey>,
    children: NodeIndex,
    counts: Vec<NodeCounts>,
    links: Vec<NodeLinks>,
    /// Set when there are nodes.
    last_root: u32,
    /// The latest stack: method, call site, node.
    path: Vec<(u32, u32, u32)>,
    /// The columns of the nodes that have any.
    extras: HashMap<u32, Extra>,
}

/// What reports a node from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NodeKey {
    parent: u32,
    method: u32,
    site: u32,
}

impl NodeKey {
    /// A quick hash for trusted numbers.
    fn hash(&self) -> u64 {
        [self.parent, self.method, self.site]
            .iter()
            .fold(0, |h: u64, &n| {
                (h.rotate_left(5) ^ u64::from(n)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            })
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct NodeCounts {
    invocations: u64,
    bytecodes: u64,
}

#[derive(Clone, Copy, Debug)]
struct NodeLinks {
    last_child: u32,
    previous: u32,
}

/// The numbers of all nodes by the hashes of their keys. Empty places are 0, so numbers are one more.
#[derive(Clone, Debug, Default)]
struct NodeIndex {
    places: Vec<u32>,
}

impl NodeIndex {
    /// The place of a key, or the empty one where it belongs. There is an empty one.
    fn place(&self, key: &NodeKey, keys: &[NodeKey]) -> usize {
        // the high bits depend on all of the key
        let mut at = (key.hash() >> 32) as usize;
        loop {
            at &= self.places.len() - 1;
            match self.places[at] {
                0 => return at,
                n if keys[n as usize - 1] == *key => return at,
                _ => at += 1,
            }
        }
    }
    /// Makes room for one more node than there are.
    fn grow(&mut self, keys: &[NodeKey]) {
        if 2 * (keys.len() + 1) <= self.places.len() {
            return;
        }
        self.places = vec![0; (4 * (keys.len() + 1)).next_power_of_two()];
        for (i, key) in keys.iter().enumerate() {
            let place = self.place(key, keys);
            self.places[place] = i as u32 + 1;
        }
    }
}

impl GrowingTree {
    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        let node = size_of::<NodeKey>() + size_of::<NodeCounts>() + size_of::<NodeLinks>();
        self.keys.capacity() * node
            + self.children.places.len() * size_of::<u32>()
            + self.extras.capacity() * (size_of::<Extra>() + 8)
            + self.path.capacity() * 12
    }
    /// Adds to the context of a stack of (method, call site), root first. Contexts on the way are
    /// made if they are new. An empty stack is not a context; its counts are dropped.
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
        let node = &mut self.counts[node as usize];
        node.invocations = node.invocations.saturating_add(invocations);
        node.bytecodes = node.bytecodes.saturating_add(bytecodes);
    }

    /// The stack of a node as (method, call site), root first.
    pub fn path(&self, node: u32) -> Vec<(u32, u32)> {
        let mut path = Vec::new();
        let mut at = node;
        while at != NONE {
            let key = &self.keys[at as usize];
            path.push((key.method, key.site));
            at = key.parent;
        }
        path.reverse();
        path
    }

    /// Adds to the columns of a node.
    pub fn add_extra(&mut self, node: u32, extra: &Extra) {
        if extra.allocation().is_none() && extra.counts.is_empty() && extra.caused.is_empty() {
            return;
        }
        let sum = self.extras.entry(node).or_default();
        let mut allocation = sum.allocation();
        allocation.add(extra.allocation());
        sum.set_allocation(allocation);
        sum.counts.extend_from_slice(&extra.counts);
        sum.caused.extend_from_slice(&extra.caused);
        sum.normalise();
    }

    /// The child of a node (or the root) with that key, made if it is new.
    pub fn child(&mut self, parent: Option<u32>, method: u32, site: u32) -> Result<u32, TreeError> {
        let parent = parent.unwrap_or(NONE);
        let key = NodeKey {
            parent,
            method,
            site,
        };
        self.children.grow(&self.keys);
        let place = self.children.place(&key, &self.keys);
        if let Some(known) = self.children.places[place].checked_sub(1) {
            return Ok(known);
        }
        let index = u32::try_from(self.keys.len()).map_err(|_| TreeError::TooManyNodes)?;
        if index >= NONE - 1 {
            return Err(TreeError::TooManyNodes);
        }
        self.children.places[place] = index + 1;
        let last = match (parent, index) {
            (NONE, 0) => {
                self.last_root = NONE;
                &mut self.last_root
            }
            (NONE, _) => &mut self.last_root,
            (parent, _) => &mut self.links[parent as usize].last_child,
        };
        let previous = std::mem::replace(last, index);
        self.keys.push(key);
        self.counts.push(NodeCounts::default());
        self.links.push(NodeLinks {
            last_child: NONE,
            previous,
        });
        Ok(index)
    }

    /// A node's method and caller.
    pub fn called(&self, node: u32) -> (u32, Option<u32>) {
        let NodeKey { method, parent, .. } = self.keys[node as usize];
        (method, (parent != NONE).then_some(parent))
    }

    /// The tree as it is now, its methods and the order of contexts as they were added.
    pub fn tree(&self) -> Result<Tree, TreeError> {
        self.written(|_| ())
    }

    /// The tree with the callees of each context in the order of profiles.
    pub fn into_ordered(mut self) -> Result<Tree, TreeError> {
        // it takes as much as the tree that is written
        self.children = NodeIndex::default();
        self.written(|siblings| {
            siblings.sort_unstable_by_key(|&(_, node)| {
                let key = &self.keys[node as usize];
                Reverse((site_order(key.site), key.method))
            });
        })
    }

    /// `order` is given siblings with their depth, the last one first.
    fn written(&self, order: impl Fn(&mut [(usize, u32)])) -> Result<Tree, TreeError> {
        let mut writer = TreeWriter::default();
        let mut todo: Vec<(usize, u32)> = Vec::new();
        let siblings = |todo: &mut Vec<(usize, u32)>, depth, mut at: u32| {
            let from = todo.len();
            while at != NONE {
                todo.push((depth, at));
                at = self.links[at as usize].previous;
            }
            order(&mut todo[from..]);
        };
        if !self.keys.is_empty() {
            siblings(&mut todo, 0, self.last_root);
        }
        while let Some((depth, index)) = todo.pop() {
            let (key, counts) = (&self.keys[index as usize], &self.counts[index as usize]);
            writer.leave_to(depth);
            writer.enter(key.method, key.site, counts.invocations, counts.bytecodes)?;
            if let Some(extra) = self.extras.get(&index) {
                writer.set_extra(extra);
            }
            siblings(&mut todo, depth + 1, self.links[index as usize].last_child);
        }
        Ok(writer.finish())
    }
}

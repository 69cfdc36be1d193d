//! Calling-context trees as plain data: the nodes in preorder in one vector. Every walk is a scan
//! or uses an explicit stack, so depth is limited by memory only.

mod columns;
mod fold;
mod growing;
mod regroup;
mod writer;

pub use columns::{Allocation, Counts, Extra};
pub(crate) use columns::{add_caused, index_of};
pub(crate) use fold::Folding;
pub(crate) use growing::GrowingTree;
pub(crate) use regroup::{HiddenCounts, LeftOut, Regrouped, Rule, regroup, site_order};
pub(crate) use writer::TreeWriter;

use crate::cct::{ChildLinks, NO_SITE, UPCALL, Visit, Walk, merged};
use columns::TreeColumns;
use std::collections::VecDeque;

const NONE: u32 = u32::MAX;

/// A calling context of a [`Tree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Index into the profile's method table.
    pub method: u32,
    site: u32,
    parent: u32,
    /// Index after the last node of this node's subtree.
    end: u32,
    /// How often the context was entered; in a samples tree, how often it was sampled.
    pub invocations: u64,
    /// Bytecodes executed in the context itself, without its callees.
    pub bytecodes: u64,
}

impl Node {
    /// Bytecode index of the call site in the caller's method.
    pub fn site(&self) -> Option<u32> {
        (self.site != NO_SITE).then_some(self.site)
    }

    /// The same as a number, [`NO_SITE`] if there is none.
    pub(crate) fn raw_site(&self) -> u32 {
        self.site
    }

    /// Index of the caller's node.
    pub fn parent(&self) -> Option<u32> {
        (self.parent != NONE).then_some(self.parent)
    }
}

/// A forest of calling contexts. A tree inside a [`Profile`](crate::Profile) is in canonical
/// order: no two children of a node have the same call site and method, and children are sorted by
/// the text `@site:label`, which is the order the path format asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
    columns: TreeColumns,
}

/// A calling context as it comes in preorder.
pub(crate) struct PreorderContext {
    /// Distance from the root.
    pub depth: usize,
    pub method: u32,
    /// [`NO_SITE`] if there is none.
    pub site: u32,
    pub invocations: u64,
    pub bytecodes: u64,
    pub allocation: Allocation,
}

impl PreorderContext {
    /// See [`Node::site`].
    pub fn site(&self) -> Option<u32> {
        (self.site != NO_SITE).then_some(self.site)
    }
}

/// Why counters of a running program make no profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// A node has fewer bytecodes than its children together.
    #[error(
        "calling context of method {method} at depth {depth} counts {inclusive} bytecodes, fewer \
         than its callees together: frames that are still open were not flushed"
    )]
    Unbalanced {
        /// The node's method, as the VM numbers it.
        method: u32,
        /// Its distance from the root.
        depth: usize,
        /// Its inclusive bytecodes.
        inclusive: i64,
    },
    /// A tree has more nodes than 32 bits can index.
    #[error("more than 4294967294 calling contexts")]
    TooManyNodes,
}

impl Tree {
    /// All nodes, in preorder.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there no node?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The contexts that have no caller.
    pub fn roots(&self) -> Children<'_> {
        Children {
            nodes: &self.nodes,
            next: 0,
            end: self.nodes.len() as u32,
        }
    }

    /// The callees' contexts of node `index`.
    pub fn children(&self, index: u32) -> Children<'_> {
        Children {
            nodes: &self.nodes,
            next: index + 1,
            end: self.nodes[index as usize].end,
        }
    }

    /// Index after the last node of the subtree of node `index`.
    pub fn end(&self, index: u32) -> u32 {
        self.nodes[index as usize].end
    }

    /// All nodes in preorder with their distance from the root.
    pub fn preorder(&self) -> Preorder<'_> {
        Preorder {
            nodes: &self.nodes,
            next: 0,
            open: Vec::new(),
        }
    }

    /// The same as values, with the nodes' indices.
    pub(crate) fn contexts(&self) -> impl Iterator<Item = (u32, PreorderContext)> {
        (0..)
            .zip(self.preorder())
            .map(|(index, (depth, node))| (index, self.context(index, depth, node)))
    }

    /// The same, with the contexts below a context only if `each` says so.
    pub(crate) fn visit(&self, mut each: impl FnMut(u32, &PreorderContext) -> bool) {
        let mut all = self.preorder();
        while let Some((depth, node)) = all.next() {
            let index = all.next as u32 - 1;
            if !each(index, &self.context(index, depth, node)) {
                all.next = node.end as usize;
            }
        }
    }

    fn context(&self, index: u32, depth: usize, node: &Node) -> PreorderContext {
        PreorderContext {
            depth,
            method: node.method,
            site: node.site,
            invocations: node.invocations,
            bytecodes: node.bytecodes,
            allocation: self.allocation(index),
        }
    }

    /// For each node, the bytecodes of the context and everything below it.
    pub fn inclusive(&self) -> Vec<u64> {
        let mut sums: Vec<u64> = self.nodes.iter().map(|n| n.bytecodes).collect();
        for (i, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent() {
                sums[parent as usize] = sums[parent as usize].saturating_add(sums[i]);
            }
        }
        sums
    }

    /// Were allocations recorded in any context?
    pub fn has_allocations(&self) -> bool {
        self.columns.has_allocations()
    }

    /// What node `index` allocated itself, without its callees.
    pub fn allocation(&self, index: u32) -> Allocation {
        self.columns.allocation(index)
    }

    /// For each node, what the context and everything below it allocated; empty if nothing was
    /// recorded.
    pub fn inclusive_allocations(&self) -> Vec<Allocation> {
        if !self.has_allocations() {
            return Vec::new();
        }
        let mut sums: Vec<Allocation> = (0..self.nodes.len() as u32)
            .map(|i| self.allocation(i))
            .collect();
        for (i, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent() {
                let below = sums[i];
                sums[parent as usize].add(below);
            }
        }
        sums
    }

    /// Were the executions of single bytecodes counted in any context?
    pub fn has_counts(&self) -> bool {
        self.columns.has_counts()
    }

    /// How often each bytecode of its method was executed in node `index`.
    pub fn counts(&self, index: u32) -> Counts<'_> {
        self.columns.counts(index)
    }

    /// Were bytecodes of callees that are not shown reported by call site in any context?
    pub fn has_caused(&self) -> bool {
        self.columns.has_caused()
    }

    /// The bytecodes of hidden callees of node `index`, by the bytecode index of the call. They are part of its self bytecodes.
    pub fn caused(&self, index: u32) -> Counts<'_> {
        self.columns.caused(index)
    }

    /// Fills in the columns of node `index`.
    pub(crate) fn extra(&self, index: u32, extra: &mut Extra) {
        extra.clear();
        extra.set_allocation(self.allocation(index));
        extra.counts.extend(self.counts(index));
        extra.caused.extend(self.caused(index));
    }

    /// Replaces each node's method. Canonical order is lost.
    pub(crate) fn rename(&mut self, mut new: impl FnMut(u32) -> u32) {
        for node in &mut self.nodes {
            node.method = new(node.method);
        }
    }

    /// The same nodes with other bytecodes and other counts of single bytecodes; allocations stay, the bytecodes caused by
    /// callees are no longer known.
    pub(crate) fn with_counts(
        mut self,
        mut new: impl FnMut(&Tree, u32, &mut Vec<(u16, u64)>) -> u64,
    ) -> Tree {
        let mut extra = Extra::default();
        let mut columns = TreeColumns::default();
        let mut bytecodes = Vec::with_capacity(self.nodes.len());
        for index in 0..self.nodes.len() as u32 {
            extra.clear();
            extra.set_allocation(self.allocation(index));
            bytecodes.push(new(&self, index, &mut extra.counts));
            columns.push(index, &extra);
        }
        columns.finish(self.nodes.len());
        self.columns = columns;
        for (node, bytecodes) in self.nodes.iter_mut().zip(bytecodes) {
            node.bytecodes = bytecodes;
        }
        self
    }

    /// Replaces each node's bytecodes.
    pub(crate) fn set_bytecodes(&mut self, mut new: impl FnMut(&Node) -> u64) {
        for node in &mut self.nodes {
            node.bytecodes = new(node);
        }
    }

    /// Copies the trees of `walks` as one, in canonical order if the method indices that `method` gives for the
    /// VM's ids are in the order of labels. `extra` fills in the columns of each node.
    pub(crate) fn from_walks(
        walks: Vec<Walk>,
        method: impl Fn(u32) -> u32,
        call_sites: bool,
        extra: &mut Option<impl FnMut(&Visit, &mut Extra)>,
    ) -> Result<Tree, TreeError> {
        let mut writer = TreeWriter::default();
        let (mut columns, mut of_node) = (Extra::default(), Extra::default());
        let mut upcalls = false;
        let key = |id: u32, site: u32| match site {
            UPCALL => (method(id), UPCALL),
            site if call_sites => (method(id), site),
            _ => (method(id), NO_SITE),
        };
        merged(walks, key, None, &ChildLinks::default(), |context| {
            upcalls |= context.site == UPCALL;
            writer.leave_to(context.depth);
            let (calls, own) = (context.invocations, context.bytecodes);
            writer.enter(context.method, context.site, calls, own)?;
            if let Some(fill) = extra {
                context.columns(fill, &mut of_node, &mut columns);
                writer.set_extra(&columns);
            }
            Ok::<bool, TreeError>(true)
        })?;
        let tree = writer.finish();
        match upcalls {
            false => Ok(tree),
            true => Ok(regroup(&[&tree.lift()?], &Rule::all(call_sites))?.tree),
        }
    }

    /// Makes roots of the nodes whose call site is [`UPCALL`].
    pub(crate) fn lift(self) -> Result<Tree, TreeError> {
        if self.nodes.iter().all(|node| node.site != UPCALL) {
            return Ok(self);
        }
        let mut writer = TreeWriter::default();
        let mut extra = Extra::default();
        let mut todo: VecDeque<u32> = self.roots().collect();
        while let Some(root) = todo.pop_front() {
            writer.leave_to(0);
            // the ends of the subtrees around the node
            let mut open: Vec<u32> = Vec::new();
            let mut at = root;
            while at < self.end(root) {
                let node = &self.nodes[at as usize];
                if node.site == UPCALL && at != root {
                    todo.push_back(at);
                    at = node.end;
                    continue;
                }
                while open.last().is_some_and(|&end| end <= at) {
                    open.pop();
                }
                writer.leave_to(open.len());
                let site = if at == root { NO_SITE } else { node.site };
                writer.enter(node.method, site, node.invocations, node.bytecodes)?;
                self.extra(at, &mut extra);
                writer.set_extra(&extra);
                open.push(node.end);
                at += 1;
            }
        }
        writer.leave_to(0);
        Ok(writer.finish())
    }
}

/// Indices of the children of a node.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    nodes: &'a [Node],
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.next >= self.end {
            return None;
        }
        let index = self.next;
        self.next = self.nodes[index as usize].end;
        Some(index)
    }
}

/// See [`Tree::preorder`].
#[derive(Clone, Debug)]
pub struct Preorder<'a> {
    nodes: &'a [Node],
    next: usize,
    open: Vec<u32>,
}

impl<'a> Iterator for Preorder<'a> {
    type Item = (usize, &'a Node);

    fn next(&mut self) -> Option<Self::Item> {
        let node = self.nodes.get(self.next)?;
        while self
            .open
            .last()
            .is_some_and(|&end| end as usize <= self.next)
        {
            self.open.pop();
        }
        let depth = self.open.len();
        self.open.push(node.end);
        self.next += 1;
        Some((depth, node))
    }
}

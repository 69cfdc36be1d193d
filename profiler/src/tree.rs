//! Calling-context trees as plain data: the nodes in preorder in one vector. Every walk is a scan
//! or uses an explicit stack, so depth is limited by memory only.

use crate::cct::{NO_SITE, Walk};
use std::collections::HashMap;

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

    /// All nodes in preorder with their distance from the root.
    pub fn preorder(&self) -> Preorder<'_> {
        Preorder {
            nodes: &self.nodes,
            next: 0,
            open: Vec::new(),
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

    /// Replaces each node's method. Canonical order is lost.
    pub(crate) fn rename(&mut self, mut new: impl FnMut(u32) -> u32) {
        for node in &mut self.nodes {
            node.method = new(node.method);
        }
    }

    /// Copies the trees of `walks`, turning inclusive into exclusive counts. Siblings come in the
    /// order of the walk and methods are the VM's ids.
    pub(crate) fn from_walks(walks: impl IntoIterator<Item = Walk>) -> Result<Tree, TreeError> {
        let mut writer = TreeWriter::default();
        // Exclusive counts, as far as the children have been seen.
        let mut left: Vec<i64> = Vec::new();
        for walk in walks {
            for visit in walk {
                writer.leave_to(visit.depth);
                if let Some(&parent) = writer.path.last() {
                    left[parent as usize] = left[parent as usize].wrapping_sub(visit.inclusive);
                }
                writer.enter(visit.method, visit.site, visit.invocations, 0)?;
                left.push(visit.inclusive);
            }
            writer.leave_to(0);
        }
        let mut tree = writer.finish();
        for (i, &own) in left.iter().enumerate() {
            let Ok(own) = u64::try_from(own) else {
                let (depth, node) = tree.preorder().nth(i).expect("one count for each node");
                let below = tree
                    .children(i as u32)
                    .map(|c| left[c as usize])
                    .sum::<i64>();
                return Err(TreeError::Unbalanced {
                    method: node.method,
                    depth,
                    inclusive: own.wrapping_add(below),
                });
            };
            tree.nodes[i].bytecodes = own;
        }
        Ok(tree)
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

/// Writes nodes in preorder.
#[derive(Debug, Default)]
struct TreeWriter {
    nodes: Vec<Node>,
    path: Vec<u32>,
}

impl TreeWriter {
    /// Closes nodes until the path has `depth` nodes.
    fn leave_to(&mut self, depth: usize) {
        while self.path.len() > depth {
            let index = self.path.pop().expect("the path is longer than depth");
            self.nodes[index as usize].end = self.nodes.len() as u32;
        }
    }

    fn enter(&mut self, method: u32, site: u32, calls: u64, own: u64) -> Result<(), TreeError> {
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
        Ok(())
    }

    fn finish(mut self) -> Tree {
        self.leave_to(0);
        Tree { nodes: self.nodes }
    }
}

/// How [`regroup`] changes a tree.
pub(crate) struct Rule<'a> {
    /// New index of each method; methods are as in the source if empty.
    pub methods: &'a [u32],
    /// Is a context shown? Asked with the source's methods: the node's and its caller's. What a
    /// hidden node calls moves up to the nearest shown caller and takes the hidden node's call
    /// site; its own counts vanish.
    pub shown: &'a dyn Fn(u32, Option<u32>) -> bool,
    /// Are call sites kept, as part of a node's identity?
    pub call_sites: bool,
}

/// A source node that will be part of a node of the result.
struct Part {
    order: u64,
    method: u32,
    site: u32,
    source: u32,
    node: u32,
}

/// Puts trees on top of each other: equal contexts become one, counts add up. The result is in
/// canonical order if the (new) method indices are in the order of the methods' labels.
///
/// Works top down: the nodes of all sources that make up one node of the result are known at once,
/// so their children are gathered, sorted, and cut into groups of equal contexts.
pub(crate) fn regroup(sources: &[&Tree], rule: &Rule<'_>) -> Result<Tree, TreeError> {
    let mut writer = TreeWriter::default();
    let mut parts: Vec<Part> = Vec::new();
    let mut todo: Vec<Todo> = Vec::new();
    for source in 0..sources.len() as u32 {
        todo.push(Todo {
            source,
            node: None,
            site: None,
        });
        gather(sources, rule, &mut todo, &mut parts);
    }
    sort(&mut parts);
    // For each depth the range of `parts` that holds the siblings there, and how far it is done.
    let mut levels: Vec<(usize, usize, usize)> = vec![(0, 0, parts.len())];
    while let Some(&(begin, from, to)) = levels.last() {
        if from == to {
            parts.truncate(begin);
            levels.pop();
            continue;
        }
        let depth = levels.len() - 1;
        let (site, method) = (parts[from].site, parts[from].method);
        let alike = |p: &&Part| p.site == site && p.method == method;
        let group = from..from + parts[from..to].iter().take_while(alike).count();
        levels[depth].1 = group.end;
        let (mut invocations, mut bytecodes) = (0u64, 0u64);
        for part in &parts[group.clone()] {
            let node = &sources[part.source as usize].nodes[part.node as usize];
            invocations = invocations.saturating_add(node.invocations);
            bytecodes = bytecodes.saturating_add(node.bytecodes);
        }
        writer.leave_to(depth);
        writer.enter(method, site, invocations, bytecodes)?;
        let below = parts.len();
        for at in group {
            let Part { source, node, .. } = parts[at];
            todo.push(Todo {
                source,
                node: Some(node),
                site: None,
            });
            gather(sources, rule, &mut todo, &mut parts);
        }
        if parts.len() > below {
            sort(&mut parts[below..]);
            levels.push((below, below, parts.len()));
        }
    }
    Ok(writer.finish())
}

/// A node (or the roots) of a source whose children are to be gathered, and the call site they
/// take over if the node is hidden.
struct Todo {
    source: u32,
    node: Option<u32>,
    site: Option<u32>,
}

/// Empties `todo`: appends the shown children to `parts`, looking through hidden ones.
fn gather(sources: &[&Tree], rule: &Rule<'_>, todo: &mut Vec<Todo>, parts: &mut Vec<Part>) {
    while let Some(Todo { source, node, site }) = todo.pop() {
        let tree = sources[source as usize];
        let caller = node.map(|node| tree.nodes[node as usize].method);
        for child in node.map_or_else(|| tree.roots(), |node| tree.children(node)) {
            let Node {
                method, site: own, ..
            } = tree.nodes[child as usize];
            let site = site.unwrap_or(own);
            if (rule.shown)(method, caller) {
                let site = if rule.call_sites { site } else { NO_SITE };
                let method = rule.methods.get(method as usize).copied().unwrap_or(method);
                parts.push(Part {
                    order: site_order(site),
                    method,
                    site,
                    source,
                    node: child,
                });
            } else {
                todo.push(Todo {
                    source,
                    node: Some(child),
                    site: Some(site),
                });
            }
        }
    }
}

fn sort(parts: &mut [Part]) {
    if parts.len() > 1 {
        parts.sort_unstable_by_key(|p| (p.order, p.method, p.source, p.node));
    }
}

/// A number that sorts as the text `@site:` does in bytes: a digit's nibble, the colon after all
/// digits, and `@-1:` first.
fn site_order(site: u32) -> u64 {
    if site == NO_SITE {
        return 0;
    }
    let (mut order, mut rest) = (11u64 << 60, site);
    loop {
        // The last digit comes first, so each one goes above those before it.
        order = (order >> 4) | (u64::from(rest % 10 + 1) << 60);
        rest /= 10;
        if rest == 0 {
            return order;
        }
    }
}

/// A tree that grows by whole stacks: what a sampler records and a reader of paths meets. Stacks
/// that follow each other share most of their frames, so only the part that differs is looked up.
#[derive(Clone, Debug, Default)]
pub(crate) struct GrowingTree {
    nodes: Vec<Grown>,
    children: HashMap<(u32, u32, u32), u32>,
    last_root: Option<u32>,
    /// The latest stack: method, call site, node.
    path: Vec<(u32, u32, u32)>,
}

#[derive(Clone, Debug)]
struct Grown {
    method: u32,
    site: u32,
    invocations: u64,
    bytecodes: u64,
    last_child: Option<u32>,
    previous: Option<u32>,
}

impl GrowingTree {
    /// Adds to the context of a stack of (method, call site), root first. Contexts on the way are
    /// made if they are new. An empty stack is no context; its counts are dropped.
    pub fn add(
        &mut self,
        stack: impl IntoIterator<Item = (u32, u32)>,
        invocations: u64,
        bytecodes: u64,
    ) -> Result<(), TreeError> {
        let mut depth = 0;
        for (method, site) in stack {
            if self
                .path
                .get(depth)
                .is_none_or(|&(m, s, _)| (m, s) != (method, site))
            {
                self.path.truncate(depth);
                let node = self.child(method, site)?;
                self.path.push((method, site, node));
            }
            depth += 1;
        }
        self.path.truncate(depth);
        if let Some(&(_, _, node)) = self.path.last() {
            let node = &mut self.nodes[node as usize];
            node.invocations = node.invocations.saturating_add(invocations);
            node.bytecodes = node.bytecodes.saturating_add(bytecodes);
        }
        Ok(())
    }

    /// The child with that key of the last node of `path`.
    fn child(&mut self, method: u32, site: u32) -> Result<u32, TreeError> {
        let parent = self.path.last().map_or(NONE, |&(_, _, node)| node);
        if let Some(&node) = self.children.get(&(parent, method, site)) {
            return Ok(node);
        }
        let index = u32::try_from(self.nodes.len()).map_err(|_| TreeError::TooManyNodes)?;
        if index >= NONE - 1 {
            return Err(TreeError::TooManyNodes);
        }
        let last = match parent {
            NONE => &mut self.last_root,
            parent => &mut self.nodes[parent as usize].last_child,
        };
        let previous = last.replace(index);
        self.nodes.push(Grown {
            method,
            site,
            invocations: 0,
            bytecodes: 0,
            last_child: None,
            previous,
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
            siblings(&mut todo, depth + 1, node.last_child);
        }
        Ok(writer.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_sort_as_their_text() {
        let sites = [
            0,
            1,
            2,
            9,
            10,
            11,
            19,
            99,
            100,
            110,
            1000,
            65535,
            u32::MAX - 1,
            NO_SITE,
        ];
        let text = |site: u32| match site {
            NO_SITE => "@-1:".to_owned(),
            site => format!("@{site}:"),
        };
        for a in sites {
            for b in sites {
                assert_eq!(
                    site_order(a).cmp(&site_order(b)),
                    text(a).cmp(&text(b)),
                    "{a} {b}"
                );
            }
        }
    }
}

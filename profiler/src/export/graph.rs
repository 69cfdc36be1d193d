//! The dynamic call graph: what is left of the calling-context tree when contexts of one method
//! are one. Formats that can't hold a tree are written from it.
//!
//! **Inclusive costs of edges.** A bytecode executed below `f` belongs to the edge by which the
//! innermost `f` on the stack called on. So each bytecode counts once for each method on the
//! stack, however often that method recurs, and for every method
//! `inclusive = own + sum of its outgoing edges` holds exactly. The edge of a direct recursion
//! costs nothing: its bytecodes belong to the edges of the deepest invocation.

use crate::profile::Profile;
use crate::tree::{Allocation, Tree};
use std::collections::{BTreeMap, HashMap};

/// Calls from one method to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub caller: u32,
    /// The call site in the caller, if the profile tells call sites apart.
    pub site: Option<u32>,
    pub callee: u32,
    pub calls: u64,
    /// See above.
    pub inclusive: Costs,
}

/// Bytecodes, allocated objects, allocated bytes.
pub(super) type Costs = [u64; 3];

/// `a + b`, wrapping: differences may come before what they are taken from.
fn add(a: &mut Costs, b: Costs) {
    a.iter_mut()
        .zip(b)
        .for_each(|(a, b)| *a = a.wrapping_add(b));
}

fn subtract(a: &mut Costs, b: Costs) {
    a.iter_mut()
        .zip(b)
        .for_each(|(a, b)| *a = a.wrapping_sub(b));
}

/// For each node of a tree the costs of the context and everything below it.
pub(super) fn inclusive(tree: &Tree) -> Vec<Costs> {
    let mut allocations = tree.inclusive_allocations();
    allocations.resize(tree.len(), Allocation::NONE);
    let bytecodes = tree.inclusive().into_iter();
    bytecodes
        .zip(allocations)
        .map(|(bytecodes, allocated)| [bytecodes, allocated.objects, allocated.bytes])
        .collect()
}

/// What each method allocated itself, and how often its bytecodes were executed, by index.
#[derive(Clone, Debug, Default)]
pub(super) struct Own {
    pub allocated: Allocation,
    pub counts: BTreeMap<u16, u64>,
}

/// The optional columns of the tree, summed up by method; empty if there are none.
pub(super) fn own(profile: &Profile) -> Vec<Own> {
    if !profile.has_allocations() && !profile.has_counts() {
        return Vec::new();
    }
    let mut all = vec![Own::default(); profile.methods.len()];
    for thread in &profile.threads {
        for (i, node) in (0u32..).zip(thread.tree.nodes()) {
            let own = &mut all[node.method as usize];
            own.allocated.add(thread.tree.allocation(i));
            for (index, count) in thread.tree.counts(i) {
                let sum = own.counts.entry(index).or_default();
                *sum = sum.saturating_add(count);
            }
        }
    }
    all
}

/// All edges, by caller, call site, callee; call sites are merged unless they are wanted.
pub(super) fn edges(profile: &Profile, call_sites: bool) -> Vec<Edge> {
    let mut graph = Graph {
        known: HashMap::new(),
        edges: Vec::new(),
    };
    // For each method the depth of its innermost frame plus one, zero if it is not on the stack.
    let mut innermost = vec![0usize; profile.methods.len()];
    let mut path: Vec<Frame> = Vec::new();
    for thread in &profile.threads {
        let sums = inclusive(&thread.tree);
        for ((depth, node), inclusive) in thread.tree.preorder().zip(sums) {
            leave(&mut path, depth, &mut innermost);
            let method = node.method;
            let site = node.site().filter(|_| call_sites && profile.call_sites);
            let entered = path.last().map(|caller| {
                let edge = graph.edge(caller.method, site, method);
                let e = &mut graph.edges[edge];
                e.calls = e.calls.saturating_add(node.invocations);
                add(&mut e.inclusive, inclusive);
                edge
            });
            let before = innermost[method as usize];
            if before > 0 {
                // From here on this frame is the innermost one, not the one before, which called on
                // by the edge into the frame above it.
                let edge = path.get(before).map_or(entered, |above| above.entered);
                if let Some(edge) = edge {
                    subtract(&mut graph.edges[edge].inclusive, inclusive);
                }
            }
            innermost[method as usize] = depth + 1;
            path.push(Frame {
                method,
                before,
                entered,
            });
        }
        leave(&mut path, 0, &mut innermost);
    }
    let mut edges = graph.edges;
    edges.sort_unstable_by_key(|e| (e.caller, e.site, e.callee));
    edges
}

struct Frame {
    method: u32,
    /// What `innermost` said of the method before this frame.
    before: usize,
    /// The edge by which the frame was called.
    entered: Option<usize>,
}

fn leave(path: &mut Vec<Frame>, depth: usize, innermost: &mut [usize]) {
    while path.len() > depth
        && let Some(frame) = path.pop()
    {
        innermost[frame.method as usize] = frame.before;
    }
}

struct Graph {
    known: HashMap<(u32, Option<u32>, u32), usize>,
    edges: Vec<Edge>,
}

impl Graph {
    fn edge(&mut self, caller: u32, site: Option<u32>, callee: u32) -> usize {
        *self.known.entry((caller, site, callee)).or_insert_with(|| {
            self.edges.push(Edge {
                caller,
                site,
                callee,
                calls: 0,
                inclusive: [0; 3],
            });
            self.edges.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::paths;

    fn shown(text: &str) -> Vec<String> {
        let profile = paths::read(&mut text.as_bytes()).unwrap();
        let name = |m: u32| profile.methods[m as usize].name.as_str();
        edges(&profile, true)
            .iter()
            .map(|e| {
                let (from, to) = (name(e.caller), name(e.callee));
                format!("{from}->{to} {} {}", e.calls, e.inclusive[0])
            })
            .collect()
    }

    #[test]
    fn recursion_counts_once() {
        let direct = "A.f()V\t1\t1\nA.f()V;A.f()V\t1\t10\nA.f()V;A.f()V;A.f()V\t1\t100\n\
                      A.f()V;A.f()V;A.f()V;A.g()V\t2\t1000\n";
        assert_eq!(shown(direct), ["f->f 2 0", "f->g 2 1000"]);
        let mutual = "A.f()V\t1\t1\nA.f()V;A.g()V\t1\t10\nA.f()V;A.g()V;A.f()V\t1\t100\n\
                      A.f()V;A.g()V;A.f()V;A.g()V\t1\t1000\n\
                      A.f()V;A.g()V;A.f()V;A.h()V\t1\t5000\n";
        assert_eq!(shown(mutual), ["f->g 2 1010", "f->h 1 5000", "g->f 1 5100"]);
    }
}

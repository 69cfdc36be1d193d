//! Metrics that the tree alone reports: its shape, call sites and their targets, executions of each
//! method's bytecodes.

use crate::profile::Profile;
use std::collections::BTreeMap;

/// The shape of a profile's trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Calling contexts.
    pub contexts: u64,
    /// Those that called nothing.
    pub leaves: u64,
    /// Those without caller.
    pub roots: u64,
    /// Methods that have a context.
    pub methods: u64,
    /// Depth of the deepest context; roots have depth 1.
    pub max_depth: u64,
    /// Sum of the depths of all contexts.
    pub depths: u128,
    /// Most callee contexts of one context.
    pub max_callees: u64,
}

impl Shape {
    /// Average depth of a context; 0 if there is none.
    pub fn mean_depth(&self) -> f64 {
        match self.contexts {
            0 => 0.0,
            n => self.depths as f64 / n as f64,
        }
    }
}

/// A place in the code from which methods were called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The calling method, an index into the profile's method table.
    pub caller: u32,
    /// Index of the calling bytecode.
    pub site: u32,
    /// The methods called there, by ascending index, and how often.
    pub targets: Vec<(u32, u64)>,
}

impl CallSite {
    /// All calls from there.
    pub fn calls(&self) -> u64 {
        self.targets
            .iter()
            .fold(0, |sum, target| target.1.saturating_add(sum))
    }
}

impl Profile {
    /// The shape of all threads' trees together.
    pub fn shape(&self) -> Shape {
        let mut shape = Shape::default();
        let mut seen = vec![false; self.methods.len()];
        let mut callees: Vec<u64> = Vec::new();
        for thread in &self.threads {
            callees.clear();
            callees.resize(thread.tree.len(), 0);
            for (depth, node) in thread.tree.preorder() {
                let depth = depth as u64 + 1;
                shape.contexts += 1;
                shape.max_depth = shape.max_depth.max(depth);
                shape.depths += u128::from(depth);
                seen[node.method as usize] = true;
                match node.parent() {
                    Some(parent) => callees[parent as usize] += 1,
                    None => shape.roots += 1,
                }
            }
            shape.leaves += callees.iter().filter(|&&n| n == 0).count() as u64;
            shape.max_callees = callees.iter().fold(shape.max_callees, |m, &n| m.max(n));
        }
        shape.methods = seen.iter().filter(|&&seen| seen).count() as u64;
        shape
    }

    /// Call sites that called something, by caller and bytecode index; empty if contexts are not
    /// kept apart by call site. What the VM calls while a bytecode executes has that bytecode as
    /// call site too; class initialisers are left out here, as no instruction calls them.
    pub fn call_site_targets(&self) -> Vec<CallSite> {
        let mut sites: BTreeMap<(u32, u32), BTreeMap<u32, u64>> = BTreeMap::new();
        for thread in self.threads.iter().filter(|_| self.call_sites) {
            let nodes = thread.tree.nodes();
            for node in nodes {
                let (Some(parent), Some(site)) = (node.parent(), node.site()) else {
                    continue;
                };
                if self.methods[node.method as usize].name == "<clinit>" {
                    continue;
                }
                let caller = nodes[parent as usize].method;
                let targets = sites.entry((caller, site)).or_default();
                let calls = targets.entry(node.method).or_default();
                *calls = calls.saturating_add(node.invocations);
            }
        }
        sites
            .into_iter()
            .map(|((caller, site), targets)| CallSite {
                caller,
                site,
                targets: targets.into_iter().collect(),
            })
            .collect()
    }

    /// For each method the executions of its bytecodes over all contexts, as pairs of bytecode
    /// index and count. Empty lists if bytecodes were not counted.
    pub fn counts_by_method(&self) -> Vec<Vec<(u16, u64)>> {
        let mut sums: Vec<BTreeMap<u16, u64>> = vec![BTreeMap::new(); self.methods.len()];
        for thread in self.threads.iter().filter(|t| t.tree.has_counts()) {
            for (index, node) in (0..).zip(thread.tree.nodes()) {
                let sum = &mut sums[node.method as usize];
                for (bci, count) in thread.tree.counts(index) {
                    let at = sum.entry(bci).or_default();
                    *at = at.saturating_add(count);
                }
            }
        }
        let list = |sum: BTreeMap<u16, u64>| sum.into_iter().collect();
        sums.into_iter().map(list).collect()
    }
}

//! The call graph as far as calls have been seen.

use std::collections::{BTreeMap, BTreeSet};

/// Callers and callees.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    root: u32,
    callees: BTreeMap<u32, BTreeSet<u32>>,
    callers: BTreeMap<u32, BTreeSet<u32>>,
    calls: BTreeMap<u32, u64>,
    all: u64,
}

impl Graph {
    /// One of nothing but its root.
    pub fn new(root: u32) -> Graph {
        Graph {
            root,
            ..Graph::default()
        }
    }
    /// Its root.
    pub fn root(&self) -> u32 {
        self.root
    }
    /// A method is called by another.
    pub fn add(&mut self, caller: Option<u32>, method: u32) {
        if let Some(caller) = caller {
            self.callees.entry(caller).or_default().insert(method);
            self.callers.entry(method).or_default().insert(caller);
        }
        self.calls.entry(method).or_default();
    }
    /// A method has been called so many times more.
    pub fn count(&mut self, method: u32, times: u64) {
        *self.calls.entry(method).or_default() += times;
        self.all += times;
    }
    /// Methods that were called.
    pub fn methods(&self) -> usize {
        self.calls.len()
    }
    /// Calls of all methods.
    pub fn calls(&self) -> u64 {
        self.all
    }
    /// Calls of a method.
    pub fn calls_of(&self, method: u32) -> u64 {
        self.calls.get(&method).copied().unwrap_or(0)
    }
    /// Methods with their calls, most first.
    pub fn by_calls(&self) -> Vec<(u32, u64)> {
        crate::tree::Tree::ranked(self.calls.clone())
    }
    /// What a method has called.
    pub fn callees(&self, method: u32) -> Vec<u32> {
        self.callees
            .get(&method)
            .into_iter()
            .flatten()
            .copied()
            .collect()
    }
    /// The callers of a method.
    pub fn callers(&self, method: u32) -> Vec<u32> {
        self.callers
            .get(&method)
            .into_iter()
            .flatten()
            .copied()
            .collect()
    }
    /// All calls, as pairs of caller and callee.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> {
        self.callees
            .iter()
            .flat_map(|(&a, all)| all.iter().map(move |&b| (a, b)))
    }
    /// The methods on all ways from these to `to`, which is one of them: reached from there, and reaching it. The first
    /// ones themselves are left out.
    pub fn between(&self, from: &BTreeSet<u32>, to: u32) -> BTreeSet<u32> {
        let reached = reach(from.iter().copied(), &self.callees);
        if !reached.contains(&to) {
            return BTreeSet::new();
        }
        let reaching = reach([to].into_iter(), &self.callers);
        reached
            .intersection(&reaching)
            .filter(|m| !from.contains(m))
            .copied()
            .collect()
    }
    /// The shortest ways from the root to all methods.
    pub fn ways(&self) -> CallerPaths {
        let mut before: BTreeMap<u32, u32> = BTreeMap::new();
        let mut open = std::collections::VecDeque::from([self.root]);
        while let Some(m) = open.pop_front() {
            for c in self.callees(m) {
                if c != self.root && !before.contains_key(&c) {
                    before.insert(c, m);
                    open.push_back(c);
                }
            }
        }
        CallerPaths(before)
    }
}

/// By method, who comes before it on the shortest way from the root.
pub struct CallerPaths(BTreeMap<u32, u32>);

impl CallerPaths {
    /// The way to a method.
    pub fn to(&self, method: u32) -> Vec<u32> {
        let mut way = vec![method];
        let mut at = method;
        while let Some(&caller) = self.0.get(&at) {
            way.push(caller);
            at = caller;
        }
        way.reverse();
        way
    }
}

/// Everything that can be reached along edges.
fn reach(from: impl Iterator<Item = u32>, edges: &BTreeMap<u32, BTreeSet<u32>>) -> BTreeSet<u32> {
    let mut found: BTreeSet<u32> = BTreeSet::new();
    let mut open: Vec<u32> = from.collect();
    while let Some(m) = open.pop() {
        if found.insert(m) {
            open.extend(edges.get(&m).into_iter().flatten());
        }
    }
    found
}

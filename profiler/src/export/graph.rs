//! The dynamic call graph: the calling-context tree with all contexts of one method merged. Formats that cannot hold a tree are
//! written from it.
//!
//! **Inclusive costs of edges.** A bytecode executed below `f` belongs to the edge by which the
//! innermost `f` on the stack called on. So each bytecode counts once for each method on the
//! stack, also if the method recurs, and for every method
//! `inclusive = own + sum of its outgoing edges` holds exactly. The edge of a direct recursion
//! costs nothing: its bytecodes belong to the edges of the deepest invocation.

use crate::method::MethodInfo;
use crate::profile::{About, Kind, Profile};
use crate::tree::{Allocation, PreorderContext};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// Calls from one method to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub caller: u32,
    /// The call site in the caller, if the profile reports call sites apart.
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

/// What a method did itself.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnCounts {
    pub contexts: u64,
    pub calls: u64,
    pub bytecodes: u64,
    pub allocated: Allocation,
    /// How often its bytecodes were executed, by index.
    pub counts: BTreeMap<u16, u64>,
    /// What callees that are not shown have executed, by call site.
    pub caused: BTreeMap<u16, u64>,
}

impl OwnCounts {
    /// The counts of the method's own bytecodes, by bytecode index.
    pub fn reported(&self) -> impl Iterator<Item = (u16, u64)> {
        let all = self.counts.iter().chain(&self.caused);
        all.map(|(&index, &count)| (index, count))
    }
}

/// The rest of a thread.
pub(super) struct ThreadGraph {
    pub name: Option<String>,
    pub remainder: u64,
    /// Its first methods, with calls and inclusive costs.
    pub roots: Vec<(u32, u64, Costs)>,
}

/// The call graph of a profile.
pub struct CallGraph<'a> {
    pub(super) about: Cow<'a, About>,
    /// In order.
    pub(super) methods: Cow<'a, [MethodInfo]>,
    pub(super) allocations: bool,
    pub(super) counts: bool,
    /// See [`unattributed`](super::untold).
    pub(super) unattributed: Option<&'static str>,
    /// By method.
    pub(super) own: Vec<OwnCounts>,
    /// By caller, call site, callee.
    pub(super) edges: Vec<Edge>,
    pub(super) threads: Vec<ThreadGraph>,
}

impl<'a> CallGraph<'a> {
    /// The graph of all threads.
    pub fn of(profile: &'a Profile) -> CallGraph<'a> {
        let mut grower = Grower::new(profile.methods.len(), profile.call_sites);
        for thread in &profile.threads {
            let tree = &thread.tree;
            for (index, context) in tree.contexts() {
                grower.add(&context, tree.counts(index), tree.caused(index));
            }
            grower.end_thread(thread.name.clone(), thread.remainder);
        }
        let (allocations, counts) = (profile.has_allocations(), profile.has_counts());
        let (about, methods) = (&profile.about, &profile.methods[..]);
        grower.finish(
            profile.kind,
            Cow::Borrowed(about),
            Cow::Borrowed(methods),
            allocations,
            counts,
        )
    }

    /// The methods that are in it.
    pub fn methods(&self) -> &[MethodInfo] {
        &self.methods
    }

    /// All bytecodes, allocated objects and allocated bytes.
    pub(super) fn total(&self) -> Costs {
        let mut sum: Costs = [0; 3];
        let own = self.own.iter().map(|own| {
            let Allocation { objects, bytes } = own.allocated;
            [own.bytecodes, objects, bytes]
        });
        let outside = self.threads.iter().map(|thread| [thread.remainder, 0, 0]);
        for costs in own.chain(outside) {
            for (sum, cost) in sum.iter_mut().zip(costs) {
                *sum = sum.saturating_add(cost);
            }
        }
        sum
    }

    /// The methods that have contexts, in order.
    pub(super) fn executed(&self) -> impl Iterator<Item = (u32, &OwnCounts)> {
        (0..).zip(&self.own).filter(|(_, own)| own.contexts > 0)
    }
}

/// Makes a call graph of contexts as they come.
pub(crate) struct Grower {
    call_sites: bool,
    known: HashMap<(u32, Option<u32>, u32), usize>,
    edges: Vec<Edge>,
    own: Vec<OwnCounts>,
    threads: Vec<ThreadGraph>,
    roots: Vec<(u32, u64, Costs)>,
    /// For each method the depth of its innermost frame plus one, zero if it is not on the stack.
    innermost: Vec<usize>,
    path: Vec<GraphFrame>,
}

struct GraphFrame {
    method: u32,
    calls: u64,
    /// What `innermost` said of the method before this frame.
    before: usize,
    /// The edge by which the frame was called.
    entered: Option<usize>,
    /// The edge that the frame's costs do not belong to.
    instead: Option<usize>,
    /// Costs of the frame and of those below it that have ended.
    costs: Costs,
}

impl Grower {
    /// For so many methods; are call sites distinguished?
    pub fn new(methods: usize, call_sites: bool) -> Grower {
        Grower {
            call_sites,
            known: HashMap::new(),
            edges: Vec::new(),
            own: vec![OwnCounts::default(); methods],
            threads: Vec::new(),
            roots: Vec::new(),
            innermost: vec![0; methods],
            path: Vec::new(),
        }
    }

    /// Adds the thread's next context in preorder.
    pub fn add(
        &mut self,
        context: &PreorderContext,
        counts: impl Iterator<Item = (u16, u64)>,
        caused: impl Iterator<Item = (u16, u64)>,
    ) {
        self.leave_to(context.depth);
        let method = context.method;
        let own = &mut self.own[method as usize];
        own.contexts += 1;
        own.calls = own.calls.saturating_add(context.invocations);
        own.bytecodes = own.bytecodes.saturating_add(context.bytecodes);
        own.allocated.add(context.allocation);
        for (index, count) in counts {
            let sum = own.counts.entry(index).or_default();
            *sum = sum.saturating_add(count);
        }
        for (index, bytecodes) in caused {
            let sum = own.caused.entry(index).or_default();
            *sum = sum.saturating_add(bytecodes);
        }
        let site = context.site().filter(|_| self.call_sites);
        let entered = self.path.last().map(|caller| caller.method);
        let entered = entered.map(|caller| {
            let edge = self.edge(caller, site, method);
            let e = &mut self.edges[edge];
            e.calls = e.calls.saturating_add(context.invocations);
            edge
        });
        // From here on this frame is the innermost one, not the one before, which called on by the edge into the
        // frame above it.
        let before = std::mem::replace(&mut self.innermost[method as usize], context.depth + 1);
        let instead = match before {
            0 => None,
            before => self.path.get(before).map_or(entered, |above| above.entered),
        };
        let Allocation { objects, bytes } = context.allocation;
        self.path.push(GraphFrame {
            method,
            calls: context.invocations,
            before,
            entered,
            instead,
            costs: [context.bytecodes, objects, bytes],
        });
    }

    fn leave_to(&mut self, depth: usize) {
        while self.path.len() > depth
            && let Some(frame) = self.path.pop()
        {
            self.innermost[frame.method as usize] = frame.before;
            if let Some(edge) = frame.entered {
                add(&mut self.edges[edge].inclusive, frame.costs);
            }
            if let Some(edge) = frame.instead {
                subtract(&mut self.edges[edge].inclusive, frame.costs);
            }
            match self.path.last_mut() {
                Some(caller) => add(&mut caller.costs, frame.costs),
                None => self.roots.push((frame.method, frame.calls, frame.costs)),
            }
        }
    }

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

    /// Ends a thread.
    pub fn end_thread(&mut self, name: Option<String>, remainder: u64) {
        self.leave_to(0);
        self.threads.push(ThreadGraph {
            name,
            remainder,
            roots: std::mem::take(&mut self.roots),
        });
    }

    /// The graph.
    pub fn finish<'a>(
        self,
        kind: Kind,
        about: Cow<'a, About>,
        methods: Cow<'a, [MethodInfo]>,
        allocations: bool,
        counts: bool,
    ) -> CallGraph<'a> {
        let mut edges = self.edges;
        edges.sort_unstable_by_key(|e| (e.caller, e.site, e.callee));
        CallGraph {
            unattributed: super::unattributed(kind, self.call_sites, counts),
            about,
            methods,
            allocations,
            counts,
            own: self.own,
            edges,
            threads: self.threads,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::paths;

    fn shown(text: &str) -> Vec<String> {
        let profile = paths::read(&mut text.as_bytes()).unwrap();
        let name = |m: u32| profile.methods[m as usize].name.as_str();
        let graph = CallGraph::of(&profile);
        graph
            .edges
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

//! Totals of each method, and questions about single methods.

use crate::cct::{Visit, Walk};
use crate::method::{MethodInfo, readable_names};
use crate::profile::{Kind, Names, Profile, Totals};
use crate::tree::{Allocation, Tree, TreeError};

/// Totals of a method over all its contexts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MethodTotals {
    /// Index into the profile's method table.
    pub method: u32,
    /// How often the method was entered (or sampled).
    pub calls: u64,
    /// Bytecodes executed in the method itself.
    pub bytecodes: u64,
    /// Bytecodes executed while the method was on the stack, those of its recursive invocations
    /// counted once.
    pub inclusive: u64,
    /// Number of calling contexts.
    pub contexts: u64,
    /// What the method itself allocated, if that was recorded.
    pub allocated: Allocation,
}

/// The methods of a profile with their totals, without the contexts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flat {
    /// What the counters mean.
    pub kind: Kind,
    /// All methods, in the order of their labels.
    pub methods: Vec<MethodInfo>,
    /// Sums over all methods.
    pub totals: Totals,
    /// As [`Profile::flat`] has them.
    pub lines: Vec<MethodTotals>,
}

impl Flat {
    /// Those of a profile; of samples, estimates.
    pub fn of(profile: &Profile) -> Flat {
        let estimated = profile.estimated();
        Flat {
            kind: estimated.kind,
            totals: estimated.totals(),
            lines: estimated.flat(),
            methods: estimated.methods.clone(),
        }
    }

    /// Those of a VM's counters: the same as if a [`Profile`] were built with a
    /// [`Builder`](crate::Builder), at a fraction of the cost, except that contexts of methods with
    /// equal descriptions are not merged before they are numbered. `allocated` tells objects and bytes.
    pub fn of_walks<T: IntoIterator<Item = Walk>>(
        resolve: impl FnMut(u32) -> MethodInfo,
        threads: impl IntoIterator<Item = T>,
        allocated: impl Fn(&Visit) -> (u64, u64),
    ) -> Result<Flat, TreeError> {
        let mut names = Names::new(resolve);
        let mut totals = Totals::default();
        let mut lines: Vec<MethodTotals> = Vec::new();
        let mut own: Vec<i64> = Vec::new();
        let mut active: Vec<u32> = Vec::new();
        let mut path: Vec<usize> = Vec::new();
        for roots in threads {
            totals.threads += 1;
            for visit in roots.into_iter().flatten() {
                for left in path.drain(visit.depth..) {
                    active[left] -= 1;
                }
                let method = names.index(visit.method) as usize;
                if method >= lines.len() {
                    lines.resize_with(method + 1, MethodTotals::default);
                    own.resize(method + 1, 0);
                    active.resize(method + 1, 0);
                }
                if let Some(&caller) = path.last() {
                    own[caller] = own[caller].wrapping_sub(visit.inclusive);
                }
                own[method] = own[method].wrapping_add(visit.inclusive);
                active[method] += 1;
                path.push(method);
                totals.nodes += 1;
                totals.invocations = totals.invocations.saturating_add(visit.invocations);
                let sum = &mut lines[method];
                sum.calls = sum.calls.saturating_add(visit.invocations);
                sum.contexts += 1;
                let (objects, bytes) = allocated(&visit);
                sum.allocated.add(Allocation { objects, bytes });
                if active[method] == 1 {
                    sum.inclusive = sum.inclusive.saturating_add(visit.inclusive as u64);
                }
            }
            for left in path.drain(..) {
                active[left] -= 1;
            }
        }
        let (methods, renamed) = names.finish();
        for (at, line) in lines.iter_mut().enumerate() {
            line.method = renamed[at];
            line.bytecodes = u64::try_from(own[at]).map_err(|_| TreeError::Unbalanced {
                method: renamed[at],
                depth: 0,
                inclusive: own[at],
            })?;
            totals.bytecodes = totals.bytecodes.saturating_add(line.bytecodes);
            totals.allocated.add(line.allocated);
        }
        sort(&mut lines);
        Ok(Flat {
            kind: Kind::Exact,
            methods,
            totals,
            lines,
        })
    }
}

/// The totals of each of `methods` methods in some trees.
pub(crate) fn by_method<'a>(
    methods: usize,
    trees: impl Iterator<Item = &'a Tree>,
) -> Vec<MethodTotals> {
    let mut totals: Vec<MethodTotals> = (0..methods as u32)
        .map(|method| MethodTotals {
            method,
            ..MethodTotals::default()
        })
        .collect();
    let mut active = vec![0u32; totals.len()];
    let mut path: Vec<u32> = Vec::new();
    for tree in trees {
        let inclusive = tree.inclusive();
        for (index, (depth, node)) in (0u32..).zip(tree.preorder()) {
            let inclusive = inclusive[index as usize];
            for left in path.drain(depth..) {
                active[left as usize] -= 1;
            }
            path.push(node.method);
            let method = node.method as usize;
            active[method] += 1;
            let sum = &mut totals[method];
            sum.calls = sum.calls.saturating_add(node.invocations);
            sum.bytecodes = sum.bytecodes.saturating_add(node.bytecodes);
            sum.contexts += 1;
            sum.allocated.add(tree.allocation(index));
            if active[method] == 1 {
                sum.inclusive = sum.inclusive.saturating_add(inclusive);
            }
        }
        for left in path.drain(..) {
            active[left as usize] -= 1;
        }
    }
    totals
}

/// Most bytecodes first.
fn sort(lines: &mut [MethodTotals]) {
    lines.sort_by(|a, b| {
        (b.bytecodes, b.inclusive)
            .cmp(&(a.bytecodes, a.inclusive))
            .then(a.method.cmp(&b.method))
    });
}

impl Profile {
    /// Totals of every method that has a context, most bytecodes first, equal ones in the order of
    /// their labels.
    pub fn flat(&self) -> Vec<MethodTotals> {
        let mut totals = self.totals_by_method();
        totals.retain(|t| t.contexts > 0);
        sort(&mut totals);
        totals
    }

    fn totals_by_method(&self) -> Vec<MethodTotals> {
        by_method(self.methods.len(), self.threads.iter().map(|t| &t.tree))
    }

    /// Indices of the methods that `query` names: by `Class.name(desc)return`, by
    /// `Class.name(int,java.lang.String)`, or all overloads by `Class.name`.
    pub fn find(&self, query: &str) -> Vec<u32> {
        let names = readable_names(&self.methods);
        let overload = |m: &MethodInfo| {
            query
                .strip_prefix(m.class.as_str())
                .and_then(|q| q.strip_prefix('.'))
                == Some(&m.name)
        };
        (0u32..)
            .zip(&self.methods)
            .filter(|&(i, m)| {
                overload(m)
                    || names[i as usize] == query
                    || m.label() == query
                    || m.readable() == query
            })
            .map(|(i, _)| i)
            .collect()
    }

    /// Totals of the one method that `query` names, see [`find`](Self::find); `None` if it was
    /// not executed, or if `query` names several methods.
    pub fn method(&self, query: &str) -> Option<MethodTotals> {
        match self.find(query)[..] {
            [method] => {
                let totals = self.totals_by_method()[method as usize];
                (totals.contexts > 0).then_some(totals)
            }
            _ => None,
        }
    }
}

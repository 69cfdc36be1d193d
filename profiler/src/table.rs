//! Totals of each method, and questions about single methods.

use crate::cct::{Visit, Walk};
use crate::method::{MethodInfo, readable_names};
use crate::profile::{Kind, MethodNames, Profile, Totals};
use crate::tree::{Allocation, PreorderContext, Tree, TreeError};

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
    /// equal descriptions are not merged before they are numbered. `allocated` reports objects and bytes.
    pub fn of_walks<T: IntoIterator<Item = Walk>>(
        resolve: impl FnMut(u32) -> MethodInfo,
        threads: impl IntoIterator<Item = T>,
        allocated: impl Fn(&Visit) -> (u64, u64),
    ) -> Result<Flat, TreeError> {
        let mut names = MethodNames::new(resolve);
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

/// The totals of methods and of all of them together, added up as contexts come in preorder.
pub(crate) struct Sums {
    rows: Vec<MethodTotals>,
    remainder: u64,
    /// How many frames of each method are on the path.
    active: Vec<u32>,
    path: Vec<u32>,
}

impl Sums {
    pub fn new(methods: usize) -> Sums {
        let row = |method| MethodTotals {
            method,
            ..MethodTotals::default()
        };
        Sums {
            rows: (0..methods as u32).map(row).collect(),
            remainder: 0,
            active: vec![0; methods],
            path: Vec::new(),
        }
    }

    /// Adds a context, with the bytecodes of itself and all below it.
    #[inline]
    pub fn add(&mut self, context: &PreorderContext, inclusive: u64) {
        self.leave_to(context.depth);
        self.path.push(context.method);
        let method = context.method as usize;
        let active = &mut self.active[method];
        *active += 1;
        let sum = &mut self.rows[method];
        sum.calls = sum.calls.saturating_add(context.invocations);
        sum.bytecodes = sum.bytecodes.saturating_add(context.bytecodes);
        sum.contexts += 1;
        sum.allocated.add(context.allocation);
        if *active == 1 {
            sum.inclusive = sum.inclusive.saturating_add(inclusive);
        }
    }

    #[inline]
    fn leave_to(&mut self, depth: usize) {
        while self.path.len() > depth
            && let Some(left) = self.path.pop()
        {
            self.active[left as usize] -= 1;
        }
    }

    /// Ends a thread, in which so many bytecodes belong to no context.
    pub fn end_thread(&mut self, remainder: u64) {
        self.leave_to(0);
        self.remainder = self.remainder.saturating_add(remainder);
    }

    /// By method.
    pub fn rows(&self) -> &[MethodTotals] {
        &self.rows
    }

    /// The table of these methods, whose contexts were exact, in so many threads.
    pub fn flat(&self, methods: &[MethodInfo], threads: u64) -> Flat {
        let executed = self.rows.iter().filter(|row| row.contexts > 0);
        let mut lines: Vec<MethodTotals> = executed.copied().collect();
        sort(&mut lines);
        Flat {
            kind: Kind::Exact,
            methods: methods.to_vec(),
            totals: Totals {
                threads,
                ..self.totals()
            },
            lines,
        }
    }

    /// Sums over all methods, when all threads were ended; the number of those is not reported.
    pub fn totals(&self) -> Totals {
        let mut all = Totals {
            bytecodes: self.remainder,
            ..Totals::default()
        };
        for row in &self.rows {
            all.invocations = all.invocations.saturating_add(row.calls);
            all.bytecodes = all.bytecodes.saturating_add(row.bytecodes);
            all.nodes += row.contexts;
            all.allocated.add(row.allocated);
        }
        all
    }
}

/// The totals of each of `methods` methods in some trees.
pub(crate) fn by_method<'a>(
    methods: usize,
    trees: impl Iterator<Item = &'a Tree>,
) -> Vec<MethodTotals> {
    let mut sums = Sums::new(methods);
    for tree in trees {
        let inclusive = tree.inclusive();
        for (index, context) in tree.contexts() {
            sums.add(&context, inclusive[index as usize]);
        }
        sums.end_thread(0);
    }
    sums.rows
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

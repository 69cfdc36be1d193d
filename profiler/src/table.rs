//! Totals of each method, and questions about single methods.

use crate::method::{MethodInfo, readable_names};
use crate::profile::Profile;
use crate::tree::Allocation;

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

impl Profile {
    /// Totals of every method that has a context, most bytecodes first, equal ones in the order of
    /// their labels.
    pub fn flat(&self) -> Vec<MethodTotals> {
        let mut totals = self.totals_by_method();
        totals.retain(|t| t.contexts > 0);
        totals.sort_by(|a, b| {
            (b.bytecodes, b.inclusive)
                .cmp(&(a.bytecodes, a.inclusive))
                .then(a.method.cmp(&b.method))
        });
        totals
    }

    fn totals_by_method(&self) -> Vec<MethodTotals> {
        let mut totals: Vec<MethodTotals> = (0..self.methods.len() as u32)
            .map(|method| MethodTotals {
                method,
                ..MethodTotals::default()
            })
            .collect();
        let mut active = vec![0u32; totals.len()];
        let mut path: Vec<u32> = Vec::new();
        for thread in &self.threads {
            let inclusive = thread.tree.inclusive();
            for (index, (depth, node)) in (0u32..).zip(thread.tree.preorder()) {
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
                sum.allocated.add(thread.tree.allocation(index));
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

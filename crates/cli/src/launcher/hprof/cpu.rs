//! CPU usage: samples, and the exact counts of each call.

use super::text::TraceCost;
use rjvm_vm::Vm;
use rjvm_vm::events::Traces;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How often each trace was sampled.
#[derive(Default)]
pub struct Samples {
    counts: BTreeMap<u32, u64>,
}

impl Samples {
    /// One more.
    pub fn count(&mut self, trace: u32) {
        *self.counts.entry(trace).or_default() += 1;
    }
    /// By trace, most samples first.
    pub fn rows(&self) -> Vec<(u32, u64)> {
        let mut rows: Vec<(u32, u64)> = self.counts.iter().map(|(t, n)| (*t, *n)).collect();
        rows.sort_by_key(|&(trace, n)| (std::cmp::Reverse(n), trace));
        rows
    }
}

/// A calling context that is being visited.
struct OpenContext {
    method: u32,
    calls: u64,
    /// Bytecodes with callees, and without callees.
    inclusive: i64,
    own: i64,
}

/// Calls `f` with each calling context of all threads, and the methods on the way to it.
fn each_context(vm: &mut Vm, mut f: impl FnMut(&Vm, rjvm_vm::ThreadId, &[OpenContext])) {
    vm.flush_open_frames();
    vm.release_kept_contexts();
    let vm = &*vm;
    for (thread, walks) in vm.contexts(true) {
        for walk in walks {
            let mut path: Vec<OpenContext> = Vec::new();
            for visit in walk {
                while path.len() > visit.depth {
                    f(vm, thread, &path);
                    path.pop();
                }
                if let Some(above) = path.last_mut() {
                    above.own -= visit.inclusive;
                }
                path.push(OpenContext {
                    method: visit.method,
                    calls: visit.invocations,
                    inclusive: visit.inclusive,
                    own: visit.inclusive,
                });
            }
            while !path.is_empty() {
                f(vm, thread, &path);
                path.pop();
            }
        }
    }
}

/// `cpu=times`: for each trace its calls and the bytecodes executed in them.
pub fn times(vm: &mut Vm, traces: &mut Traces) -> Vec<TraceCost> {
    let mut sums: BTreeMap<u32, TraceCost> = BTreeMap::new();
    let mut places = BTreeMap::new();
    let depth = traces.depth();
    each_context(vm, |vm, thread, path| {
        let Some(at) = path.last() else {
            return;
        };
        let frames = path.iter().rev().take(depth);
        let frames: Vec<_> = frames
            .map(|open| {
                let place = places.entry(open.method);
                place
                    .or_insert_with(|| super::names::place(vm, open.method))
                    .clone()
            })
            .collect();
        let trace = traces.trace_of(thread, frames);
        let sum = sums.entry(trace).or_insert(TraceCost {
            trace,
            count: 0,
            cost: 0,
        });
        sum.count += at.calls;
        sum.cost += at.own.max(0) as u64;
    });
    let mut rows: Vec<TraceCost> = sums.into_values().collect();
    rows.sort_by_key(|r| (std::cmp::Reverse(r.cost), r.trace));
    rows
}

/// `cpu=old`: for each pair of methods, how often one called the other, and the bytecodes executed in these calls and below.
pub fn old(vm: &mut Vm, out: &mut String) {
    let mut sums: BTreeMap<(u32, Option<u32>), (u64, i64)> = BTreeMap::new();
    let mut names = BTreeMap::new();
    each_context(vm, |vm, _, path| {
        let Some((at, above)) = path.split_last() else {
            return;
        };
        let caller = above.last().map(|o| o.method);
        for method in [Some(at.method), caller].into_iter().flatten() {
            names.entry(method).or_insert_with(|| {
                let place = super::names::place(vm, method);
                let class = super::names::class_name(&place.class);
                format!("{class}.{}{}", place.method, place.descriptor)
            });
        }
        let sum = sums.entry((at.method, caller)).or_default();
        sum.0 += at.calls;
        // what is called again below itself is in the outer call's sum
        let pair = |i: usize| (path[i].method, i.checked_sub(1).map(|i| path[i].method));
        let again = (0..above.len()).any(|i| pair(i) == (at.method, caller));
        if !again {
            sum.1 += at.inclusive;
        }
    });
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by(|a, b| {
        b.1.1
            .cmp(&a.1.1)
            .then_with(|| names[&a.0.0].cmp(&names[&b.0.0]))
    });
    out.push_str("count callee caller time\n");
    for ((callee, caller), (calls, bytecodes)) in rows {
        let callee = &names[&callee];
        let caller = caller.map_or("<unknown caller>", |c| names[&c].as_str());
        let _ = writeln!(out, "{calls} {callee} {caller} {bytecodes}");
    }
}

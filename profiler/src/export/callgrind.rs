//! The callgrind format, version 1, for KCachegrind, QCachegrind and `callgrind_annotate`.
//!
//! It holds a call graph, not a tree: see `graph` for what an edge costs when
//! methods recur. Functions are called `package.Class::method(parameters)`, because these tools
//! take what stands before the last `::` for the class and group by it. Source lines are not known
//! to a profile, so every position is line 0, which means unknown. Threads that are kept apart are
//! functions `[name]` that call the thread's first methods.

use super::graph::{self, Costs};
use crate::method::{MethodInfo, readable_names};
use crate::profile::Profile;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes methods in the order of the profile, the callees of each in the same order.
pub fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = readable_names(&profile.methods)
        .iter()
        .zip(&profile.methods)
        .map(|(name, method)| function(name, method))
        .collect();
    let totals = profile.totals();
    let allocated = totals.allocated;
    let mut writer = Writer {
        seen: vec![false; names.len()],
        names,
        events: if profile.has_allocations() { 3 } else { 1 },
        out,
    };
    let total = writer.costs([totals.bytecodes, allocated.objects, allocated.bytes]);
    let events = ["Bytecodes", "Objects", "AllocatedBytes"][..writer.events].join(" ");
    write!(
        writer.out,
        "# callgrind format\nversion: 1\ncreator: rjvm\npositions: line\n\
         event: Bytecodes : bytecodes executed\nevent: Objects : objects allocated\n\
         event: AllocatedBytes : bytes allocated\nevents: {events}\nsummary: {total}\n\n\
         fl=(1) ???\n"
    )?;
    writer.threads(profile)?;
    writer.methods(profile)?;
    writeln!(writer.out, "\ntotals: {total}")
}

/// `java.lang.String::length()` of `java.lang.String.length()`.
fn function(readable: &str, method: &MethodInfo) -> String {
    match readable
        .strip_prefix(method.class.as_str())
        .and_then(|rest| rest.strip_prefix('.'))
    {
        Some(rest) => format!("{}::{rest}", method.class),
        None => readable.to_owned(),
    }
}

/// Callees with the number of calls and their costs.
type Calls = BTreeMap<u32, (u64, Costs)>;

fn add(calls: &mut Calls, callee: u32, number: u64, costs: Costs) {
    let (calls, sums) = calls.entry(callee).or_default();
    *calls = calls.saturating_add(number);
    for (sum, cost) in sums.iter_mut().zip(costs) {
        *sum = sum.saturating_add(cost);
    }
}

struct Writer<'a> {
    names: Vec<String>,
    /// Which names were written: later mentions give the number alone.
    seen: Vec<bool>,
    /// How many kinds of costs are written.
    events: usize,
    out: &'a mut dyn Write,
}

impl Writer<'_> {
    /// `fn=(1) name` or `cfn=(1)`.
    fn function(&mut self, key: &str, method: u32) -> io::Result<()> {
        let i = method as usize;
        if std::mem::replace(&mut self.seen[i], true) {
            writeln!(self.out, "{key}=({})", i + 1)
        } else {
            writeln!(self.out, "{key}=({}) {}", i + 1, self.names[i])
        }
    }

    fn costs(&self, costs: Costs) -> String {
        costs[..self.events]
            .iter()
            .map(u64::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn calls(&mut self, calls: Calls) -> io::Result<()> {
        for (callee, (calls, inclusive)) in calls {
            self.function("cfn", callee)?;
            let costs = self.costs(inclusive);
            write!(self.out, "calls={calls} 0\n0 {costs}\n")?;
        }
        Ok(())
    }

    fn threads(&mut self, profile: &Profile) -> io::Result<()> {
        let number = self.names.len() + 1;
        for (i, thread) in profile.threads.iter().enumerate() {
            let label = match thread.label() {
                Some(label) => label,
                None if thread.remainder > 0 => "[in no context]".to_owned(),
                None => continue,
            };
            write!(
                self.out,
                "\nfn=({}) {label}\n0 {}\n",
                number + i,
                self.costs([thread.remainder, 0, 0])
            )?;
            if thread.name.is_none() {
                continue;
            }
            let sums = graph::inclusive(&thread.tree);
            let mut calls = Calls::new();
            for root in thread.tree.roots() {
                let node = &thread.tree.nodes()[root as usize];
                add(
                    &mut calls,
                    node.method,
                    node.invocations,
                    sums[root as usize],
                );
            }
            self.calls(calls)?;
        }
        Ok(())
    }

    fn methods(&mut self, profile: &Profile) -> io::Result<()> {
        let mut flat = profile.flat();
        flat.sort_by_key(|totals| totals.method);
        let own = graph::own(profile);
        // Call sites fall together: they have no line.
        let edges = graph::edges(profile, false);
        let mut edges = edges.iter().peekable();
        for totals in flat {
            writeln!(self.out)?;
            self.function("fn", totals.method)?;
            let allocated = own.get(totals.method as usize).map(|own| own.allocated);
            let allocated = allocated.unwrap_or_default();
            let costs = self.costs([totals.bytecodes, allocated.objects, allocated.bytes]);
            writeln!(self.out, "0 {costs}")?;
            let mut calls = Calls::new();
            while let Some(edge) = edges.next_if(|e| e.caller == totals.method) {
                add(&mut calls, edge.callee, edge.calls, edge.inclusive);
            }
            self.calls(calls)?;
        }
        Ok(())
    }
}

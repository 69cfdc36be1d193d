//! The callgrind format, version 1, for KCachegrind, QCachegrind and `callgrind_annotate`.
//!
//! It holds a call graph, not a tree: see [`graph`](super::graph) for what an edge costs when
//! methods recur. Functions are called `package.Class::method(parameters)`, because these tools
//! take what stands before the last `::` for the class and group by it. Source lines are not known
//! to a profile, so every position is line 0, which means unknown. Threads that are kept apart are
//! functions `[name]` that call the thread's first methods.

use super::graph;
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
    let total = profile.totals().bytecodes;
    write!(
        out,
        "# callgrind format\nversion: 1\ncreator: rjvm\npositions: line\n\
         event: Bytecodes : bytecodes executed\nevents: Bytecodes\nsummary: {total}\n\n\
         fl=(1) ???\n"
    )?;
    let mut writer = Writer {
        seen: vec![false; names.len()],
        names,
        out: &mut *out,
    };
    writer.threads(profile)?;
    writer.methods(profile)?;
    writeln!(out, "\ntotals: {total}")
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

struct Writer<'a> {
    names: Vec<String>,
    /// Which names were written: later mentions give the number alone.
    seen: Vec<bool>,
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

    fn call(&mut self, callee: u32, (calls, inclusive): (u64, u64)) -> io::Result<()> {
        self.function("cfn", callee)?;
        write!(self.out, "calls={calls} 0\n0 {inclusive}\n")
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
                thread.remainder
            )?;
            if thread.name.is_none() {
                continue;
            }
            let sums = thread.tree.inclusive();
            let mut calls: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
            for root in thread.tree.roots() {
                let node = &thread.tree.nodes()[root as usize];
                let (calls, inclusive) = calls.entry(node.method).or_default();
                *calls = calls.saturating_add(node.invocations);
                *inclusive = inclusive.saturating_add(sums[root as usize]);
            }
            for (callee, costs) in calls {
                self.call(callee, costs)?;
            }
        }
        Ok(())
    }

    fn methods(&mut self, profile: &Profile) -> io::Result<()> {
        let mut flat = profile.flat();
        flat.sort_by_key(|totals| totals.method);
        let edges = graph::edges(profile);
        let mut edges = edges.iter().peekable();
        for totals in flat {
            writeln!(self.out)?;
            self.function("fn", totals.method)?;
            writeln!(self.out, "0 {}", totals.bytecodes)?;
            // Call sites fall together: they have no line.
            let mut calls: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
            while let Some(edge) = edges.next_if(|e| e.caller == totals.method) {
                let (calls, inclusive) = calls.entry(edge.callee).or_default();
                *calls = calls.saturating_add(edge.calls);
                *inclusive = inclusive.saturating_add(edge.inclusive);
            }
            for (callee, costs) in calls {
                self.call(callee, costs)?;
            }
        }
        Ok(())
    }
}

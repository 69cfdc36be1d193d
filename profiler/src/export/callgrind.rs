//! The callgrind format, version 1, for KCachegrind, QCachegrind and `callgrind_annotate`.
//!
//! It holds a call graph, not a tree: see `graph` for what an edge costs when
//! methods recur. Functions are called `package.Class::method(parameters)`, because these tools
//! take the text before the last `::` for the class and group by it. Threads that are separate are
//! functions `[name]` that call the thread's first methods.
//!
//! Files are paths below the root of a source tree (`callgrind_annotate --include=ROOT`), `???` if a
//! class file names none. Positions are lines, as far as they are reported (see `lines`), line 0 means
//! unknown.

use super::graph::{CallGraph, Costs};
use super::lines;
use crate::method::{MethodInfo, printable, readable_names};
use crate::profile::{program, thread_label};
use crate::tree::Allocation;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

/// Writes methods in the order of the profile, the callees of each in the same order.
pub fn write(graph: &CallGraph<'_>, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = readable_names(&graph.methods)
        .iter()
        .zip(&*graph.methods)
        .map(|(name, method)| function(name, method))
        .collect();
    let mut writer = CallgrindWriter {
        methods: &graph.methods,
        seen: vec![false; names.len()],
        names,
        files: HashMap::from([(UNKNOWN, 1)]),
        file: UNKNOWN,
        events: if graph.allocations { 3 } else { 1 },
        out,
    };
    let total = writer.costs(graph.total());
    let (event, meaning) = match crate::weighed::unit(&graph.about) {
        "bytecodes" => ("Bytecodes", "bytecodes executed"),
        unit => ("Cost", unit),
    };
    let events = [event, "Objects", "AllocatedBytes"][..writer.events].join(" ");
    let pruned = crate::prune::about(&graph.about).map(|text| format!("desc: Contexts: {text}\n"));
    let pruned: String = pruned.collect();
    let command = program(&graph.about).map(|text| format!("cmd: {}\n", printable(text)));
    let command = command.unwrap_or_default();
    let sources = || graph.methods.iter().filter_map(|m| m.source.as_ref());
    let lines = sources().any(|source| source.first_line().is_some());
    let unattributed = graph.unattributed.filter(|_| lines);
    let unattributed = unattributed.map_or(String::new(), |text| format!("desc: Lines: {text}\n"));
    write!(
        writer.out,
        "# callgrind format\nversion: 1\ncreator: rjvm\n{command}{pruned}{unattributed}positions: line\n\
         event: {event} : {meaning}\nevent: Objects : objects allocated\n\
         event: AllocatedBytes : bytes allocated\nevents: {events}\nsummary: {total}\n\n\
         fl=(1) {UNKNOWN}\n"
    )?;
    writer.threads(graph)?;
    writer.methods(graph)?;
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

/// The file of methods whose file is not known.
const UNKNOWN: &str = "???";

/// Lines that call and callees, with the number of calls and their costs.
type Calls = BTreeMap<(u32, u32), (u64, Costs)>;

fn add(calls: &mut Calls, line: u32, callee: u32, number: u64, costs: Costs) {
    let (calls, sums) = calls.entry((line, callee)).or_default();
    *calls = calls.saturating_add(number);
    for (sum, cost) in sums.iter_mut().zip(costs) {
        *sum = sum.saturating_add(cost);
    }
}

struct CallgrindWriter<'a> {
    methods: &'a [MethodInfo],
    /// Numbers of the files that were written.
    files: HashMap<&'a str, usize>,
    /// The file of the function that is being written.
    file: &'a str,
    names: Vec<String>,
    /// Which names were written: later mentions give the number alone.
    seen: Vec<bool>,
    /// How many kinds of costs are written.
    events: usize,
    out: &'a mut dyn Write,
}

impl<'a> CallgrindWriter<'a> {
    /// `fl=(1) file` or `fl=(1)`, unless that is the file already.
    fn file(&mut self, key: &str, method: u32) -> io::Result<&'a str> {
        let source = self.methods[method as usize].source.as_ref();
        let file = source.map_or(UNKNOWN, |source| source.file());
        if file == self.file {
            return Ok(file);
        }
        let next = self.files.len() + 1;
        match *self.files.entry(file).or_insert(next) {
            number if number == next => writeln!(self.out, "{key}=({number}) {file}")?,
            number => writeln!(self.out, "{key}=({number})")?,
        }
        Ok(file)
    }

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
        for ((line, callee), (calls, inclusive)) in calls {
            self.file("cfi", callee)?;
            self.function("cfn", callee)?;
            let costs = self.costs(inclusive);
            let target = lines::first(&self.methods[callee as usize]);
            write!(self.out, "calls={calls} {target}\n{line} {costs}\n")?;
        }
        Ok(())
    }

    fn threads(&mut self, graph: &CallGraph<'_>) -> io::Result<()> {
        let number = self.names.len() + 1;
        for (i, thread) in graph.threads.iter().enumerate() {
            let label = match &thread.name {
                Some(name) => thread_label(name),
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
            let mut calls = Calls::new();
            for &(method, number, sums) in &thread.roots {
                add(&mut calls, 0, method, number, sums);
            }
            self.calls(calls)?;
        }
        Ok(())
    }

    fn methods(&mut self, graph: &CallGraph<'_>) -> io::Result<()> {
        let mut edges = graph.edges.iter().peekable();
        for (index, own) in graph.executed() {
            writeln!(self.out)?;
            self.file = self.file("fl", index)?;
            self.function("fn", index)?;
            let method = &self.methods[index as usize];
            for (line, at) in lines::executed(method, own.bytecodes, own.reported()) {
                let allocated = match line == lines::first(method) {
                    true => own.allocated,
                    false => Allocation::NONE,
                };
                let costs = self.costs([at.bytecodes, allocated.objects, allocated.bytes]);
                writeln!(self.out, "{line} {costs}")?;
            }
            let mut calls = Calls::new();
            while let Some(edge) = edges.next_if(|e| e.caller == index) {
                let line = lines::of_site(method, edge.site);
                add(&mut calls, line, edge.callee, edge.calls, edge.inclusive);
            }
            self.calls(calls)?;
        }
        Ok(())
    }
}

//! The whole profile as JSON, for scripts:
//!
//! ```json
//! {"format": "rjvm-profile", "version": 1,
//!  "kind": "exact",             // or "samples": `calls` are samples then
//!  "callSites": true,           // are contexts kept apart by call site?
//!  "about": [["Program", "Demo"], ["Seed", "0"]],    // if it is known how the profile came about
//!  "totals": {"bytecodes": 128, "calls": 9, "contexts": 8, "threads": 1},
//!  "methods": [
//!   {"class": "Demo", "name": "main", "descriptor": "([Ljava/lang/String;)V",
//!    "native": false, "hidden": false, "application": true,
//!    "file": "p/Demo.java", "lines": [[0, 12], [8, 13]]}],    // if its place is known
//!  "columns": ["parent", "method", "site", "calls", "bytecodes"],
//!  "threads": [
//!   {"id": 1, "name": "main",    // null: several threads merged
//!    "remainder": 0,             // bytecodes that belong to no context
//!    "contexts": [
//!     [-1, 0, -1, 1, 28]]}]}
//! ```
//!
//! `lines` are pairs of bytecode index and source line, each up to the next one.
//!
//! A context is a row of numbers, named by `columns`. `parent` is the index of the caller's row in
//! the same thread, `method` an index into `methods`, `site` the bytecode index of the call in the
//! caller; -1 means none. `bytecodes` are those executed in the context itself. If they were
//! recorded, `objects` and `allocatedBytes` follow, the context's own again, and `counts`, a list
//! of `[bytecode index, executions]`; where call sites are separate and contexts are hidden, `caused`, a list of
//! `[bytecode index of a call, bytecodes of hidden callees, which are among the context's own]`. Rows are in preorder, so a parent comes before its children. Numbers are exact to 64 bits: a reader that
//! keeps them as floating point loses digits above 2^53.

use super::text::Json;
use crate::Kind;
use crate::method::MethodInfo;
use crate::profile::{About, Profile, Totals};
use crate::tree::PreorderContext;
use std::io::{self, Write};

/// Writes the profile, a line for each method and each context.
pub fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let head = JsonHeader {
        kind: profile.kind,
        call_sites: profile.call_sites,
        about: &profile.about,
        methods: &profile.methods,
        totals: profile.totals(),
        allocations: profile.has_allocations(),
        counts: profile.has_counts(),
        caused: profile.has_caused(),
    };
    let mut writer = JsonWriter::new(&head, out)?;
    for thread in &profile.threads {
        writer.thread(thread.name.as_deref(), thread.id, thread.remainder)?;
        for (index, context) in thread.tree.contexts() {
            let tree = &thread.tree;
            writer.context(&context, tree.counts(index), tree.caused(index))?;
        }
    }
    writer.finish()
}

/// What comes before the threads.
pub(crate) struct JsonHeader<'a> {
    pub kind: Kind,
    pub call_sites: bool,
    pub about: &'a About,
    /// In order.
    pub methods: &'a [MethodInfo],
    pub totals: Totals,
    pub allocations: bool,
    pub counts: bool,
    pub caused: bool,
}

/// Writes a profile as it comes.
pub(crate) struct JsonWriter<'a> {
    out: &'a mut dyn Write,
    call_sites: bool,
    allocations: bool,
    counts: bool,
    caused: bool,
    threads: usize,
    /// How many rows the thread has.
    rows: u64,
    /// Those of the contexts that are open.
    open: Vec<u64>,
    /// The row that is being made.
    row: Vec<u8>,
}

impl<'a> JsonWriter<'a> {
    pub fn new(head: &JsonHeader<'_>, out: &'a mut dyn Write) -> io::Result<Self> {
        let totals = &head.totals;
        let kind = match head.kind {
            Kind::Exact => "exact",
            Kind::Samples => "samples",
        };
        write!(
            out,
            "{{\"format\":\"rjvm-profile\",\"version\":1,\n\"kind\":\"{kind}\",\n\"callSites\":{},\n",
            head.call_sites,
        )?;
        if !head.about.is_empty() {
            out.write_all(b"\"about\":[")?;
            for (i, (name, text)) in head.about.iter().enumerate() {
                write!(out, "{}[{},{}]", comma(i), Json(name), Json(text))?;
            }
            out.write_all(b"],\n")?;
        }
        write!(
            out,
            "\"totals\":{{\"bytecodes\":{},\"calls\":{},\"contexts\":{},\"threads\":{}}},\n\"methods\":[",
            totals.bytecodes, totals.invocations, totals.nodes, totals.threads,
        )?;
        for (i, method) in head.methods.iter().enumerate() {
            out.write_all(comma(i).as_bytes())?;
            write_method(method, out)?;
        }
        write!(
            out,
            "],\n\"columns\":[\"parent\",\"method\",\"site\",\"calls\",\"bytecodes\"{}{}{}],\n\"threads\":[",
            if head.allocations {
                ",\"objects\",\"allocatedBytes\""
            } else {
                ""
            },
            if head.counts { ",\"counts\"" } else { "" },
            if head.caused { ",\"caused\"" } else { "" },
        )?;
        Ok(JsonWriter {
            out,
            call_sites: head.call_sites,
            allocations: head.allocations,
            counts: head.counts,
            caused: head.caused,
            threads: 0,
            rows: 0,
            open: Vec::new(),
            row: Vec::new(),
        })
    }

    /// Begins a thread, whose contexts follow.
    pub fn thread(&mut self, name: Option<&str>, id: u64, remainder: u64) -> io::Result<()> {
        self.end_thread()?;
        let comma = comma(self.threads);
        write!(self.out, "{comma}\n{{\"id\":{id},\"name\":")?;
        match name {
            Some(name) => write!(self.out, "{}", Json(name))?,
            None => self.out.write_all(b"null")?,
        }
        self.threads += 1;
        write!(self.out, ",\"remainder\":{remainder},\"contexts\":[")
    }

    fn end_thread(&mut self) -> io::Result<()> {
        self.rows = 0;
        self.open.clear();
        match self.threads {
            0 => Ok(()),
            _ => self.out.write_all(b"]}"),
        }
    }

    /// Writes the thread's next context in preorder.
    pub fn context(
        &mut self,
        context: &PreorderContext,
        counts: impl Iterator<Item = (u16, u64)>,
        caused: impl Iterator<Item = (u16, u64)>,
    ) -> io::Result<()> {
        self.open.truncate(context.depth);
        let row = &mut self.row;
        row.clear();
        row.extend_from_slice(if self.rows == 0 { b"\n[" } else { b",\n[" });
        number_or_none(self.open.last().copied(), row);
        row.push(b',');
        number(context.method.into(), row);
        row.push(b',');
        let site = context.site().filter(|_| self.call_sites);
        number_or_none(site.map(u64::from), row);
        let allocated = [context.allocation.objects, context.allocation.bytes];
        let allocated = if self.allocations {
            &allocated[..]
        } else {
            &[]
        };
        for &n in [context.invocations, context.bytecodes]
            .iter()
            .chain(allocated)
        {
            row.push(b',');
            number(n, row);
        }
        if self.counts {
            pairs(counts, row);
        }
        if self.caused {
            pairs(caused, row);
        }
        row.push(b']');
        self.open.push(self.rows);
        self.rows += 1;
        self.out.write_all(row)
    }

    /// Writes the end.
    pub fn finish(mut self) -> io::Result<()> {
        self.end_thread()?;
        self.out.write_all(b"]}\n")
    }
}

fn write_method(m: &MethodInfo, out: &mut dyn Write) -> io::Result<()> {
    write!(
        out,
        "\n{{\"class\":{},\"name\":{},\"descriptor\":{},\"native\":{},\"hidden\":{},\
         \"application\":{}",
        Json(&m.class),
        Json(&m.name),
        Json(&m.descriptor),
        m.native,
        m.hidden,
        m.app,
    )?;
    if let Some(source) = &m.source {
        write!(out, ",\"file\":{},\"lines\":[", Json(source.file()))?;
        for (n, (index, line)) in source.lines().iter().enumerate() {
            write!(out, "{}[{index},{line}]", comma(n))?;
        }
        out.write_all(b"]")?;
    }
    out.write_all(b"}")
}

/// Appends a list of pairs.
fn pairs(pairs: impl Iterator<Item = (u16, u64)>, row: &mut Vec<u8>) {
    row.extend_from_slice(b",[");
    for (n, (index, count)) in pairs.enumerate() {
        row.extend_from_slice(comma(n).as_bytes());
        row.push(b'[');
        number(index.into(), row);
        row.push(b',');
        number(count, row);
        row.push(b']');
    }
    row.push(b']');
}

/// Appends a number. By hand: there are millions.
fn number(mut n: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            return out.extend_from_slice(&digits[at..]);
        }
    }
}

fn number_or_none(n: Option<u64>, out: &mut Vec<u8>) {
    match n {
        Some(n) => number(n, out),
        None => out.extend_from_slice(b"-1"),
    }
}

fn comma(i: usize) -> &'static str {
    if i == 0 { "" } else { "," }
}

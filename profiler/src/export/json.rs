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
//! caller; -1 stands for none. `bytecodes` are those executed in the context itself. If they were
//! recorded, `objects` and `allocatedBytes` follow, the context's own again, and `counts`, a list
//! of `[bytecode index, executions]`. Rows are in preorder, so a parent comes before its children. Numbers are exact to 64 bits: a reader that
//! keeps them as floating point loses digits above 2^53.

use super::text::Json;
use crate::Kind;
use crate::profile::Profile;
use std::io::{self, Write};

/// Writes the profile, a line for each method and each context.
pub fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let totals = profile.totals();
    let kind = match profile.kind {
        Kind::Exact => "exact",
        Kind::Samples => "samples",
    };
    write!(
        out,
        "{{\"format\":\"rjvm-profile\",\"version\":1,\n\"kind\":\"{kind}\",\n\"callSites\":{},\n",
        profile.call_sites,
    )?;
    if !profile.about.is_empty() {
        out.write_all(b"\"about\":[")?;
        for (i, (name, text)) in profile.about.iter().enumerate() {
            write!(out, "{}[{},{}]", comma(i), Json(name), Json(text))?;
        }
        out.write_all(b"],\n")?;
    }
    write!(
        out,
        "\"totals\":{{\"bytecodes\":{},\"calls\":{},\"contexts\":{},\"threads\":{}}},\n\"methods\":[",
        totals.bytecodes, totals.invocations, totals.nodes, totals.threads,
    )?;
    for (i, m) in profile.methods.iter().enumerate() {
        write!(
            out,
            "{}\n{{\"class\":{},\"name\":{},\"descriptor\":{},\"native\":{},\"hidden\":{},\
             \"application\":{}",
            comma(i),
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
        out.write_all(b"}")?;
    }
    let (allocations, counts) = (profile.has_allocations(), profile.has_counts());
    write!(
        out,
        "],\n\"columns\":[\"parent\",\"method\",\"site\",\"calls\",\"bytecodes\"{}{}],\n\"threads\":[",
        if allocations {
            ",\"objects\",\"allocatedBytes\""
        } else {
            ""
        },
        if counts { ",\"counts\"" } else { "" },
    )?;
    for (i, thread) in profile.threads.iter().enumerate() {
        write!(out, "{}\n{{\"id\":{},\"name\":", comma(i), thread.id)?;
        match &thread.name {
            Some(name) => write!(out, "{}", Json(name))?,
            None => out.write_all(b"null")?,
        }
        write!(out, ",\"remainder\":{},\"contexts\":[", thread.remainder)?;
        for (i, node) in thread.tree.nodes().iter().enumerate() {
            let or_none = |n: Option<u32>| n.map_or(-1, i64::from);
            write!(
                out,
                "{}\n[{},{},{},{},{}",
                comma(i),
                or_none(node.parent()),
                node.method,
                or_none(node.site().filter(|_| profile.call_sites)),
                node.invocations,
                node.bytecodes,
            )?;
            if allocations {
                let own = thread.tree.allocation(i as u32);
                write!(out, ",{},{}", own.objects, own.bytes)?;
            }
            if counts {
                out.write_all(b",[")?;
                for (n, (index, count)) in thread.tree.counts(i as u32).enumerate() {
                    let comma = if n == 0 { "" } else { "," };
                    write!(out, "{comma}[{index},{count}]")?;
                }
                out.write_all(b"]")?;
            }
            out.write_all(b"]")?;
        }
        out.write_all(b"]}")?;
    }
    out.write_all(b"]}\n")
}

fn comma(i: usize) -> &'static str {
    if i == 0 { "" } else { "," }
}

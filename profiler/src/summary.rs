//! The summary for people at the end of a run.

use crate::export::{count_name, percent};
use crate::method::readable_name;
pub use crate::numbers::grouped;
use crate::profile::Profile;
use crate::table::Flat;
use std::io::{self, Write};

/// What a summary says beside the profile.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary<'a> {
    /// Objects and bytes allocated, if they were counted.
    pub allocated: Option<(u64, u64)>,
    /// Further notes: a line each.
    pub notes: &'a [String],
    /// Files the profile was written to.
    pub written: &'a [String],
    /// Use ANSI colours.
    pub color: bool,
}

/// Number of methods the summary lists.
const TOP: usize = 10;

/// Writes the totals, the methods that executed most bytecodes, and the written files.
pub fn write(profile: &Profile, summary: &Summary<'_>, out: &mut dyn Write) -> io::Result<()> {
    write_flat(&Flat::of(profile), summary, out)
}

/// [`write()`] without the contexts.
pub fn write_flat(table: &Flat, summary: &Summary<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (bold, dim, reset) = if summary.color {
        ("\x1b[1m", "\x1b[2m", "\x1b[0m")
    } else {
        ("", "", "")
    };
    let totals = &table.totals;
    let calls = count_name(table.kind);
    let plural = |n: u64, name: &str| {
        let name = if n == 1 {
            name.strip_suffix('s').unwrap_or(name)
        } else {
            name
        };
        format!("{} {name}", grouped(n))
    };
    write!(
        out,
        "{bold}{}{reset}, {}, {}",
        plural(totals.bytecodes, "bytecodes"),
        plural(totals.invocations, calls),
        plural(totals.threads, "threads"),
    )?;
    if let Some((objects, bytes)) = summary.allocated {
        write!(
            out,
            ", {} ({}) allocated",
            plural(objects, "objects"),
            plural(bytes, "bytes")
        )?;
    }
    writeln!(out)?;
    let flat = &table.lines;
    if !flat.is_empty() {
        let most = flat
            .iter()
            .take(TOP)
            .map(|line| line.calls)
            .max()
            .unwrap_or(0);
        let c = grouped(most).len().max(calls.len());
        writeln!(
            out,
            "{dim}self %  accum %  total %  {calls:>c$}  method{reset}"
        )?;
        let mut accumulated = 0u64;
        for line in flat.iter().take(TOP) {
            accumulated = accumulated.saturating_add(line.bytecodes);
            writeln!(
                out,
                "{:>6}  {:>7}  {:>7}  {:>c$}  {}",
                percent(line.bytecodes, totals.bytecodes),
                percent(accumulated, totals.bytecodes),
                percent(line.inclusive, totals.bytecodes),
                grouped(line.calls),
                readable_name(&table.methods, line.method as usize),
            )?;
        }
        if flat.len() > TOP {
            let more = flat.len() - TOP;
            writeln!(
                out,
                "{dim}and {}{reset}",
                plural(more as u64, "more methods")
            )?;
        }
    }
    for note in summary.notes {
        writeln!(out, "{note}")?;
    }
    for path in summary.written {
        writeln!(out, "profile written to {path}")?;
    }
    Ok(())
}

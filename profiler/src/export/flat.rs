//! The flat table: a line for each method, most bytecodes first.

use super::{Settings, allocation_widths, count_name, heading, percent, share};
use crate::profile::{About, Profile};
use crate::table::Flat;
use std::io::{self, Write};

/// Writes the table: the method's own bytecodes, their percentage of all and the percentage of
/// all lines so far, the bytecodes including callees (recursion counted once), invocations, and what
/// the method itself allocated, if that was recorded. Methods whose bytecodes, callees included, are less than
/// what the settings say are left out, and those beyond the number they say; files and lines are reported if they
/// are wanted.
pub fn write(profile: &Profile, settings: &Settings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (table, allocations) = (Flat::of(profile), profile.has_allocations());
    write_table(&table, &profile.about, allocations, settings, out)
}

/// The same of totals that are known; were allocations recorded?
pub fn write_table(
    table: &Flat,
    about: &About,
    allocations: bool,
    settings: &Settings<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = super::names(&table.methods, settings, " ");
    let totals = &table.totals;
    let calls = count_name(table.kind);
    let width = |n: u64, title: &str| n.to_string().len().max(title.len());
    let s = width(totals.bytecodes, "self");
    let i = width(totals.bytecodes, "total");
    let c = width(totals.invocations, calls);
    writeln!(out, "{}", heading("Methods", table.kind, totals, about))?;
    writeln!(out)?;
    let allocated = allocation_widths(allocations, totals);
    write!(
        out,
        "rank  self %  accum %  total %  {:>s$}  {:>i$}  {calls:>c$}",
        "self", "total"
    )?;
    if let Some((o, b)) = allocated {
        write!(out, "  {:>o$}  {:>b$}", "objects", "bytes")?;
    }
    writeln!(out, "  method")?;
    let mut accumulated = 0u64;
    for (rank, line) in (1u64..).zip(&table.lines) {
        accumulated = accumulated.saturating_add(line.bytecodes);
        let left_out = share(line.inclusive, totals.bytecodes) < settings.least;
        if left_out || settings.most.is_some_and(|most| rank > most) {
            continue;
        }
        write!(
            out,
            "{rank:>4}  {:>6}  {:>7}  {:>7}  {:>s$}  {:>i$}  {:>c$}",
            percent(line.bytecodes, totals.bytecodes),
            percent(accumulated, totals.bytecodes),
            percent(line.inclusive, totals.bytecodes),
            line.bytecodes,
            line.inclusive,
            line.calls,
        )?;
        if let Some((o, b)) = allocated {
            let allocated = line.allocated;
            write!(out, "  {:>o$}  {:>b$}", allocated.objects, allocated.bytes)?;
        }
        writeln!(out, "  {}", names[line.method as usize])?;
    }
    Ok(())
}

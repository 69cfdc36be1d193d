//! The flat table: a line for each method, most bytecodes first.

use super::{allocation_widths, count_name, heading, percent, share};
use crate::method::readable_names;
use crate::profile::Profile;
use std::io::{self, Write};

/// Writes the table: the method's own bytecodes, their percentage of all and the percentage of
/// all lines so far, the bytecodes including callees (recursion counted once), invocations, and what
/// the method itself allocated, if that was recorded.
pub fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    write_from(profile, 0, out)
}

/// The same without methods whose bytecodes, callees included, are less than `least` hundredths of a
/// percent of all.
pub fn write_from(profile: &Profile, least: u64, out: &mut dyn Write) -> io::Result<()> {
    let profile = &*profile.estimated();
    let names = readable_names(&profile.methods);
    let totals = profile.totals();
    let calls = count_name(profile.kind);
    let width = |n: u64, title: &str| n.to_string().len().max(title.len());
    let s = width(totals.bytecodes, "self");
    let i = width(totals.bytecodes, "inclusive");
    let c = width(totals.invocations, calls);
    writeln!(out, "{}", heading(profile, "Methods"))?;
    writeln!(out)?;
    let allocated = allocation_widths(profile);
    write!(
        out,
        "rank  self %  accum %  incl %  {:>s$}  {:>i$}  {calls:>c$}",
        "self", "inclusive"
    )?;
    if let Some((o, b)) = allocated {
        write!(out, "  {:>o$}  {:>b$}", "objects", "bytes")?;
    }
    writeln!(out, "  method")?;
    let mut accumulated = 0u64;
    for (rank, line) in (1..).zip(profile.flat()) {
        accumulated = accumulated.saturating_add(line.bytecodes);
        if share(line.inclusive, totals.bytecodes) < least {
            continue;
        }
        write!(
            out,
            "{rank:>4}  {:>6}  {:>7}  {:>6}  {:>s$}  {:>i$}  {:>c$}",
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

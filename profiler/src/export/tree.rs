//! The calling-context tree as indented text, most expensive callees first.

use super::{Settings, allocation_widths, call_place, count_name, heading, share};
use crate::Allocation;
use crate::profile::{Profile, ThreadProfile};
use std::io::{self, Write};

/// Levels that are shown by indentation; deeper ones say their depth as well, so that the output
/// grows with the number of nodes and not with the square of the depth.
const INDENTED: usize = 60;

/// Writes the tree: a line for each context with its invocations, the bytecodes it executed
/// itself, those including its callees, these as percentage of all bytecodes, what it allocated
/// itself, if that was recorded, and files and lines if they are wanted.
pub fn write(profile: &Profile, settings: &Settings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let profile = &*profile.estimated();
    let names = super::names(&profile.methods, settings, " ");
    let totals = profile.totals();
    let width = |n: u64, title: &str| n.to_string().len().max(title.len());
    let calls = count_name(profile.kind);
    let columns = TextColumns {
        profile,
        names: &names,
        total: totals.bytecodes,
        inclusive: width(totals.bytecodes, "total"),
        exclusive: width(totals.bytecodes, "self"),
        calls: width(totals.invocations, calls),
        allocated: allocation_widths(profile.has_allocations(), &totals),
        settings,
    };
    writeln!(
        out,
        "{}",
        heading(
            "Calling-context tree",
            profile.kind,
            &totals,
            &profile.about
        )
    )?;
    writeln!(out)?;
    let (i, e, c) = (columns.inclusive, columns.exclusive, columns.calls);
    write!(
        out,
        "{:>7}  {:>i$}  {:>e$}  {calls:>c$}",
        "total %", "total", "self"
    )?;
    if let Some((o, b)) = columns.allocated {
        write!(out, "  {:>o$}  {:>b$}", "objects", "bytes")?;
    }
    writeln!(out, "  context")?;
    let mut threads: Vec<&ThreadProfile> = profile.threads.iter().collect();
    threads.sort_by_key(|thread| thread.id);
    for thread in threads {
        columns.thread(thread, out)?;
    }
    Ok(())
}

struct TextColumns<'a> {
    profile: &'a Profile,
    names: &'a [String],
    total: u64,
    inclusive: usize,
    exclusive: usize,
    calls: usize,
    allocated: Option<(usize, usize)>,
    settings: &'a Settings<'a>,
}

impl TextColumns<'_> {
    fn thread(&self, thread: &ThreadProfile, out: &mut dyn Write) -> io::Result<()> {
        let tree = &thread.tree;
        let sums = tree.inclusive();
        let top = usize::from(thread.name.is_some());
        if let Some(label) = thread.label() {
            let all = tree.roots().fold(thread.remainder, |sum, root| {
                sum.saturating_add(sums[root as usize])
            });
            let nothing = Allocation::default();
            self.line(out, (all, thread.remainder, 0), nothing, 0)?;
            writeln!(out, "{label}")?;
        } else if thread.remainder > 0 {
            let nothing = Allocation::default();
            self.line(out, (thread.remainder, thread.remainder, 0), nothing, 0)?;
            writeln!(out, "[in no context]")?;
        }
        // Contexts still to be written, the next one last, with their depths.
        let mut todo: Vec<(usize, u32)> = Vec::new();
        let push = |todo: &mut Vec<(usize, u32)>, depth, children: crate::Children<'_>| {
            let from = todo.len();
            todo.extend(children.map(|child| (depth, child)));
            // The order of the tree decides between equals.
            todo[from..].sort_by_key(|&(_, child)| (sums[child as usize], u32::MAX - child));
        };
        push(&mut todo, top, tree.roots());
        while let Some((depth, index)) = todo.pop() {
            let node = &tree.nodes()[index as usize];
            let counts = (sums[index as usize], node.bytecodes, node.invocations);
            self.line(out, counts, tree.allocation(index), depth)?;
            if self.profile.call_sites
                && let Some(site) = node.site()
            {
                let caller = node.parent().map(|caller| &tree.nodes()[caller as usize]);
                let caller = caller.map(|node| &self.profile.methods[node.method as usize]);
                let place = call_place(self.settings, caller, site);
                write!(out, "@{site}{place}:")?;
            }
            out.write_all(self.names[node.method as usize].as_bytes())?;
            out.write_all(b"\n")?;
            push(&mut todo, depth + 1, tree.children(index));
        }
        Ok(())
    }

    /// All of a line that comes before the name. Formatted by hand: trees have millions of lines.
    fn line(
        &self,
        out: &mut dyn Write,
        (inclusive, exclusive, calls): (u64, u64, u64),
        allocated: Allocation,
        depth: usize,
    ) -> io::Result<()> {
        const BLANKS: [u8; 2 * INDENTED] = [b' '; 2 * INDENTED];
        let mut digits = Digits::default();
        let share = share(inclusive, self.total);
        out.write_all(digits.right(share / 100, 4))?;
        out.write_all(&[
            b'.',
            b'0' + (share / 10 % 10) as u8,
            b'0' + (share % 10) as u8,
        ])?;
        for (n, width) in [
            (inclusive, self.inclusive),
            (exclusive, self.exclusive),
            (calls, self.calls),
        ] {
            out.write_all(digits.right(n, width + 2))?;
        }
        if let Some((objects, bytes)) = self.allocated {
            out.write_all(digits.right(allocated.objects, objects + 2))?;
            out.write_all(digits.right(allocated.bytes, bytes + 2))?;
        }
        out.write_all(b"  ")?;
        out.write_all(&BLANKS[..2 * depth.min(INDENTED)])?;
        if depth > INDENTED {
            write!(out, "<depth {depth}> ")?;
        }
        Ok(())
    }
}

/// Decimal numbers, aligned to the right.
struct Digits([u8; 40]);

impl Default for Digits {
    fn default() -> Self {
        Digits([b' '; 40])
    }
}

impl Digits {
    /// `n` in at least `width` characters, at most 40.
    fn right(&mut self, n: u64, width: usize) -> &[u8] {
        let (mut rest, mut at) = (n, self.0.len());
        loop {
            at -= 1;
            self.0[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        let from = self.0.len() - width.min(self.0.len());
        if from < at {
            self.0[from..at].fill(b' ');
        }
        &self.0[from.min(at)..]
    }
}

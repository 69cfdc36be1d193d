//! The calling-context tree as indented text, most expensive callees first.

use super::{count_name, heading, percent};
use crate::method::readable_names;
use crate::profile::{Profile, ThreadProfile};
use std::io::{self, Write};

/// Levels that are shown by indentation; deeper ones say their depth as well, so that the output
/// grows with the number of nodes and not with the square of the depth.
const INDENTED: usize = 60;

/// Writes the tree: a line for each context with its invocations, the bytecodes it executed
/// itself, those including its callees, and these as percentage of all bytecodes.
pub fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let names = readable_names(&profile.methods);
    let totals = profile.totals();
    let width = |n: u64, title: &str| n.to_string().len().max(title.len());
    let calls = count_name(profile);
    let columns = Columns {
        profile,
        names: &names,
        total: totals.bytecodes,
        inclusive: width(totals.bytecodes, "inclusive"),
        exclusive: width(totals.bytecodes, "exclusive"),
        calls: width(totals.invocations, calls),
    };
    writeln!(out, "{}", heading(profile, "Calling-context tree"))?;
    writeln!(out)?;
    let (i, e, c) = (columns.inclusive, columns.exclusive, columns.calls);
    writeln!(
        out,
        "{:>7}  {:>i$}  {:>e$}  {calls:>c$}  context",
        "incl %", "inclusive", "exclusive"
    )?;
    let mut threads: Vec<&ThreadProfile> = profile.threads.iter().collect();
    threads.sort_by_key(|thread| thread.id);
    for thread in threads {
        columns.thread(thread, out)?;
    }
    Ok(())
}

struct Columns<'a> {
    profile: &'a Profile,
    names: &'a [String],
    total: u64,
    inclusive: usize,
    exclusive: usize,
    calls: usize,
}

impl Columns<'_> {
    fn thread(&self, thread: &ThreadProfile, out: &mut dyn Write) -> io::Result<()> {
        let tree = &thread.tree;
        let sums = tree.inclusive();
        let top = usize::from(thread.name.is_some());
        if let Some(label) = thread.label() {
            let all = tree.roots().fold(thread.remainder, |sum, root| {
                sum.saturating_add(sums[root as usize])
            });
            self.line(out, (all, thread.remainder, 0), 0)?;
            writeln!(out, "{label}")?;
        } else if thread.remainder > 0 {
            self.line(out, (thread.remainder, thread.remainder, 0), 0)?;
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
            self.line(out, counts, depth)?;
            if self.profile.call_sites
                && let Some(site) = node.site()
            {
                write!(out, "@{site}:")?;
            }
            writeln!(out, "{}", self.names[node.method as usize])?;
            push(&mut todo, depth + 1, tree.children(index));
        }
        Ok(())
    }

    /// All of a line that comes before the name.
    fn line(
        &self,
        out: &mut dyn Write,
        (inclusive, exclusive, calls): (u64, u64, u64),
        depth: usize,
    ) -> io::Result<()> {
        write!(
            out,
            "{:>7}  {inclusive:>i$}  {exclusive:>e$}  {calls:>c$}  {:indent$}",
            percent(inclusive, self.total),
            "",
            i = self.inclusive,
            e = self.exclusive,
            c = self.calls,
            indent = 2 * depth.min(INDENTED),
        )?;
        if depth > INDENTED {
            write!(out, "<depth {depth}> ")?;
        }
        Ok(())
    }
}

//! Collapsed stacks, as flame-graph tools read them: `a;b;c N`, where N is the number of
//! bytecodes that the context at the end executed itself. Contexts without any have no line.
//!
//! A line names all frames, so a deep tree's file would grow with the square of its depth: a terabyte for
//! a recursion a million calls deep. Contexts deeper than [`DEEPEST`] frames are therefore added to the
//! one at that depth, as in pprof's format.
//!
//! Frames are `Class.name(int,java.lang.String)`: neither a semicolon nor a space separates
//! anything inside one. A call site follows as `@index`, if contexts are separate by it.

use super::pprof::DEEPEST;
use super::{Settings, call_place};
use crate::profile::Profile;
use std::io::{self, Write};

/// Writes the stacks in the order of the tree, with files and lines,
/// `Class.name(int)(File.java:12)@index(Caller.java:34)`, if they are wanted.
pub fn write(profile: &Profile, settings: &Settings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = super::names(&profile.methods, settings, "")
        .iter()
        .map(|name| name.replace(';', ","))
        .collect();
    let mut stack = String::new();
    let mut ends: Vec<usize> = Vec::new();
    // Bytecodes of the latest context of the greatest depth and of all below it.
    let mut deep = 0u64;
    let line = |stack: &str, bytecodes: u64, out: &mut dyn Write| match bytecodes {
        0 => Ok(()),
        _ => writeln!(out, "{stack} {bytecodes}"),
    };
    for thread in &profile.threads {
        stack.clear();
        if let Some(label) = thread.label() {
            stack.push_str(&label.replace(';', ","));
        }
        let base = stack.len();
        if thread.remainder > 0 {
            let top = if base == 0 { "[in no context]" } else { &stack };
            writeln!(out, "{top} {}", thread.remainder)?;
        }
        ends.clear();
        for (depth, node) in thread.tree.preorder() {
            if depth >= DEEPEST {
                deep = deep.saturating_add(node.bytecodes);
                continue;
            }
            line(&stack, std::mem::take(&mut deep), out)?;
            ends.truncate(depth);
            stack.truncate(ends.last().copied().unwrap_or(base));
            if !stack.is_empty() {
                stack.push(';');
            }
            stack.push_str(&names[node.method as usize]);
            if profile.call_sites
                && let Some(site) = node.site()
            {
                stack.push('@');
                stack.push_str(&site.to_string());
                let caller = node
                    .parent()
                    .map(|caller| &thread.tree.nodes()[caller as usize]);
                let caller = caller.map(|node| &profile.methods[node.method as usize]);
                stack.push_str(&call_place(settings, caller, site).replace(';', ","));
            }
            ends.push(stack.len());
            match depth + 1 == DEEPEST {
                true => deep = node.bytecodes,
                false => line(&stack, node.bytecodes, out)?,
            }
        }
        line(&stack, std::mem::take(&mut deep), out)?;
    }
    Ok(())
}

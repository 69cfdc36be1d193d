//! Collapsed stacks, as flame-graph tools read them: `a;b;c N`, where N is the number of
//! bytecodes that the context at the end executed itself. Contexts without any have no line.
//!
//! Frames are `Class.name(int,java.lang.String)`: neither a semicolon nor a space separates
//! anything inside one. A call site follows as `@index`, if contexts are told apart by it.

use crate::method::readable_names;
use crate::profile::Profile;
use std::io::{self, Write};

/// Writes the stacks in the order of the tree.
pub fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = readable_names(&profile.methods)
        .iter()
        .map(|name| name.replace(';', ","))
        .collect();
    let mut stack = String::new();
    let mut ends: Vec<usize> = Vec::new();
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
            }
            ends.push(stack.len());
            if node.bytecodes > 0 {
                writeln!(out, "{stack} {}", node.bytecodes)?;
            }
        }
    }
    Ok(())
}

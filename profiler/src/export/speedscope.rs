//! [speedscope](https://www.speedscope.app)'s own format: an evented profile for each thread, in
//! which time is bytecodes executed. Events need no stack each, so the file grows with the number
//! of contexts whatever their depth. Contexts below which no bytecode was executed would be
//! invisible and are left out. A frame's file and line are those where its method begins.

use super::text::Json;
use crate::method::readable_names;
use crate::profile::{Profile, ThreadProfile};
use std::io::{self, Write};

/// Writes the file; in each context its own bytecodes come first, those of its callees in the
/// order of the tree.
pub fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(
        b"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\
          \"exporter\":\"rjvm\",\n\"name\":",
    )?;
    let pruned = super::pruned(profile).map(|text| format!(", {text}"));
    let title: String = [profile.unit().to_owned()]
        .into_iter()
        .chain(pruned)
        .collect();
    write!(
        out,
        "{},\n\"activeProfileIndex\":0,\n\"shared\":{{\"frames\":[",
        Json(&title)
    )?;
    let names = readable_names(&profile.methods);
    for (i, (name, method)) in names.iter().zip(&profile.methods).enumerate() {
        let comma = if i == 0 { "" } else { "," };
        write!(out, "{comma}\n{{\"name\":{}", Json(name))?;
        if let Some(source) = &method.source {
            write!(out, ",\"file\":{}", Json(source.file()))?;
        }
        if let Some(line) = method.first_line() {
            write!(out, ",\"line\":{line}")?;
        }
        out.write_all(b"}")?;
    }
    out.write_all(b"]},\n\"profiles\":[")?;
    for (i, thread) in profile.threads.iter().enumerate() {
        let comma = if i == 0 { "" } else { "," };
        writeln!(out, "{comma}")?;
        events(thread, out)?;
    }
    out.write_all(b"]}\n")
}

fn events(thread: &ThreadProfile, out: &mut dyn Write) -> io::Result<()> {
    let sums = thread.tree.inclusive();
    let total = thread.tree.roots().fold(thread.remainder, |sum, root| {
        sum.saturating_add(sums[root as usize])
    });
    write!(
        out,
        "{{\"type\":\"evented\",\"name\":{},\"unit\":\"none\",\"startValue\":0,\"endValue\":{total},\
         \"events\":[",
        Json(thread.name.as_deref().unwrap_or("all threads")),
    )?;
    let mut first = true;
    let mut event = |out: &mut dyn Write, kind: char, method: u32, at: u64| {
        let comma = if std::mem::take(&mut first) { "" } else { "," };
        write!(
            out,
            "{comma}\n{{\"type\":\"{kind}\",\"frame\":{method},\"at\":{at}}}"
        )
    };
    let mut now = 0u64;
    let mut open: Vec<u32> = Vec::new();
    for ((depth, node), inclusive) in thread.tree.preorder().zip(&sums) {
        if *inclusive == 0 {
            continue;
        }
        for method in open.drain(depth..).rev() {
            event(out, 'C', method, now)?;
        }
        event(out, 'O', node.method, now)?;
        open.push(node.method);
        now = now.saturating_add(node.bytecodes);
    }
    for method in open.into_iter().rev() {
        event(out, 'C', method, now)?;
    }
    out.write_all(b"]}")
}

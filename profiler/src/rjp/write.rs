//! Writes the stream of numbers and strings.

use super::chunks::ChunkWriter;
use super::{method_flags, profile_flags, thread_flags};
use crate::cct::NO_SITE;
use crate::profile::{Kind, Profile, ThreadProfile};
use crate::source::Source;
use std::io::{self, Write};

/// Writes a profile in the native format.
pub fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let mut out = ChunkWriter::new(out)?;
    let flag = |set: bool, flag| if set { flag } else { 0 };
    out.number(
        flag(profile.kind == Kind::Samples, profile_flags::SAMPLES)
            | flag(profile.call_sites, profile_flags::CALL_SITES)
            | flag(!profile.about.is_empty(), profile_flags::ABOUT),
    )?;
    out.number(profile.thread_count)?;
    if !profile.about.is_empty() {
        out.number(profile.about.len() as u64)?;
        for (name, text) in &profile.about {
            out.string(name)?;
            out.string(text)?;
        }
    }
    out.number(profile.methods.len() as u64)?;
    let (mut class, mut file) = ("", "");
    for method in &profile.methods {
        out.number(
            flag(method.native, method_flags::NATIVE)
                | flag(method.hidden, method_flags::HIDDEN)
                | flag(method.app, method_flags::APP)
                | flag(method.source.is_some(), method_flags::SOURCE),
        )?;
        // Methods of one class follow each other, and classes of one package.
        rest_of(class, &method.class, &mut out)?;
        class = &method.class;
        out.string(&method.name)?;
        out.string(&method.descriptor)?;
        if let Some(source) = &method.source {
            rest_of(file, source.file(), &mut out)?;
            file = source.file();
            write_lines(source, &mut out)?;
        }
    }
    out.number(profile.threads.len() as u64)?;
    for thread in &profile.threads {
        write_thread(thread, profile.call_sites, &mut out)?;
    }
    out.finish()
}

fn write_thread(
    thread: &ThreadProfile,
    call_sites: bool,
    out: &mut ChunkWriter<'_>,
) -> io::Result<()> {
    let tree = &thread.tree;
    let flag = |set: bool, flag| if set { flag } else { 0 };
    let (allocations, counts) = (tree.has_allocations(), tree.has_counts());
    out.number(
        flag(thread.name.is_some(), thread_flags::NAMED)
            | flag(allocations, thread_flags::ALLOCATIONS)
            | flag(counts, thread_flags::COUNTS),
    )?;
    if let Some(name) = &thread.name {
        out.string(name)?;
    }
    out.number(thread.id)?;
    out.number(thread.remainder)?;
    out.number(tree.len() as u64)?;
    let mut open = 0;
    for (index, (depth, node)) in (0..).zip(tree.preorder()) {
        out.number((open - depth) as u64)?;
        open = depth + 1;
        out.number(u64::from(node.method))?;
        if call_sites {
            out.number(u64::from(node.site().unwrap_or(NO_SITE).wrapping_add(1)))?;
        }
        out.number(node.invocations)?;
        out.number(node.bytecodes)?;
        if allocations {
            let allocation = tree.allocation(index);
            out.number(allocation.objects)?;
            out.number(allocation.bytes)?;
        }
        if counts {
            let counts = tree.counts(index);
            out.number(counts.len() as u64)?;
            let mut least = 0;
            for (bci, count) in counts {
                out.number(u64::from(bci) - least)?;
                out.number(count)?;
                least = u64::from(bci) + 1;
            }
        }
    }
    Ok(())
}

/// Writes a string as how much of it is the beginning of the one before, and the rest.
fn rest_of(before: &str, text: &str, out: &mut ChunkWriter<'_>) -> io::Result<()> {
    let same = common_prefix(before, text);
    out.number(same as u64)?;
    out.string(&text[same..])
}

fn write_lines(source: &Source, out: &mut ChunkWriter<'_>) -> io::Result<()> {
    out.number(source.lines().len() as u64)?;
    let (mut least, mut before) = (0, 0);
    for &(index, line) in source.lines() {
        out.number(u64::from(index) - least)?;
        least = u64::from(index) + 1;
        let step = i64::from(line) - before;
        before = i64::from(line);
        // The sign is the lowest bit.
        out.number(((step << 1) ^ (step >> 63)) as u64)?;
    }
    Ok(())
}

/// Bytes that two strings begin with alike, up to a border of characters.
fn common_prefix(a: &str, b: &str) -> usize {
    let pairs = a.chars().zip(b.chars());
    pairs
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum()
}

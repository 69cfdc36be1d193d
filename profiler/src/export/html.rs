//! One HTML file that needs nothing else: a flame graph to zoom and search in, the table of
//! methods, callers and callees. What the page does is in `html/`, this file packs the profile.
//!
//! The profile is a gzip stream in Base64. Inside are numbers as LEB128: the length of a JSON text
//! and that text (methods, threads, totals, source files); for each thread, its contexts in preorder, column by
//! column (how many levels each goes up from the one before, then methods, call sites plus one,
//! calls, bytecodes, objects, allocated bytes, as far as there are such columns); at last, for each
//! method, the number of its bytecodes that were counted and pairs of index (the difference to the
//! one before) and count.

use super::text::{Json, Xml};
use super::{Settings, graph, sources};
use crate::Kind;
use crate::method::readable_names;
use crate::profile::Profile;
use crate::tree::Node;
use flate2::{Compression, GzBuilder};
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/style.css");
const SCRIPT: [&str; 6] = [
    include_str!("html/model.js"),
    include_str!("html/flame.js"),
    include_str!("html/panels.js"),
    include_str!("html/source.js"),
    include_str!("html/link.js"),
    include_str!("html/app.js"),
];

/// Writes the page, with the text of source files that the settings find.
pub fn write(profile: &Profile, settings: &Settings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        out.write_all(before.as_bytes())?;
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        match name {
            "title" => write!(out, "{}", Xml(title(profile)))?,
            "style" => out.write_all(STYLE.as_bytes())?,
            "script" => {
                // One scope of their own: what they declare is not global.
                out.write_all(b"(() => {\n\"use strict\";\n")?;
                for script in SCRIPT {
                    out.write_all(script.as_bytes())?;
                }
                out.write_all(b"})();\n")?;
            }
            _ => data(profile, settings, out)?,
        }
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

/// What the page is called: the program, if that is known.
fn title(profile: &Profile) -> &str {
    match (profile.program(), profile.kind) {
        (Some(program), _) => program,
        (None, Kind::Exact) => "Exact profile",
        (None, Kind::Samples) => "Sampled profile",
    }
}

fn data(profile: &Profile, settings: &Settings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut base64 = Base64 {
        out,
        buffer: Vec::new(),
    };
    // No time, no name: equal profiles give equal bytes. A better compression would take twice the time for a tenth
    // of the size.
    let gzip = GzBuilder::new().write(&mut base64, Compression::new(4));
    // numbers come byte by byte, and each piece costs the compressor as much as a hundred bytes
    let mut buffered = BufWriter::with_capacity(1 << 16, gzip);
    packed(profile, settings, &mut buffered)?;
    let gzip = buffered
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    gzip.finish()?;
    base64.finish()
}

/// Writes what the page's script reads.
fn packed(profile: &Profile, settings: &Settings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let about = about(profile, settings)?;
    number(about.len() as u64, out)?;
    out.write_all(&about)?;
    for thread in &profile.threads {
        let tree = &thread.tree;
        let mut next = 0;
        for (depth, _) in tree.preorder() {
            number((next - depth) as u64, out)?;
            next = depth + 1;
        }
        let mut column = |value: &dyn Fn(u32, &Node) -> u64| {
            (0u32..)
                .zip(tree.nodes())
                .try_for_each(|(i, node)| number(value(i, node), out))
        };
        column(&|_, node| node.method.into())?;
        if profile.call_sites {
            column(&|_, node| node.site().map_or(0, |site| u64::from(site) + 1))?;
        }
        column(&|_, node| node.invocations)?;
        column(&|_, node| node.bytecodes)?;
        if profile.has_allocations() {
            column(&|i, _| tree.allocation(i).objects)?;
            column(&|i, _| tree.allocation(i).bytes)?;
        }
    }
    if profile.has_counts() {
        for own in graph::own(profile) {
            number(own.counts.len() as u64, out)?;
            let mut before = 0;
            for (&index, &count) in &own.counts {
                number((index - before).into(), out)?;
                number(count, out)?;
                before = index;
            }
        }
    }
    Ok(())
}

fn about(profile: &Profile, settings: &Settings<'_>) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let totals = profile.totals();
    let kind = match profile.kind {
        Kind::Exact => "exact",
        Kind::Samples => "samples",
    };
    write!(
        out,
        "{{\"kind\":\"{kind}\",\"callSites\":{},\"allocations\":{},\"counts\":{},\"totals\":\
         {{\"bytecodes\":{},\"calls\":{},\"contexts\":{},\"threads\":{},\"objects\":{},\
         \"allocatedBytes\":{}}},",
        profile.call_sites,
        profile.has_allocations(),
        profile.has_counts(),
        totals.bytecodes,
        totals.invocations,
        totals.nodes,
        totals.threads,
        totals.allocated.objects,
        totals.allocated.bytes,
    )?;
    out.write_all(b"\"run\":[")?;
    for (i, (name, text)) in profile.about.iter().enumerate() {
        write!(out, "{}[{},{}]", comma(i), Json(name), Json(text))?;
    }
    out.write_all(b"],\"threads\":[")?;
    for (i, thread) in profile.threads.iter().enumerate() {
        write!(out, "{}{{\"id\":{},\"name\":", comma(i), thread.id)?;
        match &thread.name {
            Some(name) => write!(out, "{}", Json(name))?,
            None => out.write_all(b"null")?,
        }
        let (contexts, remainder) = (thread.tree.len(), thread.remainder);
        write!(out, ",\"contexts\":{contexts},\"remainder\":{remainder}}}")?;
    }
    out.write_all(b"],")?;
    let chosen = settings
        .sources
        .map(|sources| sources::choose(profile, sources))
        .unwrap_or_default();
    let files = files(profile);
    sources(&chosen, &files, &mut out)?;
    out.write_all(b"\"methods\":[")?;
    let all_lines = profile.call_sites || profile.has_counts();
    let names = readable_names(&profile.methods);
    for (i, (method, name)) in profile.methods.iter().zip(&names).enumerate() {
        let rest = name
            .strip_prefix(method.class.as_str())
            .and_then(|rest| rest.strip_prefix('.'))
            .unwrap_or(name);
        let flags =
            u8::from(method.native) | u8::from(method.hidden) << 1 | u8::from(method.app) << 2;
        let comma = comma(i);
        write!(
            out,
            "{comma}[{},{},{flags}",
            Json(&method.class),
            Json(rest)
        )?;
        if let Some(source) = &method.source {
            write!(out, ",{},[", files[source.file()])?;
            let shown = all_lines || chosen.excerpts.iter().any(|e| e.file == source.file());
            let rows = if shown { usize::MAX } else { 1 };
            for (i, (index, line)) in source.lines().iter().take(rows).enumerate() {
                write!(out, "{}{index},{line}", self::comma(i))?;
            }
            out.write_all(b"]")?;
        }
        out.write_all(b"]")?;
    }
    out.write_all(b"],\"code\":[")?;
    for (i, listing) in settings.listings.iter().enumerate() {
        write!(out, "{}[{}", comma(i), listing.method)?;
        for (index, text) in &listing.instructions {
            write!(out, ",[{index},{}]", Json(text))?;
        }
        out.write_all(b"]")?;
    }
    out.write_all(b"]}")?;
    Ok(out)
}

/// The numbers of the methods' files.
fn files(profile: &Profile) -> BTreeMap<&str, usize> {
    let sources = profile.methods.iter().filter_map(|m| m.source.as_ref());
    let mut files: BTreeMap<&str, usize> = sources.map(|s| (s.file(), 0)).collect();
    for (i, number) in files.values_mut().enumerate() {
        *number = i;
    }
    files
}

/// The members `files`, a list of paths, and `sources`: what has text (the number of the file, and
/// its parts, each with the number of its first line), how many files had no room, how many were not
/// found.
fn sources(
    chosen: &sources::Chosen,
    files: &BTreeMap<&str, usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(b"\"files\":[")?;
    for (i, file) in files.keys().enumerate() {
        write!(out, "{}{}", comma(i), Json(file))?;
    }
    out.write_all(b"],\"sources\":{\"texts\":[")?;
    for (i, excerpt) in chosen.excerpts.iter().enumerate() {
        write!(out, "{}[{}", comma(i), files[excerpt.file.as_str()])?;
        for (first, text) in &excerpt.parts {
            write!(out, ",[{first},{}]", Json(text))?;
        }
        out.write_all(b"]")?;
    }
    let (left_out, missing) = (chosen.left_out, chosen.missing);
    write!(out, "],\"leftOut\":{left_out},\"missing\":{missing}}},")
}

fn comma(i: usize) -> &'static str {
    if i == 0 { "" } else { "," }
}

fn number(mut n: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut bytes = [0; 10];
    let mut length = 0;
    loop {
        bytes[length] = n as u8 & 0x7f;
        n >>= 7;
        length += 1;
        if n == 0 {
            return out.write_all(&bytes[..length]);
        }
        bytes[length - 1] |= 0x80;
    }
}

/// Writes what comes as Base64 (RFC 4648).
struct Base64<'a> {
    out: &'a mut dyn Write,
    /// Bytes that wait for their group of three.
    buffer: Vec<u8>,
}

impl Base64<'_> {
    fn groups(&mut self, bytes: &[u8]) -> io::Result<()> {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
        for group in bytes.chunks(3) {
            let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            for i in 0..4 {
                text.push(match i <= group.len() {
                    true => DIGITS[(bits >> (18 - 6 * i)) as usize & 63],
                    false => b'=',
                });
            }
        }
        self.out.write_all(&text)
    }

    fn finish(mut self) -> io::Result<()> {
        let last = std::mem::take(&mut self.buffer);
        self.groups(&last)
    }
}

impl Write for Base64<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        let whole = self.buffer.len() / 3 * 3;
        let rest = self.buffer.split_off(whole);
        let groups = std::mem::replace(&mut self.buffer, rest);
        self.groups(&groups)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_pieces() {
        for (text, encoded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let mut out = Vec::new();
            let mut base64 = Base64 {
                out: &mut out,
                buffer: Vec::new(),
            };
            for byte in text.bytes() {
                base64.write_all(&[byte]).unwrap();
            }
            base64.finish().unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), encoded);
        }
    }

    #[test]
    fn the_page_loads_nothing() {
        for text in [PAGE, STYLE].iter().chain(&SCRIPT) {
            for outside in [
                "http:", "https:", "src=", "href=", "url(", "@import", "import(", "fetch(",
            ] {
                assert!(!text.contains(outside), "{outside}");
            }
        }
        assert!(SCRIPT.iter().all(|script| !script.contains("</script")));
    }

    #[test]
    fn numbers() {
        for (n, bytes) in [
            (0, &[0][..]),
            (127, &[127]),
            (128, &[0x80, 1]),
            (300, &[0xac, 2]),
        ] {
            let mut out = Vec::new();
            number(n, &mut out).unwrap();
            assert_eq!(out, bytes);
        }
        let mut out = Vec::new();
        number(u64::MAX, &mut out).unwrap();
        assert_eq!(out.len(), 10);
    }
}

//! One HTML file that needs nothing else: a flame graph to zoom and search in, the table of
//! methods, callers and callees. The page's code is in `html/`; this file packs the profile, context by context as they come.
//!
//! The profile is a gzip stream in Base64. Inside are numbers as LEB128: the length of a JSON text
//! and that text (methods, threads, totals, source files); for each thread, its contexts in preorder, column by
//! column (how many levels each goes up from the one before, then methods, call sites plus one,
//! calls, bytecodes, objects, allocated bytes, as far as there are such columns); at last, for each
//! method, the number of its bytecodes that were counted and pairs of index (the difference to the
//! one before) and count.

mod packed;

use super::gzip::Blocks;
use super::text::Json;
use super::{Settings, sources};
use crate::Kind;
use crate::leb;
use crate::method::{MethodInfo, readable_names};
use crate::profile::{self, About, Profile};
use crate::table::{Flat, Sums};
use crate::tree::PreorderContext;
use packed::PackedContexts;
use rjvm_pages::{Escaped, Head, Scripts, THEME_BUTTON};
use std::collections::BTreeMap;
use std::io::{self, Write};

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
    let head = PageInfo {
        kind: profile.kind,
        call_sites: profile.call_sites,
        about: &profile.about,
        methods: &profile.methods,
        thread_count: profile.thread_count,
    };
    let (allocations, counts) = (profile.has_allocations(), profile.has_counts());
    let methods = profile.methods.len();
    let caused = profile.has_caused();
    let mut contents = Contents::new(methods, profile.call_sites, allocations, counts, caused);
    for thread in &profile.threads {
        let tree = &thread.tree;
        let sums = tree.inclusive();
        for (index, context) in tree.contexts() {
            let inclusive = sums[index as usize];
            contents.add(&context, inclusive, tree.counts(index), tree.caused(index));
        }
        contents.end_thread(thread.name.clone(), thread.id, thread.remainder);
    }
    // Of samples, what they are estimated to represent decides what is worth showing.
    let costly = match profile.kind {
        Kind::Exact => contents.costly(&profile.methods),
        Kind::Samples => sources::costly(profile),
    };
    contents.write(&head, &costly, settings, out)
}

/// What a page reports beside the contexts.
pub(crate) struct PageInfo<'a> {
    pub kind: Kind,
    pub call_sites: bool,
    pub about: &'a About,
    /// In order.
    pub methods: &'a [MethodInfo],
    pub thread_count: u64,
}

impl PageInfo<'_> {
    /// The title of the page: the program, if it is known.
    fn title(&self) -> &str {
        match (profile::program(self.about), self.kind) {
            (Some(program), _) => program,
            (None, Kind::Exact) => "Exact profile",
            (None, Kind::Samples) => "Sampled profile",
        }
    }
}

/// A thread whose contexts were added.
struct PageThread {
    name: Option<String>,
    id: u64,
    remainder: u64,
    contexts: u64,
}

/// The contexts of a page, added one by one, and the facts known at the end.
pub(crate) struct Contents {
    contexts: PackedContexts,
    threads: Vec<PageThread>,
    sums: Sums,
    allocations: bool,
    /// By method, how often each bytecode was executed, if that was counted.
    counts: Option<ByIndex>,
    /// In the same way, what callees that are not shown have executed, by call site.
    caused: Option<ByIndex>,
}

/// For each method, sums by bytecode index.
type ByIndex = Vec<Vec<u64>>;

impl Contents {
    /// Contexts of so many methods: are they kept apart by call site, have they allocations, counts of bytecodes,
    /// bytecodes of callees that are not shown?
    pub fn new(
        methods: usize,
        call_sites: bool,
        allocations: bool,
        counts: bool,
        caused: bool,
    ) -> Self {
        Contents {
            contexts: PackedContexts::new(call_sites, allocations),
            threads: Vec::new(),
            sums: Sums::new(methods),
            allocations,
            counts: counts.then(|| vec![Vec::new(); methods]),
            caused: caused.then(|| vec![Vec::new(); methods]),
        }
    }

    /// Adds the thread's next context in preorder, with the bytecodes of itself and all below it.
    #[inline]
    pub fn add(
        &mut self,
        context: &PreorderContext,
        inclusive: u64,
        counts: impl Iterator<Item = (u16, u64)>,
        caused: impl Iterator<Item = (u16, u64)>,
    ) {
        self.contexts.add(context);
        self.sums.add(context, inclusive);
        if let Some(all) = &mut self.counts {
            add_up(&mut all[context.method as usize], counts);
        }
        if let Some(all) = &mut self.caused {
            add_up(&mut all[context.method as usize], caused);
        }
    }

    /// Ends a thread.
    pub fn end_thread(&mut self, name: Option<String>, id: u64, remainder: u64) {
        self.sums.end_thread(remainder);
        self.threads.push(PageThread {
            name,
            id,
            remainder,
            contexts: self.contexts.end_thread(),
        });
    }

    /// Were the executions of single bytecodes counted?
    pub fn has_counts(&self) -> bool {
        self.counts.is_some()
    }

    /// The totals of these methods, in so many threads.
    pub fn flat(&self, methods: &[MethodInfo], threads: u64) -> Flat {
        self.sums.flat(methods, threads)
    }

    /// See [`sources::costly`].
    pub fn costly(&self, methods: &[MethodInfo]) -> Vec<(u32, u64)> {
        sources::costly_of(methods, self.sums.rows(), self.sums.totals().bytecodes)
    }

    /// Writes the page.
    pub fn write(
        self,
        head: &PageInfo<'_>,
        costly: &[(u32, u64)],
        settings: &Settings<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (before, after) = PAGE.split_once("{{data}}").expect("a place for the data");
        frame(before, head, out)?;
        self.data(head, costly, settings, out)?;
        frame(after, head, out)
    }

    /// Writes what the page's script reads.
    fn data(
        self,
        head: &PageInfo<'_>,
        costly: &[(u32, u64)],
        settings: &Settings<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let about = about(head, &self, costly, settings)?;
        let mut length = Vec::new();
        leb::push(&mut length, about.len() as u64);
        let mut all = Blocks::default();
        all.add(&length);
        all.add(&about);
        drop(about);
        all.append(self.contexts.finish());
        let mut rest = Vec::new();
        let columns = self.counts.iter().chain(&self.caused);
        for counts in columns.flatten() {
            let executed = || counts.iter().enumerate().filter(|&(_, &count)| count > 0);
            leb::push(&mut rest, executed().count() as u64);
            let mut before = 0;
            for (index, &count) in executed() {
                leb::push(&mut rest, (index - before) as u64);
                leb::push(&mut rest, count);
                before = index;
            }
        }
        all.add(&rest);
        let mut base64 = Base64::new(out);
        all.write(&mut base64)?;
        base64.finish()
    }
}

/// Adds to sums by index.
fn add_up(sums: &mut Vec<u64>, counts: impl Iterator<Item = (u16, u64)>) {
    for (index, count) in counts {
        let index = usize::from(index);
        if sums.len() <= index {
            sums.resize(index + 1, 0);
        }
        sums[index] = sums[index].saturating_add(count);
    }
}

/// Writes a part of the page, with what belongs in its places.
fn frame(mut rest: &str, head: &PageInfo<'_>, out: &mut dyn Write) -> io::Result<()> {
    while let Some((before, after)) = rest.split_once("{{") {
        out.write_all(before.as_bytes())?;
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        let title = head.title();
        match name {
            "head" => {
                let head = Head {
                    title,
                    style: STYLE,
                    connects: false,
                };
                write!(out, "{head}")?;
            }
            "title" => write!(out, "{}", Escaped(title))?,
            "theme" => out.write_all(THEME_BUTTON.as_bytes())?,
            _ => write!(out, "{}", Scripts(&SCRIPT))?,
        }
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

fn about(
    head: &PageInfo<'_>,
    contents: &Contents,
    costly: &[(u32, u64)],
    settings: &Settings<'_>,
) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let totals = contents.sums.totals();
    let kind = match head.kind {
        Kind::Exact => "exact",
        Kind::Samples => "samples",
    };
    write!(
        out,
        "{{\"kind\":\"{kind}\",\"callSites\":{},\"allocations\":{},\"counts\":{},\"caused\":{},\"totals\":\
         {{\"bytecodes\":{},\"calls\":{},\"contexts\":{},\"threads\":{},\"objects\":{},\
         \"allocatedBytes\":{}}},",
        head.call_sites,
        contents.allocations,
        contents.has_counts(),
        contents.caused.is_some(),
        totals.bytecodes,
        totals.invocations,
        totals.nodes,
        head.thread_count,
        totals.allocated.objects,
        totals.allocated.bytes,
    )?;
    out.write_all(b"\"run\":[")?;
    for (i, (name, text)) in head.about.iter().enumerate() {
        write!(out, "{}[{},{}]", comma(i), Json(name), Json(text))?;
    }
    out.write_all(b"],\"threads\":[")?;
    for (i, thread) in contents.threads.iter().enumerate() {
        write!(out, "{}{{\"id\":{},\"name\":", comma(i), thread.id)?;
        match &thread.name {
            Some(name) => write!(out, "{}", Json(name))?,
            None => out.write_all(b"null")?,
        }
        let (contexts, remainder) = (thread.contexts, thread.remainder);
        write!(out, ",\"contexts\":{contexts},\"remainder\":{remainder}}}")?;
    }
    out.write_all(b"],")?;
    let chosen = settings
        .sources
        .map(|sources| sources::choose(head.methods, costly, sources))
        .unwrap_or_default();
    let files = files(head.methods);
    sources(&chosen, &files, &mut out)?;
    out.write_all(b"\"methods\":[")?;
    let all_lines = head.call_sites || contents.counts.is_some();
    let names = readable_names(head.methods);
    for (i, (method, name)) in head.methods.iter().zip(&names).enumerate() {
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
fn files(methods: &[MethodInfo]) -> BTreeMap<&str, usize> {
    let sources = methods.iter().filter_map(|m| m.source.as_ref());
    let mut files: BTreeMap<&str, usize> = sources.map(|s| (s.file(), 0)).collect();
    for (i, number) in files.values_mut().enumerate() {
        *number = i;
    }
    files
}

/// The members `files`, a list of paths, and `sources`: files with text (the number of the file, and
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

/// Writes what comes as Base64 (RFC 4648).
struct Base64<'a> {
    out: &'a mut dyn Write,
    /// Bytes that wait for their group of three.
    rest: Vec<u8>,
    text: Vec<u8>,
}

impl<'a> Base64<'a> {
    fn new(out: &'a mut dyn Write) -> Self {
        Base64 {
            out,
            rest: Vec::new(),
            text: Vec::new(),
        }
    }

    /// Writes groups, of which the last one may be short.
    fn groups(&mut self, bytes: &[u8]) -> io::Result<()> {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let digits = |[a, b, c]: [u8; 3]| {
            let bits = u32::from_be_bytes([0, a, b, c]) as usize;
            [18, 12, 6, 0].map(|shift| DIGITS[bits >> shift & 63])
        };
        let (groups, rest) = bytes.as_chunks::<3>();
        for groups in groups.chunks(1 << 14) {
            self.text.clear();
            self.text
                .extend(groups.iter().flat_map(|&group| digits(group)));
            self.out.write_all(&self.text)?;
        }
        let last = match *rest {
            [a] => digits([a, 0, 0]),
            [a, b] => digits([a, b, 0]),
            _ => return Ok(()),
        };
        self.out.write_all(&last[..=rest.len()])?;
        self.out.write_all(&b"=="[rest.len() - 1..])
    }

    fn finish(mut self) -> io::Result<()> {
        let last = std::mem::take(&mut self.rest);
        self.groups(&last)
    }
}

impl Write for Base64<'_> {
    fn write(&mut self, all: &[u8]) -> io::Result<usize> {
        let mut bytes = all;
        if !self.rest.is_empty() {
            let (first, others) = bytes.split_at(bytes.len().min(3 - self.rest.len()));
            self.rest.extend_from_slice(first);
            bytes = others;
            if self.rest.len() < 3 {
                return Ok(all.len());
            }
            let group = std::mem::take(&mut self.rest);
            self.groups(&group)?;
        }
        let (whole, rest) = bytes.split_at(bytes.len() / 3 * 3);
        self.rest.extend_from_slice(rest);
        self.groups(whole)?;
        Ok(all.len())
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
            for length in 1..4 {
                let mut out = Vec::new();
                let mut base64 = Base64::new(&mut out);
                for part in text.as_bytes().chunks(length) {
                    base64.write_all(part).unwrap();
                }
                base64.finish().unwrap();
                assert_eq!(String::from_utf8(out).unwrap(), encoded, "{length}");
            }
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
}

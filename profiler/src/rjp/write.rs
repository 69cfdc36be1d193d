//! Writes the stream of numbers and strings.

use super::chunks::ChunkWriter;
use super::{
    VERSION, WITHOUT_CAUSED, WITHOUT_ORIGINS, method_flags, origins, profile_flags, thread_flags,
};
use crate::leb;
use crate::method::MethodInfo;
use crate::profile::{About, Kind, Profile};
use crate::source::Source;
use crate::tree::PreorderContext;
use std::io::{self, Write};

/// Writes a profile in the native format.
pub fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let head = RjpHeader {
        samples: profile.kind == Kind::Samples,
        call_sites: profile.call_sites,
        about: &profile.about,
        methods: &profile.methods,
        thread_count: profile.thread_count,
        threads: profile.threads.len() as u64,
        caused: profile.has_caused(),
    };
    let mut out = RjpWriter::new(out, &head)?;
    for thread in &profile.threads {
        let tree = &thread.tree;
        let (name, remainder) = (thread.name.as_deref(), thread.remainder);
        let columns = ContextColumns {
            allocations: tree.has_allocations(),
            counts: tree.has_counts(),
            caused: tree.has_caused(),
        };
        out.thread(name, thread.id, remainder, columns)?;
        for (index, context) in tree.contexts() {
            out.context(&context, tree.counts(index), tree.caused(index))?;
        }
    }
    out.finish()
}

/// What comes before the threads.
pub(crate) struct RjpHeader<'a> {
    pub samples: bool,
    pub call_sites: bool,
    pub about: &'a About,
    /// In order.
    pub methods: &'a [MethodInfo],
    pub thread_count: u64,
    /// Threads that are going to be written.
    pub threads: u64,
    /// Has any of them [`ContextColumns::caused`]?
    pub caused: bool,
}

/// Writes a profile as it comes.
pub(crate) struct RjpWriter<'a> {
    out: ChunkWriter<'a>,
    call_sites: bool,
    /// Of the thread that is being written; none before the first.
    thread: Option<ContextColumns>,
    /// Contexts that are open.
    open: usize,
}

/// The data of a thread's contexts.
#[derive(Clone, Copy)]
pub(crate) struct ContextColumns {
    pub allocations: bool,
    pub counts: bool,
    /// Bytecodes of callees that are not shown, by call site.
    pub caused: bool,
}

fn flag(set: bool, flag: u64) -> u64 {
    if set { flag } else { 0 }
}

impl<'a> RjpWriter<'a> {
    pub fn new(out: &'a mut dyn Write, head: &RjpHeader<'_>) -> io::Result<Self> {
        let version = match head.methods.iter().any(|m| m.origin.is_some()) {
            true => VERSION,
            false if head.caused => WITHOUT_ORIGINS,
            false => WITHOUT_CAUSED,
        };
        let mut scopes = origins::WrittenScopes::default();
        let mut out = ChunkWriter::new(out, version)?;
        out.number(
            flag(head.samples, profile_flags::SAMPLES)
                | flag(head.call_sites, profile_flags::CALL_SITES)
                | flag(!head.about.is_empty(), profile_flags::ABOUT),
        )?;
        out.number(head.thread_count)?;
        if !head.about.is_empty() {
            out.number(head.about.len() as u64)?;
            for (name, text) in head.about {
                out.string(name)?;
                out.string(text)?;
            }
        }
        out.number(head.methods.len() as u64)?;
        let (mut class, mut file) = ("", "");
        for method in head.methods {
            out.number(
                flag(method.native, method_flags::NATIVE)
                    | flag(method.hidden, method_flags::HIDDEN)
                    | flag(method.app, method_flags::APP)
                    | flag(method.source.is_some(), method_flags::SOURCE)
                    | flag(method.origin.is_some(), method_flags::ORIGIN),
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
            if let Some(origin) = &method.origin {
                scopes.write(origin, &mut out)?;
            }
        }
        out.number(head.threads)?;
        Ok(RjpWriter {
            out,
            call_sites: head.call_sites,
            thread: None,
            open: 0,
        })
    }

    /// Begins a thread, whose contexts follow.
    pub fn thread(
        &mut self,
        name: Option<&str>,
        id: u64,
        remainder: u64,
        columns: ContextColumns,
    ) -> io::Result<()> {
        self.end_thread()?;
        self.thread = Some(columns);
        self.out.number(
            flag(name.is_some(), thread_flags::NAMED)
                | flag(columns.allocations, thread_flags::ALLOCATIONS)
                | flag(columns.counts, thread_flags::COUNTS)
                | flag(columns.caused, thread_flags::CAUSED)
                | thread_flags::MARKED,
        )?;
        if let Some(name) = name {
            self.out.string(name)?;
        }
        self.out.number(id)?;
        self.out.number(remainder)
    }

    fn end_thread(&mut self) -> io::Result<()> {
        self.open = 0;
        match self.thread.take() {
            Some(_) => self.out.number(0),
            None => Ok(()),
        }
    }

    /// Writes the thread's next context in preorder.
    #[inline]
    pub fn context(
        &mut self,
        context: &PreorderContext,
        counts: impl ExactSizeIterator<Item = (u16, u64)>,
        caused: impl ExactSizeIterator<Item = (u16, u64)>,
    ) -> io::Result<()> {
        let columns = self.thread.expect("a thread was begun");
        let out = &mut self.out;
        let left = (self.open - context.depth) as u64 + 1;
        self.open = context.depth + 1;
        let [method, site, calls, own] = numbers_of(context);
        match self.call_sites {
            true => out.numbers([left, method, site, calls, own])?,
            false => out.numbers([left, method, calls, own])?,
        }
        if columns.allocations {
            out.number(context.allocation.objects)?;
            out.number(context.allocation.bytes)?;
        }
        if columns.counts {
            write_counts(counts, out)?;
        }
        if columns.caused {
            write_counts(caused, out)?;
        }
        Ok(())
    }

    /// Writes the thread's next contexts; it has no columns.
    pub fn encoded(&mut self, contexts: &EncodedContexts) -> io::Result<()> {
        debug_assert_eq!(self.call_sites, contexts.call_sites);
        if let Some(depth) = contexts.first_depth {
            self.out.number((self.open - depth) as u64 + 1)?;
            self.out.written_numbers(&contexts.bytes)?;
            self.open = contexts.open;
        }
        Ok(())
    }

    /// Writes the end.
    pub fn finish(mut self) -> io::Result<()> {
        self.end_thread()?;
        self.out.finish()
    }
}

/// What a context without columns has: method, call site, calls, own bytecodes.
#[inline(always)]
fn numbers_of(context: &PreorderContext) -> [u64; 4] {
    let site = context.site.wrapping_add(1);
    [
        context.method.into(),
        site.into(),
        context.invocations,
        context.bytecodes,
    ]
}

/// Contexts without columns that follow each other in preorder, as they are written: all but the first number, which
/// depends on the context before them.
pub(crate) struct EncodedContexts {
    bytes: Vec<u8>,
    call_sites: bool,
    first_depth: Option<usize>,
    /// Contexts that are open after them.
    open: usize,
}

impl EncodedContexts {
    /// None yet.
    pub fn new(call_sites: bool) -> EncodedContexts {
        EncodedContexts {
            bytes: Vec::new(),
            call_sites,
            first_depth: None,
            open: 0,
        }
    }
    /// Adds the next one.
    #[inline]
    pub fn add(&mut self, context: &PreorderContext) {
        match self.first_depth {
            None => self.first_depth = Some(context.depth),
            Some(_) => leb::push(&mut self.bytes, (self.open - context.depth) as u64 + 1),
        }
        self.open = context.depth + 1;
        let [method, site, calls, own] = numbers_of(context);
        leb::push(&mut self.bytes, method);
        if self.call_sites {
            leb::push(&mut self.bytes, site);
        }
        leb::push(&mut self.bytes, calls);
        leb::push(&mut self.bytes, own);
    }
}

/// Writes a string as how much of it is the beginning of the one before, and the rest.
fn rest_of(before: &str, text: &str, out: &mut ChunkWriter<'_>) -> io::Result<()> {
    let same = common_prefix(before, text);
    out.number(same as u64)?;
    out.string(&text[same..])
}

fn write_counts(
    counts: impl ExactSizeIterator<Item = (u16, u64)>,
    out: &mut ChunkWriter<'_>,
) -> io::Result<()> {
    out.number(counts.len() as u64)?;
    let mut least = 0;
    for (bci, count) in counts {
        out.number(u64::from(bci) - least)?;
        out.number(count)?;
        least = u64::from(bci) + 1;
    }
    Ok(())
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

//! Reads the stream of numbers and strings, and checks all that a [`Profile`] promises.

use super::chunks::ChunkReader;
use super::error::{RjpError, malformed};
use super::{method_flags, origins, profile_flags, thread_flags};
use crate::cct::NO_SITE;
use crate::method::MethodInfo;
use crate::profile::{About, Kind, Profile, ThreadProfile};
use crate::source::Source;
use crate::tree::{Allocation, Extra, TreeWriter, site_order};
use std::io::Read;

/// Reads a profile in the native format. The input should be buffered. Memory is taken as data
/// comes, not as the file announces it.
pub fn read(input: &mut dyn Read) -> Result<Profile, RjpError> {
    let mut input = ChunkReader::new(input)?;
    let flags = flags(
        &mut input,
        profile_flags::SAMPLES | profile_flags::CALL_SITES | profile_flags::ABOUT,
    )?;
    let call_sites = flags & profile_flags::CALL_SITES != 0;
    let thread_count = input.number()?;
    let mut about = About::new();
    if flags & profile_flags::ABOUT != 0 {
        for _ in 0..input.number()? {
            about.push((input.string()?, input.string()?));
        }
        if about.is_empty() {
            return Err(malformed("the part about the profile is empty"));
        }
    }
    let methods = read_methods(&mut input)?;
    let threads = input.number()?;
    let mut profile = Profile {
        kind: match flags & profile_flags::SAMPLES {
            0 => Kind::Exact,
            _ => Kind::Samples,
        },
        call_sites,
        methods,
        threads: Vec::new(),
        thread_count,
        about,
    };
    for _ in 0..threads {
        let thread = read_thread(&mut input, profile.methods.len() as u32, call_sites)?;
        profile.threads.push(thread);
    }
    input.finish()?;
    Ok(profile)
}

fn flags(input: &mut ChunkReader<'_>, known: u64) -> Result<u64, RjpError> {
    let flags = input.number()?;
    match flags & !known {
        0 => Ok(flags),
        _ => Err(malformed("an unknown flag is set")),
    }
}

fn read_methods(input: &mut ChunkReader<'_>) -> Result<Vec<MethodInfo>, RjpError> {
    let count = input.number32()?;
    let mut methods: Vec<MethodInfo> = Vec::new();
    let (mut class, mut file, mut before) = (String::new(), String::new(), None);
    let mut known = method_flags::NATIVE | method_flags::HIDDEN | method_flags::APP;
    if input.version > 1 {
        known |= method_flags::SOURCE;
    }
    if input.version > 3 {
        known |= method_flags::ORIGIN;
    }
    let mut scopes = origins::Read::default();
    for _ in 0..count {
        let flags = flags(input, known)?;
        read_rest_of(&mut class, input)?;
        let mut method = MethodInfo {
            class: class.clone(),
            name: input.string()?,
            descriptor: input.string()?,
            native: flags & method_flags::NATIVE != 0,
            hidden: flags & method_flags::HIDDEN != 0,
            app: flags & method_flags::APP != 0,
            source: None,
            origin: None,
        };
        if flags & method_flags::SOURCE != 0 {
            read_rest_of(&mut file, input)?;
            let mut source = Source::of_path(&file, read_lines(input)?);
            if let Some(latest) = methods.iter().rev().find_map(|m| m.source.as_ref()) {
                source.share_file(latest);
            }
            method.source = Some(source);
        }
        if flags & method_flags::ORIGIN != 0 {
            method.origin = Some(scopes.read(input)?);
        }
        let key = Some((method.label(), method.native, method.hidden, method.app));
        if key <= before {
            return Err(malformed("methods are not in order"));
        }
        before = key;
        methods.push(method);
    }
    Ok(methods)
}

/// Makes a string of the one before: how much of it is kept, and the rest.
fn read_rest_of(text: &mut String, input: &mut ChunkReader<'_>) -> Result<(), RjpError> {
    let same = usize::try_from(input.number()?).unwrap_or(usize::MAX);
    if !text.is_char_boundary(same) {
        return Err(malformed(
            "a name shares more bytes than the previous one has",
        ));
    }
    text.truncate(same);
    text.push_str(&input.string()?);
    // Short data must not become long names.
    match text.len() {
        0..=0x10_0000 => Ok(()),
        _ => Err(malformed("a name is too long")),
    }
}

fn read_lines(input: &mut ChunkReader<'_>) -> Result<Vec<(u16, u16)>, RjpError> {
    let mut rows: Vec<(u16, u16)> = Vec::new();
    let (mut least, mut line) = (0u64, 0i64);
    for _ in 0..input.number()? {
        let index = read_index(input, least)?;
        least = u64::from(index) + 1;
        let step = input.number()?;
        let step = (step >> 1) as i64 ^ -((step & 1) as i64);
        if step == 0 && !rows.is_empty() {
            return Err(malformed("a line occurs twice"));
        }
        line = line.wrapping_add(step);
        let line = u16::try_from(line).map_err(|_| malformed("a line number is too large"))?;
        rows.push((index, line));
    }
    Ok(rows)
}

/// Reads a bytecode index, which is stored as the distance from the least possible one.
fn read_index(input: &mut ChunkReader<'_>, least: u64) -> Result<u16, RjpError> {
    let index = input.number()?.checked_add(least);
    index
        .and_then(|index| u16::try_from(index).ok())
        .ok_or_else(|| malformed("a bytecode index is too large"))
}

fn read_thread(
    input: &mut ChunkReader<'_>,
    methods: u32,
    call_sites: bool,
) -> Result<ThreadProfile, RjpError> {
    let mut known = thread_flags::NAMED
        | thread_flags::ALLOCATIONS
        | thread_flags::COUNTS
        | thread_flags::MARKED;
    if input.version > 2 {
        known |= thread_flags::CAUSED;
    }
    let flags = flags(input, known)?;
    let name = match flags & thread_flags::NAMED {
        0 => None,
        _ => Some(input.string()?),
    };
    let (id, remainder) = (input.number()?, input.number()?);
    let marked = flags & thread_flags::MARKED != 0;
    let nodes = match marked {
        true => u64::MAX,
        false => input.number()?,
    };
    let mut tree = TreeWriter::default();
    let mut extra = Extra::default();
    // The latest context of each depth that is open: siblings come in order.
    let mut latest: Vec<(u64, u32)> = Vec::new();
    for at in 0..nodes {
        let mut close = input.number()?;
        if marked {
            close = match close.checked_sub(1) {
                Some(close) => close,
                None => break,
            };
        }
        let depth = (tree.depth() as u64)
            .checked_sub(close)
            .ok_or_else(|| malformed("a context is closed that was never opened"))?
            as usize;
        let method = input.number32()?;
        if method >= methods {
            return Err(malformed("a context names a method that does not exist"));
        }
        let site = match call_sites {
            true => input.number32()?.wrapping_sub(1),
            false => NO_SITE,
        };
        let key = (site_order(site), method);
        latest.truncate(depth + 1);
        match latest.get_mut(depth) {
            Some(before) if *before >= key => return Err(malformed("contexts are not in order")),
            Some(before) => *before = key,
            None => latest.push(key),
        }
        let (invocations, bytecodes) = (input.number()?, input.number()?);
        tree.leave_to(depth);
        tree.make_room(nodes - at);
        tree.enter(method, site, invocations, bytecodes)?;
        extra.clear();
        if flags & thread_flags::ALLOCATIONS != 0 {
            extra.set_allocation(Allocation {
                objects: input.number()?,
                bytes: input.number()?,
            });
        }
        if flags & thread_flags::COUNTS != 0 {
            read_counts(input, &mut extra.counts)?;
        }
        if flags & thread_flags::CAUSED != 0 {
            read_counts(input, &mut extra.caused)?;
        }
        tree.set_extra(&extra);
    }
    Ok(ThreadProfile {
        name,
        id,
        tree: tree.finish(),
        remainder,
    })
}

fn read_counts(input: &mut ChunkReader<'_>, counts: &mut Vec<(u16, u64)>) -> Result<(), RjpError> {
    let mut least = 0u64;
    for _ in 0..input.number()? {
        let bci = read_index(input, least)?;
        let count = input.number()?;
        if count == 0 {
            return Err(malformed("a bytecode is listed that was not executed"));
        }
        counts.push((bci, count));
        least = u64::from(bci) + 1;
    }
    Ok(())
}

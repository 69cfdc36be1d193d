//! pprof's `profile.proto`, compressed by gzip: for `pprof`, `go tool pprof`, Pyroscope, Parca.
//!
//! Every calling context is a sample with its whole stack, so nothing of the tree is lost:
//! * sample types: bytecodes (the default), calls (or samples), and, if they were recorded,
//!   `alloc_objects` and `alloc_space`; all are each context's own;
//! * a frame is a location; where call sites are separate, the address of a caller's location is
//!   the bytecode index of the call (`pprof -addresses` shows it), and its line is the line of the call; other
//!   addresses are zero, and their lines those where the methods begin;
//! * if the executions of bytecodes were counted, a context is a sample for each line (see `lines`), with
//!   the address of the first bytecode there; calls and allocations are at the method's first line; where call sites are separate,
//!   bytecodes of callees that are not shown are at the lines of the calls;
//! * a function's name is the readable one, its system name has the descriptor; its file is a path below
//!   the root of a source tree (`pprof -source_path=ROOT -list=METHOD`);
//! * a thread that is kept apart is the label `thread`.
//!
//! The format has a stack for each sample, so a deep tree's file would grow with the square of its
//! depth. Contexts deeper than [`DEEPEST`] frames are therefore added to the one at that depth; comments
//! in the file report that and of pruning (`pprof -comments`).

use super::{gzip, lines};
use crate::Kind;
use crate::leb;
use crate::method::{MethodInfo, readable_names};
use crate::profile::{Profile, ThreadProfile};
use std::collections::HashMap;
use std::io::{self, Write};

/// Frames of the longest stack that is written.
pub const DEEPEST: usize = 4096;

/// Writes the profile, compressed.
pub fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    gzip::write(out, |out| write_plain(profile, out))
}

/// The same with a time, in nanoseconds since 1970, for servers that keep profiles by time.
pub fn write_at(profile: &Profile, nanos: u64, out: &mut dyn Write) -> io::Result<()> {
    gzip::write(out, |out| {
        write_plain(profile, out)?;
        write_number(field::profile::TIME_NANOS, nanos, out)
    })
}

/// Field numbers of `profile.proto`.
mod field {
    pub mod profile {
        pub const SAMPLE_TYPE: u64 = 1;
        pub const SAMPLE: u64 = 2;
        pub const MAPPING: u64 = 3;
        pub const LOCATION: u64 = 4;
        pub const FUNCTION: u64 = 5;
        pub const STRING_TABLE: u64 = 6;
        pub const TIME_NANOS: u64 = 9;
        pub const COMMENT: u64 = 13;
        pub const DEFAULT_SAMPLE_TYPE: u64 = 14;
    }
    pub mod value_type {
        pub const TYPE: u64 = 1;
        pub const UNIT: u64 = 2;
    }
    pub mod sample {
        pub const LOCATION_ID: u64 = 1;
        pub const VALUE: u64 = 2;
        pub const LABEL: u64 = 3;
    }
    pub mod label {
        pub const KEY: u64 = 1;
        pub const STR: u64 = 2;
    }
    pub mod mapping {
        pub const ID: u64 = 1;
        pub const FILENAME: u64 = 5;
        pub const HAS_FUNCTIONS: u64 = 7;
        pub const HAS_FILENAMES: u64 = 8;
        pub const HAS_LINE_NUMBERS: u64 = 9;
    }
    pub mod location {
        pub const ID: u64 = 1;
        pub const MAPPING_ID: u64 = 2;
        pub const ADDRESS: u64 = 3;
        pub const LINE: u64 = 4;
    }
    pub mod line {
        pub const FUNCTION_ID: u64 = 1;
        pub const LINE: u64 = 2;
    }
    pub mod function {
        pub const ID: u64 = 1;
        pub const NAME: u64 = 2;
        pub const SYSTEM_NAME: u64 = 3;
        pub const FILENAME: u64 = 4;
        pub const START_LINE: u64 = 5;
    }
}

/// Writes the profile as a plain protocol buffer.
pub fn write_plain(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let mut strings = Strings::default();
    let mut message = Message::default();
    strings.number("", out)?;
    let calls = match profile.kind {
        Kind::Exact => "calls",
        Kind::Samples => "samples",
    };
    let cost = match profile.unit() {
        "bytecodes" => ("bytecodes", "count"),
        unit => ("cost", unit),
    };
    let types = [
        cost,
        (calls, "count"),
        ("alloc_objects", "count"),
        ("alloc_space", "bytes"),
    ];
    let values = if profile.has_allocations() { 4 } else { 2 };
    for &(name, unit) in &types[..values] {
        message.0.clear();
        message.number(field::value_type::TYPE, strings.number(name, out)?);
        message.number(field::value_type::UNIT, strings.number(unit, out)?);
        message.write(field::profile::SAMPLE_TYPE, out)?;
    }
    let default = strings.number(cost.0, out)?;
    write_number(field::profile::DEFAULT_SAMPLE_TYPE, default, out)?;

    let mut samples = Samples {
        methods: &profile.methods,
        locations: HashMap::new(),
        places: Vec::new(),
        values,
        folded: false,
    };
    for thread in &profile.threads {
        let label = match &thread.name {
            Some(name) => Some((strings.number("thread", out)?, strings.number(name, out)?)),
            None => None,
        };
        samples.thread(profile, thread, label, out)?;
    }
    if samples.folded {
        let text =
            format!("contexts deeper than {DEEPEST} frames count for their callers at that depth");
        let text = strings.number(&text, out)?;
        write_number(field::profile::COMMENT, text, out)?;
    }

    for text in super::pruned(profile) {
        let text = strings.number(text, out)?;
        write_number(field::profile::COMMENT, text, out)?;
    }
    let sources = || profile.methods.iter().filter_map(|m| m.source.as_ref());
    let lines = sources().any(|source| source.first_line().is_some());
    let unattributed = lines::unattributed(profile.kind, profile.call_sites, profile.has_counts());
    if let Some(text) = unattributed.filter(|_| lines) {
        let text = strings.number(&format!("lines: {text}"), out)?;
        write_number(field::profile::COMMENT, text, out)?;
    }

    // Readers expect a binary that the locations are in.
    message.0.clear();
    message.number(field::mapping::ID, 1);
    message.number(field::mapping::FILENAME, strings.number("java", out)?);
    message.number(field::mapping::HAS_FUNCTIONS, 1);
    message.number(
        field::mapping::HAS_FILENAMES,
        sources().next().is_some().into(),
    );
    message.number(field::mapping::HAS_LINE_NUMBERS, lines.into());
    message.write(field::profile::MAPPING, out)?;
    let mut line = Message::default();
    for (id, place) in (1..).zip(&samples.places) {
        let &Location {
            method, address, ..
        } = place;
        line.0.clear();
        line.number(field::line::FUNCTION_ID, u64::from(method) + 1);
        line.number(field::line::LINE, place.line.into());
        message.0.clear();
        message.number(field::location::ID, id);
        message.number(field::location::MAPPING_ID, 1);
        message.number(field::location::ADDRESS, u64::from(address));
        message.bytes(field::location::LINE, &line.0);
        message.write(field::profile::LOCATION, out)?;
    }
    let names = readable_names(&profile.methods);
    let outside = (OUTSIDE.to_owned(), OUTSIDE.to_owned());
    let labels = profile.methods.iter().map(MethodInfo::label);
    for (id, (name, label)) in (1..).zip(names.into_iter().zip(labels).chain([outside])) {
        message.0.clear();
        message.number(field::function::ID, id);
        message.number(field::function::NAME, strings.number(&name, out)?);
        message.number(field::function::SYSTEM_NAME, strings.number(&label, out)?);
        let method = profile.methods.get(id as usize - 1);
        if let Some(source) = method.and_then(|method| method.source.as_ref()) {
            message.number(
                field::function::FILENAME,
                strings.number(source.file(), out)?,
            );
            let line = source.first_line().unwrap_or(0);
            message.number(field::function::START_LINE, line.into());
        }
        message.write(field::profile::FUNCTION, out)?;
    }
    Ok(())
}

/// The function of bytecodes that belong to no context.
const OUTSIDE: &str = "[in no context]";

/// A location.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Location {
    method: u32,
    /// A bytecode index, or 0.
    address: u32,
    /// A source line, or 0.
    line: u32,
}

struct Samples<'a> {
    methods: &'a [MethodInfo],
    /// Ids of the locations.
    locations: HashMap<Location, u64>,
    /// The same by id, the first one being 1.
    places: Vec<Location>,
    /// How many values a sample has.
    values: usize,
    /// Were contexts too deep?
    folded: bool,
}

impl Samples<'_> {
    fn location(&mut self, place: Location) -> u64 {
        *self.locations.entry(place).or_insert_with(|| {
            self.places.push(place);
            self.places.len() as u64
        })
    }

    /// The location of a method that calls from a bytecode.
    fn call(&mut self, method: u32, site: u32) -> u64 {
        let line = lines::of_site(&self.methods[method as usize], Some(site));
        self.location(Location {
            method,
            address: site,
            line,
        })
    }

    /// The location where a method begins.
    fn begin(&mut self, method: u32) -> u64 {
        let line = self.methods.get(method as usize).map_or(0, lines::first);
        self.location(Location {
            method,
            address: 0,
            line,
        })
    }

    fn thread(
        &mut self,
        profile: &Profile,
        thread: &ThreadProfile,
        label: Option<(u64, u64)>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut labels = Message::default();
        if let Some((key, name)) = label {
            labels.number(field::label::KEY, key);
            labels.number(field::label::STR, name);
        }
        let mut sample = Sample {
            labels,
            stack: Message::default(),
            values: Message::default(),
            message: Message::default(),
        };
        if thread.remainder > 0 {
            let outside = self.begin(profile.methods.len() as u32);
            sample.write(&[outside], &[thread.remainder, 0, 0, 0][..self.values], out)?;
        }
        let mut path: Vec<(u32, u64)> = Vec::new();
        let mut stack: Vec<u64> = Vec::new();
        // The sample at the deepest level waits for those below it.
        let mut pending: Option<[u64; 4]> = None;
        for (index, (depth, node)) in (0u32..).zip(thread.tree.preorder()) {
            let own = thread.tree.allocation(index);
            let values = [node.bytecodes, node.invocations, own.objects, own.bytes];
            if depth >= DEEPEST {
                self.folded = true;
                if let Some(sums) = &mut pending {
                    for (sum, value) in sums.iter_mut().zip(values) {
                        *sum = sum.saturating_add(value);
                    }
                }
                continue;
            }
            if let Some(sums) = pending.take() {
                sample.write(&stack, &sums[..self.values], out)?;
            }
            path.truncate(depth);
            stack.truncate(depth);
            if let (Some(caller), Some(site)) =
                (path.last_mut(), node.site().filter(|_| profile.call_sites))
                && let Some(top) = stack.last_mut()
            {
                *top = self.call(caller.0, site);
            } else if let (Some(caller), Some(top)) = (path.last(), stack.last_mut()) {
                *top = caller.1;
            }
            let own = self.begin(node.method);
            path.push((node.method, own));
            stack.push(own);
            if depth + 1 == DEEPEST {
                pending = Some(values);
                continue;
            }
            let (counts, caused) = (thread.tree.counts(index), thread.tree.caused(index));
            let mut values = values;
            if !counts.is_empty() || !caused.is_empty() {
                let method = &profile.methods[node.method as usize];
                let first = lines::first(method);
                for (line, at) in lines::executed(method, node.bytecodes, counts.chain(caused)) {
                    if line == first {
                        values[0] = at.bytecodes;
                        continue;
                    }
                    let place = Location {
                        method: node.method,
                        address: at.index.into(),
                        line,
                    };
                    if let Some(top) = stack.last_mut() {
                        *top = self.location(place);
                    }
                    sample.write(&stack, &[at.bytecodes, 0, 0, 0][..self.values], out)?;
                }
                if let Some(top) = stack.last_mut() {
                    *top = own;
                }
            }
            sample.write(&stack, &values[..self.values], out)?;
        }
        match pending {
            Some(sums) => sample.write(&stack, &sums[..self.values], out),
            None => Ok(()),
        }
    }
}

/// Buffers of a sample's parts.
struct Sample {
    labels: Message,
    stack: Message,
    values: Message,
    message: Message,
}

impl Sample {
    /// Writes a sample; the stack comes root first. One without any value is none.
    fn write(&mut self, stack: &[u64], values: &[u64], out: &mut dyn Write) -> io::Result<()> {
        if values.iter().all(|&value| value == 0) {
            return Ok(());
        }
        let Sample {
            labels,
            stack: ids,
            values: numbers,
            message,
        } = self;
        ids.0.clear();
        stack.iter().rev().for_each(|&id| ids.varint(id));
        numbers.0.clear();
        for &value in values {
            // The format's numbers are signed.
            numbers.varint(value.min(i64::MAX as u64));
        }
        message.0.clear();
        message.bytes(field::sample::LOCATION_ID, &ids.0);
        message.bytes(field::sample::VALUE, &numbers.0);
        if !labels.0.is_empty() {
            message.bytes(field::sample::LABEL, &labels.0);
        }
        message.write(field::profile::SAMPLE, out)
    }
}

/// The string table: a string is written when it is first mentioned.
#[derive(Default)]
struct Strings {
    known: HashMap<String, u64>,
    message: Message,
}

impl Strings {
    fn number(&mut self, text: &str, out: &mut dyn Write) -> io::Result<u64> {
        if let Some(&number) = self.known.get(text) {
            return Ok(number);
        }
        let number = self.known.len() as u64;
        self.known.insert(text.to_owned(), number);
        self.message.0.clear();
        self.message.0.extend_from_slice(text.as_bytes());
        self.message.write(field::profile::STRING_TABLE, out)?;
        Ok(number)
    }
}

/// A protocol-buffer message under construction.
#[derive(Default)]
struct Message(Vec<u8>);

const VARINT: u64 = 0;
const LENGTH_DELIMITED: u64 = 2;

impl Message {
    fn varint(&mut self, n: u64) {
        leb::push(&mut self.0, n);
    }

    /// A field with a number; zero is the default and needs no field.
    fn number(&mut self, field: u64, n: u64) {
        if n != 0 {
            self.varint(field << 3 | VARINT);
            self.varint(n);
        }
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | LENGTH_DELIMITED);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Writes this message as a field of the outermost one.
    fn write(&self, field: u64, out: &mut dyn Write) -> io::Result<()> {
        let mut head = Message(Vec::with_capacity(12));
        head.varint(field << 3 | LENGTH_DELIMITED);
        head.varint(self.0.len() as u64);
        out.write_all(&head.0)?;
        out.write_all(&self.0)
    }
}

fn write_number(field: u64, n: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut message = Message::default();
    message.number(field, n);
    out.write_all(&message.0)
}

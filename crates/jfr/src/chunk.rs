//! A chunk: events are appended, constants are stored beside them, and all of it is written when it is full or the recording has ended.

use crate::events::{EVENTS, Kind};
use crate::leb;
use crate::metadata;
use crate::pools::{ClassFacts, Frame, Id, MethodFacts, Numbers, Pool, Pools, ThreadFacts};
use crate::types::Value;
use byteorder::{BigEndian, WriteBytesExt};
use std::io::{self, Write};

pub(crate) const MAGIC: &[u8] = b"FLR\0";
pub(crate) const VERSION: (u16, u16) = (2, 1);
/// Bytes of the header.
pub(crate) const HEADER: usize = 68;
/// Numbers are compressed.
pub(crate) const COMPRESSED: u32 = 1;
/// No chunk follows.
pub(crate) const FINAL: u32 = 2;
pub(crate) const METADATA: i64 = 0;
pub(crate) const CHECKPOINT: i64 = 1;

/// Bytes after which a chunk is full: HotSpot's `maxchunksize`.
pub const FULL: usize = 12 << 20;

/// What times mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Nanoseconds since 1970 at which the clock shows 0.
    pub began: i64,
    /// Ticks of a second.
    pub frequency: i64,
}

impl Clock {
    pub(crate) fn nanos(self, ticks: i64) -> i64 {
        let nanos = i128::from(ticks) * 1_000_000_000 / i128::from(self.frequency.max(1));
        i64::try_from(nanos).unwrap_or(i64::MAX)
    }
}

/// A chunk that is being built. Times are in ticks of its clock.
pub struct Chunk {
    clock: Clock,
    begin: i64,
    events: Vec<u8>,
    /// How many there are.
    count: u64,
    pools: Pools,
    body: Vec<u8>,
}

impl Chunk {
    /// An empty one that begins at a time, and whose constants have `numbers` as those of the chunks before it in the file.
    pub fn new(clock: Clock, begin: i64, numbers: Numbers) -> Chunk {
        Chunk {
            clock,
            begin,
            events: Vec::new(),
            count: 0,
            pools: Pools::new(numbers),
            body: Vec::new(),
        }
    }
    /// The numbers of the constants of all chunks up to this one.
    pub fn numbers(&self) -> &Numbers {
        self.pools.numbers()
    }
    /// The same for the next chunk; this one is complete.
    pub fn take_numbers(&mut self) -> Numbers {
        self.pools.take_numbers()
    }
    /// When it begins.
    pub fn begin(&self) -> i64 {
        self.begin
    }
    /// Bytes of memory it takes, about as many as in the file.
    pub fn size(&self) -> usize {
        self.events.len() + self.pools.size()
    }
    /// How many events there are.
    pub fn events(&self) -> u64 {
        self.count
    }
    /// An event that begins at `at`, and lasts `duration` if its kind does; in which thread and where, if its kind reports.
    ///
    /// # Panics
    ///
    /// If `values` are not those of the kind's fields.
    pub fn event(
        &mut self,
        kind: Kind,
        at: i64,
        duration: i64,
        (thread, stack): (Id, Id),
        values: &[Value<'_>],
    ) {
        let event = &EVENTS[kind as usize];
        assert_eq!(values.len(), event.fields.len(), "fields of {}", event.name);
        let body = &mut self.body;
        body.clear();
        leb::long(body, metadata::event_id(kind as usize));
        leb::long(body, at);
        if event.lasts {
            leb::long(body, duration);
        }
        if event.has_thread {
            assert!(thread.is_of(Pool::Thread));
            leb::long(body, thread.number());
        }
        if event.has_stack {
            assert!(stack.is_of(Pool::Stack));
            leb::long(body, stack.number());
        }
        for (value, field) in values.iter().zip(event.fields) {
            assert!(
                value.is(field.is),
                "{}.{}: {value:?}",
                event.name,
                field.name
            );
            match *value {
                Value::Bool(b) => body.push(b.into()),
                Value::Int(n) => leb::int(body, n),
                Value::Long(n) => leb::long(body, n),
                Value::Text(text) => leb::text(body, text),
                Value::Constant(id) => leb::long(body, id.number()),
                Value::Space(start, used, own) => {
                    for n in [start, start + used, used, start + own, own] {
                        leb::long(body, n);
                    }
                }
            }
        }
        append(&mut self.events, body);
        self.count += 1;
    }
    /// A name: of a state, a cause, a collector ...
    pub fn text(&mut self, pool: Pool, text: &str) -> Id {
        self.pools.text(pool, text)
    }
    /// A class loader: the class it is of, and its name.
    pub fn loader(&mut self, class: Id, name: &str) -> Id {
        self.pools.loader(class, name)
    }
    /// A module.
    pub fn module(&mut self, name: &str, version: Option<&str>, loader: Id) -> Id {
        self.pools.module(name, version, loader)
    }
    /// A package, whose name has slashes.
    pub fn package(&mut self, name: &str, module: Id, exported: bool) -> Id {
        self.pools.package(name, module, exported)
    }
    /// A class.
    pub fn class(&mut self, class: &ClassFacts<'_>) -> Id {
        self.pools.class(class)
    }
    /// A method.
    pub fn method(&mut self, method: &MethodFacts<'_>) -> Id {
        self.pools.method(method)
    }
    /// A stack, the innermost frame first; whether outer frames are missing.
    pub fn stack(&mut self, truncated: bool, frames: impl ExactSizeIterator<Item = Frame>) -> Id {
        self.pools.stack(truncated, frames)
    }
    /// A group of threads.
    pub fn group(&mut self, parent: Id, name: &str) -> Id {
        self.pools.group(parent, name)
    }
    /// A thread.
    pub fn thread(&mut self, thread: &ThreadFacts<'_>) -> Id {
        self.pools.thread(thread)
    }
    /// The number that settings name a kind of events by.
    pub fn number_of(kind: Kind) -> i64 {
        metadata::event_id(kind as usize)
    }
    /// Writes the chunk, which ends at a time; `last` if no other one follows. How many bytes it has.
    pub fn write(&self, end: i64, last: bool, out: &mut dyn Write) -> io::Result<u64> {
        let end = end.max(self.begin);
        let mut tail = Vec::new();
        let mut body = Vec::new();
        // constants: nothing before this checkpoint, no flush
        leb::long(&mut body, CHECKPOINT);
        leb::long(&mut body, end);
        leb::long(&mut body, 0);
        leb::long(&mut body, 0);
        body.push(0);
        self.pools.write(&mut body, metadata::pool_id);
        append(&mut tail, &body);
        let constants = HEADER + self.events.len();
        let reported = constants + tail.len();
        body.clear();
        leb::long(&mut body, METADATA);
        leb::long(&mut body, end);
        leb::long(&mut body, 0);
        metadata::write(&mut body);
        append(&mut tail, &body);
        let size = constants + tail.len();
        let flags = if last { COMPRESSED | FINAL } else { COMPRESSED };
        let mut header = Vec::with_capacity(HEADER);
        header.write_all(MAGIC)?;
        header.write_u16::<BigEndian>(VERSION.0)?;
        header.write_u16::<BigEndian>(VERSION.1)?;
        for n in [
            size as i64,
            constants as i64,
            reported as i64,
            self.clock.began + self.clock.nanos(self.begin),
            self.clock.nanos(end - self.begin),
            self.begin,
            self.clock.frequency,
        ] {
            header.write_i64::<BigEndian>(n)?;
        }
        header.write_u32::<BigEndian>(flags)?;
        assert_eq!(header.len(), HEADER);
        out.write_all(&header)?;
        out.write_all(&self.events)?;
        out.write_all(&tail)?;
        Ok(size as u64)
    }
}

/// Appends an event: its size, which counts itself, then what it consists of.
pub(crate) fn append(out: &mut Vec<u8>, body: &[u8]) {
    let mut width = leb::width(body.len() as u64);
    if leb::width((body.len() + width) as u64) > width {
        width += 1;
    }
    leb::long(out, (body.len() + width) as i64);
    out.extend(body);
}

#[cfg(test)]
mod tests {
    use super::*;
    use byteorder::ByteOrder;

    const CLOCK: Clock = Clock {
        began: 1_000,
        frequency: 1_000_000_000,
    };

    fn written(chunk: &Chunk, end: i64) -> Vec<u8> {
        let mut out = Vec::new();
        let size = chunk.write(end, true, &mut out).unwrap();
        assert_eq!(size, out.len() as u64);
        out
    }

    /// The types of all events of a chunk, which fill it to its end.
    fn types(chunk: &[u8]) -> Vec<i64> {
        let mut types = Vec::new();
        let mut rest = &chunk[HEADER..];
        while !rest.is_empty() {
            let mut at = rest;
            let size = leb::read::long(&mut at) as usize;
            types.push(leb::read::long(&mut at));
            rest = &rest[size..];
        }
        types
    }

    #[test]
    fn a_chunk_is_events_constants_and_metadata() {
        let mut chunk = Chunk::new(CLOCK, 5, Numbers::default());
        let group = chunk.group(Id::NONE, "main");
        let thread = chunk.thread(&ThreadFacts {
            name: "main",
            os_id: 0,
            id: 1,
            group,
        });
        let values = [Value::Constant(thread)];
        chunk.event(Kind::ThreadEnd, 7, 0, (thread, Id::NONE), &values);
        chunk.event(
            Kind::SystemProperty,
            8,
            0,
            (Id::NONE, Id::NONE),
            &[Value::Text(Some("k")), Value::Text(Some(&"v".repeat(200)))],
        );
        let bytes = written(&chunk, 105);
        assert_eq!(
            types(&bytes),
            [
                Chunk::number_of(Kind::ThreadEnd),
                Chunk::number_of(Kind::SystemProperty),
                CHECKPOINT,
                METADATA
            ]
        );
        let number = |at: usize| BigEndian::read_i64(&bytes[at..]) as usize;
        assert_eq!(number(8), bytes.len());
        let type_at = |at: usize| {
            let mut at = &bytes[at..];
            let _ = leb::read::long(&mut at);
            leb::read::long(&mut at)
        };
        assert_eq!((type_at(number(16)), type_at(number(24))), (1, 0));
        assert_eq!((number(32), number(40), number(48)), (1_005, 100, 5));
        assert_eq!(BigEndian::read_u32(&bytes[64..]), 3);
        assert_eq!(chunk.events(), 2);
        assert_eq!(bytes, written(&chunk, 105));
    }

    #[test]
    fn sizes_count_themselves() {
        for length in [1, 125, 126, 127, 128, 16_380, 16_381, 16_382, 20_000] {
            let mut out = Vec::new();
            append(&mut out, &vec![7; length]);
            let all = out.len();
            let mut at = &out[..];
            assert_eq!(leb::read::long(&mut at) as usize, all, "{length}");
            assert_eq!(at.len(), length);
        }
    }

    #[test]
    #[should_panic(expected = "jdk.OSInformation.osVersion")]
    fn a_value_of_another_type_is_refused() {
        let mut chunk = Chunk::new(CLOCK, 0, Numbers::default());
        let none = (Id::NONE, Id::NONE);
        chunk.event(Kind::OsInformation, 0, 0, none, &[Value::Int(1)]);
    }

    #[test]
    fn constants_keep_their_numbers_from_chunk_to_chunk() {
        let mut first = Chunk::new(CLOCK, 0, Numbers::default());
        let class = |chunk: &mut Chunk, name: &str| {
            chunk.class(&ClassFacts {
                loader: Id::NONE,
                name,
                package: Id::NONE,
                modifiers: 1,
                hidden: false,
            })
        };
        let a = class(&mut first, "a");
        assert_eq!(class(&mut first, "a"), a);
        class(&mut first, "b");
        let stack = first.stack(false, [].into_iter());
        let mut second = Chunk::new(CLOCK, 0, first.take_numbers());
        assert_eq!(class(&mut second, "c").number(), 3);
        assert_eq!(class(&mut second, "b").number(), 2);
        assert_eq!(second.text(Pool::Symbol, "b").number(), 2);
        // stacks are too many to be kept
        assert_eq!(
            second.stack(false, [].into_iter()).number(),
            stack.number() + 1
        );
        let bytes = written(&second, 0);
        let mut at = &bytes[HEADER..];
        let head: Vec<i64> = (0..10).map(|_| leb::read::long(&mut at)).collect();
        let of_symbols = metadata::pool_id(Pool::Symbol);
        // type, times, what is before it, flags; three kinds: two symbols, of which the first has number 3
        assert_eq!(head[1..], [CHECKPOINT, 0, 0, 0, 0, 3, of_symbols, 2, 3]);
    }

    #[test]
    fn chunks_without_events_are_whole() {
        let bytes = written(&Chunk::new(CLOCK, 0, Numbers::default()), -1);
        assert_eq!(types(&bytes), [CHECKPOINT, METADATA]);
        assert!(crate::is_recording(&bytes));
        assert!(!crate::is_recording(b"FLR"));
    }
}

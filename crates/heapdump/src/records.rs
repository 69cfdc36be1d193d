//! The records of the file and of its heap segments, one after the other.

use crate::classes::{Field, Type};
use crate::error::{Error, Problem};
use crate::input::Input;
use crate::roots::RootKind;

/// Tag of the record, standard in the format, with the allocated and the live objects of each allocation site.
pub const ALLOCATED: u8 = 0x06;
/// Tag of a record that rjvm adds, and readers pass over (some keep tables by tags below 0x80): which slots of which frames hold objects. Its body is a list of
/// thread serial number (4 bytes), index of the frame in the thread's trace (4), slot (4; beyond the local variables: operands),
/// object and name of the local variable or 0 (an identifier each).
pub const FRAME_SLOTS: u8 = 0x65;

/// Tag of another such record, which has what the standard one has no room for. Its body is a list of class serial number and
/// trace (4 bytes each), objects and bytes allocated, objects live, bytecodes and collections that the freed ones lived through
/// in sum (8 bytes each).
pub const LIFETIMES: u8 = 0x66;

/// Tag of a part of a heap, and of what follows the last part.
const SEGMENT: u8 = 0x1C;
const SEGMENTS_END: u8 = 0x2C;

const NAME: &[u8] = b"JAVA PROFILE 1.0.";

/// How a file begins.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// `1` or `2`: the format's last digit.
    pub version: u8,
    /// Bytes of a reference.
    pub id: u32,
    /// When it was written, in milliseconds since 1970.
    pub millis: u64,
}

/// An object whose contents follow.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// Where its record begins.
    pub at: u64,
    pub id: u64,
    pub trace: u32,
    pub shape: Shape,
}

/// What follows an object's head.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// That many bytes of fields, for an object of a class.
    Instance { class: u64, bytes: u32 },
    /// That many references.
    Objects { class: u64, len: u32 },
    /// That many numbers.
    Primitives { ty: Type, len: u32 },
}

/// A class's record.
#[derive(Clone, Debug, Default)]
pub struct ClassRecord {
    pub at: u64,
    pub id: u64,
    pub super_class: u64,
    /// Loader, signers, protection domain.
    pub others: [u64; 3],
    pub instance_bytes: u32,
    /// Name, type, value.
    pub statics: Vec<(u64, Type, u64)>,
    /// References in the constant pool.
    pub constants: Vec<u64>,
    pub fields: Vec<Field>,
}

/// A row of the standard record of allocation sites.
#[derive(Clone, Copy, Debug)]
pub struct AllocSite {
    pub class_serial: u32,
    pub trace: u32,
    pub bytes: u64,
    pub objects: u64,
    /// Bytecodes and collections that the freed ones lived through, with their number.
    pub lived: Option<(u64, u64, u64)>,
}

/// The receiver of the records. Records that it does not request are skipped.
pub trait Sink {
    fn name(&mut self, _id: u64, _text: &[u8]) -> Result<(), Problem> {
        Ok(())
    }
    fn loaded(&mut self, _serial: u32, _class: u64, _name: u64) {}
    fn frame(&mut self, _frame: u64, _names: [u64; 3], _class_serial: u32, _line: i32) {}
    fn trace(&mut self, _serial: u32, _thread: u32, _frames: Vec<u64>) {}
    fn alloc_site(&mut self, _site: AllocSite) {}
    fn slot(&mut self, _thread: u32, _frame: u32, _slot: u32, _object: u64, _name: u64) {}
    /// A root; thread serial and frame or trace, if its kind has them.
    fn root(&mut self, _kind: RootKind, _object: u64, _thread: u32, _frame: u32) {}
    fn class(&mut self, _class: ClassRecord) -> Result<(), Problem> {
        Ok(())
    }
    /// An object. The unread rest of `input` is skipped.
    fn object(&mut self, _head: Head, _input: &mut Input, _id: u32) -> Result<(), Error> {
        Ok(())
    }
}

/// A stretch of sub-records.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    pub start: u64,
    pub end: u64,
}

fn wrong(at: u64, problem: Problem) -> Error {
    Error::Malformed { at, problem }
}

/// Reads the file's beginning.
pub fn header(input: &mut Input) -> Result<Header, Error> {
    let mut name = Vec::new();
    let not_a_dump = |_| wrong(0, Problem::NotADump);
    input
        .bytes(NAME.len() as u64 + 2, &mut name, "header")
        .map_err(not_a_dump)?;
    let version = name[NAME.len()];
    if !name.starts_with(NAME) || !matches!(version, b'1' | b'2') || name[NAME.len() + 1] != 0 {
        return Err(wrong(0, Problem::NotADump));
    }
    let at = input.at();
    let id = input.u4("header")?;
    if !matches!(id, 4 | 8) {
        return Err(wrong(at, Problem::IdWidth(id)));
    }
    Ok(Header {
        version: version - b'0',
        id,
        millis: input.u8("header")?,
    })
}

/// All records after the header; where the heap's segments are.
pub fn walk(input: &mut Input, id: u32, sink: &mut dyn Sink) -> Result<Vec<Segment>, Error> {
    let mut segments = Vec::new();
    let mut open = false;
    while input.at() < input.len() {
        let at = input.at();
        let tag = input.u1("a record")?;
        input.u4("a record")?;
        let len = u64::from(input.u4("a record")?);
        let (start, end) = (input.at(), input.at() + len);
        if end > input.len() {
            return Err(wrong(at, Problem::Truncated { what: "a record" }));
        }
        match tag {
            0x0C | SEGMENT => {
                // a heap in one record has no end of its own
                open = tag == SEGMENT;
                let segment = Segment { start, end };
                self::segment(input, segment, id, sink)?;
                segments.push(segment);
            }
            SEGMENTS_END => open = false,
            _ => record(input, tag, end, id, sink)?,
        }
        if input.at() > end {
            return Err(wrong(at, Problem::Truncated { what: "a record" }));
        }
        input.seek(end)?;
    }
    match open {
        true => Err(wrong(input.at(), Problem::Cut)),
        false => Ok(segments),
    }
}

fn record(input: &mut Input, tag: u8, end: u64, id: u32, sink: &mut dyn Sink) -> Result<(), Error> {
    let left = |input: &Input| end.saturating_sub(input.at());
    let at = input.at();
    match tag {
        0x01 => {
            let name = input.number(id, "a name")?;
            let mut text = Vec::new();
            input.bytes(left(input), &mut text, "a name")?;
            sink.name(name, &text).map_err(|p| wrong(at, p))?;
        }
        0x02 => {
            let serial = input.u4("a class")?;
            let class = input.number(id, "a class")?;
            input.u4("a class")?;
            sink.loaded(serial, class, input.number(id, "a class")?);
        }
        0x04 => {
            let frame = input.number(id, "a frame")?;
            let mut names = [0; 3];
            for n in &mut names {
                *n = input.number(id, "a frame")?;
            }
            let class = input.u4("a frame")?;
            sink.frame(frame, names, class, input.u4("a frame")? as i32);
        }
        0x05 => {
            let serial = input.u4("a stack")?;
            let thread = input.u4("a stack")?;
            let count = input.u4("a stack")?;
            let mut frames = Vec::new();
            for _ in 0..count {
                if left(input) < u64::from(id) {
                    return Err(wrong(at, Problem::Truncated { what: "a stack" }));
                }
                frames.push(input.number(id, "a stack")?);
            }
            sink.trace(serial, thread, frames);
        }
        ALLOCATED => {
            input.skip(2 + 4 + 4 + 4 + 8 + 8, "allocation sites")?;
            let count = input.u4("allocation sites")?;
            for _ in 0..count {
                if left(input) < 25 {
                    let what = "allocation sites";
                    return Err(wrong(at, Problem::Truncated { what }));
                }
                input.skip(1, "allocation sites")?;
                let mut n = [0; 6];
                for n in &mut n {
                    *n = input.u4("allocation sites")?;
                }
                let [class_serial, trace, _, _, bytes, objects] = n;
                sink.alloc_site(AllocSite {
                    class_serial,
                    trace,
                    bytes: bytes.into(),
                    objects: objects.into(),
                    lived: None,
                });
            }
        }
        LIFETIMES => {
            while left(input) >= 48 {
                let class_serial = input.u4("lifetimes")?;
                let trace = input.u4("lifetimes")?;
                let mut n = [0; 5];
                for n in &mut n {
                    *n = input.u8("lifetimes")?;
                }
                let [objects, bytes, live, bytecodes, collections] = n;
                sink.alloc_site(AllocSite {
                    class_serial,
                    trace,
                    bytes,
                    objects,
                    lived: Some((objects.saturating_sub(live), bytecodes, collections)),
                });
            }
        }
        FRAME_SLOTS => {
            while left(input) >= 12 + 2 * u64::from(id) {
                let thread = input.u4("slots")?;
                let frame = input.u4("slots")?;
                let slot = input.u4("slots")?;
                let object = input.number(id, "slots")?;
                sink.slot(thread, frame, slot, object, input.number(id, "slots")?);
            }
        }
        _ => {}
    }
    Ok(())
}

/// The sub-records of a segment.
pub fn segment(
    input: &mut Input,
    segment: Segment,
    id: u32,
    sink: &mut dyn Sink,
) -> Result<(), Error> {
    input.seek(segment.start)?;
    while input.at() < segment.end {
        let at = input.at();
        let tag = input.u1("a record")?;
        match tag {
            0x20 => {
                let class = class(input, at, segment.end, id)?;
                sink.class(class).map_err(|p| wrong(at, p))?;
            }
            0x21..=0x23 | 0xC3 => {
                let (head, len) = head(input, at, tag, id)?;
                let end = input.at() + if tag == 0xC3 { 0 } else { len };
                if end > segment.end {
                    return Err(wrong(at, Problem::Truncated { what: "an object" }));
                }
                sink.object(head, input, id)?;
                input.seek(end)?;
            }
            _ => root(input, at, tag, id, sink)?,
        }
        if input.at() > segment.end {
            let what = "a segment";
            return Err(wrong(at, Problem::Truncated { what }));
        }
    }
    Ok(())
}

fn root(input: &mut Input, at: u64, tag: u8, id: u32, sink: &mut dyn Sink) -> Result<(), Error> {
    /// Numbers of 4 bytes after the object, or an identifier.
    enum After {
        Words(u8),
        Id,
    }
    use After::{Id, Words};
    let (kind, after) = match tag {
        0xFF => (RootKind::Unknown, Words(0)),
        0x01 => (RootKind::JniGlobal, Id),
        0x02 => (RootKind::JniLocal, Words(2)),
        0x03 => (RootKind::Frame, Words(2)),
        0x04 => (RootKind::Native, Words(1)),
        0x05 => (RootKind::Class, Words(0)),
        0x06 => (RootKind::ThreadBlock, Words(1)),
        0x07 => (RootKind::Monitor, Words(0)),
        0x08 => (RootKind::Thread, Words(2)),
        // Android's
        0x89..=0x8D | 0x90 => (RootKind::Unknown, Words(0)),
        0x8E => (RootKind::JniLocal, Words(2)),
        0xFE => {
            input.u4("a root")?;
            input.number(id, "a root")?;
            return Ok(());
        }
        _ => return Err(wrong(at, Problem::SubRecord(tag))),
    };
    let object = input.number(id, "a root")?;
    let mut words = [u32::MAX; 2];
    match after {
        Id => {
            input.number(id, "a root")?;
        }
        Words(n) => {
            for w in &mut words[..n.into()] {
                *w = input.u4("a root")?;
            }
        }
    }
    sink.root(kind, object, words[0], words[1]);
    Ok(())
}

/// An object's head, and how many bytes follow.
pub fn head(input: &mut Input, at: u64, tag: u8, id: u32) -> Result<(Head, u64), Error> {
    const WHAT: &str = "an object";
    let object = input.number(id, WHAT)?;
    let trace = input.u4(WHAT)?;
    let (shape, len) = match tag {
        0x21 => {
            let class = input.number(id, WHAT)?;
            let bytes = input.u4(WHAT)?;
            (Shape::Instance { class, bytes }, bytes.into())
        }
        0x22 => {
            let len = input.u4(WHAT)?;
            let class = input.number(id, WHAT)?;
            let bytes = u64::from(len) * u64::from(id);
            (Shape::Objects { class, len }, bytes)
        }
        // 0xC3 is Android's array without its elements
        0x23 | 0xC3 => {
            let len = input.u4(WHAT)?;
            let ty = ty(input)?;
            let bytes = u64::from(len) * u64::from(ty.width(id));
            (Shape::Primitives { ty, len }, bytes)
        }
        _ => return Err(wrong(at, Problem::SubRecord(tag))),
    };
    let head = Head {
        at,
        id: object,
        trace,
        shape,
    };
    Ok((head, len))
}

fn ty(input: &mut Input) -> Result<Type, Error> {
    let at = input.at();
    let code = input.u1("a type")?;
    Type::new(code).ok_or_else(|| wrong(at, Problem::Type(code)))
}

/// A class's record, after its tag.
pub fn class(input: &mut Input, at: u64, end: u64, id: u32) -> Result<ClassRecord, Error> {
    const WHAT: &str = "a class";
    let mut class = ClassRecord {
        at,
        id: input.number(id, WHAT)?,
        ..ClassRecord::default()
    };
    input.u4(WHAT)?;
    class.super_class = input.number(id, WHAT)?;
    for other in &mut class.others {
        *other = input.number(id, WHAT)?;
    }
    // two that are reserved
    input.skip(2 * u64::from(id), WHAT)?;
    class.instance_bytes = input.u4(WHAT)?;
    let inside = |input: &Input| match input.at() < end {
        true => Ok(()),
        false => Err(wrong(at, Problem::Truncated { what: WHAT })),
    };
    for _ in 0..input.u2(WHAT)? {
        inside(input)?;
        input.u2(WHAT)?;
        let ty = ty(input)?;
        let value = input.number(ty.width(id), WHAT)?;
        if ty == Type::Object {
            class.constants.push(value);
        }
    }
    for _ in 0..input.u2(WHAT)? {
        inside(input)?;
        let name = input.number(id, WHAT)?;
        let ty = ty(input)?;
        let value = input.number(ty.width(id), WHAT)?;
        class.statics.push((name, ty, value));
    }
    for _ in 0..input.u2(WHAT)? {
        inside(input)?;
        let name = input.number(id, WHAT)?;
        class.fields.push(Field {
            name,
            ty: ty(input)?,
        });
    }
    Ok(class)
}

//! `StackMapTable` (JVMS 4.7.4): its entries, and the full frames they describe.

use crate::access;
use crate::class_file::{ClassFile, MethodInfo};
use crate::constant_pool::ConstantPool;
use crate::descriptor::{FieldType, MethodDescriptor};
use crate::error::{Error, Result};
use crate::reader::Reader;

/// A verification type as an entry has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeInfo {
    /// No usable value.
    Top,
    /// `int` and everything narrower.
    Integer,
    /// `float`.
    Float,
    /// `double`; in an entry it represents both of its slots.
    Double,
    /// `long`; in an entry it represents both of its slots.
    Long,
    /// The null reference.
    Null,
    /// `this` before the superclass's constructor is called.
    UninitializedThis,
    /// A reference; `Class`: of this type.
    Object(u16),
    /// An object that the `new` at this pc made and no constructor has seen yet.
    Uninitialized(u16),
}

/// An entry of the table: how a frame differs from the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The tag byte.
    pub frame_type: u8,
    /// The distance from the previous frame: one less than the distance of the bytecodes, except for the
    /// first entry.
    pub offset_delta: u16,
    /// The difference.
    pub change: Change,
}

/// What an [`Entry`] changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Same locals, empty stack.
    Same,
    /// Same locals, one operand.
    SameLocals1(TypeInfo),
    /// The last 1 to 3 locals are gone, empty stack.
    Chop(u8),
    /// 1 to 3 more locals, empty stack.
    Append(Vec<TypeInfo>),
    /// Everything again.
    Full {
        /// The locals.
        locals: Vec<TypeInfo>,
        /// The operands, deepest first.
        stack: Vec<TypeInfo>,
    },
}

/// Iterates over the entries of a raw `StackMapTable`; stops after the first error. Bytes left
/// over at the end are an error too.
pub fn entries(table: &[u8]) -> Entries<'_> {
    Entries {
        r: Reader::new(table),
        left: None,
    }
}

/// See [`entries`].
#[derive(Clone)]
pub struct Entries<'a> {
    r: Reader<'a>,
    /// Entries to come; `None` before the count is read.
    left: Option<u16>,
}

impl Entries<'_> {
    fn entry(&mut self) -> Result<Option<Entry>> {
        let left = match self.left {
            Some(left) => left,
            None => self.r.u2()?,
        };
        if left == 0 {
            self.left = Some(0);
            if !self.r.is_empty() {
                self.r.rest();
                return Err(Error::rule("StackMapTable attribute has wrong length"));
            }
            return Ok(None);
        }
        self.left = Some(left - 1);
        let r = &mut self.r;
        let frame_type = r.u1()?;
        let (offset_delta, change) = match frame_type {
            0..=63 => (frame_type.into(), Change::Same),
            64..=127 => (
                u16::from(frame_type) - 64,
                Change::SameLocals1(type_info(r)?),
            ),
            128..=246 => {
                return Err(Error::rule(format_args!(
                    "reserved frame type {frame_type}"
                )));
            }
            247 => (r.u2()?, Change::SameLocals1(type_info(r)?)),
            248..=250 => (r.u2()?, Change::Chop(251 - frame_type)),
            251 => (r.u2()?, Change::Same),
            252..=254 => (
                r.u2()?,
                Change::Append(r.rows(u16::from(frame_type) - 251, 1, type_info)?),
            ),
            255 => {
                let delta = r.u2()?;
                let locals = type_infos(r)?;
                (
                    delta,
                    Change::Full {
                        locals,
                        stack: type_infos(r)?,
                    },
                )
            }
        };
        Ok(Some(Entry {
            frame_type,
            offset_delta,
            change,
        }))
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry>;

    fn next(&mut self) -> Option<Result<Entry>> {
        let entry = self.entry();
        if entry.is_err() {
            self.left = Some(0);
            self.r.rest();
        }
        entry
            .map_err(|e| e.within("StackMapTable attribute"))
            .transpose()
    }
}

fn type_info(r: &mut Reader<'_>) -> Result<TypeInfo> {
    let tag = r.u1()?;
    if let Some(simple) = of_tag(tag) {
        return Ok(simple);
    }
    Ok(match tag {
        7 => TypeInfo::Object(r.u2()?),
        8 => TypeInfo::Uninitialized(r.u2()?),
        tag => return Err(Error::rule(format_args!("bad verification type {tag}"))),
    })
}

/// The type that is its tag alone.
#[inline]
fn of_tag(tag: u8) -> Option<TypeInfo> {
    Some(match tag {
        0 => TypeInfo::Top,
        1 => TypeInfo::Integer,
        2 => TypeInfo::Float,
        3 => TypeInfo::Double,
        4 => TypeInfo::Long,
        5 => TypeInfo::Null,
        6 => TypeInfo::UninitializedThis,
        _ => return None,
    })
}

/// Types behind their number. Most have one byte.
fn type_infos(r: &mut Reader<'_>) -> Result<Vec<TypeInfo>> {
    let count = usize::from(r.u2()?);
    let mut types = Vec::with_capacity(count.min(r.remaining()));
    while types.len() < count {
        r.rows_of_bytes(count - types.len(), &mut types, of_tag);
        if types.len() < count {
            types.push(type_info(r)?);
        }
    }
    Ok(types)
}

/// A verification type with names looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VerificationType<'a> {
    /// No usable value; also the second slot of a `long` or `double`.
    Top,
    /// `int` and everything narrower.
    Integer,
    /// `float`.
    Float,
    /// `double`, followed by [`Top`](Self::Top) in its second slot.
    Double,
    /// `long`, followed by [`Top`](Self::Top) in its second slot.
    Long,
    /// The null reference.
    Null,
    /// `this` before the superclass's constructor is called.
    UninitializedThis,
    /// A reference: internal name or array descriptor.
    Object(&'a str),
    /// An object that the `new` at this pc made and no constructor has seen yet.
    Uninitialized(u16),
}

impl<'a> VerificationType<'a> {
    /// The type of a value of a declared type.
    pub fn of(field_type: FieldType<'a>) -> VerificationType<'a> {
        match field_type {
            FieldType::Float => VerificationType::Float,
            FieldType::Double => VerificationType::Double,
            FieldType::Long => VerificationType::Long,
            FieldType::Object(name) | FieldType::Array(name) => VerificationType::Object(name),
            _ => VerificationType::Integer,
        }
    }

    /// Whether a value takes two slots.
    pub fn is_wide(self) -> bool {
        matches!(self, VerificationType::Long | VerificationType::Double)
    }

    fn resolve(info: TypeInfo, pool: &'a ConstantPool) -> Result<VerificationType<'a>> {
        Ok(match info {
            TypeInfo::Top => VerificationType::Top,
            TypeInfo::Integer => VerificationType::Integer,
            TypeInfo::Float => VerificationType::Float,
            TypeInfo::Double => VerificationType::Double,
            TypeInfo::Long => VerificationType::Long,
            TypeInfo::Null => VerificationType::Null,
            TypeInfo::UninitializedThis => VerificationType::UninitializedThis,
            TypeInfo::Object(class) => VerificationType::Object(pool.class_name(class)?),
            TypeInfo::Uninitialized(pc) => VerificationType::Uninitialized(pc),
        })
    }
}

/// The types of locals and operands at a bytecode. One element a slot: the second slot of a
/// `long` or `double` is [`VerificationType::Top`]. Locals beyond the last are unusable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Where the frame holds.
    pub pc: u32,
    /// The locals, by slot.
    pub locals: Vec<VerificationType<'a>>,
    /// The operands by slot, deepest first.
    pub stack: Vec<VerificationType<'a>>,
}

/// The frame at a method's entry (JVMS 4.10.1.6).
pub fn initial_frame<'a>(class: &'a ClassFile, method: &MethodInfo) -> Result<Frame<'a>> {
    let pool = &class.constant_pool;
    let mut locals = Vec::new();
    if method.access_flags & access::STATIC == 0 {
        let this = class.name()?;
        let constructor = pool.utf8(method.name)? == b"<init>" && this != "java/lang/Object";
        locals.push(match constructor {
            true => VerificationType::UninitializedThis,
            false => VerificationType::Object(this),
        });
    }
    for parameter in MethodDescriptor::parse(pool.str(method.descriptor)?)?.parameters() {
        push(&mut locals, VerificationType::of(parameter));
    }
    Ok(Frame {
        pc: 0,
        locals,
        stack: Vec::new(),
    })
}

fn push<'a>(slots: &mut Vec<VerificationType<'a>>, value: VerificationType<'a>) {
    slots.push(value);
    if value.is_wide() {
        slots.push(VerificationType::Top);
    }
}

/// Decodes a table into full frames, one after the other.
pub struct Frames<'a> {
    entries: Entries<'a>,
    pool: &'a ConstantPool,
    frame: Frame<'a>,
    first: bool,
}

impl<'a> Frames<'a> {
    /// The frames of a method's raw table. `initial` is what the first entry changes.
    pub fn new(table: &'a [u8], pool: &'a ConstantPool, initial: Frame<'a>) -> Frames<'a> {
        Frames {
            entries: entries(table),
            pool,
            frame: initial,
            first: true,
        }
    }

    /// The next frame; `None` after the last one. The frame is lent, so that going through a
    /// table doesn't allocate for each.
    pub fn advance(&mut self) -> Result<Option<&Frame<'a>>> {
        let Some(entry) = self.entries.next().transpose()? else {
            return Ok(None);
        };
        let frame = &mut self.frame;
        frame.pc += u32::from(entry.offset_delta) + u32::from(!self.first);
        self.first = false;
        frame.stack.clear();
        let resolve = |info: &TypeInfo| VerificationType::resolve(*info, self.pool);
        match &entry.change {
            Change::Same => {}
            Change::SameLocals1(operand) => push(&mut frame.stack, resolve(operand)?),
            Change::Chop(count) => {
                for _ in 0..*count {
                    chop(&mut frame.locals)
                        .ok_or_else(|| Error::rule("StackMapTable error: chop of no local"))?;
                }
            }
            Change::Append(more) => {
                for local in more {
                    push(&mut frame.locals, resolve(local)?);
                }
            }
            Change::Full { locals, stack } => {
                frame.locals.clear();
                for local in locals {
                    push(&mut frame.locals, resolve(local)?);
                }
                for operand in stack {
                    push(&mut frame.stack, resolve(operand)?);
                }
            }
        }
        // Slots are 16-bit numbers; a chain of appends could otherwise grow without bound.
        if frame.locals.len() > 65535 || frame.stack.len() > 65535 {
            return Err(Error::rule("StackMapTable error: too many locals"));
        }
        Ok(Some(frame))
    }
}

/// Takes the last local away, both slots of a wide one.
fn chop(locals: &mut Vec<VerificationType<'_>>) -> Option<()> {
    let last = locals.pop()?;
    if last == VerificationType::Top && locals.last().is_some_and(|local| local.is_wide()) {
        locals.pop();
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use VerificationType::{Double, Integer, Long, Null, Top};

    #[test]
    fn entries_become_full_frames() {
        let table = [
            0,
            7, // seven entries
            5, // same, +5
            253,
            0,
            9,
            4,
            0, // append long and top, +9
            248,
            0,
            0, // chop 3, +0
            255,
            0,
            1,
            0,
            2,
            3,
            1,
            0,
            2,
            5,
            3, // full: double, int; stack null, double
            64 + 7,
            1, // same locals, int on the stack, +7
            247,
            1,
            0,
            8,
            0,
            3, // extended: uninitialized(3), +256
            251,
            0,
            0, // same, extended
        ];
        let pool = ConstantPool::default();
        let initial = Frame {
            pc: 0,
            locals: vec![Integer],
            stack: vec![],
        };
        let mut frames = Frames::new(&table, &pool, initial);
        let mut next = || {
            let frame = frames.advance().unwrap().unwrap();
            (frame.pc, frame.locals.clone(), frame.stack.clone())
        };
        assert_eq!(next(), (5, vec![Integer], vec![]));
        assert_eq!(next(), (15, vec![Integer, Long, Top, Top], vec![]));
        assert_eq!(next(), (16, vec![], vec![]));
        assert_eq!(
            next(),
            (18, vec![Double, Top, Integer], vec![Null, Double, Top])
        );
        assert_eq!(next(), (26, vec![Double, Top, Integer], vec![Integer]));
        let uninitialized = VerificationType::Uninitialized(3);
        assert_eq!(
            next(),
            (283, vec![Double, Top, Integer], vec![uninitialized])
        );
        assert_eq!(next(), (284, vec![Double, Top, Integer], vec![]));
        assert_eq!(frames.advance().unwrap(), None);
    }

    #[test]
    fn malformed_tables_are_errors() {
        let bad: [&[u8]; 8] = [
            &[],
            &[0],
            &[0, 1],
            &[0, 0, 0],
            &[0, 1, 128],
            &[0, 1, 64, 9],
            &[0, 1, 255, 0, 0, 0xFF, 0xFF],
            &[0, 1, 247, 0],
        ];
        for table in bad {
            assert_eq!(
                entries(table).filter(Result::is_err).count(),
                1,
                "{table:?}"
            );
        }
        let pool = ConstantPool::default();
        assert!(
            Frames::new(&[0, 1, 250, 0, 0], &pool, Frame::default())
                .advance()
                .is_err()
        );
    }
}

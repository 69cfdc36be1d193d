//! The kinds of locals and operands at a method's labels: from its `StackMapTable`, else inferred
//! from the bytecodes. No class is loaded for it: a reference is a reference.

use super::flow;
pub use super::flow::FlowProgress;
pub use super::pace::WorkBudget;
use super::slots::{Pool, SlotList};
use rjvm_classfile::descriptor::{FieldType, parameter_letters};
use rjvm_classfile::stackmap::{Change, TypeInfo, entries};
use rjvm_classfile::{ClassFile, CodeAttribute, MethodInfo, access};

/// What kind of value a local or an operand holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SlotKind {
    /// Nothing usable; the second slot of a `long` or `double` local.
    Top,
    /// `int` and everything narrower.
    Int,
    /// `float`
    Float,
    /// `long`
    Long,
    /// `double`
    Double,
    /// A reference (null and objects not yet initialized included).
    Ref,
    /// A return address that `jsr` pushed; with the bci where the subroutine begins.
    RetAddr(u16),
}

impl SlotKind {
    /// Whether a value takes two slots.
    pub fn is_wide(self) -> bool {
        matches!(self, SlotKind::Long | SlotKind::Double)
    }
    /// The kind of values of a declared type.
    pub fn of(t: FieldType<'_>) -> SlotKind {
        match t {
            FieldType::Float => SlotKind::Float,
            FieldType::Double => SlotKind::Double,
            FieldType::Long => SlotKind::Long,
            FieldType::Object(_) | FieldType::Array(_) => SlotKind::Ref,
            _ => SlotKind::Int,
        }
    }
    fn of_info(t: TypeInfo) -> SlotKind {
        match t {
            TypeInfo::Top => SlotKind::Top,
            TypeInfo::Integer => SlotKind::Int,
            TypeInfo::Float => SlotKind::Float,
            TypeInfo::Double => SlotKind::Double,
            TypeInfo::Long => SlotKind::Long,
            TypeInfo::Null
            | TypeInfo::UninitializedThis
            | TypeInfo::Object(_)
            | TypeInfo::Uninitialized(_) => SlotKind::Ref,
        }
    }
}

/// The frame at a label.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FrameTypes {
    /// By local index: a `long` or `double` is followed by [`SlotKind::Top`]. Locals beyond the last
    /// entry are [`SlotKind::Top`].
    pub locals: SlotList<SlotKind>,
    /// By value, deepest first: a `long` or `double` is one entry.
    pub stack: SlotList<SlotKind>,
}

/// The frames at a method's labels (branch targets, exception handlers, instructions after a
/// `jsr`), sorted by bci; labels that no execution reaches are absent when the frames had to be
/// inferred. Empty for a method without labels or without code.
///
/// Class files of version 51 and later have them in the `StackMapTable`. In version 50 the table
/// may be wrong (the verifier may fail over to inference), so it isn't used.
pub fn label_frames(cf: &ClassFile, method_index: usize) -> Result<Vec<(u16, FrameTypes)>, String> {
    let method = cf
        .methods
        .get(method_index)
        .ok_or_else(|| format!("no method {method_index}"))?;
    match &method.attributes.code {
        None => Ok(Vec::new()),
        Some(code) => frames_of(cf, method_index, code, &WorkBudget::unhurried()),
    }
}

/// The same of a method whose code has been read.
pub(crate) fn frames_of(
    cf: &ClassFile,
    method_index: usize,
    code: &CodeAttribute,
    pace: &WorkBudget<'_>,
) -> Result<Vec<(u16, FrameTypes)>, String> {
    let initial = initial_locals(cf, &cf.methods[method_index])?;
    match &code.stack_map {
        Some(table) if cf.major > 50 => from_table(table, initial, code, pace),
        _ => flow::infer(cf, code, initial, pace),
    }
}

/// Like [`label_frames`], never by the table.
pub fn infer_label_frames(
    cf: &ClassFile,
    method_index: usize,
) -> Result<Vec<(u16, FrameTypes)>, String> {
    let method = cf
        .methods
        .get(method_index)
        .ok_or_else(|| format!("no method {method_index}"))?;
    match &method.attributes.code {
        None => Ok(Vec::new()),
        Some(code) => flow::infer(
            cf,
            code,
            initial_locals(cf, method)?,
            &WorkBudget::unhurried(),
        ),
    }
}

/// The locals at a method's entry.
fn initial_locals(cf: &ClassFile, method: &MethodInfo) -> Result<SlotList<SlotKind>, String> {
    let descriptor = cf
        .constant_pool
        .str(method.descriptor)
        .map_err(|e| e.to_string())?;
    let mut locals = SlotList::default();
    if method.access_flags & access::STATIC == 0 {
        locals.push(SlotKind::Ref);
    }
    for letter in parameter_letters(descriptor) {
        let kind = match letter {
            b'F' => SlotKind::Float,
            b'D' => SlotKind::Double,
            b'J' => SlotKind::Long,
            b'L' | b'[' => SlotKind::Ref,
            _ => SlotKind::Int,
        };
        push(&mut locals, kind);
    }
    Ok(locals)
}

/// Adds a value to slots.
fn push(slots: &mut SlotList<SlotKind>, k: SlotKind) {
    slots.push(k);
    if k.is_wide() {
        slots.push(SlotKind::Top);
    }
}

/// Decodes a `StackMapTable` (JVMS 4.7.4).
fn from_table(
    table: &[u8],
    mut locals: SlotList<SlotKind>,
    code: &CodeAttribute,
    pace: &WorkBudget<'_>,
) -> Result<Vec<(u16, FrameTypes)>, String> {
    let count = table.first_chunk().map_or(0, |b| u16::from_be_bytes(*b));
    // no entry is shorter than a byte
    let mut frames = Vec::with_capacity(usize::from(count).min(table.len()));
    let mut pool = Pool::default();
    let mut next = 0u32;
    for entry in entries(table) {
        pace.look()?;
        let entry = entry.map_err(|e| e.to_string())?;
        let bci = next + u32::from(entry.offset_delta);
        next = bci + 1;
        let mut stack = SlotList::default();
        match entry.change {
            Change::Same => {}
            Change::SameLocals1(t) => stack.push(SlotKind::of_info(t)),
            Change::Chop(n) => {
                for _ in 0..n {
                    let last = locals.pop().ok_or("StackMapTable error: bad offset")?;
                    if last == SlotKind::Top && locals.last().is_some_and(SlotKind::is_wide) {
                        locals.pop();
                    }
                }
            }
            Change::Append(more) => {
                for t in more {
                    push(&mut locals, SlotKind::of_info(t));
                }
            }
            Change::Full {
                locals: l,
                stack: s,
            } => {
                let mut slots = Vec::with_capacity(l.len());
                for k in l.into_iter().map(SlotKind::of_info) {
                    slots.push(k);
                    slots.extend(k.is_wide().then_some(SlotKind::Top));
                }
                let values: Vec<SlotKind> = s.into_iter().map(SlotKind::of_info).collect();
                locals = pool.list(&slots);
                stack = pool.list(&values);
            }
        }
        if bci as usize >= code.code.len() || locals.len() > usize::from(code.max_locals) {
            return Err("StackMapTable error: bad offset".into());
        }
        frames.push((
            bci as u16,
            FrameTypes {
                locals: locals.clone(),
                stack,
            },
        ));
    }
    Ok(frames)
}

#[cfg(test)]
#[path = "tests/infer.rs"]
mod tests;

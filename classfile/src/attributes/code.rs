//! `Code` (JVMS 4.7.3), with the attributes inside it.

use super::{
    AnnotationBytes, AttributeUse, Context, LocalVariable, LocalVariableType, Place, RawAttribute,
    line_number_table, local_variable_table, local_variable_type_table, once, parse_table,
};
use crate::error::{Error, Result};
use crate::reader::Reader;

/// The body of a method.
#[derive(Clone, Debug, Default)]
pub struct CodeAttribute {
    /// The operand stack's depth, in slots.
    pub max_stack: u16,
    /// The local variables, in slots; parameters included.
    pub max_locals: u16,
    /// The bytecodes.
    pub code: Vec<u8>,
    /// The exception handlers, in search order.
    pub exceptions: Vec<ExceptionEntry>,
    /// `(start_pc, line)` rows of all `LineNumberTable`s, in file order.
    pub line_numbers: Vec<(u16, u16)>,
    /// The rows of all `LocalVariableTable`s.
    pub local_variables: Vec<LocalVariable>,
    /// The rows of all `LocalVariableTypeTable`s.
    pub local_variable_types: Vec<LocalVariableType>,
    /// `StackMapTable`, raw from its `number_of_entries` on: see [`stackmap`](crate::stackmap).
    pub stack_map: Option<Box<[u8]>>,
    /// The type-annotation attributes, raw.
    pub annotations: AnnotationBytes,
    /// Unknown attributes, in file order.
    pub other: Vec<RawAttribute>,
}

/// A row of the exception table: `start_pc <= pc < end_pc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceptionEntry {
    /// The first bytecode covered.
    pub start_pc: u16,
    /// The end of the range, exclusive.
    pub end_pc: u16,
    /// The handler.
    pub handler_pc: u16,
    /// `Class` of the caught exceptions; 0 for everything.
    pub catch_type: u16,
}

impl CodeAttribute {
    /// No code: what no method has, and neither verifier nor translator takes.
    pub fn none() -> &'static CodeAttribute {
        static NONE: CodeAttribute = CodeAttribute {
            max_stack: 0,
            max_locals: 0,
            code: Vec::new(),
            exceptions: Vec::new(),
            line_numbers: Vec::new(),
            local_variables: Vec::new(),
            local_variable_types: Vec::new(),
            stack_map: None,
            annotations: AnnotationBytes::NONE,
            other: Vec::new(),
        };
        &NONE
    }

    pub(crate) fn parse(r: &mut Reader<'_>, context: &Context<'_>) -> Result<CodeAttribute> {
        // Before version 45.3 these were u1, u1, u2; no compiler of that time is around, and
        // HotSpot doesn't read that form any more either.
        let max_stack = r.u2()?;
        let max_locals = r.u2()?;
        let at = r.offset();
        let length = r.u4()?;
        if length == 0 || length > 65535 {
            return Err(Error::format(
                at,
                format_args!("Invalid method Code length {length}"),
            ));
        }
        let code = r.bytes(length as usize)?.to_vec();
        let exceptions = r.table(8, |r| {
            Ok(ExceptionEntry {
                start_pc: r.u2()?,
                end_pc: r.u2()?,
                handler_pc: r.u2()?,
                catch_type: r.u2()?,
            })
        })?;
        let mut a = CodeAttribute {
            max_stack,
            max_locals,
            code,
            exceptions,
            ..Default::default()
        };
        let mut other = Vec::new();
        parse_table(r, context, Place::Code, &mut other, |name, r| {
            match (name, context.major) {
                (b"LineNumberTable", _) => {
                    line_number_table::parse(r, &mut a.line_numbers)?;
                    Ok(AttributeUse::Yes)
                }
                (b"StackMapTable", 50..) => once(&mut a.stack_map, r.rest().into()),
                (b"LocalVariableTable", _) => {
                    local_variable_table::parse(r, &mut a.local_variables)?;
                    Ok(AttributeUse::Yes)
                }
                (b"LocalVariableTypeTable", 49..) => {
                    local_variable_type_table::parse(r, &mut a.local_variable_types)?;
                    Ok(AttributeUse::Yes)
                }
                (b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations", 49..) => {
                    a.annotations.take(name, r)
                }
                _ => Ok(AttributeUse::Unknown),
            }
        })?;
        a.other = other;
        Ok(a)
    }

    /// The source line of the bytecode at `pc`: of the row with the greatest `start_pc` that
    /// isn't beyond it.
    pub fn line_of(&self, pc: u16) -> Option<u16> {
        self.line_numbers
            .iter()
            .filter(|(start, _)| *start <= pc)
            .max_by_key(|(start, _)| *start)
            .map(|(_, line)| *line)
    }
}

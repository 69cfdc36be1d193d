//! Decoding of `RuntimeVisibleTypeAnnotations` and `RuntimeInvisibleTypeAnnotations`
//! (JVMS 4.7.20).

use super::annotations::{Annotation, annotation, whole};
use crate::error::{Error, Result};
use crate::reader::Reader;

/// An annotation on a use of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeAnnotation {
    /// `target_type` (JVMS tables 4.7.20-A and B).
    pub target_type: u8,
    /// Which type of the declaration or expression.
    pub target: Target,
    /// Where in that type: `type_path_kind` and `type_argument_index` of each step.
    pub path: Vec<(u8, u8)>,
    /// The annotation.
    pub annotation: Annotation,
}

/// `target_info` of a type annotation (JVMS 4.7.20.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The declaration of a type parameter.
    TypeParameter(u8),
    /// The superclass (65535), or a superinterface by index.
    Supertype(u16),
    /// A bound of a type parameter.
    TypeParameterBound {
        /// The type parameter.
        parameter: u8,
        /// The bound.
        bound: u8,
    },
    /// The type of a field, a return type, or a receiver.
    Empty,
    /// The type of a formal parameter.
    FormalParameter(u8),
    /// A type of the `throws` clause.
    Throws(u16),
    /// The type of a local variable: `start_pc`, `length` and slot of its ranges.
    LocalVariable(Vec<(u16, u16, u16)>),
    /// The type of an exception parameter, by index into the exception table.
    Catch(u16),
    /// The type in an expression, by the instruction's offset.
    Offset(u16),
    /// A type argument in an expression.
    TypeArgument {
        /// The instruction's offset.
        offset: u16,
        /// The type argument.
        argument: u8,
    },
}

/// Decodes the contents of a type-annotation attribute.
pub fn decode(bytes: &[u8]) -> Result<Vec<TypeAnnotation>> {
    whole(bytes, |r| r.table(6, type_annotation))
}

fn type_annotation(r: &mut Reader<'_>) -> Result<TypeAnnotation> {
    let at = r.offset();
    let target_type = r.u1()?;
    let target = match target_type {
        0x00 | 0x01 => Target::TypeParameter(r.u1()?),
        0x10 => Target::Supertype(r.u2()?),
        0x11 | 0x12 => Target::TypeParameterBound {
            parameter: r.u1()?,
            bound: r.u1()?,
        },
        0x13..=0x15 => Target::Empty,
        0x16 => Target::FormalParameter(r.u1()?),
        0x17 => Target::Throws(r.u2()?),
        0x40 | 0x41 => Target::LocalVariable(r.table(6, |r| Ok((r.u2()?, r.u2()?, r.u2()?)))?),
        0x42 => Target::Catch(r.u2()?),
        0x43..=0x46 => Target::Offset(r.u2()?),
        0x47..=0x4B => Target::TypeArgument {
            offset: r.u2()?,
            argument: r.u1()?,
        },
        other => {
            let message = format_args!("Unknown type annotation target {other:#04x}");
            return Err(Error::format(at, message));
        }
    };
    let steps = r.u1()?;
    let path = r.rows(steps.into(), 2, |r| Ok((r.u1()?, r.u1()?)))?;
    Ok(TypeAnnotation {
        target_type,
        target,
        path,
        annotation: annotation(r, 0)?,
    })
}

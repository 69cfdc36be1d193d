//! Attributes (JVMS 4.7), one file each; here the containers and the dispatch by name.
//!
//! An attribute that the JVMS defines only from a later version on, or in another place, is kept
//! raw in `other`, as the unknown ones are. Annotations stay raw bytes: Java code parses them;
//! [`annotations`] and [`type_annotations`] decode them on demand.

pub mod annotations;
mod bootstrap_methods;
mod class;
mod code;
mod enclosing_method;
mod field;
mod inner_classes;
mod lazy;
mod line_number_table;
mod local_variable_table;
mod local_variable_type_table;
mod method;
mod method_parameters;
mod module;
mod record;
pub mod type_annotations;

pub use annotations::{AnnotationBytes, AnnotationKinds};
pub use bootstrap_methods::BootstrapMethod;
pub use class::{ClassAttributes, ClassKinds};
pub use code::{CodeAttribute, ExceptionEntry};
pub use enclosing_method::EnclosingMethod;
pub use field::{FieldAttributes, FieldKinds};
pub use inner_classes::InnerClass;
pub use lazy::LazyAttributes;
pub use local_variable_table::LocalVariable;
pub use local_variable_type_table::LocalVariableType;
pub use method::MethodAttributes;
pub use method_parameters::MethodParameter;
pub use module::{Exports, Module, Provides, Requires};
pub use record::RecordComponent;

use crate::constant_pool::ConstantPool;
use crate::error::{Error, Result};
use crate::mutf8;
use crate::reader::Reader;
use std::sync::Arc;

/// An attribute whose contents this crate doesn't interpret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawAttribute {
    /// `Utf8`: the attribute's name.
    pub name: u16,
    /// The contents.
    pub bytes: Box<[u8]>,
}

/// What attribute readers need to know of the class.
pub(crate) struct Context<'a> {
    pub(crate) pool: &'a ConstantPool,
    pub(crate) major: u16,
    /// Where methods' attributes may stay unread until they are needed.
    pub(crate) unread: Option<&'a Arc<ConstantPool>>,
}

/// What a table of attributes belongs to: decides the wording of errors.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Place {
    Class,
    Field,
    Method,
    Code,
    RecordComponent,
}

/// What became of an attribute.
#[must_use]
pub(crate) enum AttributeUse {
    /// It was read.
    Yes,
    /// It isn't known in this place and version: it goes to `other`.
    Unknown,
    /// There may be only one of its kind, and there was one already.
    Twice,
}

/// Reads an attribute table. `one` gets each attribute's name and contents, and must read one
/// that it knows to its end.
pub(crate) fn parse_table<'a>(
    r: &mut Reader<'a>,
    context: &Context<'_>,
    place: Place,
    other: &mut Vec<RawAttribute>,
    mut one: impl FnMut(&[u8], &mut Reader<'a>) -> Result<AttributeUse>,
) -> Result<()> {
    for _ in 0..r.u2()? {
        let at = r.offset();
        let index = r.u2()?;
        let Ok(name) = context.pool.utf8(index) else {
            return Err(Error::format(at, place.bad_name(index)));
        };
        let within = |e: Error| e.within(format_args!("{} attribute", mutf8::to_str_lossy(name)));
        let len = r.u4()?;
        let mut body = r.sub(len as usize).map_err(within)?;
        let mut raw = body.clone();
        let wrong_length = || place.wrong_length(&mutf8::to_str_lossy(name), len);
        match one(name, &mut body).map_err(|e| within(e.overrun(wrong_length)))? {
            AttributeUse::Unknown => {
                other.push(RawAttribute {
                    name: index,
                    bytes: raw.rest().into(),
                });
            }
            AttributeUse::Yes if body.is_empty() => {}
            AttributeUse::Yes => return Err(within(Error::format(at, wrong_length()))),
            AttributeUse::Twice => {
                let message = place.twice(&mutf8::to_str_lossy(name));
                return Err(within(Error::format(at, message)));
            }
        }
    }
    Ok(())
}

/// Fills `slot`, which must be empty: of most attributes there may be only one.
pub(crate) fn once<T>(slot: &mut Option<T>, value: T) -> Result<AttributeUse> {
    match slot.replace(value) {
        None => Ok(AttributeUse::Yes),
        Some(_) => Ok(AttributeUse::Twice),
    }
}

impl Place {
    #[cold]
    fn bad_name(self, index: u16) -> String {
        match self {
            Place::Field => format!("Invalid field attribute index {index}"),
            Place::Method => format!("Invalid method attribute name index {index}"),
            Place::Code => format!("Invalid code attribute name index {index}"),
            Place::Class | Place::RecordComponent => {
                format!("Attribute name has bad constant pool index {index}")
            }
        }
    }

    #[cold]
    fn twice(self, name: &str) -> String {
        match (self, name) {
            (_, "ConstantValue") => "Duplicate ConstantValue attribute".to_owned(),
            (Place::Field, _) => format!("Multiple {name} attributes for field"),
            (Place::Method, "Signature") => format!("Multiple {name} attributes for method"),
            (Place::RecordComponent, _) => {
                format!("Multiple {name} attributes for record component")
            }
            _ => format!("Multiple {name} attributes"),
        }
    }

    #[cold]
    fn wrong_length(self, name: &str, len: u32) -> String {
        match (self, name) {
            (Place::Class, "Synthetic" | "Deprecated") => {
                format!("Invalid {name} classfile attribute length {len}")
            }
            (Place::Field, "Synthetic" | "Deprecated" | "ConstantValue") => {
                format!("Invalid {name} field attribute length {len}")
            }
            (Place::Method, "Synthetic" | "Deprecated") => {
                format!("Invalid {name} method attribute length {len}")
            }
            (Place::Field, "Signature") => format!("Wrong size {len} for field's {name} attribute"),
            (Place::Method, "Signature") => format!("Invalid {name} attribute length {len}"),
            (Place::Class, "Signature" | "EnclosingMethod") => {
                format!("Wrong {name} attribute length {len}")
            }
            (Place::Class, "BootstrapMethods") => format!("Bad length on {name}"),
            (
                Place::Class,
                "SourceFile" | "InnerClasses" | "NestHost" | "NestMembers" | "PermittedSubclasses",
            ) => format!("Wrong {name} attribute length"),
            (_, "Code") => "Code segment has wrong length".to_owned(),
            _ => format!("{name} attribute has wrong length"),
        }
    }
}

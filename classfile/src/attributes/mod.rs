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
mod line_number_table;
mod local_variable_table;
mod local_variable_type_table;
mod method;
mod method_parameters;
mod module;
mod record;
pub mod type_annotations;

pub use annotations::AnnotationBytes;
pub use bootstrap_methods::BootstrapMethod;
pub use class::ClassAttributes;
pub use code::{CodeAttribute, ExceptionEntry};
pub use enclosing_method::EnclosingMethod;
pub use field::FieldAttributes;
pub use inner_classes::InnerClass;
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
}

/// Reads an attribute table. `one` gets each attribute's name and contents; it returns false for
/// one that it doesn't know, which then goes to `other`, and must read a known one to its end.
pub(crate) fn parse_table<'a>(
    r: &mut Reader<'a>,
    context: &Context<'_>,
    other: &mut Vec<RawAttribute>,
    mut one: impl FnMut(&[u8], &mut Reader<'a>) -> Result<bool>,
) -> Result<()> {
    for _ in 0..r.u2()? {
        let at = r.offset();
        let name_index = r.u2()?;
        let Ok(name) = context.pool.utf8(name_index) else {
            return Err(Error::format(
                at,
                format_args!("Invalid attribute name index {name_index}"),
            ));
        };
        let shown = || mutf8::to_str_lossy(name);
        let within = |e: Error| e.within(format_args!("{} attribute", shown()));
        let len = r.u4()?;
        let mut body = r.sub(len as usize).map_err(within)?;
        let mut raw = body.clone();
        let known = one(name, &mut body).map_err(|e| within(e.overrun(&shown())))?;
        if !known {
            other.push(RawAttribute {
                name: name_index,
                bytes: raw.rest().into(),
            });
        } else if !body.is_empty() {
            let message = format_args!("{} attribute has wrong length", shown());
            return Err(within(Error::format(at, message)));
        }
    }
    Ok(())
}

/// Fills `slot`, which must be empty: of most attributes there may be only one.
pub(crate) fn once<T>(slot: &mut Option<T>, name: &str, at: usize, value: T) -> Result<bool> {
    if slot.replace(value).is_some() {
        return Err(Error::format(
            at,
            format_args!("Multiple {name} attributes"),
        ));
    }
    Ok(true)
}

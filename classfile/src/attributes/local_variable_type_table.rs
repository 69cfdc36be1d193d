//! `LocalVariableTypeTable` (JVMS 4.7.14).

use crate::error::Result;
use crate::reader::Reader;

/// A local variable of generic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalVariableType {
    /// The first bytecode.
    pub start_pc: u16,
    /// The length of the range, in bytes.
    pub length: u16,
    /// `Utf8`: the name.
    pub name: u16,
    /// `Utf8`: the field signature.
    pub signature: u16,
    /// The slot.
    pub index: u16,
}

pub(super) fn parse(r: &mut Reader<'_>) -> Result<Vec<LocalVariableType>> {
    r.table(10, |r| {
        Ok(LocalVariableType {
            start_pc: r.u2()?,
            length: r.u2()?,
            name: r.u2()?,
            signature: r.u2()?,
            index: r.u2()?,
        })
    })
}

//! `LocalVariableTable` (JVMS 4.7.13).

use crate::error::Result;
use crate::reader::Reader;

/// A local variable with the range in which it has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    /// The first bytecode.
    pub start_pc: u16,
    /// The length of the range, in bytes.
    pub length: u16,
    /// `Utf8`: the name.
    pub name: u16,
    /// `Utf8`: the field descriptor.
    pub descriptor: u16,
    /// The slot.
    pub index: u16,
}

pub(super) fn parse(r: &mut Reader<'_>) -> Result<Vec<LocalVariable>> {
    r.table(10, |r| {
        Ok(LocalVariable {
            start_pc: r.u2()?,
            length: r.u2()?,
            name: r.u2()?,
            descriptor: r.u2()?,
            index: r.u2()?,
        })
    })
}

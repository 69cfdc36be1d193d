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

pub(super) fn parse(r: &mut Reader<'_>, rows: &mut Vec<LocalVariable>) -> Result<()> {
    let count = r.u2()?;
    let bytes = r.bytes(usize::from(count) * 10)?;
    rows.extend(bytes.chunks_exact(10).map(|b| {
        let u2 = |i: usize| u16::from_be_bytes([b[i], b[i + 1]]);
        LocalVariable {
            start_pc: u2(0),
            length: u2(2),
            name: u2(4),
            descriptor: u2(6),
            index: u2(8),
        }
    }));
    Ok(())
}

//! A point before a bytecode that reads or writes memory.

use crate::ids::{ClassId, MethodId};
use rjvm_ops::Mode;

/// A bytecode before which there is a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryPoint {
    pub method: MethodId,
    pub bci: u16,
    pub op: u8,
    /// Index in the constant pool, of a field.
    pub index: u16,
    /// Slots of the object or array, the index, and the value to be stored.
    pub slots: [u16; 3],
    /// What a control knows it by; 0: not known yet.
    pub(super) site: u64,
    pub(super) field: Option<ResolvedField>,
}

impl MemoryPoint {
    pub(super) fn new(
        method: MethodId,
        bci: u16,
        op: u8,
        index: u16,
        slots: [u16; 3],
    ) -> MemoryPoint {
        MemoryPoint {
            method,
            bci,
            op,
            index,
            slots,
            site: 0,
            field: None,
        }
    }
}

/// A field that has been resolved.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResolvedField {
    pub(super) class: ClassId,
    pub(super) offset: u32,
    pub(super) mode: Mode,
    pub(super) ty: u8,
}

//! `jmethodID` and `jfieldID`: numbers that say which method or field they name, and of which kind they are. C code never
//! looks into them.

use super::types::JId;
use rjvm_vm::classes::acc;
use rjvm_vm::{ClassId, Env, MethodId};

const METHOD: u64 = 0x4d;
const FIELD: u64 = 0x46;
/// Where the mark is.
const MARK: u32 = 56;

/// Of a method.
pub fn of_method(m: MethodId) -> JId {
    METHOD << MARK | u64::from(m.0)
}

/// The method; `None` if it is not a `jmethodID`.
pub fn method(id: JId) -> Option<MethodId> {
    (id >> MARK == METHOD).then_some(MethodId(id as u32))
}

/// Of field number `index` of a class.
pub fn of_field(class: ClassId, index: u32) -> JId {
    FIELD << MARK | u64::from(index & 0xffff) << 32 | u64::from(class.0)
}

/// A field as C code reaches it.
#[derive(Clone, Copy)]
pub struct FieldAt {
    pub class: ClassId,
    pub index: u32,
    pub offset: usize,
    /// First character of its descriptor.
    pub ty: u8,
    pub is_static: bool,
}

/// The field; `None` if it is not a `jfieldID` of a loaded class.
pub fn field(vm: &Env, id: JId) -> Option<FieldAt> {
    if id >> MARK != FIELD {
        return None;
    }
    let (class, index) = (ClassId(id as u32), (id >> 32) as u32 & 0xffff);
    if !vm.heap().is_class(class) {
        return None;
    }
    let field = vm.class(class).fields.get(index as usize)?;
    Some(FieldAt {
        class,
        index,
        offset: field.offset as usize,
        ty: field.ty,
        is_static: field.access & acc::STATIC != 0,
    })
}

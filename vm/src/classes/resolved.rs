//! What an entry of a constant pool has been resolved to.

use crate::classes::RethrownError;
use crate::ids::{ClassId, MethodId};
use std::sync::Arc;

/// State of a constant-pool entry after resolution (JVMS 5.4.3).
#[derive(Clone, Debug, Default)]
pub enum Resolved {
    /// Not resolved yet.
    #[default]
    None,
    /// A class.
    Class(ClassId),
    /// A field: declaring class and index in its `fields`.
    Field(ClassId, u32),
    /// A method.
    Method(MethodId),
    /// An object (String, MethodType, MethodHandle, dynamic constant) in a root cell at this byte offset from the base.
    Cell(u32),
    /// A primitive dynamic constant.
    Prim(u64),
    /// A signature-polymorphic call: adapter method and appendix cell (0: none).
    Poly(MethodId, u32),
    /// Resolution failed with this error; every later attempt fails alike.
    Error(Arc<RethrownError>),
}

/// State of one invokedynamic instruction or dynamic constant, per (class, bci of instruction).
#[derive(Clone, Copy, Debug)]
pub struct CallSite {
    /// The adapter the JDK linked (a static method taking the arguments and then the appendix).
    pub adapter: MethodId,
    /// Root cell of the appendix (0: none).
    pub appendix: u32,
}

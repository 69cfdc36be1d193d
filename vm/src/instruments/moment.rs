//! The place of the program when it comes to a point.

use super::kinds::HitKind;
use super::opened::Elapsed;
use crate::ids::{ClassId, MethodId, Ref};
use crate::interp::EventFrame;

/// The moment of which observers are notified.
#[derive(Clone, Copy)]
pub(crate) struct HitMoment {
    pub kind: HitKind,
    /// The running method.
    pub method: Option<MethodId>,
    /// Index of the bytecode it is at, where that is not the frame's own.
    pub bci: Option<u16>,
    pub top: Option<EventFrame>,
    /// Bytecodes the running thread has executed.
    pub executed: i64,
    pub subject: HitSubject,
    pub elapsed: Option<Elapsed>,
}

/// The subject of the hit.
#[derive(Clone, Copy)]
pub(crate) enum HitSubject {
    None,
    /// What a method returns: first letter of its type, and the bits.
    Value(u8, u64),
    /// An object.
    Object(Ref),
    /// An object that has been allocated, with its size.
    Allocated(Ref, usize),
    /// A call of what this constant of the running method's class names.
    Call(u16),
    /// A call that is counted by its caller.
    CalledBy(Option<MethodId>),
    /// An access to a field: the constant, the object (none for a static field), and the value to be written.
    Field {
        constant: u16,
        object: Option<Ref>,
        value: Option<u64>,
    },
    /// An element of an array that is about to be written: the array, which may be null, the index, which may be none of it, and
    /// the slot of the value.
    Element(Ref, i32, u64),
    Class(ClassId),
    /// A collection: `Young` or `Full` (true).
    Collection {
        full: bool,
        before: usize,
        after: usize,
        pause: i64,
        cause: &'static str,
    },
}

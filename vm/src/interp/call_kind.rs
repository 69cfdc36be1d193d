//! Kinds of resolved calls.

/// Kinds of resolved calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CallKind {
    /// Static or constructor without a null check.
    Static,
    /// One callee, receiver checked.
    Special,
    /// Through the vtable.
    Virtual,
    /// Through the interface caches.
    Interface,
    /// One callee, for receivers that implement an interface alone.
    CheckedSpecial,
    /// Through the vtable, in the same way.
    CheckedVirtual,
    /// With an appendix.
    Appendix,
    /// The same with a method or variable handle as receiver.
    Handle,
    /// `invokeBasic`.
    Basic,
    /// `linkToStatic`, `linkToSpecial`, `linkToVirtual`, `linkToInterface`.
    Link(u8),
}

//! Code that belongs to no method.

use super::frame::*;

/// Code that belongs to no method: what methods without translated code start with, and where
/// methods called by continuations return to.
pub struct Stubs {
    #[expect(dead_code, reason = "what the addresses point at")]
    pub(super) cells: Box<[u64]>,
    /// Translates the method, then runs it.
    pub translate: Ip,
    /// Calls the native.
    pub native: Ip,
    /// The same, in a VM that can come under control.
    pub native_asking: Ip,
    /// The same for a synchronized native that holds its lock already.
    pub native_locked: Ip,
    /// Throws AbstractMethodError.
    pub abstract_: Ip,
    /// The handlers of returns.
    pub(super) returns: Box<[u64]>,
    /// Reports of a method that is entered, then enters it.
    pub reported: Ip,
    /// The same for a method with instruments.
    pub instrumented: Ip,
    /// Does the work of a method that is an intrinsic, or enters it.
    pub intrinsic: Ip,
    /// Return into a continuation.
    pub ret: Ip,
    /// Runs the top continuation.
    pub reenter: Ip,
}

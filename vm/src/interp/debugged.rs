//! What a debugger has asked a VM for.

use crate::ids::{ClassId, MethodId, ThreadId};
use crate::value::Value;

/// A call that a suspended thread makes before it continues.
#[derive(Clone, Debug)]
pub struct CallRequest {
    /// By which the debugger knows it.
    pub number: u64,
    /// The callee, without virtual dispatch.
    pub method: MethodId,
    /// The class that is initialized first.
    pub initializes: Option<ClassId>,
    /// An object of this class is made first, and is `this`.
    pub makes: Option<ClassId>,
    /// The arguments, `this` first if no object is made.
    pub arguments: Vec<Value>,
}

/// A call that has ended. Its object is in a root cell, which is the taker's to give back.
#[derive(Clone, Copy, Debug)]
pub struct CallEnded {
    /// The call's number.
    pub number: u64,
    /// The thread.
    pub thread: ThreadId,
    /// The first letter of the type of what it has returned, with its bits or root cell; or the root cell of what it has thrown.
    pub result: Result<(u8, u64), u32>,
}

/// Why frames cannot be left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CannotPop {
    /// There are no such frames.
    NoFrame,
    /// A frame is of a native method, or was called by the VM itself.
    Opaque,
    /// The value is not of the type that the method returns.
    Type,
}

/// A call that is under way, with its references in root cells.
pub(crate) struct CallOpen {
    pub(super) call: CallRequest,
    /// The cells of the arguments that are references.
    pub(super) cells: Vec<Option<u32>>,
}

/// The requests of a debugger.
#[derive(Default)]
pub(crate) struct Debugged {
    pub(super) open: Vec<CallOpen>,
    pub(super) ended: Vec<CallEnded>,
    /// The class files that classes are being given.
    pub(crate) redefining: Vec<(ClassId, Option<Vec<u8>>)>,
    /// A client is attached, which may resume threads.
    pub(super) attached: bool,
}

//! How a Rust function of the VM ends other than with a value: a Java exception, a call of Java
//! code that has to come first, or a wait.

mod steps;

use crate::ids::{MethodId, Ref};
use crate::value::{ArgumentSlots, Value};
pub use steps::{ContFn, OwnFn};

/// Result of whatever may throw a Java exception, run Java code or block.
pub type R<T> = Result<T, Box<Throw>>;

/// Why there is no value.
#[derive(Debug)]
pub enum Throw {
    /// This exception object is thrown.
    Object(Ref),
    /// An exception of this class (internal name) is to be created (its constructor runs as Java code) and thrown.
    New {
        /// Internal name, for example `java/lang/NullPointerException`.
        class: &'static str,
        /// Detail message (`None`: the no-argument constructor).
        message: Option<String>,
        /// Cause, set by `initCause` semantics (null: none).
        cause: Ref,
    },
    /// Java code must run; see [`Upcall`].
    Upcall(Upcall),
    /// The current thread has been made to wait; the native or instruction runs again from its
    /// beginning when the thread wakes (`Vm::take_wake` reports it so).
    Block,
    /// The heap is full: collect, then run the native or instruction again. Bytes requested.
    Collect(usize),
    /// The VM ends (`Runtime.halt`, or an embedder's request).
    Exit(i32),
}

/// A call of Java code requested by a native or by an instruction.
#[derive(Debug)]
pub struct Upcall {
    /// The call, or `None` to enter the continuation at once with `Ok(Value::Void)`.
    pub call: Option<Call>,
    /// Who receives the result; without one it is passed on as it is.
    pub cont: Option<Cont>,
    /// What happens after the (last) result.
    pub resume: Resume,
}

/// What becomes of the final result of an [`Upcall`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// Run the native or instruction again from its beginning (it finds its need satisfied).
    Again,
    /// The result is the native's result.
    Value,
}

/// A method and its arguments.
#[derive(Debug)]
pub struct Call {
    /// The method to run (no virtual dispatch).
    pub(crate) method: MethodId,
    /// Argument slots, `this` first.
    pub(crate) args: ArgumentSlots,
    /// Of one that a host or a native has made: in which VM, and how many collections there had been.
    pub(crate) made: Option<(usize, u64)>,
}

impl Call {
    /// Calls it; the result becomes the native's result.
    pub fn tail(self) -> Box<Throw> {
        Box::new(Throw::Upcall(Upcall {
            call: Some(self),
            cont: None,
            resume: Resume::Value,
        }))
    }
    /// Calls it and hands the result to `cont`.
    pub fn then(self, cont: Cont, resume: Resume) -> Box<Throw> {
        Box::new(Throw::Upcall(Upcall {
            call: Some(self),
            cont: Some(cont),
            resume,
        }))
    }
}

/// A continuation: a step function with state the collector knows.
pub struct Cont {
    /// Called with the callee's result, or the exception it threw.
    pub(crate) step: StepFn,
    /// State.
    pub data: [u64; 3],
    /// References, updated by the collector.
    pub refs: [Ref; 3],
    /// The error for lack of memory is given to it, too: its step does not ask for the memory again then.
    pub(crate) takes_no_room: bool,
}

impl std::fmt::Debug for Cont {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cont({:?}, {:?})", self.data, self.refs)
    }
}

/// The function of a step. Its type has the VM in it, which `steps` knows: only there steps are made and called.
#[derive(Clone, Copy)]
pub(crate) struct ContinuationStep(unsafe fn());

/// A step of a continuation, which is given what its maker has.
#[derive(Clone, Copy)]
pub(crate) enum StepFn {
    /// Of a native.
    Native(ContinuationStep),
    /// Of the VM.
    Own(ContinuationStep),
    /// Of its host.
    Host(ContinuationStep),
}

/// What a continuation wants next.
pub enum Next {
    /// Finished with this value (see [`Resume`]). It must be of the type that the native returns.
    Return(Value),
    /// Finished: throw.
    Throw(Box<Throw>),
    /// Call this method and come back here with its result.
    Call(Call),
}

impl Throw {
    /// A new exception with a message.
    #[cold]
    pub fn msg(class: &'static str, message: impl Into<String>) -> Box<Throw> {
        Box::new(Throw::New {
            class,
            message: Some(message.into()),
            cause: Ref::NULL,
        })
    }
    /// A new exception without message.
    #[cold]
    pub fn bare(class: &'static str) -> Box<Throw> {
        Box::new(Throw::New {
            class,
            message: None,
            cause: Ref::NULL,
        })
    }
    /// A new exception with message and cause.
    #[cold]
    pub fn caused(class: &'static str, message: Option<String>, cause: Ref) -> Box<Throw> {
        Box::new(Throw::New {
            class,
            message,
            cause,
        })
    }
    /// Whether an exception of this class is to be made.
    pub fn is_new(&self, of: &str) -> bool {
        matches!(self, Throw::New { class, .. } if *class == of)
    }
    /// Throws this object.
    pub fn object(r: Ref) -> Box<Throw> {
        Box::new(Throw::Object(r))
    }
    /// A bare `java.lang.NullPointerException`.
    #[cold]
    pub fn npe() -> Box<Throw> {
        Throw::bare("java/lang/NullPointerException")
    }
    /// Calls `method` and hands the result to `cont`.
    pub(crate) fn call(method: MethodId, args: &[u64], cont: Cont, resume: Resume) -> Box<Throw> {
        Box::new(Throw::Upcall(Upcall {
            call: Some(Call {
                made: None,
                method,
                args: args.into(),
            }),
            cont: Some(cont),
            resume,
        }))
    }
}

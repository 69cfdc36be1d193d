//! How a Rust function of the VM ends other than with a value: a Java exception, a call of Java
//! code that has to come first, or a wait.

use crate::ids::{MethodId, Ref};
use crate::natives::Env;
use crate::value::{Slots, Value};
use crate::vm::Vm;

/// Result of whatever may throw a Java exception, run Java code or block.
pub type R<T> = Result<T, Box<Throw>>;

/// Why there is no value.
#[derive(Debug)]
pub enum Throw {
    /// This exception object is thrown.
    Object(Ref),
    /// An exception of this class (internal name) is to be created (its constructor runs as Java code) and thrown.
    New {
        /// Internal name, e.g. `java/lang/NullPointerException`.
        class: &'static str,
        /// Detail message (`None`: the no-argument constructor).
        message: Option<String>,
        /// Cause, set by `initCause` semantics (null: none).
        cause: Ref,
    },
    /// Java code must run; see [`Upcall`].
    Upcall(Upcall),
    /// The current thread has been made to wait; the native or instruction runs again from its
    /// beginning when the thread wakes (`Vm::take_wake` tells it so).
    Block,
    /// The heap is full: collect, then run the native or instruction again. Bytes asked for.
    Collect(usize),
    /// The VM ends (`Runtime.halt`, or an embedder's request).
    Exit(i32),
}

/// A call of Java code asked for by a native or by an instruction.
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
    pub(crate) args: Slots,
    /// Of one that a host or a native has made: in which VM, and how many collections there had been.
    pub(crate) made: Option<(usize, u64)>,
}

impl Call {
    /// A call of `method`, without virtual dispatch; `this` first.
    ///
    /// # Panics
    /// Unless the arguments are what the method takes.
    pub fn new(env: &mut Env, method: MethodId, args: &[Value]) -> Call {
        Call {
            made: Some(Call::moment(&env.0)),
            method,
            args: env.0.argument_slots(method, args),
        }
    }
    fn moment(vm: &Vm) -> (usize, u64) {
        (vm.home.addr(), vm.heap.gc.collections)
    }
    /// Panics if it was made before the last collection.
    fn check(&self, vm: &Vm) {
        let young = self.made.is_none_or(|made| made == Call::moment(vm));
        assert!(
            young,
            "a call of before a collection has arguments that are no objects any more"
        );
    }
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
}

impl std::fmt::Debug for Cont {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cont({:?}, {:?})", self.data, self.refs)
    }
}

/// A step of a continuation that a native makes.
pub type ContFn = fn(&mut Env, &mut Cont, Result<Value, Ref>) -> Next;

/// A step of a continuation that the VM or its host makes.
pub type OwnFn = fn(&mut Vm, &mut Cont, Result<Value, Ref>) -> Next;

/// A step of a continuation, which is given what its maker has.
#[derive(Clone, Copy)]
pub(crate) enum StepFn {
    /// Of a native.
    Native(ContFn),
    /// Of the VM.
    Own(OwnFn),
    /// Of its host.
    Host(OwnFn),
}

impl StepFn {
    /// Calls it.
    pub(crate) fn call(self, vm: &mut Vm, cont: &mut Cont, input: Result<Value, Ref>) -> Next {
        match self {
            StepFn::Native(step) => step(Env::of(vm), cont, input),
            StepFn::Own(step) => step(vm, cont, input),
            StepFn::Host(step) => vm.as_host(|vm| {
                let next = step(vm, cont, input);
                cont.check(vm);
                next.check(vm);
                next
            }),
        }
    }
}

impl Cont {
    /// Panics if a host has put into it what is no object any more.
    fn check(&self, vm: &Vm) {
        self.refs.iter().for_each(|&r| vm.heap.check(r));
    }
    /// A continuation of a native.
    pub fn new(step: ContFn, data: [u64; 3], refs: [Ref; 3]) -> Cont {
        let step = StepFn::Native(step);
        Cont { step, data, refs }
    }
    /// A continuation of the VM's own.
    pub(crate) fn own(step: OwnFn, data: [u64; 3], refs: [Ref; 3]) -> Cont {
        let step = StepFn::Own(step);
        Cont { step, data, refs }
    }
    /// A continuation of the host of a VM. Only who has the VM can make one: a native, which has an [`Env`], cannot.
    pub fn of_host(_: &Vm, step: OwnFn, data: [u64; 3], refs: [Ref; 3]) -> Cont {
        let step = StepFn::Host(step);
        Cont { step, data, refs }
    }
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

impl Next {
    /// As [`Cont::check`].
    fn check(&self, vm: &Vm) {
        match self {
            Next::Return(Value::Ref(r)) => vm.heap.check(*r),
            Next::Return(_) => {}
            Next::Throw(t) => t.check(vm),
            Next::Call(call) => call.check(vm),
        }
    }
}

impl Throw {
    /// As [`Cont::check`].
    pub(crate) fn check(&self, vm: &Vm) {
        match self {
            Throw::Object(r) | Throw::New { cause: r, .. } => vm.heap.check(*r),
            Throw::Upcall(u) => {
                u.call.iter().for_each(|c| c.check(vm));
                u.cont.iter().for_each(|c| c.check(vm));
            }
            Throw::Block | Throw::Collect(_) | Throw::Exit(_) => {}
        }
    }
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

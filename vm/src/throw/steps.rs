//! Steps of continuations, which receive the VM: makes and calls them, and checks the values that hosts hand over in them.

use super::{Call, Cont, ContinuationStep, Next, StepFn, Throw};
use crate::ids::{MethodId, Ref};
use crate::natives::Env;
use crate::value::Value;
use crate::vm::Vm;
use std::mem::transmute;

/// A step of a continuation that a native makes.
pub type ContFn = fn(&mut Env, &mut Cont, Result<Value, Ref>) -> Next;

/// A step of a continuation that the VM or its host makes.
pub type OwnFn = fn(&mut Vm, &mut Cont, Result<Value, Ref>) -> Next;

impl ContinuationStep {
    /// Of [`StepFn::Native`].
    fn of_native(self) -> ContFn {
        // SAFETY: `StepFn::native` alone makes those, of this type.
        unsafe { transmute::<unsafe fn(), ContFn>(self.0) }
    }
    /// Of [`StepFn::Own`] and [`StepFn::Host`].
    fn of_vm(self) -> OwnFn {
        // SAFETY: `StepFn::own` and `Cont::of_host` alone make those, of this type.
        unsafe { transmute::<unsafe fn(), OwnFn>(self.0) }
    }
}

/// Without its type.
fn erased(step: OwnFn) -> ContinuationStep {
    // SAFETY: a pointer to a function is one whatever its type is; `ContinuationStep::of_vm` gives this one its own back.
    ContinuationStep(unsafe { transmute::<OwnFn, unsafe fn()>(step) })
}

impl StepFn {
    /// A native's.
    pub(crate) fn native(step: ContFn) -> StepFn {
        // SAFETY: a pointer to a function is one whatever its type is; `of_native` gives this one its own back.
        StepFn::Native(ContinuationStep(unsafe {
            transmute::<ContFn, unsafe fn()>(step)
        }))
    }
    /// The VM's own.
    pub(crate) fn own(step: OwnFn) -> StepFn {
        StepFn::Own(erased(step))
    }
    /// Calls it.
    pub(crate) fn call(self, vm: &mut Vm, cont: &mut Cont, input: Result<Value, Ref>) -> Next {
        match self {
            StepFn::Native(step) => step.of_native()(Env::of(vm), cont, input),
            StepFn::Own(step) => step.of_vm()(vm, cont, input),
            StepFn::Host(step) => vm.as_host(|vm| {
                let next = step.of_vm()(vm, cont, input);
                cont.check(vm);
                next.check(vm);
                next
            }),
        }
    }
}

impl Cont {
    /// Panics if a host has put a reference into it whose object is gone.
    fn check(&self, vm: &Vm) {
        self.refs.iter().for_each(|&r| vm.heap.check(r));
    }
    fn made(step: StepFn, data: [u64; 3], refs: [Ref; 3]) -> Cont {
        Cont {
            step,
            data,
            refs,
            takes_no_room: false,
        }
    }
    /// Of a native that is given the `OutOfMemoryError` when there is no room for what its continuation asks for, too, like
    /// any exception. It does not ask again.
    pub fn taking_no_room(mut self) -> Cont {
        self.takes_no_room = true;
        self
    }
    /// A continuation of a native.
    pub fn new(step: ContFn, data: [u64; 3], refs: [Ref; 3]) -> Cont {
        let step = StepFn::native(step);
        Cont::made(step, data, refs)
    }
    /// A continuation of the VM's own.
    pub(crate) fn own(step: OwnFn, data: [u64; 3], refs: [Ref; 3]) -> Cont {
        let step = StepFn::own(step);
        Cont::made(step, data, refs)
    }
    /// A continuation of the host of a VM. Only the owner of the VM can make one: a native, which has an [`Env`], cannot.
    pub fn of_host(_: &Vm, step: OwnFn, data: [u64; 3], refs: [Ref; 3]) -> Cont {
        let step = StepFn::Host(erased(step));
        Cont::made(step, data, refs)
    }
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
}

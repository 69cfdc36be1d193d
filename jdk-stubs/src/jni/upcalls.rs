//! Calls of Java through machine functions of `foreign`, by C code that `foreign` has not called.
//!
//! Such code is a native method, which asks for the call like for any other, or runs on a thread that C code has made. That
//! thread is attached by its first call, as a daemon, and detached when it ends.

use super::JniState;
use super::attach;
use super::cx::{RequestOutcome, through};
use super::env::{JavaVm, JniEnv};
use super::fibers::running;
use crate::foreign::Granted;
use crate::foreign::calls::{CallFromOutside, UpcallRequest};
use rjvm_vm::Env;
use rjvm_vm::throw::Call;
use std::ptr::with_exposed_provenance;

/// The environment of this thread, which is attached if it is none of Java; `None` if the VM refuses that.
///
/// # Safety
/// The VM has given this to C code.
unsafe fn environment(vm: *const JavaVm) -> Option<*mut JniEnv> {
    if let Some(env) = attach::here(vm) {
        return Some(env);
    }
    if running() == (*vm).env.addr() {
        return Some((*vm).env.cast_mut());
    }
    attach::attach_until_end(vm)
}

/// How C code outside of `foreign` calls Java; `call` makes the call of a request.
pub fn from_outside(
    _: Granted,
    vm: &mut Env,
    call: fn(&mut Env, UpcallRequest) -> Call,
) -> CallFromOutside {
    let java_vm = JniState::with(vm, |_, jni| jni.java_vm.expose_provenance());
    Box::new(move |request| {
        let java_vm: *const JavaVm = with_exposed_provenance(java_vm);
        // SAFETY: what C code is given of a VM is never freed, and `through` is called by that code.
        unsafe {
            let Some(env) = environment(java_vm) else {
                return false;
            };
            through(env, |cx, given| {
                Ok(match given {
                    Some(_) => RequestOutcome::Done(()),
                    None => RequestOutcome::Call(call(cx.vm, request)),
                })
            });
        }
        true
    })
}

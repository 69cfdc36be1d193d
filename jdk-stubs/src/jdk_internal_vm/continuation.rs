//! Natives of `jdk.internal.vm.Continuation` and `ContinuationSupport`.
//!
//! Where there are no continuations (in a VM under control) the class library makes each virtual thread a separate green thread
//! (`ThreadBuilders.BoundVirtualThread`), which no monitor pins.

use rjvm_vm::{Env, R, Ref};

rjvm_vm::natives! { "jdk/internal/vm/Continuation";
    registerNatives "()V" since 19 => register_natives;
    pin "()V" since 21 => pin;
    unpin "()V" since 21 => unpin;
    isPinned0 "(Ljdk/internal/vm/ContinuationScope;)I" since 19 => is_pinned;
    doYield "()I" since 21 => do_yield;
    enterSpecial "(Ljdk/internal/vm/Continuation;ZZ)V" since 21 => enter_special;
}

fn register_natives(_: &mut Env) -> R<()> {
    Ok(())
}

fn pin(vm: &mut Env) -> R<()> {
    vm.pin_continuation(true)
}

fn unpin(vm: &mut Env) -> R<()> {
    vm.pin_continuation(false)
}

fn is_pinned(vm: &mut Env, _scope: Ref) -> R<i32> {
    Ok(vm.is_continuation_pinned())
}

fn do_yield(vm: &mut Env) -> R<i32> {
    let why_not = vm.yield_continuation()?;
    if why_not != 0 {
        crate::jdk_jfr_internal::pinned::begins(vm, why_not);
    }
    Ok(why_not)
}

fn enter_special(vm: &mut Env, continuation: Ref, _go_on: bool, is_virtual: bool) -> R<()> {
    vm.enter_continuation(continuation, is_virtual)
}

/// Whether there are continuations.
pub mod support {
    use rjvm_vm::{Env, R};

    rjvm_vm::natives! { "jdk/internal/vm/ContinuationSupport";
        isSupported0 "()Z" since 19 => is_supported;
    }

    fn is_supported(vm: &mut Env) -> R<bool> {
        Ok(vm.has_continuations())
    }
}

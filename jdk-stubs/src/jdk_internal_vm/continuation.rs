//! Natives of `jdk.internal.vm.Continuation` and `ContinuationSupport`.
//!
//! There are no continuations yet: the class library then makes each virtual thread a green thread of its own
//! (`ThreadBuilders.BoundVirtualThread`), which no monitor pins.

use rjvm_vm::{Env, R, Ref};

rjvm_vm::natives! { "jdk/internal/vm/Continuation";
    registerNatives "()V" since 19 => register_natives;
    pin "()V" since 21 => pin;
    unpin "()V" since 21 => pin;
    isPinned0 "(Ljdk/internal/vm/ContinuationScope;)I" since 19 => is_pinned;
}

fn register_natives(_: &mut Env) -> R<()> {
    Ok(())
}

/// A bound thread keeps its stack whatever it does.
fn pin(_: &mut Env) -> R<()> {
    Ok(())
}

fn is_pinned(_: &mut Env, _scope: Ref) -> R<i32> {
    const NOT_PINNED: i32 = 0;
    Ok(NOT_PINNED)
}

/// Whether there are continuations.
pub mod support {
    use rjvm_vm::{Env, R};

    rjvm_vm::natives! { "jdk/internal/vm/ContinuationSupport";
        isSupported0 "()Z" since 19 => is_supported;
    }

    fn is_supported(_: &mut Env) -> R<bool> {
        Ok(false)
    }
}

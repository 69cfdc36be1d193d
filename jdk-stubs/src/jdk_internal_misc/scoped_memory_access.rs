//! Natives of `jdk.internal.misc.ScopedMemoryAccess`.

use rjvm_vm::{Env, R, Ref, natives};
use std::ops::ControlFlow;

natives! { "jdk/internal/misc/ScopedMemoryAccess";
    registerNatives "()V" => register_natives;
    closeScope0 "(Ljdk/internal/misc/ScopedMemoryAccess$Scope;Ljdk/internal/misc/ScopedMemoryAccess$Scope$ScopedAccessError;)Z" => close_scope;
}

/// Tables are bound by name, so there is nothing to register.
fn register_natives(_: &mut Env) -> R<()> {
    Ok(())
}

/// Whether no other thread is inside a scoped access now: then the scope may be closed. (HotSpot
/// looks whether the access is to this very scope; this is the cautious answer.)
fn close_scope(vm: &mut Env, _this: Ref, _scope: Ref, _error: Ref) -> R<bool> {
    let current = vm.current();
    let others: Vec<_> = vm
        .all_threads()
        .map(|t| t.id)
        .filter(|&t| t != current)
        .collect();
    let access = vm.load_class(
        rjvm_vm::LoaderId::BOOT,
        "jdk/internal/misc/ScopedMemoryAccess",
    )?;
    for t in others {
        let mut busy = false;
        vm.walk_stack(t, |vm, m, _| {
            busy = vm.method(m).class == access;
            if busy {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if busy {
            return Ok(false);
        }
    }
    Ok(true)
}

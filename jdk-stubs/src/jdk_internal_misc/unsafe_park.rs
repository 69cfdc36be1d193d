//! Natives of `jdk.internal.misc.Unsafe` on which `LockSupport` is built.

use rjvm_vm::{Env, R, Ref, natives};

natives! { "jdk/internal/misc/Unsafe";
    park "(ZJ)V" => park;
    unpark "(Ljava/lang/Object;)V" => unpark;
}

fn park(vm: &mut Env, _this: Ref, absolute: bool, time: i64) -> R<()> {
    vm.thread_park(absolute, time)
}

/// Nothing happens to a thread that is null or not alive.
fn unpark(vm: &mut Env, _this: Ref, thread: Ref) -> R<()> {
    if let Some(object) = thread.non_null()
        && let Some(t) = vm.thread_of(object)
    {
        vm.unpark(t);
    }
    Ok(())
}

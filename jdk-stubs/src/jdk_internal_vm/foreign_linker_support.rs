//! Natives of `jdk.internal.vm.ForeignLinkerSupport`.

use rjvm_vm::{Env, R, natives};

natives! { "jdk/internal/vm/ForeignLinkerSupport";
    isSupported0 "()Z" since 21 => is_supported;
}

/// The class library then calls native functions by `LibFallback`, if that is there, instead of code it makes itself.
fn is_supported(_: &mut Env) -> R<bool> {
    Ok(false)
}

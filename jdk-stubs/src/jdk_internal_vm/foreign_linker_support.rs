//! Natives of `jdk.internal.vm.ForeignLinkerSupport`.

use rjvm_vm::{Env, R, natives};

natives! { "jdk/internal/vm/ForeignLinkerSupport";
    isSupported0 "()Z" since 21 => is_supported;
}

/// No code but the JVM's runs here.
fn is_supported(_: &mut Env) -> R<bool> {
    Ok(false)
}

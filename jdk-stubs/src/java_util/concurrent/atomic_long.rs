//! Natives of `java.util.concurrent.atomic.AtomicLong`.

use rjvm_vm::{Env, R, natives};

natives! { "java/util/concurrent/atomic/AtomicLong";
    VMSupportsCS8 "()Z" until 24 => supports_cas_of_long;
}

/// Every 64-bit access is one step of the interpreter.
fn supports_cas_of_long(_vm: &mut Env) -> R<bool> {
    Ok(true)
}

//! Natives of `com.sun.management.internal.HotSpotDiagnostic`: heap dumps.

use crate::io::native_string;
use crate::os::strerror;
use rjvm_vm::{Env, R, Ref, Throw, natives};

natives! { "com/sun/management/internal/HotSpotDiagnostic";
    dumpHeap0 "(Ljava/lang/String;Z)V" => dump_heap;
}

/// Dumps the heap, with `live` only reachable objects.
fn dump_heap(vm: &mut Env, _this: Ref, file: Ref, live: bool) -> R<()> {
    let file = native_string(vm, file)?;
    if live {
        vm.full_collection()?;
    }
    match vm.dump_heap(&file) {
        Ok(_) => Ok(()),
        Err(e) => Err(Throw::msg("java/io/IOException", strerror(e.0))),
    }
}

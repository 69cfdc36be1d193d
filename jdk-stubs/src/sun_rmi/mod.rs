//! Natives of packages below `sun.rmi`.

use rjvm_vm::natives::NativeClass;

/// Adds these packages' tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&gc::NATIVES]);
}

mod gc {
    //! Natives of `sun.rmi.transport.GC`.

    use rjvm_vm::{Env, R, natives};

    natives! { "sun/rmi/transport/GC";
        maxObjectInspectionAge "()J" => age;
    }

    /// Milliseconds since all objects were last looked at: by a full collection, or since the VM was made.
    fn age(vm: &mut Env) -> R<i64> {
        let last = vm.past_collections(true).0.map_or(0, |c| c.span.1);
        Ok((vm.clock_ns() - vm.started() - last).max(0) / 1_000_000)
    }
}

//! Natives of `java.lang.Runtime`.

use rjvm_vm::{R, Ref, Vm, natives};

natives! { "java/lang/Runtime";
    availableProcessors "()I" => available_processors;
    maxMemory "()J" => max_memory;
}

/// One: Java threads are green threads on one OS thread.
fn available_processors(_: &mut Vm, _this: Ref) -> R<i32> {
    Ok(1)
}

fn max_memory(vm: &mut Vm, _this: Ref) -> R<i64> {
    Ok(vm.options.max_heap as i64)
}

//! Natives of `java.lang.Runtime`.

use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/lang/Runtime";
    availableProcessors "()I" => available_processors;
    freeMemory "()J" => free_memory;
    totalMemory "()J" => total_memory;
    maxMemory "()J" => max_memory;
    gc "()V" => gc;
}

/// One: Java threads are green threads on one OS thread.
pub const PROCESSORS: i32 = 1;

fn available_processors(_: &mut Env, _this: Ref) -> R<i32> {
    Ok(PROCESSORS)
}

fn free_memory(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.options().max_heap.saturating_sub(vm.heap_used()) as i64)
}

/// The heap never grows: it is reserved at once and committed by use.
fn total_memory(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.options().max_heap as i64)
}

fn max_memory(vm: &mut Env, _this: Ref) -> R<i64> {
    Ok(vm.options().max_heap as i64)
}

fn gc(vm: &mut Env, _this: Ref) -> R<()> {
    vm.full_collection()
}

//! Natives of `jdk.internal.vm.vector.VectorSupport`.

use rjvm_vm::{Env, R, Ref, natives};

natives! { "jdk/internal/vm/vector/VectorSupport";
    registerNatives "()I" => register_natives;
    getMaxLaneCount "(Ljava/lang/Class;)I" => get_max_lane_count;
    getCPUFeatures "()Ljava/lang/String;" since 25 => get_cpu_features;
}

/// 0: no vector operation has its own instruction.
fn register_natives(_: &mut Env) -> R<i32> {
    Ok(0)
}

/// -1: no vector registers; the Java code falls back to its own loops.
fn get_max_lane_count(_: &mut Env, _element: Ref) -> R<i32> {
    Ok(-1)
}

fn get_cpu_features(vm: &mut Env) -> R<Ref> {
    vm.new_string("")
}

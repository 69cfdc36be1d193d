//! Natives of `jdk.internal.platform.CgroupMetrics`.

use rjvm_vm::{Env, R, natives};

natives! { "jdk/internal/platform/CgroupMetrics";
    isUseContainerSupport "()Z" => is_use_container_support;
    isContainerized0 "()Z" since 24 => is_use_container_support;
    getTotalMemorySize0 "()J" => get_total_memory_size;
}

/// Limits are given to the VM, not taken from a container.
fn is_use_container_support(_: &mut Env) -> R<bool> {
    Ok(false)
}

fn get_total_memory_size(vm: &mut Env) -> R<i64> {
    Ok(vm.host().processes().memory().total as i64)
}

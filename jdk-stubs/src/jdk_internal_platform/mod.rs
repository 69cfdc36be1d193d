//! Natives of package `jdk.internal.platform`.

mod cgroup_metrics;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&cgroup_metrics::NATIVES]);
}

//! Natives of package `jdk.internal.misc`.

mod cds;
mod preview_features;
mod scoped_memory_access;
mod signal;
mod unsafe_classes;
mod unsafe_memory;
mod unsafe_park;
mod vm;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &cds::NATIVES,
        &preview_features::NATIVES,
        &scoped_memory_access::NATIVES,
        &signal::NATIVES,
        &unsafe_classes::NATIVES,
        &unsafe_memory::NATIVES,
        &unsafe_park::NATIVES,
        &vm::NATIVES,
    ]);
}

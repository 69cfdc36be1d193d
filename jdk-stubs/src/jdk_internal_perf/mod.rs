//! Natives of package `jdk.internal.perf`.

mod perf;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&perf::NATIVES]);
}

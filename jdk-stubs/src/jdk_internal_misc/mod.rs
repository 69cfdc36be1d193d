//! Natives of package `jdk.internal.misc`.

mod unsafe_park;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&unsafe_park::NATIVES]);
}

//! Natives of package `jdk.internal.misc`.

mod signal;
mod unsafe_park;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&signal::NATIVES, &unsafe_park::NATIVES]);
}

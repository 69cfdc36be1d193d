//! Natives of package `java.nio`.

mod mapped_memory_utils;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&mapped_memory_utils::NATIVES]);
}

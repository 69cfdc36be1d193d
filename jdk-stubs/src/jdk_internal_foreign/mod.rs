//! Natives of the packages below `jdk.internal.foreign`.

mod lib_fallback;

use rjvm_vm::natives::NativeClass;

/// Adds the tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&lib_fallback::NATIVES]);
}

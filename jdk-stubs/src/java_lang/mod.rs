//! Natives of package `java.lang`.

mod runtime;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&runtime::NATIVES]);
}

//! Natives of package `java.lang`.

mod object_wait;
mod runtime;
mod thread;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&object_wait::NATIVES, &runtime::NATIVES, &thread::NATIVES]);
}

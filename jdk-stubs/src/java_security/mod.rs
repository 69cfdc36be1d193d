//! Natives of package `java.security`.

mod access_controller;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&access_controller::NATIVES]);
}

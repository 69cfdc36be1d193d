//! Natives of package `sun.instrument`: Java agents.

mod instrumentation_impl;
pub mod manifest;
mod object_size;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&instrumentation_impl::NATIVES]);
}

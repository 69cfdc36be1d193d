//! Natives of package `sun.tools.attach`.

mod virtual_machine_impl;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&virtual_machine_impl::NATIVES]);
}

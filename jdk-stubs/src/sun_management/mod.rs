//! Natives of package `sun.management`.

mod class_loading_impl;
pub mod memory;
mod thread_impl;
mod vm_management_impl;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &class_loading_impl::NATIVES,
        &memory::NATIVES,
        &memory::pool::NATIVES,
        &memory::manager::NATIVES,
        &memory::collector::NATIVES,
        &thread_impl::NATIVES,
        &vm_management_impl::NATIVES,
    ]);
}

//! Natives of package `java.lang` for processes.

mod process_handle_impl;
mod process_handle_info;
mod process_impl;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &process_handle_impl::NATIVES,
        &process_handle_info::NATIVES,
        &process_impl::NATIVES,
    ]);
}

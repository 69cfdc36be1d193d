//! Natives of package `sun.nio.fs`.

mod attributes;
mod directory;
mod error;
mod linux_native_dispatcher;
mod linux_watch_service;
mod unix_copy_file;
mod unix_native_dispatcher;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &linux_native_dispatcher::NATIVES,
        &linux_watch_service::NATIVES,
        &unix_copy_file::NATIVES,
        &unix_copy_file::file_system::NATIVES,
        &unix_native_dispatcher::NATIVES,
    ]);
}

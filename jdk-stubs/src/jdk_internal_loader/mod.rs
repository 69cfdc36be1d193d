//! Natives of package `jdk.internal.loader`.

mod boot_loader;
mod native_libraries;
mod raw_native_libraries;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &boot_loader::NATIVES,
        &native_libraries::NATIVES,
        &native_libraries::entries::NATIVES,
        &raw_native_libraries::NATIVES,
    ]);
}

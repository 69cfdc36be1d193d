//! Natives of package `jdk.internal.vm` and its subpackage `vector`.

mod continuation;
mod foreign_linker_support;
mod thread_snapshot;
mod vector_support;
mod vm_support;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &continuation::NATIVES,
        &continuation::support::NATIVES,
        &foreign_linker_support::NATIVES,
        &thread_snapshot::NATIVES,
        &vector_support::NATIVES,
        &vm_support::NATIVES,
    ]);
}

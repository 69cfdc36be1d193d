//! Natives of package `java.lang.ref`.

mod phantom_reference;
mod reference;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &phantom_reference::NATIVES,
        &reference::NATIVES,
        &reference::finalizer::NATIVES,
    ]);
}

//! Natives of package `java.lang.reflect`, and how the VM makes reflection's objects.

mod array;
pub mod constructor;
pub mod executable;
pub mod field;
pub mod method;
pub mod record_component;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&array::NATIVES, &executable::NATIVES, &field::NATIVES]);
}

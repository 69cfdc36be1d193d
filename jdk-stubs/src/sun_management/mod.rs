//! Natives of package `sun.management`.

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(_v: &mut Vec<&'static NativeClass>) {}

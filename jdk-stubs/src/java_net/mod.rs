//! Natives of package `java.net`.

pub mod objects;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(_v: &mut Vec<&'static NativeClass>) {}

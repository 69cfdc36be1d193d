//! Natives of packages below `com.sun.security`.

mod unix_system;

use rjvm_vm::natives::NativeClass;

/// Adds these packages' tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&unix_system::NATIVES]);
}

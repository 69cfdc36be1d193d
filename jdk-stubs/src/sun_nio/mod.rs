//! Natives of the packages `sun.nio.…`.

pub mod ch;
pub mod fs;

use rjvm_vm::natives::NativeClass;

/// Adds these packages' tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    ch::tables(v);
    fs::tables(v);
}

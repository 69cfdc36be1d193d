//! Natives of package `jdk.jfr.internal`: the class library writes the events of programs by itself, into memory that it gets from here;
//! the VM writes the file around them, with the constants that they name.

mod constants;
mod filters;
mod jvm;
pub(crate) mod pinned;
mod recorder;
mod vm_events;
mod writers;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&jvm::NATIVES]);
}

//! What `rjvm.test`, the Java API for tests, finds in a VM: counters read at exact bytecodes, and profiles as bytes.
//! Its classes and their natives are not part of a program that does not use them.

mod explorer;
pub mod ground;
pub mod jar;
mod meter;

use rjvm_vm::natives::NativeClass;

/// The jar that tests and benchmarks are compiled and run with.
pub static API: &[u8] = include_bytes!("../../java/test-api/rjvm-test.jar");

/// The natives of its classes.
pub fn natives() -> [&'static NativeClass; 2] {
    [&meter::NATIVES, &explorer::NATIVES]
}

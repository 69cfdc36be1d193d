//! The JDK's native methods in Rust: a folder per Java package, a file per Java class, with one
//! table at its top. `os.rs` is the sole door to the host.

mod io;
pub mod java_io;
pub mod java_lang;
pub mod jdk_internal_misc;
pub mod os;

use rjvm_vm::natives::NativeClass;

/// All tables.
pub fn all() -> Vec<&'static NativeClass> {
    let mut v = Vec::new();
    java_io::tables(&mut v);
    java_lang::tables(&mut v);
    jdk_internal_misc::tables(&mut v);
    v
}

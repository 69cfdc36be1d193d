//! The JDK's native methods in Rust: a folder per Java package, a file per Java class, with one
//! table at its top. `os.rs` is the sole door to the host.

mod boxing;
pub mod check;
pub mod com_sun_management;
pub mod com_sun_security;
mod direct;
mod foreign;
mod io;
pub mod java_io;
pub mod java_lang;
pub mod java_lang_invoke;
pub mod java_lang_process;
pub mod java_lang_ref;
pub mod java_lang_reflect;
pub mod java_net;
pub mod java_nio;
pub mod java_security;
pub mod java_util;
pub mod jdk_internal_agent;
#[cfg(feature = "native")]
pub mod jdk_internal_foreign;
pub mod jdk_internal_jimage;
pub mod jdk_internal_loader;
pub mod jdk_internal_misc;
pub mod jdk_internal_perf;
pub mod jdk_internal_platform;
pub mod jdk_internal_reflect;
pub mod jdk_internal_util;
pub mod jdk_internal_vm;
pub mod jdk_jfr_internal;
#[cfg(feature = "native")]
mod jni;
#[cfg(feature = "native")]
pub use jni::{creation, libjvm};
pub mod os;
pub mod sun_instrument;
pub mod sun_management;
pub mod sun_net;
pub mod sun_nio;
pub mod sun_rmi;
pub mod sun_tools_attach;
mod support;

use rjvm_vm::natives::{NativeClass, Natives};

/// All natives of the JDK, for a VM.
pub fn natives() -> Natives {
    let mut natives = Natives::default();
    // SAFETY: the functions of this crate hand over what they were given or have been answered since they were entered, and
    // keep references in `native_refs`, continuations and root cells. With debug assertions, as in tests, the VM looks
    // whether their results fit.
    unsafe { natives.add(&all()) };
    #[cfg(feature = "native")]
    jni::add(&mut natives);
    natives.add_results(&java_lang::math::RESULTS);
    natives
}

/// All tables.
pub fn all() -> Vec<&'static NativeClass> {
    let mut v = Vec::new();
    com_sun_management::tables(&mut v);
    com_sun_security::tables(&mut v);
    java_io::tables(&mut v);
    java_lang::tables(&mut v);
    java_lang_process::tables(&mut v);
    java_net::tables(&mut v);
    java_nio::tables(&mut v);
    java_util::tables(&mut v);
    sun_instrument::tables(&mut v);
    sun_management::tables(&mut v);
    sun_net::tables(&mut v);
    sun_nio::tables(&mut v);
    sun_rmi::tables(&mut v);
    sun_tools_attach::tables(&mut v);
    jdk_internal_agent::tables(&mut v);
    java_security::tables(&mut v);
    jdk_jfr_internal::tables(&mut v);
    jdk_internal_vm::tables(&mut v);
    jdk_internal_util::tables(&mut v);
    jdk_internal_reflect::tables(&mut v);
    jdk_internal_platform::tables(&mut v);
    jdk_internal_perf::tables(&mut v);
    #[cfg(feature = "native")]
    jdk_internal_foreign::tables(&mut v);
    jdk_internal_jimage::tables(&mut v);
    jdk_internal_loader::tables(&mut v);
    jdk_internal_misc::tables(&mut v);
    java_lang_invoke::tables(&mut v);
    java_lang_ref::tables(&mut v);
    java_lang_reflect::tables(&mut v);
    v
}

//! The library that programs in C load exports the invocation interface of JNI (JNI specification, chapter 5). Cargo builds the library
//! for this test, so that other tests find it beside their own programs.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;

#[test]
fn the_invocation_interface_is_exported() {
    let program = std::env::current_exe().expect("this program has a path");
    let library = program.with_file_name("libjvm.so");
    let path = CString::new(library.as_os_str().as_bytes()).expect("a path has no zeros");
    // SAFETY: a path that ends; the library's initializers are those of Rust's standard library.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    assert!(!handle.is_null(), "{} does not load", library.display());
    for name in [
        c"JNI_CreateJavaVM",
        c"JNI_GetCreatedJavaVMs",
        c"JNI_GetDefaultJavaVMInitArgs",
    ] {
        // SAFETY: the handle of a library that is loaded, and a name that ends.
        let function = unsafe { libc::dlsym(handle, name.as_ptr()) };
        assert!(!function.is_null(), "{name:?} is not exported");
    }
}

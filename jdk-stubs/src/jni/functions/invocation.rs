//! The functions of a `JavaVM` (JNI specification, chapter 5).

use super::Entry;
use crate::jni::fibers::this_thread;
use crate::jni::types::{
    INVOCATION, JNI_EDETACHED, JNI_ERR, JNI_EVERSION, JNI_OK, JavaVm, JniEnv, has_version,
};
use std::sync::atomic::Ordering::Relaxed;

/// The table of a VM's functions.
pub fn table() -> [Entry; INVOCATION] {
    let mut table = [std::ptr::null(); INVOCATION];
    let functions: [Entry; 5] = [
        destroy as Entry,
        attach as Entry,
        detach as Entry,
        get_env as Entry,
        attach as Entry,
    ];
    table[3..].copy_from_slice(&functions);
    table
}

/// The environment of the calling thread, if it is one of Java.
unsafe fn current(vm: *const JavaVm) -> Option<*const JniEnv> {
    let env = (*vm).env;
    let runs = (*env).current.load(Relaxed) != 0 && (*env).on.load(Relaxed) == this_thread();
    runs.then_some(env)
}

unsafe extern "C" fn destroy(_: *const JavaVm) -> i32 {
    // it is not C code that has made this VM
    JNI_ERR
}

unsafe extern "C" fn get_env(vm: *const JavaVm, to: *mut *const JniEnv, version: i32) -> i32 {
    // SAFETY: the VM has given this to the C code, and there is room for a pointer.
    unsafe {
        *to = std::ptr::null();
        let Some(env) = current(vm) else {
            return JNI_EDETACHED;
        };
        if !has_version(version, (*vm).feature) {
            return JNI_EVERSION;
        }
        *to = env;
        JNI_OK
    }
}

/// Threads of Java are attached already; others cannot be.
unsafe extern "C" fn attach(
    vm: *const JavaVm,
    to: *mut *const JniEnv,
    _arguments: *const u8,
) -> i32 {
    // SAFETY: likewise.
    unsafe {
        match current(vm) {
            Some(env) => {
                *to = env;
                JNI_OK
            }
            None => JNI_ERR,
        }
    }
}

unsafe extern "C" fn detach(vm: *const JavaVm) -> i32 {
    // SAFETY: likewise.
    match unsafe { current(vm) } {
        // a thread of Java stays one
        Some(_) => JNI_ERR,
        None => JNI_OK,
    }
}

//! The functions of a `JavaVM` (JNI specification, chapter 5).

use super::FunctionPointer;
use crate::jni::cx::c_name;
use crate::jni::env::{INVOCATION, JavaVm, JniEnv};
use crate::jni::fibers::running;
use crate::jni::types::{JNI_EDETACHED, JNI_ERR, JNI_EVERSION, JNI_OK, JObject, has_version};
use crate::jni::{attach, creation};

/// The table of a VM's functions.
pub fn table() -> [FunctionPointer; INVOCATION] {
    let mut table = [std::ptr::null(); INVOCATION];
    let functions: [FunctionPointer; 5] = [
        destroy as FunctionPointer,
        attach as FunctionPointer,
        detach as FunctionPointer,
        get_env as FunctionPointer,
        attach_as_daemon as FunctionPointer,
    ];
    table[3..].copy_from_slice(&functions);
    table
}

/// What a thread says of itself when it is attached.
#[repr(C)]
struct AttachArguments {
    version: i32,
    name: *const i8,
    group: JObject,
}

/// The environment of the calling thread, if it is one of Java.
unsafe fn current(vm: *const JavaVm) -> Option<*const JniEnv> {
    match attach::here(vm) {
        Some(env) => Some(env.cast_const()),
        None => (running() == (*vm).env.addr()).then_some((*vm).env),
    }
}

unsafe extern "C" fn destroy(vm: *const JavaVm) -> i32 {
    // SAFETY: the VM has given this to the C code.
    unsafe { creation::destroy(vm) }
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

unsafe fn attached(
    vm: *const JavaVm,
    to: *mut *const JniEnv,
    arguments: *const AttachArguments,
    daemon: bool,
) -> i32 {
    // threads of Java are attached already
    if let Some(env) = current(vm) {
        *to = env;
        return JNI_OK;
    }
    let name = match arguments.is_null() {
        true => None,
        false => c_name((*arguments).name),
    };
    match attach::attach(vm, name, daemon) {
        Some(env) => {
            *to = env;
            JNI_OK
        }
        None => JNI_ERR,
    }
}

unsafe extern "C" fn attach(
    vm: *const JavaVm,
    to: *mut *const JniEnv,
    arguments: *const AttachArguments,
) -> i32 {
    // SAFETY: the VM has given this to the C code, and what it asks for has room, or is there.
    unsafe { attached(vm, to, arguments, false) }
}

unsafe extern "C" fn attach_as_daemon(
    vm: *const JavaVm,
    to: *mut *const JniEnv,
    arguments: *const AttachArguments,
) -> i32 {
    // SAFETY: in the same way.
    unsafe { attached(vm, to, arguments, true) }
}

unsafe extern "C" fn detach(vm: *const JavaVm) -> i32 {
    // SAFETY: in the same way.
    unsafe {
        match (attach::here(vm), current(vm)) {
            (Some(_), _) => attach::detach(vm),
            // a thread of Java stays one
            (None, Some(_)) => JNI_ERR,
            (None, None) => JNI_OK,
        }
    }
}

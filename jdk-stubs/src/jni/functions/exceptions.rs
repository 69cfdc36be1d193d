//! Exceptions: those that are pending stay so until C code clears them, or the native method returns.

use super::functions;
use crate::jni::cx::{RequestOutcome, c_bytes, look, peek, through};
use crate::jni::env::JniEnv;
use crate::jni::types::{JNI_OK, JObject};
use crate::jni::{fatal, utf};
use rjvm_vm::interp::exceptions::exception_upcall;
use rjvm_vm::jdk::{self, calls};
use rjvm_vm::throw::Call;
use rjvm_vm::{Ref, Throw};

functions! {
    13 throw;
    14 throw_new;
    15 occurred;
    16 describe;
    17 clear;
    18 fatal_error;
    228 check;
}

unsafe extern "C" fn throw(env: *mut JniEnv, object: JObject) -> i32 {
    // SAFETY: the environment is the caller's.
    unsafe {
        peek(env, |cx| {
            let r = cx.non_null(object);
            let throwable = cx.vm.known().throwable;
            if !cx.vm.instance_of(r, throwable) {
                fatal("Throw was passed an object that is no Throwable");
            }
            cx.run.set_pending(cx.vm, &mut cx.jni.handles, r);
            JNI_OK
        })
    }
}

unsafe extern "C" fn throw_new(env: *mut JniEnv, class: JObject, message: *const i8) -> i32 {
    // SAFETY: the environment is the caller's, and the message ends.
    unsafe {
        let message = c_bytes(message).map(utf::decode);
        look::<()>(env, |cx| {
            let class = cx.class(class);
            if !cx.vm.is_subtype(class, cx.vm.known().throwable) {
                fatal("ThrowNew was passed a class that is no Throwable");
            }
            let text = match &message {
                None => Ref::NULL,
                Some(units) => cx.vm.new_string_utf16(units)?,
            };
            let make = exception_upcall(class, text, Ref::NULL);
            Err(Box::new(Throw::Upcall(make)))
        });
        JNI_OK
    }
}

unsafe extern "C" fn occurred(env: *mut JniEnv) -> JObject {
    // SAFETY: the environment is the caller's.
    unsafe {
        peek(env, |cx| {
            let thrown = cx.object(cx.run.pending);
            cx.local(thrown)
        })
    }
}

unsafe extern "C" fn check(env: *mut JniEnv) -> u8 {
    // SAFETY: the environment is the caller's.
    unsafe { peek(env, |cx| u8::from(cx.run.pending != 0)) }
}

unsafe extern "C" fn clear(env: *mut JniEnv) {
    // SAFETY: the environment is the caller's.
    unsafe {
        peek(env, |cx| {
            cx.jni.handles.remove(cx.vm, cx.run.pending);
            cx.run.pending = 0;
        })
    }
}

unsafe extern "C" fn describe(env: *mut JniEnv) {
    // SAFETY: the environment is the caller's.
    unsafe {
        through::<()>(env, |cx, printed| {
            let thrown = cx.object(cx.run.pending);
            if printed.is_some() || thrown.is_null() {
                return Ok(RequestOutcome::Done(()));
            }
            let throwable = cx.vm.known().throwable;
            let callee = cx
                .vm
                .jdk_method(throwable, calls::throwable::PRINT_STACK_TRACE);
            let class = cx.vm.class_of(thrown);
            let method = cx.vm.select_method(class, callee)?;
            let thread = cx.vm.current_thread_object();
            let name = cx.vm.get(thread, jdk::thread::NAME);
            let name = cx.vm.string(name);
            let text = format!("Exception in thread \"{name}\" ");
            let _ = cx.vm.host().descriptors().write(2, text.as_bytes());
            let call = Call::new(cx.vm, method, &[thrown.into()]);
            cx.jni.handles.remove(cx.vm, cx.run.pending);
            cx.run.pending = 0;
            Ok(RequestOutcome::Call(call))
        })
    }
}

unsafe extern "C" fn fatal_error(env: *mut JniEnv, message: *const i8) {
    // SAFETY: the environment is the caller's, and the message ends.
    unsafe {
        let text = c_bytes(message).unwrap_or_default();
        look::<()>(env, |_| fatal(&String::from_utf8_lossy(text)))
    }
}

//! Global, local and weak references.

use super::functions;
use crate::jni::cx::{Cx, RequestOutcome, peek, through};
use crate::jni::env::JniEnv;
use crate::jni::handles::HandleKind;
use crate::jni::types::{JNI_ERR, JNI_OK, JObject};
use rjvm_vm::jdk::calls;
use rjvm_vm::throw::Call;

functions! {
    19 push_local_frame;
    20 pop_local_frame;
    21 new_global_ref;
    22 delete_global_ref;
    23 delete_local_ref;
    24 is_same_object;
    25 new_local_ref;
    26 ensure_local_capacity;
    226 new_weak_global_ref;
    227 delete_weak_global_ref;
    232 get_object_ref_type;
}

unsafe extern "C" fn push_local_frame(env: *mut JniEnv, capacity: i32) -> i32 {
    if capacity < 0 {
        return JNI_ERR;
    }
    // SAFETY: the environment is the caller's.
    unsafe { peek(env, |cx| cx.run.locals.push()) };
    JNI_OK
}

unsafe extern "C" fn pop_local_frame(env: *mut JniEnv, result: JObject) -> JObject {
    // SAFETY: the environment is the caller's.
    unsafe {
        peek(env, |cx| {
            let r = cx.object(result);
            if !cx.run.locals.pop(cx.vm, &mut cx.jni.handles) {
                return 0;
            }
            cx.local(r)
        })
    }
}

unsafe extern "C" fn new_global_ref(env: *mut JniEnv, object: JObject) -> JObject {
    // SAFETY: the environment is the caller's.
    unsafe {
        peek(env, |cx| {
            let r = cx.object(object);
            cx.jni.handles.add(cx.vm, r, HandleKind::Global)
        })
    }
}

unsafe extern "C" fn new_local_ref(env: *mut JniEnv, object: JObject) -> JObject {
    // SAFETY: the environment is the caller's.
    unsafe {
        peek(env, |cx| {
            let r = cx.object(object);
            cx.local(r)
        })
    }
}

unsafe fn delete(env: *mut JniEnv, object: JObject, kind: HandleKind) {
    peek(env, |cx| cx.delete(object, kind))
}

unsafe extern "C" fn delete_global_ref(env: *mut JniEnv, object: JObject) {
    // SAFETY: the environment is the caller's.
    unsafe { delete(env, object, HandleKind::Global) }
}

unsafe extern "C" fn delete_local_ref(env: *mut JniEnv, object: JObject) {
    // SAFETY: the environment is the caller's.
    unsafe { delete(env, object, HandleKind::Local) }
}

unsafe extern "C" fn delete_weak_global_ref(env: *mut JniEnv, object: JObject) {
    // SAFETY: the environment is the caller's.
    unsafe { delete(env, object, HandleKind::Weak) }
}

unsafe extern "C" fn is_same_object(env: *mut JniEnv, a: JObject, b: JObject) -> u8 {
    // SAFETY: the environment is the caller's.
    unsafe { peek(env, |cx| u8::from(cx.object(a) == cx.object(b))) }
}

unsafe extern "C" fn ensure_local_capacity(_: *mut JniEnv, capacity: i32) -> i32 {
    // there is room for as many as memory has
    match capacity {
        0.. => JNI_OK,
        _ => JNI_ERR,
    }
}

unsafe extern "C" fn new_weak_global_ref(env: *mut JniEnv, object: JObject) -> JObject {
    let mut reference: JObject = 0;
    let mut make = |cx: &mut Cx<'_>, made: bool| {
        if made {
            let r = cx.object(reference);
            cx.delete(reference, HandleKind::Local);
            return Ok(RequestOutcome::Done(cx.jni.handles.add(
                cx.vm,
                r,
                HandleKind::Weak,
            )));
        }
        if cx.object(object).is_null() {
            return Ok(RequestOutcome::Done(0));
        }
        let class = cx.vm.known().weak_reference;
        cx.vm.ensure_initialized(class)?;
        let r = cx.vm.alloc_object(class)?;
        reference = cx.local(r);
        let init = cx.vm.jdk_method(class, calls::weak_reference::INIT);
        let object = cx.object(object);
        let call = Call::new(cx.vm, init, &[r.into(), object.into()]);
        Ok(RequestOutcome::Call(call))
    };
    // SAFETY: the environment is the caller's.
    unsafe { through(env, |cx, given| make(cx, given.is_some())) }
}

unsafe extern "C" fn get_object_ref_type(env: *mut JniEnv, object: JObject) -> i32 {
    // SAFETY: the environment is the caller's.
    unsafe { peek(env, |cx| cx.jni.handles.kind(object) as i32) }
}

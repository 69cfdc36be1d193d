//! Objects: new ones, their classes, what they are instances of; direct buffers.

use super::calls::{CallMode, allocate, call_of};
use super::functions;
use super::values::{Arguments, VaList};
use crate::jni::cx::{RequestOutcome, look, peek, through};
use crate::jni::env::JniEnv;
use crate::jni::types::{JId, JObject};
use crate::support;
use rjvm_vm::{Env, Ref, Throw, Value, jdk};

functions! {
    27 alloc_object;
    29 new_object_v;
    30 new_object_a;
    31 get_object_class;
    32 is_instance_of;
    229 new_direct_byte_buffer;
    230 get_direct_buffer_address;
    231 get_direct_buffer_capacity;
}

unsafe extern "C" fn alloc_object(env: *mut JniEnv, class: JObject) -> JObject {
    // SAFETY: the environment is the caller's.
    unsafe {
        look(env, |cx| {
            let class = cx.class(class);
            let r = allocate(cx, class)?;
            Ok(cx.local(r))
        })
    }
}

unsafe fn new_object(env: *mut JniEnv, class: JObject, id: JId, args: Arguments) -> JObject {
    let mut object = 0;
    through(env, |cx, given| {
        if given.is_some() {
            return Ok(RequestOutcome::Done(object));
        }
        let class = cx.class(class);
        let r = allocate(cx, class)?;
        object = cx.local(r);
        call_of(cx, CallMode::Direct, object, id, args).map(RequestOutcome::Call)
    })
}

pub unsafe extern "C" fn new_object_v(
    env: *mut JniEnv,
    class: JObject,
    id: JId,
    args: *const VaList,
) -> JObject {
    // SAFETY: the C code's own, as the constructor's descriptor says.
    unsafe { new_object(env, class, id, Arguments::List(*args)) }
}

unsafe extern "C" fn new_object_a(
    env: *mut JniEnv,
    class: JObject,
    id: JId,
    args: *const u64,
) -> JObject {
    // SAFETY: in the same way.
    unsafe { new_object(env, class, id, Arguments::Array(args)) }
}

unsafe extern "C" fn get_object_class(env: *mut JniEnv, object: JObject) -> JObject {
    // SAFETY: the environment is the caller's.
    unsafe {
        peek(env, |cx| {
            let r = cx.non_null(object);
            let mirror = cx.vm.mirror(cx.vm.class_of(r));
            cx.local(mirror)
        })
    }
}

unsafe extern "C" fn is_instance_of(env: *mut JniEnv, object: JObject, class: JObject) -> u8 {
    // SAFETY: the environment is the caller's.
    unsafe {
        peek(env, |cx| {
            let class = cx.class(class);
            let r = cx.object(object).non_null();
            u8::from(r.is_none_or(|r| cx.vm.instance_of(r, class)))
        })
    }
}

unsafe extern "C" fn new_direct_byte_buffer(
    env: *mut JniEnv,
    address: usize,
    capacity: i64,
) -> JObject {
    // SAFETY: the environment is the caller's.
    unsafe {
        through(env, |cx, given| {
            if let Some(Value::Ref(r)) = given {
                return Ok(RequestOutcome::Done(cx.local(r)));
            }
            let wrong = |how: &str| {
                let text = format!("JNI NewDirectByteBuffer passed capacity {how}: {capacity}");
                Err(Throw::msg("java/lang/IllegalArgumentException", text))
            };
            if cx.vm.feature() >= 21 && capacity < 0 {
                return wrong("< 0");
            }
            if cx.vm.feature() >= 21 && capacity > i64::from(i32::MAX) {
                return wrong("> Integer.MAX_VALUE");
            }
            let r = support::direct_buffer(cx.vm, address as u64, capacity as u64)?;
            Ok(RequestOutcome::Done(cx.local(r)))
        })
    }
}

/// A buffer outside the heap.
fn direct(vm: &Env, r: Ref) -> Option<Ref> {
    let r = r.non_null()?;
    (vm.is_a(r, jdk::buffer::CLASS) && vm.is_a(r, jdk::direct_buffer::CLASS)).then_some(r)
}

unsafe extern "C" fn get_direct_buffer_address(env: *mut JniEnv, buffer: JObject) -> usize {
    // SAFETY: the environment is the caller's.
    unsafe {
        look(env, |cx| {
            let r = cx.object(buffer);
            let address = match direct(cx.vm, r) {
                Some(r) => cx.vm.get(r, jdk::buffer::ADDRESS)?,
                None => 0,
            };
            Ok(address as usize)
        })
    }
}

unsafe extern "C" fn get_direct_buffer_capacity(env: *mut JniEnv, buffer: JObject) -> i64 {
    // SAFETY: the environment is the caller's.
    unsafe {
        look(env, |cx| {
            let r = cx.object(buffer);
            Ok(match direct(cx.vm, r) {
                Some(r) => cx.vm.get(r, jdk::buffer::CAPACITY)?.into(),
                None => -1,
            })
        })
    }
}

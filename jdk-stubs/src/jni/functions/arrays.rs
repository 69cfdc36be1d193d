//! Arrays. C code is given copies of elements, which are `malloc`'s. Libraries of the JDK get the elements themselves where they ask
//! for these: they draw into large arrays a little at a time, and keep to the rules until they give them back.

use super::functions;
use crate::boxing::{primitive_component, shift};
use crate::jni::cx::{Cx, look, peek};
use crate::jni::env::JniEnv;
use crate::jni::fatal;
use crate::jni::types::{JNI_ABORT, JNI_COMMIT, JObject};
use rjvm_vm::heap::ELEMS;
use rjvm_vm::{R, Ref, Throw};

functions! {
    171 get_array_length;
    172 new_object_array;
    173 get_object_array_element;
    174 set_object_array_element;
    175 new_boolean_array; 176 new_byte_array; 177 new_char_array; 178 new_short_array; 179 new_int_array; 180 new_long_array;
    181 new_float_array; 182 new_double_array;
    183 get_elements; 184 get_elements; 185 get_elements; 186 get_elements; 187 get_elements; 188 get_elements; 189 get_elements;
    190 get_elements;
    191 release_elements; 192 release_elements; 193 release_elements; 194 release_elements; 195 release_elements;
    196 release_elements; 197 release_elements; 198 release_elements;
    199 get_region; 200 get_region; 201 get_region; 202 get_region; 203 get_region; 204 get_region; 205 get_region;
    206 get_region;
    207 set_region; 208 set_region; 209 set_region; 210 set_region; 211 set_region; 212 set_region; 213 set_region;
    214 set_region;
    222 get_critical;
    223 release_critical;
}

/// A copy for C code; null if there is no memory.
///
/// # Safety
/// There is room for whether it is a copy, unless that is null.
pub unsafe fn copied(bytes: &[u8], is_copy: *mut u8) -> *mut u8 {
    let copy = libc::malloc(bytes.len().max(1)).cast::<u8>();
    if !copy.is_null() {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), copy, bytes.len());
        if !is_copy.is_null() {
            *is_copy = 1;
        }
    }
    copy
}

/// Frees such a copy.
///
/// # Safety
/// It is one, which C code does not use any more.
pub unsafe fn free(copy: *mut u8) {
    libc::free(copy.cast());
}

/// An array and its length.
fn array(cx: &mut Cx<'_>, handle: JObject) -> (Ref, usize) {
    let r = cx.non_null(handle);
    if !cx.vm.class(cx.vm.class_of(r)).is_array() {
        fatal("an object that is no array was passed to JNI as one");
    }
    (r, cx.vm.heap().len(r))
}

/// An array of primitives, its length, and bytes of an element as a power of two.
pub fn primitives(cx: &mut Cx<'_>, handle: JObject) -> (Ref, usize, u32) {
    let r = cx.non_null(handle);
    let Some(ty) = primitive_component(cx.vm, r) else {
        fatal("an object that is no array of primitives was passed to JNI as one");
    };
    (r, cx.vm.heap().len(r), shift(ty))
}

unsafe extern "C" fn get_array_length(env: *mut JniEnv, handle: JObject) -> i32 {
    // SAFETY: the environment is the caller's.
    unsafe { peek(env, |cx| array(cx, handle).1 as i32) }
}

fn length(len: i32) -> R<usize> {
    usize::try_from(len)
        .map_err(|_| Throw::msg("java/lang/NegativeArraySizeException", len.to_string()))
}

unsafe extern "C" fn new_object_array(
    env: *mut JniEnv,
    len: i32,
    class: JObject,
    initial: JObject,
) -> JObject {
    // SAFETY: in the same way.
    unsafe {
        look(env, |cx| {
            let class = cx.class(class);
            let n = length(len)?;
            let array = cx.vm.new_array_of(class, n)?;
            let initial = cx.object(initial);
            if !initial.is_null() {
                if !cx.vm.instance_of(initial, class) {
                    fatal("an object of a wrong class was passed to JNI for elements");
                }
                for i in 0..n {
                    cx.vm.heap_mut().set_elem_ref(array, i, initial);
                }
            }
            Ok(cx.local(array))
        })
    }
}

/// An element's number, if the array of objects has one.
fn element(cx: &mut Cx<'_>, handle: JObject, i: i32) -> R<(Ref, usize)> {
    let (r, n) = array(cx, handle);
    if !cx.vm.heap().is_ref_array(r) {
        fatal("a primitive array was passed to JNI as an object array");
    }
    let index = usize::try_from(i).ok().filter(|&i| i < n);
    let index = index.ok_or_else(|| {
        let text = format!("Index {i} out of bounds for length {n}");
        Throw::msg("java/lang/ArrayIndexOutOfBoundsException", text)
    })?;
    Ok((r, index))
}

unsafe extern "C" fn get_object_array_element(
    env: *mut JniEnv,
    handle: JObject,
    i: i32,
) -> JObject {
    // SAFETY: the environment is the caller's.
    unsafe {
        look(env, |cx| {
            let (r, i) = element(cx, handle, i)?;
            let v = cx.vm.heap().elem_ref(r, i);
            Ok(cx.local(v))
        })
    }
}

unsafe extern "C" fn set_object_array_element(
    env: *mut JniEnv,
    handle: JObject,
    i: i32,
    value: JObject,
) {
    // SAFETY: in the same way.
    unsafe {
        look::<()>(env, |cx| {
            let v = cx.object(value);
            let (r, i) = element(cx, handle, i)?;
            let rjvm_vm::classes::ClassKind::Array(elem) = cx.vm.class(cx.vm.class_of(r)).kind
            else {
                unreachable!("it is an array");
            };
            if !v.is_null() && !cx.vm.instance_of(v, elem) {
                let of = cx.vm.class(cx.vm.class_of(v)).dotted();
                let text = format!(
                    "type mismatch: can not store {of} to {}[{i}]",
                    cx.vm.class(elem).dotted()
                );
                return Err(Throw::msg("java/lang/ArrayStoreException", text));
            }
            cx.vm.heap_mut().set_elem_ref(r, i, v);
            Ok(())
        })
    }
}

macro_rules! new_arrays {
    ($($name:ident $ty:literal;)*) => { $(
        unsafe extern "C" fn $name(env: *mut JniEnv, len: i32) -> JObject {
            // SAFETY: the environment is the caller's.
            unsafe {
                look(env, |cx| {
                    let n = length(len)?;
                    let elem = cx.vm.primitive($ty);
                    let r = cx.vm.new_array_of(elem, n)?;
                    Ok(cx.local(r))
                })
            }
        }
    )* };
}
new_arrays! {
    new_boolean_array b'Z';
    new_byte_array b'B';
    new_char_array b'C';
    new_short_array b'S';
    new_int_array b'I';
    new_long_array b'J';
    new_float_array b'F';
    new_double_array b'D';
}

unsafe extern "C" fn get_elements(env: *mut JniEnv, handle: JObject, is_copy: *mut u8) -> usize {
    // SAFETY: the environment is the caller's, and there is room for what it asks for.
    unsafe {
        peek(env, |cx| {
            let (r, n, shift) = primitives(cx, handle);
            let copy = copied(cx.vm.heap().raw(r, ELEMS, n << shift), is_copy);
            copy.expose_provenance()
        })
    }
}

unsafe extern "C" fn release_elements(
    env: *mut JniEnv,
    handle: JObject,
    elements: *mut u8,
    mode: i32,
) {
    // SAFETY: the environment is the caller's, and the elements are a copy of the array's that was given out.
    unsafe {
        if elements.is_null() {
            return;
        }
        if mode != JNI_ABORT {
            peek(env, |cx| {
                let (r, n, shift) = primitives(cx, handle);
                let from = std::slice::from_raw_parts(elements, n << shift);
                let mut heap = cx.vm.heap_mut();
                heap.raw_mut(r, ELEMS, n << shift).copy_from_slice(from);
            });
        }
        if mode != JNI_COMMIT {
            free(elements);
        }
    }
}

unsafe extern "C" fn get_critical(env: *mut JniEnv, handle: JObject, is_copy: *mut u8) -> usize {
    // SAFETY: the environment is the caller's, and there is room for what it asks for. Elements that are lent stay where they are,
    // and nobody else looks at them, until the C code returns or leaves for the VM to run something else: while it has them it does
    // not leave (`fibers`).
    unsafe {
        peek(env, |cx| {
            let (r, n, shift) = primitives(cx, handle);
            if !cx.run.lend() {
                let copy = copied(cx.vm.heap().raw(r, ELEMS, n << shift), is_copy);
                return copy.expose_provenance();
            }
            if !is_copy.is_null() {
                *is_copy = 0;
            }
            let mut heap = cx.vm.heap_mut();
            let elements = heap.raw_mut(r, ELEMS, n << shift);
            elements.as_mut_ptr().expose_provenance()
        })
    }
}

unsafe extern "C" fn release_critical(
    env: *mut JniEnv,
    handle: JObject,
    elements: *mut u8,
    mode: i32,
) {
    // SAFETY: the environment is the caller's, and the elements are the array's, or a copy of them that was given out.
    unsafe {
        let lent = peek(env, |cx| {
            let (r, n, shift) = primitives(cx, handle);
            let at = cx.vm.heap().raw(r, ELEMS, n << shift).as_ptr();
            let lent = at.addr() == elements.addr();
            if lent && mode != JNI_COMMIT {
                cx.run.give_back();
            }
            lent
        });
        if !lent {
            release_elements(env, handle, elements, mode);
        }
    }
}

/// Where a part of an array of primitives is, and how many bytes that has.
fn region(cx: &mut Cx<'_>, handle: JObject, start: i32, len: i32) -> R<(Ref, usize, usize)> {
    let (r, n, shift) = primitives(cx, handle);
    let range = usize::try_from(start).ok().zip(usize::try_from(len).ok());
    match range.filter(|(from, len)| from + len <= n) {
        Some((from, len)) => Ok((r, ELEMS + (from << shift), len << shift)),
        None => {
            let end = i64::from(start) + i64::from(len);
            let text = format!("Array region {start}..{end} out of bounds for length {n}");
            Err(Throw::msg("java/lang/ArrayIndexOutOfBoundsException", text))
        }
    }
}

unsafe extern "C" fn get_region(
    env: *mut JniEnv,
    handle: JObject,
    start: i32,
    len: i32,
    to: *mut u8,
) {
    // SAFETY: the environment is the caller's, and there is room for what it asks for.
    unsafe {
        look::<()>(env, |cx| {
            let (r, at, bytes) = region(cx, handle, start, len)?;
            let from = cx.vm.heap().raw(r, at, bytes);
            std::ptr::copy_nonoverlapping(from.as_ptr(), to, bytes);
            Ok(())
        })
    }
}

unsafe extern "C" fn set_region(
    env: *mut JniEnv,
    handle: JObject,
    start: i32,
    len: i32,
    from: *const u8,
) {
    // SAFETY: in the same way, and so many elements are at the address it gives.
    unsafe {
        look::<()>(env, |cx| {
            let (r, at, bytes) = region(cx, handle, start, len)?;
            if bytes > 0 {
                let from = std::slice::from_raw_parts(from, bytes);
                cx.vm.heap_mut().raw_mut(r, at, bytes).copy_from_slice(from);
            }
            Ok(())
        })
    }
}

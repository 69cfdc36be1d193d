//! Copies of elements and characters between guards: whether C code has written beyond them shows when it gives them back.

use crate::jni::cx::peek;
use crate::jni::env::JniEnv;
use crate::jni::functions::FunctionPointer;
use crate::jni::functions::arrays::{free, primitives};
use crate::jni::functions::strings::{is_unmade, units};
use crate::jni::types::{JNI_ABORT, JNI_COMMIT, JObject};
use crate::jni::utf;
use rjvm_vm::heap::ELEMS;
use std::collections::BTreeMap;

/// Bytes of a guard, and what they are.
const GUARD: usize = 16;
const MARK: u8 = 0xab;
/// The bytes of a copy that has been freed.
const FREED: u8 = 0xba;

/// The kinds of copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    Array,
    Units,
    Utf,
}

/// How a copy is found.
#[derive(PartialEq, Eq, Debug)]
pub enum State {
    Whole(Of),
    /// Its guards: name, address, and whether it is whole; none if it is not a copy.
    Broken(Vec<(&'static str, usize, bool)>),
}

/// The copies that C code has, by address.
#[derive(Default)]
pub struct GuardedCopies(BTreeMap<usize, (Of, usize)>);

impl GuardedCopies {
    /// A copy for C code; null if there is no memory.
    ///
    /// # Safety
    /// There is room for whether it is a copy, unless that is null.
    unsafe fn copy(&mut self, bytes: &[u8], of: Of, is_copy: *mut u8) -> *mut u8 {
        let base = libc::malloc(bytes.len() + 2 * GUARD).cast::<u8>();
        if base.is_null() {
            return base;
        }
        if !is_copy.is_null() {
            *is_copy = 1;
        }
        base.write_bytes(MARK, bytes.len() + 2 * GUARD);
        let copy = base.add(GUARD);
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), copy, bytes.len());
        self.0.insert(copy.expose_provenance(), (of, bytes.len()));
        copy
    }
    /// The state of what C code gives back.
    pub fn state(&self, copy: usize) -> State {
        let Some(&(of, len)) = self.0.get(&copy) else {
            return State::Broken(Vec::new());
        };
        let guard = |name, at: usize| {
            // SAFETY: the guards of a copy that has not been freed.
            let bytes = unsafe {
                std::slice::from_raw_parts(std::ptr::with_exposed_provenance::<u8>(at), GUARD)
            };
            (name, at, bytes.iter().all(|&b| b == MARK))
        };
        let guards = vec![guard("Header", copy - GUARD), guard("Trailer", copy + len)];
        match guards.iter().all(|g| g.2) {
            true => State::Whole(of),
            false => State::Broken(guards),
        }
    }
    /// Bytes of a copy.
    fn len(&self, copy: usize) -> usize {
        self.0.get(&copy).map_or(0, |c| c.1)
    }
    /// Frees a copy.
    ///
    /// # Safety
    /// C code does not use it any more.
    unsafe fn free(&mut self, copy: *mut u8) {
        if let Some((_, len)) = self.0.remove(&copy.addr()) {
            let base = copy.sub(GUARD);
            base.write_bytes(FREED, len + 2 * GUARD);
            free(base);
        }
    }
}

/// The function that C code calls instead of the one of the usual table.
pub fn function(at: usize) -> Option<FunctionPointer> {
    Some(match at {
        165 => get_string_chars as FunctionPointer,
        166 | 170 => release_chars as FunctionPointer,
        169 => get_string_utf_chars as FunctionPointer,
        183..=190 => get_elements as FunctionPointer,
        191..=198 => release_elements as FunctionPointer,
        222 => get_critical as FunctionPointer,
        223 => release_critical as FunctionPointer,
        224 => get_string_critical as FunctionPointer,
        225 => release_string_critical as FunctionPointer,
        _ => return None,
    })
}

unsafe extern "C" fn get_elements(env: *mut JniEnv, array: JObject, is_copy: *mut u8) -> usize {
    // SAFETY: the environment is the caller's, and there is room for what it asks for.
    unsafe {
        peek(env, |cx| {
            let (r, n, shift) = primitives(cx, array);
            let heap = cx.vm.heap();
            let bytes = heap.raw(r, ELEMS, n << shift);
            cx.jni.guarded.copy(bytes, Of::Array, is_copy).addr()
        })
    }
}

unsafe extern "C" fn release_elements(env: *mut JniEnv, array: JObject, copy: *mut u8, mode: i32) {
    // SAFETY: the environment is the caller's, and this is a copy, which has been checked.
    unsafe {
        peek(env, |cx| {
            if mode != JNI_ABORT {
                let (r, n, shift) = primitives(cx, array);
                // the copy may be one of another array's elements
                let len = cx.jni.guarded.len(copy.addr()).min(n << shift);
                let from = std::slice::from_raw_parts(copy, len);
                let mut heap = cx.vm.heap_mut();
                heap.raw_mut(r, ELEMS, len).copy_from_slice(from);
            }
            if mode != JNI_COMMIT {
                cx.jni.guarded.free(copy);
            }
        });
    }
}

unsafe extern "C" fn get_critical(env: *mut JniEnv, array: JObject, is_copy: *mut u8) -> usize {
    // SAFETY: as for `get_elements`.
    unsafe {
        peek(env, |cx| cx.run.history.critical += 1);
        get_elements(env, array, is_copy)
    }
}

unsafe extern "C" fn release_critical(env: *mut JniEnv, array: JObject, copy: *mut u8, mode: i32) {
    // SAFETY: as for `release_elements`.
    unsafe {
        if mode != JNI_COMMIT {
            leave_critical(env);
        }
        release_elements(env, array, copy, mode);
    }
}

unsafe fn leave_critical(env: *mut JniEnv) {
    peek(env, |cx| {
        let sections = &mut cx.run.history.critical;
        *sections = sections.saturating_sub(1);
    });
}

/// A copy of a string's units.
unsafe fn copy_units(env: *mut JniEnv, units: &[u16], is_copy: *mut u8) -> usize {
    let units = units.iter().chain(&[0]);
    let bytes: Vec<u8> = units.flat_map(|u| u.to_ne_bytes()).collect();
    peek(env, |cx| {
        cx.jni.guarded.copy(&bytes, Of::Units, is_copy).addr()
    })
}

unsafe extern "C" fn get_string_chars(
    env: *mut JniEnv,
    string: JObject,
    is_copy: *mut u8,
) -> usize {
    // SAFETY: the environment is the caller's, and there is room for what it asks for.
    unsafe {
        match is_unmade(env, string) {
            true => 0,
            false => copy_units(env, &units(env, string), is_copy),
        }
    }
}

unsafe extern "C" fn get_string_utf_chars(
    env: *mut JniEnv,
    string: JObject,
    is_copy: *mut u8,
) -> usize {
    // SAFETY: in the same way.
    unsafe {
        if is_unmade(env, string) {
            return 0;
        }
        let mut bytes = utf::encode(&units(env, string));
        bytes.push(0);
        peek(env, |cx| {
            cx.jni.guarded.copy(&bytes, Of::Utf, is_copy).addr()
        })
    }
}

unsafe extern "C" fn release_chars(env: *mut JniEnv, _string: JObject, copy: *mut u8) {
    // SAFETY: a copy that was given out, which has been checked, or null.
    unsafe { peek(env, |cx| cx.jni.guarded.free(copy)) }
}

/// Whether a string's characters are a critical section: those of HotSpot that have a byte each are copied at once.
fn is_section(units: &[u16]) -> bool {
    units.iter().any(|&u| u > 0xff)
}

unsafe extern "C" fn get_string_critical(
    env: *mut JniEnv,
    string: JObject,
    is_copy: *mut u8,
) -> usize {
    // SAFETY: as for `get_string_chars`.
    unsafe {
        let units = units(env, string);
        if is_section(&units) {
            peek(env, |cx| cx.run.history.critical += 1);
        }
        copy_units(env, &units, is_copy)
    }
}

unsafe extern "C" fn release_string_critical(env: *mut JniEnv, string: JObject, copy: *mut u8) {
    // SAFETY: as for `release_chars`.
    unsafe {
        if is_section(&units(env, string)) {
            leave_critical(env);
        }
        release_chars(env, string, copy);
    }
}

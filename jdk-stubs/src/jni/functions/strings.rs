//! Strings, in UTF-16 and modified UTF-8. C code is always given copies, which are `malloc`'s.

use super::arrays::{copied, free};
use super::functions;
use crate::jni::cx::{c_bytes, look, peek};
use crate::jni::env::JniEnv;
use crate::jni::types::JObject;
use crate::jni::utf;
use rjvm_vm::{R, Throw, jdk};

functions! {
    163 new_string;
    164 get_string_length;
    165 get_string_chars;
    166 release_string_chars;
    167 new_string_utf;
    168 get_string_utf_length;
    169 get_string_utf_chars;
    170 release_string_utf_chars;
    220 get_string_region;
    221 get_string_utf_region;
    224 get_string_chars;
    225 release_string_chars;
    235 get_string_utf_length_as_long;
}

unsafe extern "C" fn new_string(env: *mut JniEnv, units: *const u16, len: i32) -> JObject {
    // SAFETY: the environment is the caller's, and so many units are at the address it gives.
    unsafe {
        look(env, |cx| {
            let units = match len {
                ..=0 => &[],
                _ => std::slice::from_raw_parts(units, len as usize),
            };
            let r = cx.vm.new_string_utf16(units)?;
            Ok(cx.local(r))
        })
    }
}

unsafe extern "C" fn new_string_utf(env: *mut JniEnv, text: *const i8) -> JObject {
    // SAFETY: the environment is the caller's, and the string ends.
    unsafe {
        let Some(units) = c_bytes(text).map(utf::decode) else {
            return 0;
        };
        look(env, |cx| {
            let r = cx.vm.new_string_utf16(&units)?;
            Ok(cx.local(r))
        })
    }
}

/// The largest length in bytes that C code is given as an `int`: it may add one, for the end.
pub const LONGEST: i32 = i32::MAX - 1;

/// The code units of a string.
///
/// # Safety
/// The environment is the caller's.
pub unsafe fn units(env: *mut JniEnv, string: JObject) -> Vec<u16> {
    let mut units = Vec::new();
    peek(env, |cx| {
        let r = cx.non_null(string);
        units = cx.vm.string_utf16(r);
    });
    units
}

unsafe extern "C" fn get_string_length(env: *mut JniEnv, string: JObject) -> i32 {
    // SAFETY: the environment is the caller's.
    unsafe { units(env, string).len() as i32 }
}

unsafe extern "C" fn get_string_utf_length(env: *mut JniEnv, string: JObject) -> i32 {
    // SAFETY: in the same way.
    let len = unsafe { get_string_utf_length_as_long(env, string) };
    len.min(LONGEST.into()) as i32
}

unsafe extern "C" fn get_string_utf_length_as_long(env: *mut JniEnv, string: JObject) -> i64 {
    // SAFETY: in the same way.
    unsafe { utf::length(&units(env, string)) as i64 }
}

/// Whether no constructor has given the string characters: C code gets none, as with HotSpot.
///
/// # Safety
/// The environment is the caller's.
pub unsafe fn is_unmade(env: *mut JniEnv, string: JObject) -> bool {
    peek(env, |cx| {
        let r = cx.non_null(string);
        cx.vm.get(r, jdk::string::VALUE).is_null()
    })
}

unsafe extern "C" fn get_string_chars(
    env: *mut JniEnv,
    string: JObject,
    is_copy: *mut u8,
) -> *mut u8 {
    // SAFETY: the environment is the caller's, and there is room for what it asks for.
    unsafe {
        if is_unmade(env, string) {
            return std::ptr::null_mut();
        }
        let units = units(env, string);
        let bytes: Vec<u8> = units
            .iter()
            .chain(&[0])
            .flat_map(|u| u.to_ne_bytes())
            .collect();
        copied(&bytes, is_copy)
    }
}

unsafe extern "C" fn get_string_utf_chars(
    env: *mut JniEnv,
    string: JObject,
    is_copy: *mut u8,
) -> *mut u8 {
    // SAFETY: in the same way.
    unsafe {
        if is_unmade(env, string) {
            return std::ptr::null_mut();
        }
        let mut bytes = utf::encode(&units(env, string));
        bytes.push(0);
        copied(&bytes, is_copy)
    }
}

unsafe extern "C" fn release_string_chars(_: *mut JniEnv, _string: JObject, units: *mut u8) {
    // SAFETY: a copy that was given out.
    unsafe { free(units) }
}

unsafe extern "C" fn release_string_utf_chars(_: *mut JniEnv, _string: JObject, text: *mut u8) {
    // SAFETY: in the same way.
    unsafe { free(text) }
}

/// A part of a string.
fn part(units: &[u16], start: i32, len: i32) -> R<&[u16]> {
    let from = usize::try_from(start).ok();
    let range = from.zip(usize::try_from(len).ok());
    let part = range.and_then(|(from, len)| units.get(from..from.checked_add(len)?));
    part.ok_or_else(|| Throw::bare("java/lang/StringIndexOutOfBoundsException"))
}

unsafe extern "C" fn get_string_region(
    env: *mut JniEnv,
    string: JObject,
    start: i32,
    len: i32,
    to: *mut u16,
) {
    // SAFETY: the environment is the caller's, and there is room for what it asks for.
    unsafe {
        look::<()>(env, |cx| {
            let r = cx.non_null(string);
            let units = cx.vm.string_utf16(r);
            let part = part(&units, start, len)?;
            std::ptr::copy_nonoverlapping(part.as_ptr(), to, part.len());
            Ok(())
        })
    }
}

unsafe extern "C" fn get_string_utf_region(
    env: *mut JniEnv,
    string: JObject,
    start: i32,
    len: i32,
    to: *mut u8,
) {
    // SAFETY: in the same way.
    unsafe {
        look::<()>(env, |cx| {
            let r = cx.non_null(string);
            let units = cx.vm.string_utf16(r);
            let mut bytes = utf::encode(part(&units, start, len)?);
            if !to.is_null() {
                bytes.push(0);
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
            }
            Ok(())
        })
    }
}

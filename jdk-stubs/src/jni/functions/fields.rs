//! Fields of objects and classes.

use super::values::{JniValue, primitive};
use super::{finders, functions};
use crate::boxing::{self, Prim};
use crate::jni::cx::{Cx, c_name, look, peek};
use crate::jni::env::JniEnv;
use crate::jni::ids::FieldAt;
use crate::jni::types::{JId, JObject};
use crate::jni::{fatal, ids};
use rjvm_vm::classes::acc;
use rjvm_vm::{Ref, Throw};

finders! {
    field_id false;
    static_field_id true;
}

unsafe fn find(
    env: *mut JniEnv,
    class: JObject,
    name: *const i8,
    desc: *const i8,
    is_static: bool,
) -> JId {
    let name = c_name(name).unwrap_or_default();
    let desc = c_name(desc).unwrap_or_default();
    look(env, |cx| {
        let class = cx.class(class);
        let text = match is_static {
            true => name.clone(),
            false => format!("{}.{name} {desc}", cx.vm.external_class(class)),
        };
        let none = || Throw::msg("java/lang/NoSuchFieldError", text.clone());
        cx.vm.ensure_initialized(class)?;
        let symbols = cx.vm.symbols();
        let (n, d) = (symbols.find(&name), symbols.find(&desc));
        let (n, d) = n.zip(d).ok_or_else(none)?;
        let (holder, i) = cx.vm.find_field(class, n, d).ok_or_else(none)?;
        let access = cx.vm.class(holder).fields[i as usize].access;
        if (access & acc::STATIC != 0) != is_static {
            return Err(none());
        }
        if is_static {
            cx.vm.ensure_initialized(holder)?;
        }
        Ok(ids::of_field(holder, i))
    })
}

/// The object that a field is in, and where.
fn place(cx: &mut Cx<'_>, object: JObject, id: JId, is_static: bool, ty: u8) -> (Ref, FieldAt) {
    let f = cx.field(id);
    let is_object = |t: u8| matches!(t, b'L' | b'[');
    if f.is_static != is_static || (f.ty != ty && !(is_object(f.ty) && is_object(ty))) {
        fatal("Wrong field ID passed to JNI call: the field is of another type or kind");
    }
    if is_static {
        return (cx.vm.mirror(f.class), f);
    }
    let r = cx.non_null(object);
    if !cx.vm.instance_of(r, f.class) {
        fatal("Wrong object class or field ID passed to JNI call");
    }
    (r, f)
}

unsafe fn get<T: JniValue>(
    env: *mut JniEnv,
    object: JObject,
    id: JId,
    is_static: bool,
    ty: u8,
) -> T {
    peek(env, |cx| {
        let (r, f) = place(cx, object, id, is_static, ty);
        T::of(match ty {
            b'L' => {
                let v = cx.vm.heap().get_ref(r, f.offset);
                cx.local(v) as u64
            }
            _ => boxing::load(cx.vm, r, f.offset, ty),
        })
    })
}

unsafe fn set<T: JniValue>(
    env: *mut JniEnv,
    object: JObject,
    id: JId,
    v: T,
    is_static: bool,
    ty: u8,
) {
    look::<()>(env, |cx| {
        let (r, f) = place(cx, object, id, is_static, ty);
        if ty == b'L' {
            let v = cx.object(v.bits() as usize);
            if !cx.vm.put_reference(r, f.offset, v) {
                fatal("an object of a wrong class was passed to JNI for a field");
            }
        } else {
            let slot = primitive(ty, v.bits()).slot();
            boxing::store(cx.vm, r, f.offset, Prim { ty, slot });
        }
        Ok(())
    })
}

macro_rules! fields {
    ($($t:ty, $ty:literal, $get:ident $set:ident $get_static:ident $set_static:ident;)*) => { $(
        unsafe extern "C" fn $get(env: *mut JniEnv, object: JObject, id: JId) -> $t {
            // SAFETY: the environment is the caller's.
            unsafe { get(env, object, id, false, $ty) }
        }
        unsafe extern "C" fn $set(env: *mut JniEnv, object: JObject, id: JId, v: $t) {
            // SAFETY: in the same way.
            unsafe { set(env, object, id, v, false, $ty) }
        }
        unsafe extern "C" fn $get_static(env: *mut JniEnv, class: JObject, id: JId) -> $t {
            // SAFETY: in the same way.
            unsafe { get(env, class, id, true, $ty) }
        }
        unsafe extern "C" fn $set_static(env: *mut JniEnv, class: JObject, id: JId, v: $t) {
            // SAFETY: in the same way.
            unsafe { set(env, class, id, v, true, $ty) }
        }
    )* };
}
fields! {
    JObject, b'L', get_object set_object get_static_object set_static_object;
    u8, b'Z', get_boolean set_boolean get_static_boolean set_static_boolean;
    i8, b'B', get_byte set_byte get_static_byte set_static_byte;
    u16, b'C', get_char set_char get_static_char set_static_char;
    i16, b'S', get_short set_short get_static_short set_static_short;
    i32, b'I', get_int set_int get_static_int set_static_int;
    i64, b'J', get_long set_long get_static_long set_static_long;
    f32, b'F', get_float set_float get_static_float set_static_float;
    f64, b'D', get_double set_double get_static_double set_static_double;
}

functions! {
    94 field_id; 95 get_object; 96 get_boolean; 97 get_byte; 98 get_char; 99 get_short; 100 get_int; 101 get_long; 102 get_float;
    103 get_double; 104 set_object; 105 set_boolean; 106 set_byte; 107 set_char; 108 set_short; 109 set_int; 110 set_long;
    111 set_float; 112 set_double;
    144 static_field_id; 145 get_static_object; 146 get_static_boolean; 147 get_static_byte; 148 get_static_char;
    149 get_static_short; 150 get_static_int; 151 get_static_long; 152 get_static_float; 153 get_static_double;
    154 set_static_object; 155 set_static_boolean; 156 set_static_byte; 157 set_static_char; 158 set_static_short;
    159 set_static_int; 160 set_static_long; 161 set_static_float; 162 set_static_double;
}

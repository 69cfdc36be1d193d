//! Versions, classes, modules and reflection.

use super::functions;
use crate::java_lang_reflect::{constructor, executable, field, method};
use crate::jni::cx::{c_name, look, peek};
use crate::jni::env::JniEnv;
use crate::jni::ids;
use crate::jni::types::{JId, JObject, version_of};
use rjvm_vm::classes::{ClassKind, DefineOptions};
use rjvm_vm::{Env, Ref, Throw, jdk};

functions! {
    4 version;
    5 define_class;
    6 find_class;
    7 from_reflected_method;
    8 from_reflected_field;
    9 to_reflected_method;
    10 get_superclass;
    11 is_assignable_from;
    12 to_reflected_field;
    233 get_module;
    234 is_virtual_thread;
}

unsafe extern "C" fn version(env: *mut JniEnv) -> i32 {
    // SAFETY: the VM has given the environment to the C code, with a VM that lives as long.
    version_of(unsafe { (*(*env).vm).feature })
}

unsafe extern "C" fn define_class(
    env: *mut JniEnv,
    name: *const i8,
    loader: JObject,
    bytes: *const u8,
    len: i32,
) -> JObject {
    // SAFETY: the environment is the caller's, and so many bytes are at the address it gives.
    unsafe {
        let name = c_name(name);
        look(env, |cx| {
            let loader = cx.object(loader);
            let loader = cx.vm.loader_id(loader);
            let bytes = std::slice::from_raw_parts(bytes, len.max(0) as usize);
            let options = DefineOptions::default();
            let class = cx
                .vm
                .define_class(loader, name.as_deref(), bytes, options)?;
            Ok(cx.local(cx.vm.mirror(class)))
        })
    }
}

unsafe extern "C" fn find_class(env: *mut JniEnv, name: *const i8) -> JObject {
    // SAFETY: the environment is the caller's, and the name ends.
    unsafe {
        let name = c_name(name);
        look(env, |cx| {
            let none = || Throw::msg("java/lang/NoClassDefFoundError", "No class name given");
            let name = name.as_deref().ok_or_else(none)?;
            let inner = name.strip_prefix('L').and_then(|n| n.strip_suffix(';'));
            let name = inner.unwrap_or(name);
            let loader = cx.loader()?;
            let class = cx.vm.load_class_linked(loader, name)?;
            cx.vm.ensure_initialized(class)?;
            Ok(cx.local(cx.vm.mirror(class)))
        })
    }
}

unsafe extern "C" fn from_reflected_method(env: *mut JniEnv, method: JObject) -> JId {
    // SAFETY: the environment is the caller's.
    unsafe {
        look(env, |cx| {
            let r = cx.non_null(method);
            let m = executable::target(cx.vm, r).ok_or_else(executable::no_method)?;
            cx.vm.ensure_initialized(cx.vm.method(m).class)?;
            Ok(ids::of_method(m))
        })
    }
}

unsafe extern "C" fn from_reflected_field(env: *mut JniEnv, field: JObject) -> JId {
    // SAFETY: the environment is the caller's.
    unsafe {
        look(env, |cx| {
            let r = cx.non_null(field);
            let (class, i) = field::target(cx.vm, r).ok_or_else(field::no_field)?;
            cx.vm.ensure_initialized(class)?;
            Ok(ids::of_field(class, i))
        })
    }
}

unsafe extern "C" fn to_reflected_method(
    env: *mut JniEnv,
    _class: JObject,
    id: JId,
    _is_static: u8,
) -> JObject {
    // SAFETY: the environment is the caller's.
    unsafe {
        look(env, |cx| {
            let m = cx.method(id);
            let name = cx.vm.method(m).name;
            let r = match &**cx.vm.symbols().str(name) {
                "<init>" => constructor::new(cx.vm, m)?,
                _ => method::new(cx.vm, m)?,
            };
            Ok(cx.local(r))
        })
    }
}

unsafe extern "C" fn to_reflected_field(
    env: *mut JniEnv,
    _class: JObject,
    id: JId,
    _is_static: u8,
) -> JObject {
    // SAFETY: the environment is the caller's.
    unsafe {
        look(env, |cx| {
            let f = cx.field(id);
            let r = field::new(cx.vm, f.class, f.index)?;
            Ok(cx.local(r))
        })
    }
}

unsafe extern "C" fn get_superclass(env: *mut JniEnv, class: JObject) -> JObject {
    // SAFETY: the environment is the caller's.
    unsafe {
        peek(env, |cx| {
            let class = cx.class(class);
            let k = cx.vm.class(class);
            let above = match k.kind {
                ClassKind::Primitive(_) => None,
                _ if k.is_interface() => None,
                _ => k.super_class,
            };
            let mirror = above.map_or(Ref::NULL, |c| cx.vm.mirror(c));
            cx.local(mirror)
        })
    }
}

unsafe extern "C" fn is_assignable_from(env: *mut JniEnv, sub: JObject, sup: JObject) -> u8 {
    // SAFETY: the environment is the caller's.
    unsafe {
        peek(env, |cx| {
            let (sub, sup) = (cx.class(sub), cx.class(sup));
            u8::from(sub == sup || cx.vm.is_subtype(sub, sup))
        })
    }
}

unsafe extern "C" fn get_module(env: *mut JniEnv, class: JObject) -> JObject {
    // SAFETY: the environment is the caller's.
    unsafe {
        look(env, |cx| {
            let class = cx.class(class);
            let module = cx.vm.module_of(class);
            Ok(cx.local(module))
        })
    }
}

fn is_virtual(vm: &Env, r: Ref) -> bool {
    vm.feature() >= 21 && vm.is_a(r, jdk::base_virtual_thread::CLASS)
}

unsafe extern "C" fn is_virtual_thread(env: *mut JniEnv, object: JObject) -> u8 {
    // SAFETY: the environment is the caller's.
    unsafe {
        peek(env, |cx| match cx.object(object).non_null() {
            Some(r) => u8::from(is_virtual(cx.vm, r)),
            None => 0,
        })
    }
}

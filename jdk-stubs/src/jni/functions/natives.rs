//! Native methods that C code registers itself; monitors; the VM of an environment.

use super::functions;
use crate::java_lang::module::is_platform_loader;
use crate::jni::bound::Bound;
use crate::jni::cx::{Cx, c_name, look, peek};
use crate::jni::env::{JavaVm, JniEnv};
use crate::jni::types::{JNI_ERR, JNI_OK, JObject, NativeMethod};
use rjvm_classfile::descriptor::parameters;
use rjvm_vm::classes::method_text;
use rjvm_vm::{ClassId, R, Throw};
use std::sync::Arc;

functions! {
    215 register_natives;
    216 unregister_natives;
    217 monitor_enter;
    218 monitor_exit;
    219 get_java_vm;
}

unsafe extern "C" fn register_natives(
    env: *mut JniEnv,
    class: JObject,
    methods: *const NativeMethod,
    n: i32,
) -> i32 {
    let mut result = JNI_ERR;
    // SAFETY: the environment is the caller's, and so many descriptions of methods are at the address it gives.
    unsafe {
        look::<()>(env, |cx| {
            let class = cx.class(class);
            let warn = is_foreign_to_caller(cx, class);
            for i in 0..n.max(0) as usize {
                let method = &*methods.add(i);
                let name = c_name(method.name).unwrap_or_default();
                let desc = c_name(method.signature).unwrap_or_default();
                if warn {
                    warn_of_platform(cx, class, &name, &desc);
                }
                register(cx, class, &name, &desc, method.function.addr())?;
                method.function.expose_provenance();
            }
            result = JNI_OK;
            Ok(())
        });
    }
    result
}

/// Whether a class is in a named module of the boot or the platform loader, and the code that registers its natives was
/// called by a class of another loader.
fn is_foreign_to_caller(cx: &mut Cx<'_>, class: ClassId) -> bool {
    let loader = cx.vm.class(class).loader;
    let object = cx.vm.loader_object(loader);
    if !object.is_null() && !is_platform_loader(cx.vm, object) {
        return false;
    }
    let module = cx.vm.module_of(class);
    if cx.vm.module_name(module).is_none() {
        return false;
    }
    let caller = cx.vm.caller().map(|m| cx.vm.method(m).class);
    caller.is_none_or(|c| cx.vm.class(c).loader != loader)
}

/// HotSpot's warning, in its log's form.
fn warn_of_platform(cx: &mut Cx<'_>, class: ClassId, name: &str, desc: &str) {
    let uptime = (cx.vm.clock_ns() - cx.vm.started()) as f64 / 1e9;
    let class = cx.vm.external_class(class);
    let line = format!(
        "[{uptime:.3}s][warning][jni,resolve] Re-registering of platform native method: {class}.{name}{desc} \
         from code in a different classloader\n"
    );
    let _ = cx.vm.host().descriptors().write(1, line.as_bytes());
}

fn register(cx: &mut Cx<'_>, class: ClassId, name: &str, desc: &str, function: usize) -> R<()> {
    let none = |why: &str, cx: &Cx<'_>| {
        let method = method_text(&cx.vm.external_class(class), name, desc);
        let text = format!("Method '{method}' {why}");
        Throw::msg("java/lang/NoSuchMethodError", text)
    };
    let symbols = cx.vm.symbols();
    let found = symbols.find(name).zip(symbols.find(desc));
    let found = found.and_then(|(n, d)| cx.vm.find_method(class, n, d));
    let Some(m) = found else {
        return Err(none("name or signature does not match", cx));
    };
    let method = cx.vm.method(m);
    if !method.is_native() {
        return Err(none("is not declared as native", cx));
    }
    let types = parameters(desc).map(|d| d.as_bytes()[0]).collect();
    let bound = Bound::new(function, 2, types, method.ret, method.is_static());
    cx.jni.bound.insert(m, Arc::new(bound));
    cx.vm.set_foreign(m, true);
    cx.vm.look_for_natives_in_libraries();
    Ok(())
}

unsafe extern "C" fn unregister_natives(env: *mut JniEnv, class: JObject) -> i32 {
    // SAFETY: the environment is the caller's.
    unsafe {
        peek(env, |cx| {
            let class = cx.class(class);
            let methods = cx.vm.class(class).methods.clone();
            for m in methods {
                if cx.vm.method(m).is_native() && cx.jni.bound.remove(&m).is_some() {
                    cx.vm.set_foreign(m, false);
                }
            }
            JNI_OK
        })
    }
}

unsafe extern "C" fn monitor_enter(env: *mut JniEnv, object: JObject) -> i32 {
    let mut result = JNI_ERR;
    // SAFETY: the environment is the caller's.
    unsafe {
        look::<()>(env, |cx| {
            let r = cx.object(object).non_null().ok_or_else(Throw::npe)?;
            cx.vm.monitor_enter(r)?;
            result = JNI_OK;
            Ok(())
        });
    }
    result
}

unsafe extern "C" fn monitor_exit(env: *mut JniEnv, object: JObject) -> i32 {
    let mut result = JNI_ERR;
    // SAFETY: in the same way.
    unsafe {
        look::<()>(env, |cx| {
            let r = cx.object(object).non_null().ok_or_else(Throw::npe)?;
            if !cx.vm.holds_lock(r) {
                let (class, text) = (
                    "java/lang/IllegalMonitorStateException",
                    "current thread is not owner",
                );
                return Err(Throw::msg(class, text));
            }
            cx.vm.monitor_exit(r)?;
            result = JNI_OK;
            Ok(())
        });
    }
    result
}

unsafe extern "C" fn get_java_vm(env: *mut JniEnv, to: *mut *const JavaVm) -> i32 {
    // SAFETY: the environment is the caller's, and there is room for a pointer.
    unsafe { *to = (*env).vm };
    JNI_OK
}

//! What a request of C code works with: the VM, and the call that asks.

use super::env::JniEnv;
use super::fibers::{FiberRun, Purpose, ask};
use super::handles::HandleKind;
use super::ids::{self, FieldAt};
use super::types::{JId, JObject};
use super::{JniState, bad_handle, fatal};
use crate::support::mirrored;
use rjvm_vm::throw::Call;
use rjvm_vm::{ClassId, Env, LoaderId, MethodId, R, Ref, Value, jdk};
use std::ffi::CStr;

/// The VM, its native code, and the call whose request this is.
pub struct Cx<'a> {
    pub vm: &'a mut Env,
    pub jni: &'a mut JniState,
    pub run: &'a mut FiberRun,
}

/// What a request comes to.
pub enum RequestOutcome<T> {
    Done(T),
    /// It comes again with the result of this.
    Call(Call),
}

impl Cx<'_> {
    /// A local handle of an object.
    pub fn local(&mut self, r: Ref) -> JObject {
        self.run.locals.add(self.vm, &mut self.jni.handles, r)
    }
    /// The object of a handle, or null.
    pub fn object(&mut self, handle: JObject) -> Ref {
        let r = self.jni.handles.get(self.vm, handle);
        r.unwrap_or_else(|| bad_handle())
    }
    /// The object of a handle, which must not be null.
    pub fn non_null(&mut self, handle: JObject) -> Ref {
        match self.object(handle).non_null() {
            Some(r) => r,
            None => fatal("null was passed to a function of JNI that takes an object"),
        }
    }
    /// The class of a handle of a `Class` object.
    pub fn class(&mut self, handle: JObject) -> ClassId {
        let r = self.non_null(handle);
        match mirrored(self.vm, r) {
            Some(class) => class,
            None => fatal("JNI got an object of another class instead of a class"),
        }
    }
    pub fn method(&mut self, id: JId) -> MethodId {
        let all = ids::method(id);
        all.unwrap_or_else(|| fatal("Wrong method ID passed to JNI call"))
    }
    pub fn field(&mut self, id: JId) -> FieldAt {
        let field = ids::field(self.vm, id);
        field.unwrap_or_else(|| fatal("Wrong field ID passed to JNI call"))
    }
    /// The loader that finds classes for the code that asks: its method's class's, or the system's for a thread of C code.
    pub fn loader(&mut self) -> R<LoaderId> {
        Ok(match self.run.method {
            Some(m) => {
                let class = self.vm.method(m).class;
                self.vm.class(class).loader
            }
            None => match &self.run.purpose {
                Purpose::OnLoad(loading) => loading.loader,
                Purpose::Attached => {
                    let loader = self.vm.get_static(jdk::class_loader::SCL);
                    self.vm.loader_id(loader)
                }
                _ => LoaderId::BOOT,
            },
        })
    }
    /// Deletes a handle of this kind; one of another kind stays.
    pub fn delete(&mut self, handle: JObject, kind: HandleKind) {
        if handle != 0 && self.jni.handles.kind(handle) == kind {
            self.jni.handles.remove(self.vm, handle);
            if kind == HandleKind::Local {
                self.run.locals.forget(handle);
            }
        }
    }
}

/// Asks for something that may throw, wait, or need memory or Java code: then the closure runs again. An exception that it
/// throws is pending in C code, and the result is the default.
///
/// # Safety
/// As [`ask`].
pub unsafe fn look<T: Default>(env: *mut JniEnv, mut f: impl FnMut(&mut Cx<'_>) -> R<T>) -> T {
    let mut out = T::default();
    ask(env, false, &mut |cx, _| {
        out = f(cx)?;
        Ok(None)
    });
    out
}

/// The same for what does none of that.
///
/// # Safety
/// As [`ask`].
pub unsafe fn peek<T: Default>(env: *mut JniEnv, mut f: impl FnMut(&mut Cx<'_>) -> T) -> T {
    let mut out = T::default();
    ask(env, true, &mut |cx, _| {
        out = f(cx);
        Ok(None)
    });
    out
}

/// Asks for something that a Java method does: the closure says which, and is given its result.
///
/// # Safety
/// As [`ask`].
pub unsafe fn through<T: Default>(
    env: *mut JniEnv,
    mut f: impl FnMut(&mut Cx<'_>, Option<Value>) -> R<RequestOutcome<T>>,
) -> T {
    let mut out = T::default();
    ask(env, false, &mut |cx, given| match f(cx, given)? {
        RequestOutcome::Done(v) => {
            out = v;
            Ok(None)
        }
        RequestOutcome::Call(call) => Ok(Some(call)),
    });
    out
}

/// A string of C code, without its end; `None` for null.
///
/// # Safety
/// It ends.
pub unsafe fn c_bytes<'a>(text: *const i8) -> Option<&'a [u8]> {
    (!text.is_null()).then(|| CStr::from_ptr(text.cast()).to_bytes())
}

/// A name in modified UTF-8.
///
/// # Safety
/// As [`c_bytes`].
pub unsafe fn c_name(text: *const i8) -> Option<String> {
    let units = super::utf::decode(c_bytes(text)?);
    Some(String::from_utf16_lossy(&units))
}

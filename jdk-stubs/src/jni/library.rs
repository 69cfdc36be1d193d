//! Libraries with native methods: what they do when they are loaded and unloaded (JNI specification, chapter 5).

use super::bound::Bound;
use super::env::{JavaVm, JniEnv};
use super::fibers::{self, Purpose};
use super::handles::Locals;
use super::types::{VERSION_1_1, has_version};
use super::{JniState, libjvm};
use crate::foreign::of_jdk::is_of_jdk;
use crate::foreign::{Granted, libraries};
use crate::support::{class_arg, non_null};
use rjvm_vm::{Env, LoaderId, R, Ref, Throw, Value, jdk};
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;

/// Bits of a pointer that a library's functions are given and need not look at.
const RESERVED: u64 = 0;

/// A library whose `JNI_OnLoad` is under way.
pub struct Loading {
    handle: i64,
    /// Root cell of the `NativeLibraryImpl`.
    cell: u32,
    name: String,
    /// The loader of the class that loads it.
    pub loader: LoaderId,
    /// What comes before `JNI_OnLoad`, which reads this.
    _prologue: Option<Box<Prologue>>,
}

/// What comes before `JNI_OnLoad` of the first library of the JDK: helpers in `libjava` learn the platform's encoding, which
/// they do not look up themselves.
struct Prologue {
    /// `InitializeEncoding(env, name)`
    initialize: usize,
    encoding: CString,
    /// `JNI_OnLoad`, or 0.
    on_load: usize,
}

/// Runs a prologue, then `JNI_OnLoad` with its arguments.
unsafe extern "C" fn begin_with(vm: *const JavaVm, prologue: *const Prologue) -> i32 {
    type Initialize = unsafe extern "C" fn(*const JniEnv, *const c_char);
    type OnLoad = unsafe extern "C" fn(*const JavaVm, u64) -> i32;
    // SAFETY: these are functions of libraries that are loaded, with the types of the JDK and of JNI; the prologue is there
    // until they return.
    unsafe {
        let function = |address| std::ptr::with_exposed_provenance::<c_void>(address);
        let initialize =
            std::mem::transmute::<*const c_void, Initialize>(function((*prologue).initialize));
        initialize((*vm).env, (*prologue).encoding.as_ptr());
        if (*prologue).on_load == 0 {
            return VERSION_1_1;
        }
        std::mem::transmute::<*const c_void, OnLoad>(function((*prologue).on_load))(vm, RESERVED)
    }
}

/// Loads a library; its handle, which is not 0, or why that fails. `of_jdk`: it is one of the JDK's own.
pub fn open(vm: &mut Env, granted: Granted, name: &str, of_jdk: bool) -> Result<i64, String> {
    let provided = libjvm::provide(granted);
    if of_jdk {
        provided?;
        JniState::with(vm, |_, jni| libjvm::claim(jni.java_vm))?;
    }
    // a library of the program may do without
    libraries::open(granted, name)
}

/// References of a library, which has just been loaded, to functions that wait are bound to those that let other threads run.
pub fn bind_waits(_: Granted, handle: i64) {
    // SAFETY: its callers have just loaded it.
    unsafe { super::blocking::bind(handle) }
}

/// A library has been loaded by the dynamic linker for a `NativeLibraryImpl`: its `JNI_OnLoad` runs.
/// `of_jdk` as for [`open`].
pub fn loaded(
    vm: &mut Env,
    granted: Granted,
    library: Ref,
    (name, of_jdk): (&str, bool),
    handle: i64,
) -> R<bool> {
    vm.offheap_mut().open();
    vm.look_for_natives_in_libraries();
    bind_waits(granted, handle);
    let on_load = libraries::symbol(granted, handle, "JNI_OnLoad");
    let prologue = match of_jdk {
        true => prologue(vm, granted, handle, on_load),
        false => None,
    };
    if on_load == 0 && prologue.is_none() {
        set(vm, library, VERSION_1_1, handle)?;
        return Ok(true);
    }
    let from = vm.get(non_null(library)?, jdk::native_library_impl::FROM_CLASS)?;
    let from = class_arg(vm, from)?;
    let loading = Loading {
        handle,
        cell: vm.heap_mut().new_cell(library),
        name: name.to_owned(),
        loader: vm.class(from).loader,
        _prologue: prologue,
    };
    let (function, reserved) = match &loading._prologue {
        None => (on_load, RESERVED),
        Some(p) => {
            let begin = (begin_with as *const c_void).expose_provenance();
            let reserved = std::ptr::from_ref(&**p).expose_provenance();
            (begin as i64, reserved as u64)
        }
    };
    let bound = on(function, b'I').of_jdk(of_jdk);
    let called = call(vm, bound, reserved, Purpose::OnLoad(loading));
    called.map(|v| v == Value::Int(1))
}

/// What comes before `JNI_OnLoad` of a library of the JDK, if that has not been done for one yet.
fn prologue(vm: &mut Env, granted: Granted, handle: i64, on_load: i64) -> Option<Box<Prologue>> {
    let initialize = libraries::symbol(granted, handle, "InitializeEncoding") as usize;
    let done = |vm: &mut Env| JniState::with(vm, |_, jni| std::mem::replace(&mut jni.of_jdk, true));
    if initialize == 0 || done(vm) {
        return None;
    }
    let encoding = crate::jdk_internal_util::platform_encoding(vm)?;
    Some(Box::new(Prologue {
        initialize,
        encoding: CString::new(encoding).ok()?,
        on_load: on_load as usize,
    }))
}

/// A library is no longer used: its `JNI_OnUnload` runs, then it is closed.
pub fn unload(vm: &mut Env, granted: Granted, handle: i64) -> R<()> {
    match libraries::symbol(granted, handle, "JNI_OnUnload") {
        0 => close(vm, handle),
        on_unload => {
            let file = libraries::file(granted, on_unload);
            let of_jdk = file.is_some_and(|file| is_of_jdk(vm, &file));
            let bound = on(on_unload, b'V').of_jdk(of_jdk);
            call(vm, bound, RESERVED, Purpose::OnUnload(handle))?;
        }
    }
    Ok(())
}

/// Closes a library.
pub fn close(vm: &mut Env, handle: i64) {
    if let Some(granted) = Granted::of(vm) {
        libraries::close(granted, handle);
    }
}

/// A function of a library that takes the VM and a reserved pointer.
fn on(function: i64, result: u8) -> Bound {
    Bound::new(function as usize, 2, Vec::new(), result, true)
}

/// Calls such a function.
fn call(vm: &mut Env, bound: Bound, reserved: u64, purpose: Purpose) -> R<Value> {
    JniState::with(vm, |vm, jni| {
        let java_vm = jni.java_vm.expose_provenance() as u64;
        let (values, locals) = (vec![java_vm, reserved], Locals::default());
        let run = fibers::begin(vm, jni, Arc::new(bound), values, locals, purpose, None)?;
        fibers::drive(vm, jni, run)
    })
}

fn set(vm: &mut Env, library: Ref, version: i32, handle: i64) -> R<()> {
    vm.set(library, jdk::native_library_impl::JNI_VERSION, version)?;
    vm.set(library, jdk::native_library_impl::HANDLE, handle)
}

impl Loading {
    /// `JNI_OnLoad` has returned a version or thrown.
    pub fn end(self, vm: &mut Env, version: Value, thrown: Option<Ref>) -> R<Value> {
        let library = vm.heap().cell(self.cell);
        vm.heap_mut().free_cell(self.cell);
        let why = match (thrown, version) {
            (Some(e), _) => Throw::object(e),
            (None, Value::Int(v)) if has_version(v, vm.feature()) => {
                set(vm, library, v, self.handle)?;
                return Ok(Value::from(true));
            }
            (None, v) => {
                let version = if let Value::Int(v) = v { v } else { 0 };
                let text = format!(
                    "unsupported JNI version 0x{version:08X} required by {}",
                    self.name
                );
                Throw::msg("java/lang/UnsatisfiedLinkError", text)
            }
        };
        close(vm, self.handle);
        Err(why)
    }
}

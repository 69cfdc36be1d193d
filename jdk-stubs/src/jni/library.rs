//! Libraries with native methods: what they do when they are loaded and unloaded (JNI specification, chapter 5).

use super::JniState;
use super::bound::Bound;
use super::fibers::{self, Purpose};
use super::handles::Locals;
use super::types::{VERSION_1_1, has_version};
use crate::foreign::{Granted, libraries};
use crate::support::{class_arg, non_null};
use rjvm_vm::{Env, LoaderId, R, Ref, Throw, Value, jdk};
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
}

/// A library has been loaded by the dynamic linker for a `NativeLibraryImpl`: its `JNI_OnLoad` runs.
pub fn loaded(vm: &mut Env, granted: Granted, library: Ref, name: &str, handle: i64) -> R<bool> {
    vm.offheap_mut().open();
    vm.look_for_natives_in_libraries();
    // SAFETY: it has just been loaded.
    unsafe { super::blocking::bind(handle) };
    let on_load = libraries::symbol(granted, handle, "JNI_OnLoad");
    if on_load == 0 {
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
    };
    call(vm, on_load, b'I', Purpose::OnLoad(loading)).map(|v| v == Value::Int(1))
}

/// A library is no longer used: its `JNI_OnUnload` runs, then it is closed.
pub fn unload(vm: &mut Env, granted: Granted, handle: i64) -> R<()> {
    match libraries::symbol(granted, handle, "JNI_OnUnload") {
        0 => close(vm, handle),
        on_unload => {
            call(vm, on_unload, b'V', Purpose::OnUnload(handle))?;
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

/// Calls a function of a library that takes the VM and a reserved pointer.
fn call(vm: &mut Env, function: i64, result: u8, purpose: Purpose) -> R<Value> {
    JniState::with(vm, |vm, jni| {
        let bound = Bound::new(function as usize, 2, Vec::new(), result, true);
        let java_vm = jni.java_vm.expose_provenance() as u64;
        let (values, locals) = (vec![java_vm, RESERVED], Locals::default());
        let run = fibers::begin(jni, Arc::new(bound), values, locals, purpose, None)?;
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

//! Natives of `jdk.internal.loader.NativeLibraries`. The libraries of the JDK are tables of this
//! crate. Others are loaded by the system's linker where the host has granted native code: see [`crate::jni`].

use crate::foreign::of_jdk::{file_of, is_file_of, is_of_jdk};
use crate::foreign::{Granted, libraries};
use crate::support::{non_null, string_arg};
use rjvm_vm::natives::{AWT, library_of_symbol};
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "jdk/internal/loader/NativeLibraries";
    findBuiltinLib "(Ljava/lang/String;)Ljava/lang/String;" => find_builtin_lib;
    load "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZZ)Z" until 20 => load;
    load "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZ)Z" since 18 => load_since_18;
    unload "(Ljava/lang/String;ZJ)V" since 18 => unload_since_18;
    unload "(Ljava/lang/String;ZZJ)V" until 20 => unload;
    findEntry0 "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;)J" until 20 => find_entry;
}

/// Libraries whose natives are here.
const BUILT_IN: &[&str] = &[
    "attach",
    AWT,
    "extnet",
    FALLBACK_LINKER,
    "instrument",
    "jaas",
    "java",
    "jimage",
    "management",
    "management_agent",
    "management_ext",
    "net",
    "nio",
    "prefs",
    "rmi",
    "verify",
    "zip",
];

/// The library that calls native functions: it is there if these have been granted.
const FALLBACK_LINKER: &str = "fallbackLinker";

/// The version a library asks for from its `JNI_OnLoad` (`JNI_VERSION_10`).
const JNI_VERSION: i32 = 0x000a_0000;

/// The libraries whose natives are here in this VM. [`AWT`], none of whose natives is here, counts as one of them where native
/// code has not been granted: classes of pictures and colours load it, and much of them is Java code.
fn built_in(vm: &Env) -> impl Iterator<Item = &'static str> + use<> {
    let granted = Granted::of(vm).is_some();
    let here = move |n: &&str| *n != AWT || !granted;
    BUILT_IN.iter().copied().filter(here)
}

/// Null for what a file has, as on HotSpot: the library then looks for the file. `libnio.so` to `nio` when
/// it is built in and this JDK has no such file.
fn find_builtin_lib(vm: &mut Env, file: Ref) -> R<Ref> {
    let file = match string_arg(vm, file) {
        Ok(f) => f,
        Err(_) => {
            return Err(Throw::msg(
                "java/lang/InternalError",
                "NULL filename for native library",
            ));
        }
    };
    let name = file.strip_prefix("lib").and_then(|f| f.strip_suffix(".so"));
    let is_there = |n: &str| n != FALLBACK_LINKER || Granted::of(vm).is_some();
    let Some(name) = name.filter(|n| built_in(vm).any(|b| b == *n) && is_there(n)) else {
        return Ok(Ref::NULL);
    };
    let file = file_of(vm, name);
    match vm.host().files().stat(-100, file.as_bytes(), true) {
        Ok(_) => Ok(Ref::NULL),
        Err(_) => vm.new_string(name),
    }
}

fn load(vm: &mut Env, library: Ref, name: Ref, built_in: bool, _jni: bool, throw: bool) -> R<bool> {
    let name = string_arg(vm, name)?;
    if built_in || is_built_in(vm, &name) {
        let library = non_null(library)?;
        vm.set(library, jdk::native_library_impl::JNI_VERSION, JNI_VERSION)?;
        // any number but 0 does
        let number = BUILT_IN
            .iter()
            .position(|n| name == *n || is_file_of(vm, &name, n));
        vm.set(
            library,
            jdk::native_library_impl::HANDLE,
            number.unwrap_or(0) as i64 + 1,
        )?;
        return Ok(true);
    }
    if let Some(granted) = Granted::of(vm) {
        return load_foreign(vm, granted, non_null(library)?, &name, throw);
    }
    if throw {
        let why = match vm.host().files().stat(-100, name.as_bytes(), true) {
            Ok(_) => "machine code can't be loaded: this VM runs bytecode only",
            Err(_) => "cannot open shared object file: No such file or directory",
        };
        return Err(Throw::msg(
            "java/lang/UnsatisfiedLinkError",
            format!("{name}: {why}"),
        ));
    }
    Ok(false)
}

/// Whether the natives of a library, by the name of its file, are here.
fn is_built_in(vm: &mut Env, name: &str) -> bool {
    built_in(vm).any(|n| is_file_of(vm, name, n))
}

/// Loads a library of the system, one of the program's own, or one of the JDK's whose natives are not here.
fn load_foreign(vm: &mut Env, granted: Granted, library: Ref, name: &str, throw: bool) -> R<bool> {
    let of_jdk = is_of_jdk(vm, name);
    match open(vm, granted, name, of_jdk) {
        Ok(handle) => loaded(vm, granted, library, (name, of_jdk), handle),
        Err(why) if throw => {
            let text = format!("{name}: {why}");
            Err(Throw::msg("java/lang/UnsatisfiedLinkError", text))
        }
        Err(_) => Ok(false),
    }
}

#[cfg(feature = "native")]
use crate::jni::library::{loaded, open, unload as unload_foreign};

/// Without the Java Native Interface, nothing is ever granted.
#[cfg(not(feature = "native"))]
fn loaded(_: &mut Env, _: Granted, _: Ref, _: (&str, bool), _: i64) -> R<bool> {
    Ok(false)
}

#[cfg(not(feature = "native"))]
fn open(_: &mut Env, granted: Granted, name: &str, _: bool) -> Result<i64, String> {
    libraries::open(granted, name)
}

#[cfg(not(feature = "native"))]
fn unload_foreign(_: &mut Env, _: Granted, _: i64) -> R<()> {
    Ok(())
}

/// The system's handle of a library that is not built in.
fn foreign(vm: &Env, handle: i64) -> Option<(Granted, i64)> {
    let granted = Granted::of(vm)?;
    usize::try_from(handle)
        .is_ok_and(|h| h > BUILT_IN.len())
        .then_some((granted, handle))
}

/// Built-in libraries stay.
fn unload(vm: &mut Env, name: Ref, built_in: bool, _jni: bool, handle: i64) -> R<()> {
    unload_since_18(vm, name, built_in, handle)
}

/// Some number but 0 if the library has the native of that symbol.
fn find_entry(vm: &mut Env, library: Ref, symbol: Ref) -> R<i64> {
    let library = non_null(library)?;
    let handle = vm.get(library, jdk::native_library_impl::HANDLE)?;
    let name = vm.get(library, jdk::native_library_impl::NAME)?;
    let (name, symbol) = (string_arg(vm, name)?, string_arg(vm, symbol)?);
    if let Some((granted, handle)) = foreign(vm, handle) {
        return Ok(foreign_symbol(vm, granted, handle, &symbol));
    }
    // no other libraries are ever loaded; a search in one goes on in those it depends on: libnio in libnet
    let is = |l: &str| name == l || name.ends_with(&format!("/lib{l}.so"));
    let has = |l: &str| is(l) || l == "net" && is("nio");
    Ok(i64::from(library_of_symbol(&symbol).is_some_and(has)))
}

/// The address of a symbol in a library that is not built in. A native of a built-in library that it depends on is none: the
/// native is here, or nowhere.
fn foreign_symbol(vm: &mut Env, granted: Granted, handle: i64, symbol: &str) -> i64 {
    let address = libraries::symbol(granted, handle, symbol);
    let native = address != 0 && symbol.starts_with("Java_");
    match native.then(|| libraries::file(granted, address)).flatten() {
        Some(file) if is_built_in(vm, &file) => 0,
        _ => address,
    }
}

fn load_since_18(vm: &mut Env, library: Ref, name: Ref, built_in: bool, throw: bool) -> R<bool> {
    load(vm, library, name, built_in, true, throw)
}

fn unload_since_18(vm: &mut Env, _name: Ref, built_in: bool, handle: i64) -> R<()> {
    if let Some((granted, handle)) = foreign(vm, handle).filter(|_| !built_in) {
        return unload_foreign(vm, granted, handle);
    }
    Ok(())
}

/// `NativeLibrary`, which looks for entries since 18.
pub mod entries {
    rjvm_vm::natives! { "jdk/internal/loader/NativeLibrary";
        findEntry0 "(JLjava/lang/String;)J" since 18 => super::find_entry_by_handle;
    }
}

fn find_entry_by_handle(vm: &mut Env, handle: i64, symbol: Ref) -> R<i64> {
    let symbol = string_arg(vm, symbol)?;
    if let Some((granted, handle)) = foreign(vm, handle) {
        return Ok(foreign_symbol(vm, granted, handle, &symbol));
    }
    let name = usize::try_from(handle - 1)
        .ok()
        .and_then(|i| BUILT_IN.get(i));
    let has = |l: &str| name.is_some_and(|n| *n == l || l == "net" && *n == "nio");
    Ok(i64::from(library_of_symbol(&symbol).is_some_and(has)))
}

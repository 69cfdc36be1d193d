//! Natives of `jdk.internal.loader.NativeLibraries`. The libraries of the JDK are tables of this
//! crate; no machine code is ever loaded.

use crate::support::{non_null, string_arg};
use rjvm_vm::{R, Ref, Throw, Vm, natives};

natives! { "jdk/internal/loader/NativeLibraries";
    findBuiltinLib "(Ljava/lang/String;)Ljava/lang/String;" => find_builtin_lib;
    load "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZZ)Z" => load;
    unload "(Ljava/lang/String;ZZJ)V" => unload;
    findEntry0 "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;)J" => find_entry;
}

/// Libraries whose natives are here.
const BUILT_IN: &[&str] = &[
    "extnet",
    "instrument",
    "java",
    "jimage",
    "management",
    "management_ext",
    "net",
    "nio",
    "prefs",
    "rmi",
    "verify",
    "zip",
];

/// The version a library asks for from its `JNI_OnLoad` (`JNI_VERSION_10`).
const JNI_VERSION: i32 = 0x000a_0000;

/// `libnio.so` to `nio` when it is built in, else null.
fn find_builtin_lib(vm: &mut Vm, file: Ref) -> R<Ref> {
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
    match name.filter(|n| BUILT_IN.contains(n)) {
        Some(n) => vm.new_string(n),
        None => Ok(Ref::NULL),
    }
}

fn load(vm: &mut Vm, library: Ref, name: Ref, built_in: bool, _jni: bool, throw: bool) -> R<bool> {
    let name = string_arg(vm, name)?;
    if built_in {
        let library = non_null(library)?;
        vm.set_int(library, "jniVersion:I", JNI_VERSION);
        // any number but 0 does
        vm.set_long(library, "handle:J", 1);
        return Ok(true);
    }
    if throw {
        let why = match vm.host.files().stat(-100, name.as_bytes(), true) {
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

/// Built-in libraries stay.
fn unload(_: &mut Vm, _name: Ref, _built_in: bool, _jni: bool, _handle: i64) -> R<()> {
    Ok(())
}

/// 0: a built-in library has no symbols.
fn find_entry(_: &mut Vm, _library: Ref, _name: Ref) -> R<i64> {
    Ok(0)
}

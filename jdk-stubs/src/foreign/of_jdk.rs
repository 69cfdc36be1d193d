//! The files of the JDK's own native libraries.

use rjvm_vm::Env;

/// A library of the JDK without code, which depends on those of the system: its symbols are those of the C library.
const SYSTEM: &str = "syslookup";

/// The file of a library of the JDK.
pub fn file_of(vm: &Env, library: &str) -> String {
    let home = vm.options().java_home.to_string_lossy();
    format!("{home}/lib/lib{library}.so")
}

/// Whether `name` is that file, whatever links lead to it.
pub fn is_file_of(vm: &mut Env, name: &str, library: &str) -> bool {
    let file = file_of(vm, library);
    if name == file {
        return true;
    }
    let mut id = |name: &str| {
        let stat = vm.host().files().stat(-100, name.as_bytes(), true);
        stat.map(|s| (s.dev, s.ino)).ok()
    };
    name.ends_with(&format!("/lib{library}.so")) && id(name).is_some() && id(name) == id(&file)
}

/// Whether a file is in the JDK's folder of libraries, whatever links lead there, and depends on other libraries of the JDK.
pub fn is_of_jdk(vm: &mut Env, name: &str) -> bool {
    let file = name.rsplit_once('/').map(|(_, file)| file);
    let library = file.and_then(|f| f.strip_prefix("lib")?.strip_suffix(".so"));
    library.is_some_and(|l| l != SYSTEM && is_file_of(vm, name, l))
}

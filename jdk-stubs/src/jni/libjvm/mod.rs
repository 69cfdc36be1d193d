//! `libjvm.so` for C libraries that are linked with it, among them those of the JDK.
//!
//! rjvm has no such file. Before the first library is loaded, the dynamic linker gets one that has been made in memory
//! (`elf`): its name is `libjvm.so`, and its symbols are functions of this process (`functions`). A library that needs
//! `libjvm.so` is linked with it, since the linker does not look for a library whose name it has already.

mod elf;
mod functions;

pub use functions::{created_vms, default_options};

use super::env::JavaVm;
use crate::foreign::{Granted, libraries};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// As the JDK's libraries name them.
const NAME: &str = "libjvm.so";
const VERSION: &str = "SUNWprivate_1.1";
/// A symbol by which the linker shows that it takes addresses as they are.
const PROBE: &str = "JNI_GetCreatedJavaVMs";

/// The VMs of the process that have native code, by the addresses of the parts that C code sees.
static VMS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// The VM that the JDK's libraries serve.
static OWNER: OnceLock<usize> = OnceLock::new();

/// These VMs.
fn vms() -> MutexGuard<'static, Vec<usize>> {
    VMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A VM has native code from now on.
pub(super) fn begins(vm: *const JavaVm) {
    vms().push(vm.expose_provenance());
}

/// It ends.
pub(super) fn ends(vm: *const JavaVm) {
    vms().retain(|v| *v != vm.addr());
}

/// A VM wants to load libraries of the JDK. They keep classes and methods of the first one, so no other VM can use them.
pub(super) fn claim(vm: *const JavaVm) -> Result<(), String> {
    match *OWNER.get_or_init(|| vm.addr()) == vm.addr() {
        true => Ok(()),
        false => Err("the JDK's native libraries serve another VM of this process".to_owned()),
    }
}

/// Whether the process has a file `libjvm.so` of rjvm's. Libraries are linked with that one then, and find the functions that it
/// does not export among those for all.
static SHARED: AtomicBool = AtomicBool::new(false);

/// The process has such a file.
pub(super) fn share() {
    SHARED.store(true, Relaxed);
}

/// Lets the dynamic linker know `libjvm.so`, once for the process.
pub(super) fn provide(granted: Granted) -> Result<(), &'static str> {
    static PROVIDED: OnceLock<Result<(), String>> = OnceLock::new();
    let provided = PROVIDED.get_or_init(|| load(granted));
    provided.as_ref().copied().map_err(String::as_str)
}

fn load(granted: Granted) -> Result<(), String> {
    if elf::MACHINE == 0 {
        return Err(format!("{NAME} cannot be made for this processor"));
    }
    let all = functions::all();
    let file = in_memory(&elf::library(NAME, VERSION, &all))
        .map_err(|e| format!("{NAME} cannot be made in memory: {e}"))?;
    // once it is loaded, the linker has mapped the file, and it may be closed
    let name = format!("/proc/self/fd/{}", file.1);
    let handle = match SHARED.load(Relaxed) {
        true => libraries::open_for_all(granted, &name)?,
        false => libraries::open(granted, &name)?,
    };
    let probe = all.iter().find(|f| f.0 == PROBE).map(|f| f.1);
    match probe == Some(libraries::symbol(granted, handle, PROBE) as u64) {
        true => Ok(()),
        false => Err("the C library does not take absolute addresses of symbols".to_owned()),
    }
}

/// A file without a name that has these bytes, and its number.
#[cfg(target_os = "linux")]
fn in_memory(bytes: &[u8]) -> std::io::Result<(std::fs::File, i32)> {
    use std::io::Write;
    use std::os::fd::FromRawFd;
    // SAFETY: a string that ends; the file's number is nobody else's.
    let mut file = unsafe {
        match libc::memfd_create(c"libjvm.so".as_ptr(), libc::MFD_CLOEXEC) {
            -1 => return Err(std::io::Error::last_os_error()),
            fd => (std::fs::File::from_raw_fd(fd), fd),
        }
    };
    file.0.write_all(bytes)?;
    Ok(file)
}

#[cfg(not(target_os = "linux"))]
fn in_memory(_: &[u8]) -> std::io::Result<(std::fs::File, i32)> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_libraries_of_the_jdk_serve_one_vm() {
        let [one, other] = [16, 32].map(std::ptr::without_provenance);
        assert_eq!(super::claim(one), Ok(()));
        assert!(super::claim(other).is_err());
        assert_eq!(super::claim(one), Ok(()));
    }

    #[test]
    fn each_name_has_one_function() {
        let mut names: Vec<_> = super::functions::all().iter().map(|f| f.0).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}

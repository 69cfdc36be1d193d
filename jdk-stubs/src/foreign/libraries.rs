//! Native libraries: the system's dynamic linker.

use super::Granted;
use std::ffi::{CStr, CString};

/// Loads a library; its handle, which is not 0, or what the linker says.
pub fn open(granted: Granted, name: &str) -> Result<i64, String> {
    open_with(granted, name, libc::RTLD_LAZY)
}

/// The same, for all libraries of the process to find its symbols.
#[cfg(feature = "native")]
pub fn open_for_all(granted: Granted, name: &str) -> Result<i64, String> {
    open_with(granted, name, libc::RTLD_LAZY | libc::RTLD_GLOBAL)
}

fn open_with(_: Granted, name: &str, mode: i32) -> Result<i64, String> {
    let c = CString::new(name).map_err(|_| format!("{name}: no name of a library"))?;
    // SAFETY: a string that ends. The library's own code runs as it is loaded: that has been granted.
    let handle = unsafe { libc::dlopen(c.as_ptr(), mode) };
    if !handle.is_null() {
        return Ok(handle.expose_provenance() as i64);
    }
    // SAFETY: what the linker said last on this OS thread, until it is asked again.
    let why = unsafe {
        let why = libc::dlerror();
        (!why.is_null()).then(|| CStr::from_ptr(why).to_string_lossy().into_owned())
    };
    Err(why.unwrap_or_else(|| format!("{name}: it cannot be loaded")))
}

/// The address of a symbol in a library that is loaded, or in one that this depends on; 0 if there is none.
pub fn symbol(_: Granted, handle: i64, name: &str) -> i64 {
    let Ok(c) = CString::new(name) else {
        return 0;
    };
    let handle = std::ptr::with_exposed_provenance_mut(handle as usize);
    // SAFETY: a handle of `open`, which the class library closes once, and a string that ends.
    unsafe { libc::dlsym(handle, c.as_ptr()) }.expose_provenance() as i64
}

/// The file of the library that has this address.
pub fn file(_: Granted, address: i64) -> Option<String> {
    // SAFETY: a record of pointers, which may be null.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    let address = std::ptr::without_provenance(address as usize);
    // SAFETY: the linker looks at the address only; the name it finds ends, and stays while its library does.
    unsafe {
        let found = libc::dladdr(address, &mut info) != 0 && !info.dli_fname.is_null();
        found.then(|| {
            CStr::from_ptr(info.dli_fname)
                .to_string_lossy()
                .into_owned()
        })
    }
}

/// Unloads a library.
pub fn close(_: Granted, handle: i64) {
    let handle = std::ptr::with_exposed_provenance_mut(handle as usize);
    // SAFETY: a handle of `open`, which the class library closes once.
    unsafe { libc::dlclose(handle) };
}

//! Directories that are being read, behind the `DIR*` handles of the Java side.

use super::error::{OrThrow, unix_exception};
use crate::io::{Handles, byte_array, c_string, state};
use rjvm_vm::host::Errno;
use rjvm_vm::{Env, R, Ref};

/// A directory's names, read when it was opened.
struct Directory {
    names: Vec<Vec<u8>>,
    next: usize,
    /// The descriptor it was opened by, closed with it.
    fd: Option<i32>,
}

type Directories = Handles<Directory>;
const KEY: &str = "sun.nio.fs directories";

/// `opendir`
pub fn open(vm: &mut Env, path: i64) -> R<i64> {
    let path = c_string(vm, path)?;
    let names = vm.host().files().read_dir(&path).or_throw(vm)?;
    Ok(state::<Directories>(vm.extensions(), KEY).add(Directory {
        names,
        next: 0,
        fd: None,
    }))
}

/// `fdopendir`
pub fn open_descriptor(vm: &mut Env, fd: i32) -> R<i64> {
    let names = vm.host().files().read_dir_of(fd).or_throw(vm)?;
    let d = Directory {
        names,
        next: 0,
        fd: Some(fd),
    };
    Ok(state::<Directories>(vm.extensions(), KEY).add(d))
}

/// The next name; null at the end.
pub fn next(vm: &mut Env, handle: i64) -> R<Ref> {
    let Some(d) = state::<Directories>(vm.extensions(), KEY).get(handle) else {
        return Err(unix_exception(vm, Errno(libc::EBADF)));
    };
    let Some(name) = d.names.get(d.next).cloned() else {
        return Ok(Ref::NULL);
    };
    // only when the array is there: a collection makes the native run again
    let a = byte_array(vm, &name)?;
    if let Some(d) = state::<Directories>(vm.extensions(), KEY).get(handle) {
        d.next += 1;
    }
    Ok(a)
}

/// `closedir`
pub fn close(vm: &mut Env, handle: i64) -> R<()> {
    match state::<Directories>(vm.extensions(), KEY).remove(handle) {
        Some(Directory { fd: Some(fd), .. }) => vm.host().descriptors().close(fd).or_throw(vm),
        Some(_) => Ok(()),
        None => Err(unix_exception(vm, Errno(libc::EBADF))),
    }
}

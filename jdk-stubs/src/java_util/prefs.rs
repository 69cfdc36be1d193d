//! Natives of `java.util.prefs.FileSystemPreferences`: lock files.

use crate::io::native_string;
use rjvm_vm::host::files::HERE;
use rjvm_vm::host::{Errno, Io, Lock};
use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/util/prefs/FileSystemPreferences";
    lockFile0 "(Ljava/lang/String;IZ)[I" => lock_file;
    unlockFile0 "(I)I" => unlock_file;
    chmod "(Ljava/lang/String;I)I" => chmod;
}

/// The whole file.
const ALL: Lock = Lock {
    start: 0,
    len: 0,
    shared: None,
};

fn number(r: Io<()>) -> i32 {
    r.err().map_or(0, |e| e.0)
}

fn open_and_lock(vm: &mut Env, name: &[u8], mode: i32, shared: bool) -> Io<i32> {
    let flags = match shared {
        true => libc::O_RDONLY,
        false => libc::O_WRONLY | libc::O_CREAT,
    };
    let fd = vm.host().files().open(HERE, name, flags, mode as u32)?;
    let d = vm.host().descriptors();
    let lock = Lock {
        shared: Some(shared),
        ..ALL
    };
    let locked = match d.lock(fd, lock) {
        Ok(true) => Ok(fd),
        Ok(false) => Err(Errno(libc::EAGAIN)),
        Err(e) => Err(e),
    };
    if locked.is_err() {
        let _ = d.close(fd);
    }
    locked
}

/// The descriptor (0: none) and the error number.
fn lock_file(vm: &mut Env, name: Ref, mode: i32, shared: bool) -> R<Ref> {
    let name = native_string(vm, name)?;
    let (fd, error) = match open_and_lock(vm, &name, mode, shared) {
        Ok(fd) => (fd, 0),
        Err(e) => (0, e.0),
    };
    let int = vm.primitive(b'I');
    let a = vm.new_array_of(int, 2)?;
    vm.heap_mut().set_elem::<i32>(a, 0, fd);
    vm.heap_mut().set_elem::<i32>(a, 1, error);
    Ok(a)
}

/// The error number.
fn unlock_file(vm: &mut Env, fd: i32) -> R<i32> {
    let d = vm.host().descriptors();
    let unlocked = d.lock(fd, ALL).map(drop);
    let closed = d.close(fd);
    Ok(number(unlocked.and(closed)))
}

/// The error number.
fn chmod(vm: &mut Env, name: Ref, mode: i32) -> R<i32> {
    let name = native_string(vm, name)?;
    Ok(number(vm.host().files().chmod(&name, mode as u32)))
}

//! Natives of `java.io.FileDescriptor`.

use crate::io;
use rjvm_vm::{Env, R, Ref, jdk, natives};

natives! { "java/io/FileDescriptor";
    sync "()V" until 20 => sync;
    sync0 "()V" since 19 => sync;
    initIDs "()V" => init_ids;
    getHandle "(I)J" => get_handle;
    getAppend "(I)Z" => get_append;
    close0 "()V" => close;
}

/// Nothing to cache: fields are looked up by name.
fn init_ids(_: &mut Env) -> R<()> {
    Ok(())
}

/// Handles are a thing of Windows.
fn get_handle(_: &mut Env, _fd: i32) -> R<i64> {
    Ok(-1)
}

fn get_append(vm: &mut Env, fd: i32) -> R<bool> {
    Ok(vm
        .host()
        .descriptors()
        .flags(fd)
        .is_ok_and(|f| f & libc::O_APPEND != 0))
}

fn sync(vm: &mut Env, this: Ref) -> R<()> {
    let fd = io::fd_of(vm, this)?;
    let r = vm.host().descriptors().sync(fd, false);
    r.map_err(|e| io::errno_as("java/io/SyncFailedException", e))
}

/// Marks it closed first, so that a second attempt cannot hit a descriptor that was given out again.
fn close(vm: &mut Env, this: Ref) -> R<()> {
    let fd = io::fd_of(vm, this)?;
    if fd < 0 {
        return Ok(());
    }
    vm.set(this, jdk::file_descriptor::FD, -1)?;
    vm.host().descriptors().close(fd).map_err(io::io_exception)
}

//! Natives of `sun.nio.ch.FileKey`.

use crate::io::{fd_of, io_exception};
use rjvm_vm::{Env, R, Ref, jdk, natives};

natives! { "sun/nio/ch/FileKey";
    init "(Ljava/io/FileDescriptor;)V" until 24 => init;
    init "(Ljava/io/FileDescriptor;[J)V" since 25 => fill;
    initIDs "()V" until 24 => init_ids;
}

/// Nothing to cache: fields are looked up by name.
fn init_ids(_: &mut Env) -> R<()> {
    Ok(())
}

fn init(vm: &mut Env, this: Ref, fd: Ref) -> R<()> {
    let fd = fd_of(vm, fd)?;
    let s = vm.host().descriptors().stat(fd).map_err(io_exception)?;
    vm.set(this, jdk::file_key::ST_DEV, s.dev as i64)?;
    vm.set(this, jdk::file_key::ST_INO, s.ino as i64)?;
    Ok(())
}

fn fill(vm: &mut Env, fd: Ref, info: Ref) -> R<()> {
    let fd = fd_of(vm, fd)?;
    let s = vm.host().descriptors().stat(fd).map_err(io_exception)?;
    vm.heap_mut().set_elem::<i64>(info, 0, s.dev as i64);
    vm.heap_mut().set_elem::<i64>(info, 1, s.ino as i64);
    Ok(())
}

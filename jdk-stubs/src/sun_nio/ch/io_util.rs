//! Natives of `sun.nio.ch.IOUtil`.

use crate::io::{fd_of, io_exception};
use rjvm_vm::host::Errno;
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "sun/nio/ch/IOUtil";
    randomBytes "([B)Z" => random_bytes;
    makePipe "(Z)J" => make_pipe;
    write1 "(IB)I" => write1;
    drain "(I)Z" => drain;
    drain1 "(I)I" => drain1;
    configureBlocking "(Ljava/io/FileDescriptor;Z)V" => configure_blocking;
    fdVal "(Ljava/io/FileDescriptor;)I" => fd_of;
    setfdVal "(Ljava/io/FileDescriptor;I)V" => set_fd;
    fdLimit "()I" => fd_limit;
    iovMax "()I" => iov_max;
    writevMax "()J" since 19 => writev_max;
    initIDs "()V" => init_ids;
}

/// Nothing to cache: fields are looked up by name.
fn init_ids(_: &mut Env) -> R<()> {
    Ok(())
}

fn random_bytes(_: &mut Env, _array: Ref) -> R<bool> {
    Err(Throw::bare("java/lang/UnsupportedOperationException"))
}

/// Reading end in the upper half of the result, writing end in the lower.
fn make_pipe(vm: &mut Env, blocking: bool) -> R<i64> {
    let d = vm.host().descriptors();
    let (r, w) = d.pipe().map_err(io_exception)?;
    if !blocking {
        d.set_blocking(r, false).map_err(io_exception)?;
        d.set_blocking(w, false).map_err(io_exception)?;
    }
    Ok((r as i64) << 32 | w as i64)
}

fn write1(vm: &mut Env, fd: i32, b: i8) -> R<i32> {
    let r = vm.host().descriptors().write(fd, &[b as u8]);
    r.map(|n| n as i32).map_err(io_exception)
}

/// Reads all there is; whether there was anything.
fn drain(vm: &mut Env, fd: i32) -> R<bool> {
    let mut buf = [0; 128];
    let mut any = false;
    loop {
        match vm.host().descriptors().read(fd, &mut buf) {
            Ok(n) => {
                any |= n > 0;
                if n < buf.len() {
                    return Ok(any);
                }
            }
            Err(Errno(libc::EAGAIN)) => return Ok(any),
            Err(e) => return Err(io_exception(e)),
        }
    }
}

fn drain1(vm: &mut Env, fd: i32) -> R<i32> {
    match vm.host().descriptors().read(fd, &mut [0]) {
        Ok(n) => Ok(n as i32),
        Err(Errno(libc::EAGAIN)) => Ok(0),
        Err(e) => Err(io_exception(e)),
    }
}

fn configure_blocking(vm: &mut Env, fd: Ref, blocking: bool) -> R<()> {
    let fd = fd_of(vm, fd)?;
    let r = vm.host().descriptors().set_blocking(fd, blocking);
    r.map_err(io_exception)
}

fn set_fd(vm: &mut Env, descriptor: Ref, fd: i32) -> R<()> {
    let d = descriptor.non_null().ok_or_else(Throw::npe)?;
    vm.set(d, jdk::file_descriptor::FD, fd)?;
    Ok(())
}

fn fd_limit(vm: &mut Env) -> R<i32> {
    Ok(vm.host().descriptors().limit())
}

/// `IOV_MAX` of the platform.
fn iov_max(_: &mut Env) -> R<i32> {
    Ok(1024)
}

fn writev_max(_: &mut Env) -> R<i64> {
    Ok(i32::MAX.into())
}

//! Natives of `sun.nio.ch.SocketDispatcher`.

use super::result::{of_read, vectored};
use crate::io::{self, Failure, IoTarget, fd_of};
use rjvm_vm::host::Errno;
use rjvm_vm::{Env, R, Ref, Throw, natives};

natives! { "sun/nio/ch/SocketDispatcher";
    read0 "(Ljava/io/FileDescriptor;JI)I" => read;
    readv0 "(Ljava/io/FileDescriptor;JI)J" => readv;
}

/// The other side's reset has its own exception.
fn result(r: Result<usize, Failure>) -> R<i64> {
    match r {
        Err(Failure::Errno(Errno(libc::ECONNRESET | libc::EPIPE))) => Err(Throw::msg(
            "sun/net/ConnectionResetException",
            "Connection reset",
        )),
        r => of_read(r),
    }
}

fn read(vm: &mut Env, fd: Ref, address: i64, len: i32) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    let r = io::read(vm, fd, IoTarget::Memory(address), len.max(0) as usize)?;
    result(r).map(|n| n as i32)
}

fn readv(vm: &mut Env, fd: Ref, address: i64, count: i32) -> R<i64> {
    let fd = fd_of(vm, fd)?;
    vectored(vm, address, count, false, |vm, to, len| {
        result(io::read(vm, fd, to, len)?)
    })
}

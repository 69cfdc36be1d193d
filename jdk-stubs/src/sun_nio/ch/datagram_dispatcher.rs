//! Natives of `sun.nio.ch.DatagramDispatcher`: connected datagram sockets.

use super::result::{of_write, vectored};
use crate::io::{self, Failure, IoTarget, fd_of};
use rjvm_vm::host::Errno;
use rjvm_vm::state::Rooms;
use rjvm_vm::{Env, R, Ref, Throw, natives};

natives! { "sun/nio/ch/DatagramDispatcher";
    read0 "(Ljava/io/FileDescriptor;JI)I" => read;
    readv0 "(Ljava/io/FileDescriptor;JI)J" => readv;
    write0 "(Ljava/io/FileDescriptor;JI)I" => write;
    writev0 "(Ljava/io/FileDescriptor;JI)J" => writev;
}

/// An empty datagram is not an end of input; a refused one has its own exception.
pub fn result(r: Result<usize, Failure>) -> R<i64> {
    match r {
        Err(Failure::Errno(Errno(libc::ECONNREFUSED))) => Err(port_unreachable()),
        r => of_write(r),
    }
}

/// `PortUnreachableException`
#[cold]
pub fn port_unreachable() -> Box<Throw> {
    Throw::bare("java/net/PortUnreachableException")
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

/// Sends one datagram.
fn send(vm: &mut Env, fd: i32, from: IoTarget, len: usize) -> R<i64> {
    if let Err(e) = io::ready(vm, fd, libc::POLLOUT)? {
        return result(Err(e));
    }
    let Rooms {
        heap,
        offheap,
        host,
        ..
    } = vm.rooms();
    let bytes = from.bytes(&heap, offheap, 0, len)?;
    result(host.network().send(fd, &bytes, 0).map_err(Failure::from))
}

fn write(vm: &mut Env, fd: Ref, address: i64, len: i32) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    send(vm, fd, IoTarget::Memory(address), len.max(0) as usize).map(|n| n as i32)
}

fn writev(vm: &mut Env, fd: Ref, address: i64, count: i32) -> R<i64> {
    let fd = fd_of(vm, fd)?;
    vectored(vm, address, count, true, |vm, from, len| {
        send(vm, fd, from, len)
    })
}

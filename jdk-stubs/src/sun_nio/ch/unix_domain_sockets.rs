//! Natives of `sun.nio.ch.UnixDomainSockets`.

use super::net::{accepted, begin_connect};
use super::result::socket_exception;
use crate::io::{byte_array, fd_of, status};
use rjvm_vm::host::{Address, Errno};
use rjvm_vm::threads::Wait;
use rjvm_vm::{Env, R, Ref, natives};

natives! { "sun/nio/ch/UnixDomainSockets";
    localAddress0 "(Ljava/io/FileDescriptor;)[B" => local_address;
    init "()Z" => init;
    socket0 "()I" => socket;
    bind0 "(Ljava/io/FileDescriptor;[B)V" => bind;
    connect0 "(Ljava/io/FileDescriptor;[B)I" => connect;
    accept0 "(Ljava/io/FileDescriptor;Ljava/io/FileDescriptor;[Ljava/lang/Object;)I" => accept;
}

/// Whether the platform has them.
fn init(_: &mut Env) -> R<bool> {
    Ok(true)
}

fn socket(vm: &mut Env) -> R<i32> {
    let r = vm
        .host()
        .network()
        .socket(libc::PF_UNIX, libc::SOCK_STREAM, 0);
    r.map_err(socket_exception)
}

fn path(vm: &Env, bytes: Ref) -> Address {
    Address::Unix(
        bytes
            .non_null()
            .map_or(Vec::new(), |b| vm.heap().bytes(b).to_vec()),
    )
}

fn name(a: Address) -> Vec<u8> {
    match a {
        Address::Unix(name) => name,
        _ => Vec::new(),
    }
}

fn local_address(vm: &mut Env, fd: Ref) -> R<Ref> {
    let fd = fd_of(vm, fd)?;
    let a = vm
        .host()
        .network()
        .local_address(fd)
        .map_err(socket_exception)?;
    byte_array(vm, &name(a))
}

fn bind(vm: &mut Env, fd: Ref, to: Ref) -> R<()> {
    let (fd, a) = (fd_of(vm, fd)?, path(vm, to));
    vm.host().network().bind(fd, &a).map_err(socket_exception)
}

/// How often a full queue is tried again, in nanoseconds.
const INTERVAL: i64 = 1_000_000;

fn connect(vm: &mut Env, fd: Ref, to: Ref) -> R<i32> {
    let (fd, a) = (fd_of(vm, fd)?, path(vm, to));
    let blocking = vm
        .host()
        .descriptors()
        .flags(fd)
        .is_ok_and(|f| f & libc::O_NONBLOCK == 0);
    match begin_connect(vm, fd, &a) {
        Ok(()) => Ok(1),
        // the queue of the other side is full, and no event reports when it no longer is
        Err(Errno(libc::EAGAIN)) if blocking => {
            let until = vm.deadline_after(INTERVAL);
            Err(vm.block_on(Wait::Sleep, Some(until)))
        }
        Err(Errno(libc::EAGAIN | libc::EINPROGRESS)) => Ok(status::UNAVAILABLE),
        Err(Errno(libc::EINTR)) => Ok(status::INTERRUPTED),
        Err(e) => Err(socket_exception(e)),
    }
}

fn accept(vm: &mut Env, fd: Ref, new: Ref, paths: Ref) -> R<i32> {
    accepted(vm, fd, new, |vm, a| {
        let bytes = byte_array(vm, &name(a.clone()))?;
        vm.heap_mut().set_elem_ref(paths, 0, bytes);
        Ok(())
    })
}

//! Natives of `sun.nio.ch.DatagramChannelImpl`.

use super::datagram_dispatcher::{port_unreachable, result};
use super::native_socket_address as sockaddr;
use super::result::{socket_exception, soft};
use crate::io::{self, Failure, fd_of};
use rjvm_vm::host::{Address, Errno};
use rjvm_vm::state::Rooms;
use rjvm_vm::{Env, R, Ref, natives};

natives! { "sun/nio/ch/DatagramChannelImpl";
    disconnect0 "(Ljava/io/FileDescriptor;Z)V" => disconnect;
    receive0 "(Ljava/io/FileDescriptor;JIJZ)I" => receive;
    send0 "(Ljava/io/FileDescriptor;JIJI)I" => send;
}

/// The largest datagram.
const LARGEST: usize = 65536;

fn disconnect(vm: &mut Env, fd: Ref, _v6: bool) -> R<()> {
    let fd = fd_of(vm, fd)?;
    match vm
        .host()
        .network()
        .connect(fd, &Address::Other(libc::AF_UNSPEC))
    {
        Ok(()) | Err(Errno(libc::EAFNOSUPPORT)) => Ok(()),
        Err(e) => Err(socket_exception(e)),
    }
}

/// Receives a datagram and writes its sender's address to `sender`.
fn receive(vm: &mut Env, fd: Ref, address: i64, len: i32, sender: i64, connected: bool) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    loop {
        if let Err(e) = io::ready(vm, fd, libc::POLLIN)? {
            return result(Err(e)).map(|n| n as i32);
        }
        let Rooms { offheap, host, .. } = vm.rooms();
        let room = (len.max(0) as usize).min(LARGEST);
        let received = io::change_memory(offheap, address, room, |buf| {
            host.network().receive_from(fd, buf, 0)
        });
        match received? {
            Ok((n, from)) => {
                if let Address::Inet(a) = from {
                    sockaddr::put(vm, sender, &a)?;
                }
                return Ok(n as i32);
            }
            // an answer to something sent earlier to somebody else
            Err(Errno(libc::ECONNREFUSED)) if !connected => {}
            Err(Errno(libc::ECONNREFUSED)) => return Err(port_unreachable()),
            Err(e) => match soft(e.into()) {
                Some(code) => return Ok(code),
                None => return Err(socket_exception(e)),
            },
        }
    }
}

/// Sends to the address at `target`, or to the peer if its length is 0.
fn send(vm: &mut Env, fd: Ref, address: i64, len: i32, target: i64, target_len: i32) -> R<i32> {
    let fd = fd_of(vm, fd)?;
    if let Err(e) = io::ready(vm, fd, libc::POLLOUT)? {
        return result(Err(e)).map(|n| n as i32);
    }
    let to = match target_len {
        0 => None,
        _ => sockaddr::get(vm, target)?,
    };
    let Rooms { offheap, host, .. } = vm.rooms();
    let bytes = io::memory(offheap, address, (len.max(0) as usize).min(LARGEST))?;
    let r = match to {
        Some(a) => host.network().send_to(fd, &bytes, &Address::Inet(a)),
        None => host.network().send(fd, &bytes, 0),
    };
    match r {
        Ok(n) => Ok(n as i32),
        Err(Errno(libc::ECONNREFUSED)) => Err(port_unreachable()),
        Err(e) => match soft(Failure::from(e)) {
            Some(code) => Ok(code),
            None => Err(socket_exception(e)),
        },
    }
}

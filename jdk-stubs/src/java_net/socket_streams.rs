//! Natives of `java.net.SocketInputStream` and `SocketOutputStream`, the streams of the sockets of before NIO.

use super::plain::{self, SOCKET_EXCEPTION, Waited, closed, failed};
use crate::io::{self, IoTarget};
use crate::sun_nio::ch::errno;
use rjvm_vm::host::Errno;
use rjvm_vm::state::Rooms;
use rjvm_vm::{Env, R, Ref, Throw};

fn init(_: &mut Env) -> R<()> {
    Ok(())
}

/// What one read gets at most.
const MOST: usize = 128 << 10;

/// Reads up to `len` bytes, within `timeout` milliseconds if it is not 0; 0 at the end.
fn read(
    vm: &mut Env,
    _this: Ref,
    descriptor: Ref,
    data: Ref,
    off: i32,
    len: i32,
    timeout: i32,
) -> R<i32> {
    let fd = plain::open(vm, descriptor)?;
    io::check_range(vm, data, off, len)?;
    let (to, len) = (IoTarget::Array(data, off as usize), MOST.min(len as usize));
    loop {
        match plain::wait(vm, fd, libc::POLLIN, timeout)? {
            Waited::TimedOut => {
                let class = "java/net/SocketTimeoutException";
                return Err(Throw::msg(class, "Read timed out"));
            }
            // who waits for some time only is woken first, and reads what is in the socket's place
            Waited::Closed if timeout == 0 => return Err(closed()),
            _ => {}
        }
        let Rooms {
            mut heap,
            offheap,
            host,
            ..
        } = vm.rooms();
        let r = to.change(&mut heap, offheap, len, |buf| {
            host.network().receive(fd, buf, libc::MSG_DONTWAIT)
        })?;
        return match r {
            Ok(n) => Ok(n as i32),
            // somebody else has read it
            Err(Errno(libc::EAGAIN)) => continue,
            Err(Errno(libc::ECONNRESET | libc::EPIPE)) => Err(Throw::msg(
                "sun/net/ConnectionResetException",
                "Connection reset",
            )),
            // what is in the place of a closed socket is one of another kind
            Err(Errno(libc::EBADF)) => Err(closed()),
            Err(e) => Err(failed(SOCKET_EXCEPTION, e, "Read failed")),
        };
    }
}

/// Writes all bytes.
fn write(vm: &mut Env, _this: Ref, descriptor: Ref, data: Ref, off: i32, len: i32) -> R<()> {
    let fd = plain::open(vm, descriptor)?;
    io::check_range(vm, data, off, len)?;
    // the first word of the state is how much has been written, the second one that this has begun
    let begun = vm.native_state()[1] != 0;
    if begun && plain::is_closing(vm, fd) {
        *vm.native_state() = [0; 3];
        return Err(failed(SOCKET_EXCEPTION, Errno(libc::EBADF), "Write failed"));
    }
    vm.native_state()[1] = 1;
    let place = IoTarget::Array(data, off as usize);
    let (_, e) = io::write_all(vm, fd, place, len as usize)?;
    *vm.native_state() = [0; 3];
    match e {
        None => Ok(()),
        Some(e) => Err(failed(SOCKET_EXCEPTION, errno(e), "Write failed")),
    }
}

/// Those of the input.
pub mod input {
    rjvm_vm::natives! { "java/net/SocketInputStream";
        socketRead0 "(Ljava/io/FileDescriptor;[BIII)I" until 17 => super::read;
        init "()V" until 17 => super::init;
    }
}
/// Those of the output.
pub mod output {
    rjvm_vm::natives! { "java/net/SocketOutputStream";
        socketWrite0 "(Ljava/io/FileDescriptor;[BII)V" until 17 => super::write;
        init "()V" until 17 => super::init;
    }
}

//! What the natives of the sockets of before NIO share (`jdk.net.usePlainSocketImpl`, gone since 18): waits, which end when the
//! socket is closed, and the words of their exceptions.

use crate::io::{self, fd_of, state};
use crate::os;
use rjvm_vm::host::Errno;
use rjvm_vm::threads::Wake;
use rjvm_vm::{Env, R, Ref, Throw};
use std::collections::BTreeSet;

/// `java.net.SocketException`
pub const SOCKET_EXCEPTION: &str = "java/net/SocketException";

/// `Broken pipe (Write failed)`: the operating system's text, and the failed operation.
#[cold]
pub fn failed(class: &'static str, e: Errno, what: &str) -> Box<Throw> {
    Throw::msg(class, format!("{} ({what})", os::strerror(e.0)))
}

/// The exception of who uses a socket that is closed.
#[cold]
pub fn closed() -> Box<Throw> {
    Throw::msg(SOCKET_EXCEPTION, "Socket closed")
}

/// The number of a descriptor that is open.
pub fn open(vm: &mut Env, descriptor: Ref) -> R<i32> {
    match descriptor.non_null() {
        Some(_) => match fd_of(vm, descriptor)? {
            -1 => Err(closed()),
            fd => Ok(fd),
        },
        None => Err(closed()),
    }
}

/// Descriptors whose sockets are being closed, while threads use them: the socket in their place is closed when the last of these
/// threads has gone.
#[derive(Default)]
struct Closing(BTreeSet<i32>);

fn closing(vm: &mut Env) -> &mut BTreeSet<i32> {
    &mut state::<Closing>(vm.extensions(), "java.net closing sockets").0
}

/// The socket behind a descriptor is being closed.
pub fn begin_close(vm: &mut Env, fd: i32) {
    closing(vm).insert(fd);
}

/// The descriptor itself is closed.
pub fn end_close(vm: &mut Env, fd: i32) {
    closing(vm).remove(&fd);
}

/// That the native waits, or has waited, in the first word of its state.
const BEGUN: u64 = 1;

/// Whether the native runs again, since it had to wait.
pub fn has_begun(vm: &mut Env) -> bool {
    vm.native_state()[0] != 0
}

/// Whether the socket has been closed: while the native waited, for one that runs again.
pub fn is_closing(vm: &mut Env, fd: i32) -> bool {
    closing(vm).contains(&fd)
}

/// How a wait has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waited {
    /// The descriptor is ready.
    Ready,
    /// The time has ended.
    TimedOut,
    /// The socket is being closed by another thread.
    Closed,
}

/// Waits for events, up to `timeout` milliseconds (0: forever): comes back at once, or by running the native again.
pub fn wait(vm: &mut Env, fd: i32, events: i16, timeout: i32) -> R<Waited> {
    let begun = has_begun(vm);
    let wake = vm.take_wake();
    let how = if begun && is_closing(vm, fd) {
        Waited::Closed
    } else if io::poll_now(vm, fd, events) != 0 {
        Waited::Ready
    } else if begun && wake == Some(Wake::Timeout) {
        Waited::TimedOut
    } else {
        if !begun {
            let until = match timeout {
                0 => i64::MAX,
                t => vm.deadline_after(i64::from(t) * 1_000_000),
            };
            *vm.native_state() = [BEGUN, until as u64, 0];
        }
        let until = vm.native_state()[1] as i64;
        let until = (until != i64::MAX).then_some(until);
        return Err(io::park(vm, fd, events, until));
    };
    *vm.native_state() = [0; 3];
    Ok(how)
}

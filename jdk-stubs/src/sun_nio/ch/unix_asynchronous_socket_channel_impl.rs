//! Natives of `sun.nio.ch.UnixAsynchronousSocketChannelImpl`.

use super::net_options::pending_error;
use super::result::socket_exception;
use rjvm_vm::{Env, R, natives};

natives! { "sun/nio/ch/UnixAsynchronousSocketChannelImpl";
    checkConnect "(I)V" => check_connect;
}

/// Throws what a connection attempt has failed with.
fn check_connect(vm: &mut Env, fd: i32) -> R<()> {
    match pending_error(vm, fd)? {
        None => Ok(()),
        Some(e) => Err(socket_exception(e)),
    }
}

//! Natives of `sun.net.sdp.SdpSupport`.

use crate::io::io_exception;
use rjvm_vm::host::Errno;
use rjvm_vm::{Env, R, natives};

natives! { "sun/net/sdp/SdpSupport";
    create0 "()I" => create;
    convert0 "(I)V" => convert;
}

/// Kernels no longer have the protocol.
fn create(_: &mut Env) -> R<i32> {
    Err(io_exception(Errno(libc::EPROTONOSUPPORT)))
}

fn convert(_: &mut Env, _fd: i32) -> R<()> {
    Err(io_exception(Errno(libc::EPROTONOSUPPORT)))
}

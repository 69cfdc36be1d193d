//! Natives of `sun.net.sdp.SdpSupport`.

use crate::io::io_exception;
use rjvm_vm::host::Errno;
use rjvm_vm::{R, Vm, natives};

natives! { "sun/net/sdp/SdpSupport";
    create0 "()I" => create;
    convert0 "(I)V" => convert;
}

/// Kernels no longer have the protocol.
fn create(_: &mut Vm) -> R<i32> {
    Err(io_exception(Errno(libc::EPROTONOSUPPORT)))
}

fn convert(_: &mut Vm, _fd: i32) -> R<()> {
    Err(io_exception(Errno(libc::EPROTONOSUPPORT)))
}

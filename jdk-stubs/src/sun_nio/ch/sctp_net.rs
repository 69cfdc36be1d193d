//! Natives of `sun.nio.ch.sctp.SctpNet`.

use rjvm_vm::{Env, R, Throw, natives};

natives! { "sun/nio/ch/sctp/SctpNet";
    init "()V" => init;
    socket0 "(Z)I" => socket;
}

/// There is nothing to prepare.
fn init(_: &mut Env) -> R<()> {
    Ok(())
}

/// The library of a system with SCTP is never loaded: its sockets are numbers of the process, and not of the host.
fn socket(_: &mut Env, _to_many: bool) -> R<i32> {
    Err(Throw::msg(
        "java/lang/UnsupportedOperationException",
        "libsctp.so.1: cannot open shared object file: No such file or directory",
    ))
}

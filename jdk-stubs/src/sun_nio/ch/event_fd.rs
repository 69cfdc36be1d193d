//! Natives of `sun.nio.ch.EventFD`.

use crate::io::io_exception;
use rjvm_vm::{Env, R, natives};

natives! { "sun/nio/ch/EventFD";
    eventfd0 "()I" => eventfd;
    set0 "(I)I" => set;
}

fn eventfd(vm: &mut Env) -> R<i32> {
    vm.host().descriptors().event().map_err(io_exception)
}

fn set(vm: &mut Env, fd: i32) -> R<i32> {
    let r = vm.host().descriptors().write(fd, &1u64.to_ne_bytes());
    r.map(|_| 0).map_err(io_exception)
}

//! Natives of `java.io.Console`.

use crate::io;
use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/io/Console";
    encoding "()Ljava/lang/String;" until 24 => encoding;
    echo "(Z)Z" until 20 => echo;
    istty "()Z" optional => is_tty;
    ttyStatus "()I" optional => tty_status;
}

/// The console has no separate encoding.
fn encoding(_: &mut Env) -> R<Ref> {
    Ok(Ref::NULL)
}

fn echo(vm: &mut Env, on: bool) -> R<bool> {
    vm.host()
        .descriptors()
        .echo(0, on)
        .map_err(io::io_exception)
}

/// A bit for each standard descriptor that is a terminal.
fn tty_status(vm: &mut Env) -> R<i32> {
    let d = vm.host().descriptors();
    Ok((0..3).map(|fd| (d.is_terminal(fd) as i32) << fd).sum())
}

/// Earlier updates ask whether input and output are both terminals.
fn is_tty(vm: &mut Env) -> R<bool> {
    let d = vm.host().descriptors();
    Ok(d.is_terminal(0) && d.is_terminal(1))
}

/// Where it is since 20.
pub mod jdk {
    rjvm_vm::natives! { "jdk/internal/io/JdkConsoleImpl";
        echo "(Z)Z" since 20 => super::echo;
    }
}

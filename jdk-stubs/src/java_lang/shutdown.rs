//! Natives of `java.lang.Shutdown`.

use rjvm_vm::{Env, R, Throw, natives};

natives! { "java/lang/Shutdown";
    beforeHalt "()V" => before_halt;
    halt0 "(I)V" => halt;
}

/// The host has to allow it. This one is called before any hook of the program.
fn before_halt(vm: &mut Env) -> R<()> {
    match vm.host().processes().exit() {
        Ok(()) => Ok(()),
        Err(_) => Err(Throw::msg(
            "java/lang/SecurityException",
            "the program may not end the VM",
        )),
    }
}

fn halt(vm: &mut Env, status: i32) -> R<()> {
    before_halt(vm)?;
    Err(Box::new(Throw::Exit(status)))
}

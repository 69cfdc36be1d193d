//! Natives of `java.lang.Shutdown`.

use rjvm_vm::{R, Throw, Vm, natives};

natives! { "java/lang/Shutdown";
    beforeHalt "()V" => before_halt;
    halt0 "(I)V" => halt;
}

/// A hook for VMs that have something to finish before they halt; this one has not.
fn before_halt(_: &mut Vm) -> R<()> {
    Ok(())
}

fn halt(_: &mut Vm, status: i32) -> R<()> {
    Err(Box::new(Throw::Exit(status)))
}

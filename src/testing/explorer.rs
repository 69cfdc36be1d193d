//! Natives of `rjvm.test.Explorer`.

use rjvm_vm::{R, Vm, natives};

natives! { "rjvm/test/Explorer";
    supported0 "()Z" => supported;
}

/// Whether this VM can run a test under many schedules.
fn supported(_: &mut Vm) -> R<bool> {
    Ok(false)
}

//! Natives of `sun.management.ClassLoadingImpl`.

use rjvm_vm::{Env, R, natives};

natives! { "sun/management/ClassLoadingImpl";
    setVerboseClass "(Z)V" => set_verbose_class;
}

fn set_verbose_class(vm: &mut Env, on: bool) -> R<()> {
    vm.set_verbose_class(on);
    Ok(())
}

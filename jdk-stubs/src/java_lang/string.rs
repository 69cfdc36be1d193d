//! Natives of `java.lang.String`.

use rjvm_vm::{R, Ref, Vm, natives};

natives! { "java/lang/String";
    intern "()Ljava/lang/String;" => intern;
}

fn intern(vm: &mut Vm, this: Ref) -> R<Ref> {
    vm.intern(this)
}

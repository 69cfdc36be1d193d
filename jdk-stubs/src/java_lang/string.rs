//! Natives of `java.lang.String`.

use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/lang/String";
    intern "()Ljava/lang/String;" => intern;
}

fn intern(vm: &mut Env, this: Ref) -> R<Ref> {
    vm.intern(this)
}

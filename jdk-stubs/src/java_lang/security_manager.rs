//! Natives of `java.lang.SecurityManager`.

use crate::jdk_internal_reflect::reflection::is_ignored;
use crate::support::class_array;
use rjvm_vm::{Env, R, Ref, natives};
use std::ops::ControlFlow;

natives! { "java/lang/SecurityManager";
    getClassContext "()[Ljava/lang/Class;" until 24 => get_class_context;
}

fn get_class_context(vm: &mut Env, _this: Ref) -> R<Ref> {
    let mut list = Vec::new();
    let thread = vm.current();
    let mut first = true;
    vm.walk_stack(thread, |vm, m, _| {
        // natives don't count, this one least of all
        if !std::mem::take(&mut first) && !vm.method(m).is_native() && !is_ignored(vm, m) {
            list.push(vm.method(m).class);
        }
        ControlFlow::Continue(())
    });
    class_array(vm, &list)
}

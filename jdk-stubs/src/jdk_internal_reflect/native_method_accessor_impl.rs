//! Natives of `jdk.internal.reflect.NativeMethodAccessorImpl`.

use super::invocation;
use crate::java_lang_reflect::executable;
use crate::support::non_null;
use rjvm_vm::classes::method::intrinsic;
use rjvm_vm::{R, Ref, Throw, Vm, natives};

natives! { "jdk/internal/reflect/NativeMethodAccessorImpl";
    invoke0 "(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;" => invoke;
}

fn invoke(vm: &mut Vm, method: Ref, object: Ref, args: Ref) -> R<Ref> {
    let m = executable::target(vm, non_null(method)?);
    let class = vm.method(m).class;
    if vm.method(m).intrinsic != intrinsic::NONE {
        let (c, n) = (
            vm.class(class).dotted(),
            vm.syms.str(vm.method(m).name).clone(),
        );
        let simple = c.rsplit('.').next().unwrap_or(&c);
        let m = format!("{simple}.{n} cannot be invoked reflectively");
        return Err(Throw::msg("java/lang/UnsupportedOperationException", m));
    }
    let (target, receiver) = if vm.method(m).is_static() {
        vm.ensure_initialized(class)?;
        (m, None)
    } else {
        let object = non_null(object)?;
        if !vm.instance_of(object, class) {
            return Err(Throw::msg(
                "java/lang/IllegalArgumentException",
                "object is not an instance of declaring class",
            ));
        }
        let target = vm.select_method(vm.class_of(object), m)?;
        (target, Some(object))
    };
    let parameters = vm.get_ref(method, "parameterTypes:[Ljava/lang/Class;");
    invocation::call(
        vm,
        target,
        receiver,
        parameters,
        args,
        invocation::Result::Boxed,
    )
}

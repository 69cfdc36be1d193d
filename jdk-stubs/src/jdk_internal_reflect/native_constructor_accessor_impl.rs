//! Natives of `jdk.internal.reflect.NativeConstructorAccessorImpl`.

use super::invocation;
use crate::java_lang_reflect::executable;
use crate::support::non_null;
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "jdk/internal/reflect/NativeConstructorAccessorImpl";
    newInstance0 "(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;" until 24 => new_instance;
}

fn new_instance(vm: &mut Env, constructor: Ref, args: Ref) -> R<Ref> {
    let m = executable::target(vm, non_null(constructor)?).ok_or_else(executable::no_method)?;
    let class = vm.method(m).class;
    if vm.class(class).is_abstract() {
        return Err(Throw::msg(
            "java/lang/InstantiationException",
            vm.class(class).dotted(),
        ));
    }
    if class == vm.known().class {
        return Err(Throw::msg(
            "java/lang/IllegalAccessException",
            vm.class(class).dotted(),
        ));
    }
    vm.ensure_initialized(class)?;
    let object = vm.alloc_object(class)?;
    let parameters = vm.get(constructor, jdk::constructor::PARAMETER_TYPES);
    invocation::call(
        vm,
        m,
        Some(object),
        parameters,
        args,
        invocation::Result::Receiver,
    )
}

/// Since 18.
pub mod direct {
    rjvm_vm::natives! { "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor";
        newInstance0 "(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;" since 18 => super::new_instance;
    }
}

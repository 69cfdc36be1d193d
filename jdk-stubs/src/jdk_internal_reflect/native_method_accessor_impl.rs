//! Natives of `jdk.internal.reflect.NativeMethodAccessorImpl`.

use super::invocation;
use crate::java_lang_reflect::executable;
use crate::support::non_null;
use rjvm_vm::classes::{method::intrinsic, method_text};
use rjvm_vm::{Env, MethodId, R, Ref, Throw, jdk, natives};

natives! { "jdk/internal/reflect/NativeMethodAccessorImpl";
    invoke0 "(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;" until 24 => invoke;
}

fn invoke(vm: &mut Env, method: Ref, object: Ref, args: Ref) -> R<Ref> {
    let m = executable::target(vm, non_null(method)?).ok_or_else(executable::no_method)?;
    let class = vm.method(m).class;
    if vm.method(m).intrinsic != intrinsic::NONE {
        let (c, n) = (
            vm.class(class).dotted(),
            vm.symbols().str(vm.method(m).name).clone(),
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
        let target = match vm.select_method(vm.class_of(object), m) {
            Ok(target) => target,
            Err(t) => return Err(unselectable(vm, m, object, t)),
        };
        (target, Some(object))
    };
    let parameters = vm.get(method, jdk::method::PARAMETER_TYPES);
    invocation::call(
        vm,
        target,
        receiver,
        parameters,
        args,
        invocation::Result::Boxed,
    )
}

/// The exception when the receiver has no method to be called.
fn unselectable(vm: &mut Env, m: MethodId, receiver: Ref, t: Box<Throw>) -> Box<Throw> {
    let receiver = vm.class_of(receiver);
    let interface = vm.class(vm.method(m).class).is_interface();
    // of an interface's conflicting methods it says what a call by class says
    let t = match vm.select_virtual(receiver, m) {
        Err(u) if u.is_new("java/lang/IncompatibleClassChangeError") => u,
        _ => t,
    };
    let Throw::New { class, message, .. } = *t else {
        return t;
    };
    let message = match interface {
        true => message,
        // of a method of a class HotSpot says less than at a call
        false => {
            let receiver = vm.external_class(receiver);
            let (name, desc) = (vm.method(m).name, vm.method(m).desc);
            let (name, desc) = (vm.symbols().str(name), vm.symbols().str(desc));
            Some(format!("'{}'", method_text(&receiver, name, desc)))
        }
    };
    vm.throw_wrapped(invocation::WRAPPER, class, message)
}

/// Since 18.
pub mod direct {
    rjvm_vm::natives! { "jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor";
        invoke0 "(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;" since 18 => super::invoke;
    }
}

//! Natives of `jdk.internal.reflect.Reflection`, and which frames a search for a caller passes over.

use crate::support::class_arg;
use rjvm_vm::classes::ClassKind;
use rjvm_vm::{ClassId, Env, MethodId, R, Ref, Throw, natives};
use std::ops::ControlFlow;

natives! { "jdk/internal/reflect/Reflection";
    getCallerClass "()Ljava/lang/Class;" => get_caller_class;
    getClassAccessFlags "(Ljava/lang/Class;)I" => get_class_access_flags;
    areNestMates "(Ljava/lang/Class;Ljava/lang/Class;)Z" => are_nest_mates;
}

fn extends(vm: &Env, c: ClassId, name: &str) -> bool {
    let mut next = Some(c);
    while let Some(c) = next {
        if *vm.class(c).name == *name {
            return true;
        }
        next = vm.class(c).super_class;
    }
    false
}

/// Frames of reflective calls, of methods and constructors.
pub fn is_accessor(vm: &Env, m: MethodId) -> bool {
    let c = vm.method(m).class;
    extends(vm, c, "jdk/internal/reflect/MethodAccessorImpl")
        || extends(vm, c, "jdk/internal/reflect/ConstructorAccessorImpl")
}

/// Frames that don't count as callers: reflective method calls and method-handle plumbing.
pub fn is_ignored(vm: &Env, m: MethodId) -> bool {
    let method = vm.method(m);
    let invoke = || {
        **vm.symbols().str(method.name) == *"invoke"
            && *vm.class(method.class).name == *"java/lang/reflect/Method"
    };
    method.lambda_form
        || invoke()
        || extends(vm, method.class, "jdk/internal/reflect/MethodAccessorImpl")
}

/// The caller of the `@CallerSensitive` method that calls this.
fn get_caller_class(vm: &mut Env) -> R<Ref> {
    let mut n = 0;
    let mut result = Ok(Ref::NULL);
    let thread = vm.current();
    vm.walk_stack(thread, |vm, m, _| {
        // frame 0 is this native, frame 1 the method that asks
        if n >= 2 && is_ignored(vm, m) {
            return ControlFlow::Continue(());
        }
        n += 1;
        match n {
            1 => ControlFlow::Continue(()),
            2 if vm.method(m).caller_sensitive => ControlFlow::Continue(()),
            2 => {
                result = Err(Throw::msg(
                    "java/lang/InternalError",
                    "CallerSensitive annotation expected at frame 1",
                ));
                ControlFlow::Break(())
            }
            _ => {
                result = Ok(vm.mirror(vm.method(m).class));
                ControlFlow::Break(())
            }
        }
    });
    result
}

fn get_class_access_flags(vm: &mut Env, class: Ref) -> R<i32> {
    let c = class_arg(vm, class)?;
    match vm.class(c).kind {
        ClassKind::Instance => Ok(i32::from(vm.class(c).access & 0x7fff)),
        _ => Ok(vm.declared_modifiers(c).into()),
    }
}

fn are_nest_mates(vm: &mut Env, a: Ref, b: Ref) -> R<bool> {
    let (a, b) = (class_arg(vm, a)?, class_arg(vm, b)?);
    Ok(vm.nest_host(a)? == vm.nest_host(b)?)
}

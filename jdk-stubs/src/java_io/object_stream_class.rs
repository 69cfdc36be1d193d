//! Natives of `java.io.ObjectStreamClass`.

use crate::support::{descriptor_of, make_and_forget};
use rjvm_vm::{ClassId, Env, R, Ref, Throw, natives};

natives! { "java/io/ObjectStreamClass";
    initNative "()V" => init_native;
    hasStaticInitializer "(Ljava/lang/Class;)Z" => has_static_initializer;
}

/// Nothing to prepare.
fn init_native(_: &mut Env) -> R<()> {
    Ok(())
}

/// Whether the class itself declares `<clinit>`. The JDK's library asks JNI, which initializes the
/// class and makes an error when there is none: in the class, else in its superclass.
fn has_static_initializer(vm: &mut Env, class: Ref) -> R<bool> {
    let c = vm.of_mirror(class.non_null().ok_or_else(Throw::npe)?);
    vm.ensure_initialized(c)?;
    if !declares_initializer(vm, c) {
        return Err(missing_initializer(vm, c, false)?);
    }
    let super_class = vm.class(c).super_class;
    match super_class {
        Some(s) if !declares_initializer(vm, s) => Err(missing_initializer(vm, s, true)?),
        _ => Ok(true),
    }
}

fn declares_initializer(vm: &mut Env, c: ClassId) -> bool {
    let (name, desc) = (vm.symbol("<clinit>"), vm.symbol("()V"));
    vm.declared_method(c, name, desc).is_some()
}

fn missing_initializer(vm: &mut Env, c: ClassId, result: bool) -> R<Box<Throw>> {
    let text = format!("static {}.<clinit>()V", descriptor_of(vm, c));
    let error = "java/lang/NoSuchMethodError";
    make_and_forget(vm, error, Some(&text), Ref::NULL, result.into())
}

//! Natives of `java.io.ObjectStreamClass`.

use rjvm_vm::{R, Ref, Throw, Vm, natives};

natives! { "java/io/ObjectStreamClass";
    initNative "()V" => init_native;
    hasStaticInitializer "(Ljava/lang/Class;)Z" => has_static_initializer;
}

/// Nothing to prepare.
fn init_native(_: &mut Vm) -> R<()> {
    Ok(())
}

/// Whether the class itself declares `<clinit>`.
fn has_static_initializer(vm: &mut Vm, class: Ref) -> R<bool> {
    let c = vm.of_mirror(class.non_null().ok_or_else(Throw::npe)?);
    let name = vm.syms.intern("<clinit>");
    let desc = vm.syms.intern("()V");
    Ok(vm.class(c).method_index.contains_key(&(name, desc)))
}

//! How the VM makes a `java.lang.reflect.RecordComponent`.

use super::method;
use crate::support::{class_of_descriptor, intern_mutf8, opt_byte_array, string_from_mutf8};
use rjvm_classfile::{ClassFile, RecordComponent};
use rjvm_vm::{ClassId, Env, R, Ref, Throw, jdk};

/// A `RecordComponent` for a row of the `Record` attribute of `c`.
pub fn new(vm: &mut Env, c: ClassId, cf: &ClassFile, rc: &RecordComponent) -> R<Ref> {
    let pool = &cf.constant_pool;
    let bad = |_| {
        Throw::msg(
            "java/lang/ClassFormatError",
            "Invalid constant pool index in Record attribute",
        )
    };
    let (name, desc) = (
        pool.str(rc.name).map_err(bad)?,
        pool.str(rc.descriptor).map_err(bad)?,
    );
    let loader = vm.class(c).loader;
    let ty = class_of_descriptor(vm, loader, desc)?;
    // the accessor is there unless someone has written the class file by hand
    let (n, d) = (vm.symbol(name), vm.symbol(&format!("(){desc}")));
    let accessor = match vm.declared_method(c, n, d) {
        Some(m) if !vm.method(m).is_static() => method::new(vm, m)?,
        _ => Ref::NULL,
    };
    let class = vm.known().record_component;
    vm.ensure_initialized(class)?;
    let r = vm.alloc_object(class)?;
    let (mirror, ty) = (vm.mirror(c), vm.mirror(ty));
    vm.set(r, jdk::record_component::CLAZZ, mirror);
    vm.set(r, jdk::record_component::TYPE, ty);
    vm.set(r, jdk::record_component::ACCESSOR, accessor);
    let name = intern_mutf8(vm, name.as_bytes())?;
    vm.set(r, jdk::record_component::NAME, name);
    if let Some(Ok(s)) = rc.signature.map(|s| pool.utf8(s)) {
        let s = string_from_mutf8(vm, s)?;
        vm.set(r, jdk::record_component::SIGNATURE, s);
    }
    let a = opt_byte_array(vm, rc.annotations.visible.as_deref())?;
    vm.set(r, jdk::record_component::ANNOTATIONS, a);
    let a = opt_byte_array(vm, rc.annotations.visible_type.as_deref())?;
    vm.set(r, jdk::record_component::TYPE_ANNOTATIONS, a);
    Ok(r)
}

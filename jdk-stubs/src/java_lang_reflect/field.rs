//! `java.lang.reflect.Field`: its native, and how the VM makes one.

use crate::support::{class_of_descriptor, mirrored, opt_byte_array, string_from_mutf8};
use rjvm_classfile::FieldInfo;
use rjvm_vm::classes::acc;
use rjvm_vm::{ClassId, Env, R, Ref, Throw, jdk, natives};

natives! { "java/lang/reflect/Field";
    getTypeAnnotationBytes0 "()[B" => get_type_annotation_bytes;
}

/// Flags of a field that reflection shows.
const MODIFIERS: u16 = 0x50df;

/// A `Field` for field number `i` of class `c`.
pub fn new(vm: &mut Env, c: ClassId, i: u32) -> R<Ref> {
    let f = vm.class(c).fields[i as usize].clone();
    let cf = vm
        .class(c)
        .cf
        .clone()
        .expect("a class with fields has a class file");
    let info: &FieldInfo = &cf.fields[f.index as usize];
    let desc = vm.symbols().str(f.desc).clone();
    let name = vm.symbols().str(f.name).clone();
    let loader = vm.class(c).loader;
    let ty = class_of_descriptor(vm, loader, &desc)?;
    let class = vm.known().field;
    vm.ensure_initialized(class)?;
    let r = vm.alloc_object(class)?;
    let (mirror, ty) = (vm.mirror(c), vm.mirror(ty));
    vm.set(r, jdk::field::CLAZZ, mirror);
    vm.set(r, jdk::field::SLOT, i as i32);
    let name = vm.intern_str(&name)?;
    vm.set(r, jdk::field::NAME, name);
    vm.set(r, jdk::field::TYPE, ty);
    vm.set(r, jdk::field::MODIFIERS, i32::from(f.access & MODIFIERS));
    let trusted = is_trusted_final(vm, c, i);
    vm.set(r, jdk::field::TRUSTED_FINAL, trusted);
    if let Some(Ok(s)) = info.attributes.signature.map(|s| cf.constant_pool.utf8(s)) {
        let s = string_from_mutf8(vm, s)?;
        vm.set(r, jdk::field::SIGNATURE, s);
    }
    let a = opt_byte_array(vm, info.attributes.annotations.visible.as_deref())?;
    vm.set(r, jdk::field::ANNOTATIONS, a);
    Ok(r)
}

/// Whether reflection may never write the field: final in a record or hidden class.
pub fn is_trusted_final(vm: &Env, c: ClassId, i: u32) -> bool {
    let class = vm.class(c);
    let f = &class.fields[i as usize];
    let record = || {
        class
            .cf
            .as_ref()
            .is_some_and(|cf| cf.attributes.record.is_some())
    };
    f.access & acc::FINAL != 0
        && (f.trusted_final || f.access & acc::STATIC != 0 || class.hidden || record())
}

/// The class and field number a `Field` object represents; none if reflection has put something else into its fields.
pub fn target(vm: &mut Env, field: Ref) -> Option<(ClassId, u32)> {
    let mirror = vm.get(field, jdk::field::CLAZZ);
    let slot = u32::try_from(vm.get(field, jdk::field::SLOT)).ok()?;
    let class = mirrored(vm, mirror)?;
    let there = (slot as usize) < vm.class(class).fields.len();
    there.then_some((class, slot))
}

/// For an object that no longer represents a field.
pub fn no_field() -> Box<Throw> {
    Throw::msg("java/lang/InternalError", "no such field")
}

fn get_type_annotation_bytes(vm: &mut Env, this: Ref) -> R<Ref> {
    let Some((c, i)) = target(vm, this) else {
        return Ok(Ref::NULL);
    };
    let index = vm.class(c).fields[i as usize].index as usize;
    let cf = vm.class(c).cf.clone();
    opt_byte_array(
        vm,
        cf.as_ref().and_then(|cf| {
            cf.fields[index]
                .attributes
                .annotations
                .visible_type
                .as_deref()
        }),
    )
}

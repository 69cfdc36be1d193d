//! `java.lang.reflect.Executable`: its natives, and what `Method` and `Constructor` have in common.

use crate::support::{
    class_array, classes_of_signature, intern_mutf8, mirrored, opt_byte_array, ref_array,
    string_from_mutf8,
};
use rjvm_classfile::{ClassFile, MethodAttributes};
use rjvm_vm::jdk::{self, IntField, RefField};
use rjvm_vm::{ClassId, Env, MethodId, R, Ref, Throw, natives};
use std::sync::Arc;

natives! { "java/lang/reflect/Executable";
    getParameters0 "()[Ljava/lang/reflect/Parameter;" => get_parameters;
    getTypeAnnotationBytes0 "()[B" => get_type_annotation_bytes;
}

/// Flags of a method that reflection shows.
pub const MODIFIERS: u16 = 0x1dff;

/// The class file of a method's class, and its `method_info`'s index in it.
pub fn class_file(vm: &Env, m: MethodId) -> (Arc<ClassFile>, usize) {
    let method = vm.method(m);
    let cf = vm
        .class(method.class)
        .cf
        .clone()
        .expect("a class with methods has a class file");
    (cf, method.slot as usize)
}

/// The fields that `Method` and `Constructor` both have.
struct Names {
    clazz: RefField,
    slot: IntField,
    parameter_types: RefField,
    exception_types: RefField,
    modifiers: IntField,
    signature: RefField,
    annotations: RefField,
    parameter_annotations: RefField,
}

macro_rules! names {
    ($class:ident) => {
        Names {
            clazz: jdk::$class::CLAZZ,
            slot: jdk::$class::SLOT,
            parameter_types: jdk::$class::PARAMETER_TYPES,
            exception_types: jdk::$class::EXCEPTION_TYPES,
            modifiers: jdk::$class::MODIFIERS,
            signature: jdk::$class::SIGNATURE,
            annotations: jdk::$class::ANNOTATIONS,
            parameter_annotations: jdk::$class::PARAMETER_ANNOTATIONS,
        }
    };
}

fn names(vm: &Env, class: ClassId) -> Names {
    match class == vm.known().method {
        true => names!(method),
        false => names!(constructor),
    }
}

/// The method a `Method` or `Constructor` object represents; none if reflection has put something else into its fields.
pub fn target(vm: &mut Env, executable: Ref) -> Option<MethodId> {
    let names = names(vm, vm.class_of(executable));
    let mirror = vm.get(executable, names.clazz);
    let slot = usize::try_from(vm.get(executable, names.slot)).ok()?;
    let class = mirrored(vm, mirror)?;
    vm.class(class).methods.get(slot).copied()
}

/// HotSpot's answer to a call of an object that no longer represents a method.
pub fn no_method() -> Box<Throw> {
    Throw::msg("java/lang/InternalError", "invoke")
}

/// The classes an executable's `throws` clause names.
fn exceptions(vm: &mut Env, c: ClassId, info: &MethodAttributes) -> R<Vec<ClassId>> {
    let mut list = Vec::new();
    for &i in info.exceptions.as_deref().unwrap_or_default() {
        list.push(vm.resolve_class(c, i)?);
    }
    Ok(list)
}

/// A new object of `class` (`Method` or `Constructor`) with the fields both have; also the return type.
pub fn new_common(vm: &mut Env, class: ClassId, m: MethodId) -> R<(Ref, ClassId)> {
    let (cf, index) = class_file(vm, m);
    let info = &*cf.methods[index].attributes.once();
    let (c, access, desc) = {
        let m = vm.method(m);
        (m.class, m.access, vm.symbols().str(m.desc).clone())
    };
    let loader = vm.class(c).loader;
    let (parameters, result) = classes_of_signature(vm, loader, &desc)?;
    let exceptions = exceptions(vm, c, info)?;
    vm.ensure_initialized(class)?;
    let r = vm.alloc_object(class)?;
    let names = names(vm, class);
    let mirror = vm.mirror(c);
    vm.set(r, names.clazz, mirror);
    vm.set(r, names.slot, index as i32);
    let a = class_array(vm, &parameters)?;
    vm.set(r, names.parameter_types, a);
    let a = class_array(vm, &exceptions)?;
    vm.set(r, names.exception_types, a);
    vm.set(r, names.modifiers, i32::from(access & MODIFIERS));
    if let Some(Ok(s)) = info.signature.map(|s| cf.constant_pool.utf8(s)) {
        let s = string_from_mutf8(vm, s)?;
        vm.set(r, names.signature, s);
    }
    let a = opt_byte_array(vm, info.annotations.visible.as_deref())?;
    vm.set(r, names.annotations, a);
    let a = opt_byte_array(vm, info.visible_parameter_annotations.as_deref())?;
    vm.set(r, names.parameter_annotations, a);
    Ok((r, result))
}

fn get_parameters(vm: &mut Env, this: Ref) -> R<Ref> {
    let m = target(vm, this).ok_or_else(no_method)?;
    let (cf, index) = class_file(vm, m);
    let Some(parameters) = cf.methods[index].attributes.method_parameters.as_deref() else {
        return Ok(Ref::NULL);
    };
    let class = vm.known().parameter;
    vm.ensure_initialized(class)?;
    let mut items = Vec::new();
    for (i, p) in parameters.iter().enumerate() {
        let name = match p.name {
            0 => Ref::NULL,
            n => match cf.constant_pool.utf8(n) {
                Ok(bytes) => intern_mutf8(vm, bytes)?,
                Err(_) => {
                    return Err(Throw::msg(
                        "java/lang/IllegalArgumentException",
                        "Constant pool index out of bounds",
                    ));
                }
            },
        };
        let r = vm.alloc_object(class)?;
        vm.set(r, jdk::parameter::NAME, name);
        vm.set(r, jdk::parameter::MODIFIERS, i32::from(p.access_flags));
        vm.set(r, jdk::parameter::EXECUTABLE, this);
        vm.set(r, jdk::parameter::INDEX, i as i32);
        items.push(r);
    }
    ref_array(vm, class, &items)
}

fn get_type_annotation_bytes(vm: &mut Env, this: Ref) -> R<Ref> {
    let Some(m) = target(vm, this) else {
        return Ok(Ref::NULL);
    };
    let (cf, index) = class_file(vm, m);
    opt_byte_array(
        vm,
        cf.methods[index]
            .attributes
            .annotations
            .visible_type
            .as_deref(),
    )
}

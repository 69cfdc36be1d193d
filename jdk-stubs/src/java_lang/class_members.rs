//! Natives of `java.lang.Class` that list what a class declares.

use crate::java_lang_reflect::{constructor, field, method, record_component};
use crate::support::ref_array;
use rjvm_vm::classes::acc;
use rjvm_vm::{ClassId, Env, MethodId, R, Ref};

/// The declared methods that reflection shows: constructors or the others, public ones or all.
fn declared(vm: &mut Env, c: ClassId, constructors: bool, public_only: bool) -> Vec<MethodId> {
    let (init, clinit) = (vm.symbol("<init>"), vm.symbol("<clinit>"));
    let class = vm.class(c);
    class
        .methods
        .iter()
        .copied()
        .filter(|&m| {
            let m = vm.method(m);
            m.name != clinit
                && !m.deleted
                && (m.name == init) == constructors
                && (!public_only || m.access & acc::PUBLIC != 0)
        })
        .collect()
}

fn prepare(vm: &mut Env, this: Ref) -> R<ClassId> {
    let c = vm.of_mirror(this);
    if vm.class(c).cf.is_some() {
        vm.link_class(c)?;
    }
    Ok(c)
}

pub fn get_declared_fields(vm: &mut Env, this: Ref, public_only: bool) -> R<Ref> {
    let c = prepare(vm, this)?;
    let mut items = Vec::new();
    for i in 0..vm.class(c).fields.len() {
        let f = &vm.class(c).fields[i];
        if f.index != u16::MAX && (!public_only || f.access & acc::PUBLIC != 0) {
            items.push(vm.in_domain_of(c, |vm| field::new(vm, c, i as u32))?);
        }
    }
    let elem = vm.known().field;
    ref_array(vm, elem, &items)
}

pub fn get_declared_methods(vm: &mut Env, this: Ref, public_only: bool) -> R<Ref> {
    let c = prepare(vm, this)?;
    let mut items = Vec::new();
    for m in declared(vm, c, false, public_only) {
        items.push(vm.in_domain_of(c, |vm| method::new(vm, m))?);
    }
    let elem = vm.known().method;
    ref_array(vm, elem, &items)
}

pub fn get_declared_constructors(vm: &mut Env, this: Ref, public_only: bool) -> R<Ref> {
    let c = prepare(vm, this)?;
    let mut items = Vec::new();
    for m in declared(vm, c, true, public_only) {
        items.push(vm.in_domain_of(c, |vm| constructor::new(vm, m))?);
    }
    let elem = vm.known().constructor;
    ref_array(vm, elem, &items)
}

pub fn is_record(vm: &mut Env, this: Ref) -> R<bool> {
    let class = vm.class(vm.of_mirror(this));
    let parent = class
        .super_class
        .is_some_and(|s| *vm.class(s).name == *"java/lang/Record");
    Ok(parent
        && class.access & acc::FINAL != 0
        && class
            .cf
            .as_ref()
            .is_some_and(|cf| cf.attributes.record.is_some()))
}

pub fn get_record_components(vm: &mut Env, this: Ref) -> R<Ref> {
    let c = prepare(vm, this)?;
    let Some(cf) = vm.class(c).cf.clone() else {
        return Ok(Ref::NULL);
    };
    let Some(components) = cf.attributes.record.as_deref() else {
        return Ok(Ref::NULL);
    };
    let mut items = Vec::new();
    for rc in components {
        items.push(record_component::new(vm, c, &cf, rc)?);
    }
    let elem = vm.known().record_component;
    ref_array(vm, elem, &items)
}

//! Natives of `java.lang.Class` about nesting (JVMS 4.7.6, 4.7.7, 4.7.28, 4.7.29) and permitted subclasses.

use crate::support::{class_array, ref_array, string_from_mutf8};
use rjvm_classfile::ClassFile;
use rjvm_vm::{ClassId, Env, R, Ref, Throw};
use std::sync::Arc;

fn class_file(vm: &Env, this: Ref) -> Option<(ClassId, Arc<ClassFile>)> {
    let c = vm.of_mirror(this);
    vm.class(c).cf.clone().map(|cf| (c, cf))
}

/// The class of which `c` is a member, by its own `InnerClasses` attribute.
fn outer_of(vm: &mut Env, c: ClassId) -> R<Option<ClassId>> {
    let Some(cf) = vm.class(c).cf.clone() else {
        return Ok(None);
    };
    let rows = cf.attributes.inner_classes.as_deref().unwrap_or_default();
    for row in rows {
        if row.outer_class != 0 && vm.class(c).is_named_by(row.inner_class) {
            return vm.resolve_class(c, row.outer_class).map(Some);
        }
    }
    Ok(None)
}

/// Both classes must agree that `inner` is a member of `outer`.
fn check_inner(vm: &mut Env, outer: ClassId, inner: ClassId) -> R<()> {
    if let Some(cf) = vm.class(outer).cf.clone() {
        let rows = cf.attributes.inner_classes.as_deref().unwrap_or_default();
        for row in rows {
            if vm.class(outer).is_named_by(row.outer_class)
                && row.inner_class != 0
                && cf
                    .constant_pool
                    .class_name(row.inner_class)
                    .is_ok_and(|n| *n == *vm.class(inner).name)
                && vm.resolve_class(outer, row.inner_class)? == inner
            {
                return Ok(());
            }
        }
    }
    let m = format!(
        "{} and {} disagree on InnerClasses attribute",
        vm.class(outer).dotted(),
        vm.class(inner).dotted()
    );
    Err(Throw::msg("java/lang/IncompatibleClassChangeError", m))
}

pub fn get_declared_classes(vm: &mut Env, this: Ref) -> R<Ref> {
    let mut list = Vec::new();
    if let Some((c, cf)) = class_file(vm, this) {
        for row in cf.attributes.inner_classes.as_deref().unwrap_or_default() {
            if row.inner_class == 0 || !vm.class(c).is_named_by(row.outer_class) {
                continue;
            }
            // what the inner class says itself is asked by `getDeclaringClass` only
            list.push(vm.resolve_class(c, row.inner_class)?);
        }
    }
    class_array(vm, &list)
}

pub fn get_declaring_class(vm: &mut Env, this: Ref) -> R<Ref> {
    let c = vm.of_mirror(this);
    match outer_of(vm, c)? {
        Some(outer) => {
            check_inner(vm, outer, c)?;
            Ok(vm.mirror(outer))
        }
        None => Ok(Ref::NULL),
    }
}

pub fn get_simple_binary_name(vm: &mut Env, this: Ref) -> R<Ref> {
    if let Some((c, cf)) = class_file(vm, this) {
        for row in cf.attributes.inner_classes.as_deref().unwrap_or_default() {
            if row.name != 0
                && vm.class(c).is_named_by(row.inner_class)
                && let Ok(bytes) = cf.constant_pool.utf8(row.name)
            {
                return string_from_mutf8(vm, bytes);
            }
        }
    }
    Ok(Ref::NULL)
}

pub fn get_enclosing_method(vm: &mut Env, this: Ref) -> R<Ref> {
    let Some((c, cf)) = class_file(vm, this) else {
        return Ok(Ref::NULL);
    };
    let Some(e) = cf.attributes.enclosing_method else {
        return Ok(Ref::NULL);
    };
    if e.class == 0 {
        return Ok(Ref::NULL);
    }
    let class = vm.resolve_class(c, e.class)?;
    let mut items = [vm.mirror(class), Ref::NULL, Ref::NULL];
    if e.method != 0
        && let Ok((name, desc)) = cf.constant_pool.name_and_type(e.method)
    {
        items[1] = vm.new_string(name)?;
        items[2] = vm.new_string(desc)?;
    }
    let elem = vm.known().object;
    ref_array(vm, elem, &items)
}

pub fn get_nest_host(vm: &mut Env, this: Ref) -> R<Ref> {
    let c = vm.of_mirror(this);
    let host = vm.nest_host(c)?;
    Ok(vm.mirror(host))
}

/// A class that is named, but may be missing or broken: then it doesn't count.
fn resolve_leniently(vm: &mut Env, c: ClassId, index: u16) -> R<Option<ClassId>> {
    match vm.resolve_class(c, index) {
        Ok(k) => Ok(Some(k)),
        Err(e) => match *e {
            Throw::New { .. } | Throw::Object(_) => Ok(None),
            _ => Err(e),
        },
    }
}

pub fn get_nest_members(vm: &mut Env, this: Ref) -> R<Ref> {
    let c = vm.of_mirror(this);
    let host = vm.nest_host(c)?;
    let mut list = vec![host];
    if let Some(cf) = vm.class(host).cf.clone() {
        for &i in cf.attributes.nest_members.as_deref().unwrap_or_default() {
            if let Some(m) = resolve_leniently(vm, host, i)?
                && vm.nest_host(m)? == host
            {
                list.push(m);
            }
        }
    }
    class_array(vm, &list)
}

pub fn get_permitted_subclasses(vm: &mut Env, this: Ref) -> R<Ref> {
    let Some((c, cf)) = class_file(vm, this) else {
        return Ok(Ref::NULL);
    };
    let Some(indices) = cf.attributes.permitted_subclasses.as_deref() else {
        return Ok(Ref::NULL);
    };
    let mut list = Vec::new();
    for &i in indices {
        if let Some(k) = resolve_leniently(vm, c, i)?
            && !vm.class(k).is_array()
        {
            list.push(k);
        }
    }
    class_array(vm, &list)
}

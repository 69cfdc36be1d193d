//! Natives of `java.lang.Class`: the type itself. `class_members` has its members, `class_nesting` its nesting.

use super::class_members as members;
use super::class_nesting as nesting;
use crate::support::{
    class_arg, class_array, internal_name, is_too_long, opt_byte_array, string_arg,
    string_from_mutf8,
};
use rjvm_vm::boot::primitive_name;
use rjvm_vm::classes::ClassKind;
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "java/lang/Class";
    registerNatives "()V" => register_natives;
    forName0 "(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;" => for_name;
    getPrimitiveClass "(Ljava/lang/String;)Ljava/lang/Class;" => get_primitive_class;
    isInstance "(Ljava/lang/Object;)Z" => is_instance, inlined IsInstance;
    isAssignableFrom "(Ljava/lang/Class;)Z" => is_assignable_from;
    isInterface "()Z" until 24 => is_interface;
    isArray "()Z" until 24 => is_array;
    isPrimitive "()Z" until 24 => is_primitive;
    isHidden "()Z" => is_hidden;
    initClassName "()Ljava/lang/String;" => init_class_name;
    getSuperclass "()Ljava/lang/Class;" => get_superclass;
    getInterfaces0 "()[Ljava/lang/Class;" => get_interfaces;
    getModifiers "()I" until 24 => get_modifiers;
    getClassAccessFlagsRaw0 "()I" since 20 => get_access_flags;
    getClassFileVersion0 "()I" since 20 => get_class_file_version;
    getSigners "()[Ljava/lang/Object;" until 24 => get_signers;
    setSigners "([Ljava/lang/Object;)V" until 24 => set_signers;
    getProtectionDomain0 "()Ljava/security/ProtectionDomain;" until 24 => get_protection_domain;
    getGenericSignature0 "()Ljava/lang/String;" => get_generic_signature;
    getRawAnnotations "()[B" => get_raw_annotations;
    getRawTypeAnnotations "()[B" => get_raw_type_annotations;
    getConstantPool "()Ljdk/internal/reflect/ConstantPool;" => get_constant_pool;
    desiredAssertionStatus0 "(Ljava/lang/Class;)Z" => desired_assertion_status;
    getDeclaredFields0 "(Z)[Ljava/lang/reflect/Field;" => members::get_declared_fields;
    getDeclaredMethods0 "(Z)[Ljava/lang/reflect/Method;" => members::get_declared_methods;
    getDeclaredConstructors0 "(Z)[Ljava/lang/reflect/Constructor;" => members::get_declared_constructors;
    getRecordComponents0 "()[Ljava/lang/reflect/RecordComponent;" => members::get_record_components;
    isRecord0 "()Z" => members::is_record;
    getDeclaredClasses0 "()[Ljava/lang/Class;" => nesting::get_declared_classes;
    getDeclaringClass0 "()Ljava/lang/Class;" => nesting::get_declaring_class;
    getSimpleBinaryName0 "()Ljava/lang/String;" => nesting::get_simple_binary_name;
    getEnclosingMethod0 "()[Ljava/lang/Object;" => nesting::get_enclosing_method;
    getNestHost0 "()Ljava/lang/Class;" => nesting::get_nest_host;
    getNestMembers0 "()[Ljava/lang/Class;" => nesting::get_nest_members;
    getPermittedSubclasses0 "()[Ljava/lang/Class;" => nesting::get_permitted_subclasses;
}

/// Tables are bound by name, so there is nothing to register.
fn register_natives(_: &mut Env) -> R<()> {
    Ok(())
}

/// The message about a name that no constant can hold: as much of the name as HotSpot prints.
fn too_long(name: &str, feature: u32) -> String {
    let text = format!("Class name exceeds maximum length of 65535: {name}");
    let up_to = |n: usize| &text[..text.floor_char_boundary(n)];
    if feature < 22 {
        return up_to(1023).to_string();
    }
    let (head, end) = (up_to(text.len() - name.len() + 128), text.len() - 128);
    let tail = &text[text.ceil_char_boundary(end)..];
    let omitted = text.len() - head.len() - tail.len();
    format!("{head} ... ({omitted} characters omitted) ... {tail}")
}

fn for_name(vm: &mut Env, name: Ref, initialize: bool, loader: Ref, caller: Ref) -> R<Ref> {
    let given = string_arg(vm, name)?;
    let Some(internal) = internal_name(&given, true) else {
        let shown = if given.contains('/') {
            given
        } else {
            given.replace('.', "/")
        };
        return Err(Throw::msg("java/lang/ClassNotFoundException", shown));
    };
    if is_too_long(&internal) {
        let text = too_long(&internal, vm.feature());
        return Err(Throw::msg("java/lang/ClassNotFoundException", text));
    }
    let loader = vm.loader_id(loader);
    let c = match caller.non_null().map(|c| vm.of_mirror(c)) {
        Some(caller) => vm.in_domain_of(caller, |vm| vm.load_class(loader, &internal))?,
        None => vm.load_class(loader, &internal)?,
    };
    if initialize {
        vm.ensure_initialized(c)?;
    }
    Ok(vm.mirror(c))
}

fn get_primitive_class(vm: &mut Env, name: Ref) -> R<Ref> {
    let name = string_arg(vm, name)?;
    match "ZBCSIJFDV"
        .bytes()
        .find(|&ch| primitive_name(ch) == Some(&*name))
    {
        Some(ch) => Ok(vm.mirror(vm.primitive(ch))),
        None => Err(Throw::msg("java/lang/ClassNotFoundException", name)),
    }
}

fn is_instance(vm: &mut Env, this: Ref, object: Ref) -> R<bool> {
    let c = vm.of_mirror(this);
    Ok(!object.is_null() && !vm.class(c).is_primitive() && vm.instance_of(object, c))
}

fn is_assignable_from(vm: &mut Env, this: Ref, other: Ref) -> R<bool> {
    let (c, d) = (vm.of_mirror(this), class_arg(vm, other)?);
    if vm.class(c).is_primitive() || vm.class(d).is_primitive() {
        return Ok(c == d);
    }
    Ok(vm.is_subtype(d, c))
}

fn is_interface(vm: &mut Env, this: Ref) -> R<bool> {
    Ok(vm.class(vm.of_mirror(this)).is_interface())
}

fn is_array(vm: &mut Env, this: Ref) -> R<bool> {
    Ok(vm.class(vm.of_mirror(this)).is_array())
}

fn is_primitive(vm: &mut Env, this: Ref) -> R<bool> {
    Ok(vm.class(vm.of_mirror(this)).is_primitive())
}

fn is_hidden(vm: &mut Env, this: Ref) -> R<bool> {
    let class = vm.class(vm.of_mirror(this));
    Ok(class.hidden && !class.is_array())
}

fn init_class_name(vm: &mut Env, this: Ref) -> R<Ref> {
    let name = vm.class(vm.of_mirror(this)).dotted();
    let s = vm.intern_str(&name)?;
    vm.set(this, jdk::class::NAME, s);
    Ok(s)
}

fn get_superclass(vm: &mut Env, this: Ref) -> R<Ref> {
    let class = vm.class(vm.of_mirror(this));
    if class.is_interface() {
        return Ok(Ref::NULL);
    }
    let sup = match class.kind {
        ClassKind::Array(_) => Some(vm.known().object),
        _ => class.super_class,
    };
    Ok(sup.map_or(Ref::NULL, |s| vm.mirror(s)))
}

fn get_interfaces(vm: &mut Env, this: Ref) -> R<Ref> {
    let class = vm.class(vm.of_mirror(this));
    let list = match class.kind {
        ClassKind::Array(_) => vec![vm.known().cloneable, vm.known().serializable],
        ClassKind::Primitive(_) => Vec::new(),
        ClassKind::Instance => class.interfaces.to_vec(),
    };
    class_array(vm, &list)
}

fn get_modifiers(vm: &mut Env, this: Ref) -> R<i32> {
    Ok(vm.declared_modifiers(vm.of_mirror(this)).into())
}

fn get_signers(vm: &mut Env, this: Ref) -> R<Ref> {
    let signers = vm.get(this, jdk::class::SIGNERS);
    if signers.is_null() {
        return Ok(Ref::NULL);
    }
    let items: Vec<Ref> = (0..vm.heap().len(signers))
        .map(|i| vm.heap().elem_ref(signers, i))
        .collect();
    let elem = vm.known().object;
    crate::support::ref_array(vm, elem, &items)
}

fn set_signers(vm: &mut Env, this: Ref, signers: Ref) -> R<()> {
    if vm.class(vm.of_mirror(this)).kind == ClassKind::Instance {
        vm.set(this, jdk::class::SIGNERS, signers);
    }
    Ok(())
}

fn get_protection_domain(vm: &mut Env, this: Ref) -> R<Ref> {
    Ok(vm.get(this, jdk::class::PROTECTION_DOMAIN))
}

fn get_generic_signature(vm: &mut Env, this: Ref) -> R<Ref> {
    let class = vm.class(vm.of_mirror(this));
    let Some(cf) = class.cf.clone() else {
        return Ok(Ref::NULL);
    };
    match cf.attributes.signature.map(|i| cf.constant_pool.utf8(i)) {
        Some(Ok(bytes)) => string_from_mutf8(vm, bytes),
        _ => Ok(Ref::NULL),
    }
}

fn get_raw_annotations(vm: &mut Env, this: Ref) -> R<Ref> {
    let cf = vm.class(vm.of_mirror(this)).cf.clone();
    opt_byte_array(
        vm,
        cf.as_ref()
            .and_then(|cf| cf.attributes.annotations.visible.as_deref()),
    )
}

fn get_raw_type_annotations(vm: &mut Env, this: Ref) -> R<Ref> {
    let cf = vm.class(vm.of_mirror(this)).cf.clone();
    opt_byte_array(
        vm,
        cf.as_ref()
            .and_then(|cf| cf.attributes.annotations.visible_type.as_deref()),
    )
}

fn get_constant_pool(vm: &mut Env, this: Ref) -> R<Ref> {
    if vm.class(vm.of_mirror(this)).cf.is_none() {
        return Ok(Ref::NULL);
    }
    let pool = vm.load_class(rjvm_vm::LoaderId::BOOT, "jdk/internal/reflect/ConstantPool")?;
    vm.ensure_initialized(pool)?;
    let r = vm.alloc_object(pool)?;
    vm.set(r, jdk::constant_pool::CONSTANT_POOL_OOP, this)?;
    Ok(r)
}

/// `-ea`/`-da` as they apply to a class: the last switch for the class itself decides, then the
/// longest package's, then the general one.
fn desired_assertion_status(vm: &mut Env, class: Ref) -> R<bool> {
    let class = vm.class(class_arg(vm, class)?);
    let boot = class.loader == rjvm_vm::LoaderId::BOOT;
    let name = class.dotted();
    let options = &vm.options().assertions;
    let class_switch = options
        .iter()
        .rev()
        .find(|(_, scope)| scope.trim_start_matches(':') == name);
    if let Some(&(on, _)) = class_switch {
        return Ok(on);
    }
    let mut package = name.rfind('.').map_or("", |i| &name[..i]);
    loop {
        let hit = options.iter().rev().find(|(_, scope)| {
            let scope = scope.trim_start_matches(':');
            scope.strip_suffix("...").is_some_and(|p| p == package)
        });
        if let Some(&(on, _)) = hit {
            return Ok(on);
        }
        match package.rfind('.') {
            Some(i) => package = &package[..i],
            None => break,
        }
    }
    if boot {
        return Ok(vm.options().system_assertions);
    }
    Ok(options
        .iter()
        .rev()
        .find(|(_, scope)| scope.is_empty())
        .is_some_and(|&(on, _)| on))
}

fn get_access_flags(vm: &mut Env, this: Ref) -> R<i32> {
    Ok(i32::from(vm.class(vm.of_mirror(this)).access))
}

fn get_class_file_version(vm: &mut Env, this: Ref) -> R<i32> {
    let cf = vm.class(vm.of_mirror(this)).cf.clone();
    Ok(cf.map_or(44 + vm.feature() as i32, |cf| {
        i32::from(cf.major) | i32::from(cf.minor) << 16
    }))
}

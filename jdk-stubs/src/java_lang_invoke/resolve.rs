//! Resolution of a `MemberName`: member look-up (JVMS 5.4.3.2 to 5.4.3.4) with names taken from
//! Java objects instead of a constant pool.

use super::member_name::{self, flag, kind};
use crate::java_lang::{external_name, java_signature};
use crate::support::descriptor_of;
use rjvm_vm::classes::{acc, method::intrinsic};
use rjvm_vm::{ClassId, MethodId, R, Ref, Sym, Throw, Vm};

/// What a `MemberName` asks for.
struct Wanted {
    class: ClassId,
    name: Sym,
    desc: Sym,
    flags: i32,
}

/// Resolves `name` and fills it; `None` when it names nothing that could be looked for.
pub fn resolve(vm: &mut Vm, name: Ref, caller: Option<ClassId>) -> R<Option<Ref>> {
    if member_name::target(vm, name).is_some() {
        return Ok(Some(name));
    }
    let Some(w) = wanted(vm, name)? else {
        return Ok(None);
    };
    match w.flags & flag::ALL_KINDS {
        flag::IS_FIELD => {
            let (class, i) = find_field(vm, &w, caller)?;
            let ref_kind = member_name::ref_kind(w.flags);
            let setter = matches!(ref_kind, kind::PUT_FIELD | kind::PUT_STATIC);
            member_name::init_field(vm, name, class, i, setter);
        }
        flag::IS_METHOD => {
            if let Some(m) = polymorphic(vm, &w) {
                member_name::init_method(vm, name, m)?;
                return Ok(Some(name));
            }
            let m = find_method(vm, &w)?;
            check_access(vm, caller, m)?;
            if member_name::ref_kind(w.flags) == kind::INVOKE_SPECIAL {
                special(vm, name, m)?;
            } else {
                member_name::init_method_of(vm, name, m, w.class)?;
            }
        }
        flag::IS_CONSTRUCTOR if **vm.syms.str(w.name) == *"<init>" => {
            let m = find_constructor(vm, &w)?;
            check_access(vm, caller, m)?;
            member_name::init_method(vm, name, m)?;
        }
        _ => return Ok(None),
    }
    Ok(Some(name))
}

fn wanted(vm: &mut Vm, name: Ref) -> R<Option<Wanted>> {
    let Some(class) = member_name::clazz(vm, name) else {
        return Ok(None);
    };
    let (n, t) = (
        vm.get_ref(name, "name:Ljava/lang/String;"),
        vm.get_ref(name, "type:Ljava/lang/Object;"),
    );
    if n.is_null() || t.is_null() || vm.class(class).is_primitive() {
        return Ok(None);
    }
    // the members of an array class are those of Object
    let class = if vm.class(class).is_array() {
        vm.known.object
    } else {
        class
    };
    let text = vm.string(n);
    let name_sym = vm.syms.intern(&text);
    if text == "<clinit>" {
        return Ok(None);
    }
    let Some(desc) = descriptor(vm, t) else {
        return Ok(None);
    };
    let desc = vm.syms.intern(&desc);
    let flags = member_name::flags(vm, name);
    Ok(Some(Wanted {
        class,
        name: name_sym,
        desc,
        flags,
    }))
}

/// Descriptor of a `type` field: a MethodType, a Class or a String.
pub fn descriptor(vm: &mut Vm, t: Ref) -> Option<String> {
    let c = vm.class_of(t);
    if c == vm.known.class {
        return Some(descriptor_of(vm, vm.of_mirror(t)));
    }
    if c == vm.known.string {
        return Some(vm.string(t));
    }
    if c != vm.known.method_type {
        return None;
    }
    let parameters = vm.get_ref(t, "ptypes:[Ljava/lang/Class;");
    let result = vm.get_ref(t, "rtype:Ljava/lang/Class;");
    let mut s = String::from("(");
    for i in 0..vm.heap.len(parameters) {
        let p = vm.heap.elem_ref(parameters, i);
        s.push_str(&descriptor_of(vm, vm.of_mirror(p)));
    }
    s.push(')');
    s.push_str(&descriptor_of(vm, vm.of_mirror(result)));
    Some(s)
}

/// A signature-polymorphic method that the interpreter itself carries out.
fn polymorphic(vm: &Vm, w: &Wanted) -> Option<MethodId> {
    if w.class != vm.known.method_handle && w.class != vm.known.var_handle {
        return None;
    }
    let is_static = match member_name::ref_kind(w.flags) {
        kind::INVOKE_STATIC => true,
        kind::INVOKE_VIRTUAL | kind::INVOKE_SPECIAL => false,
        _ => return None,
    };
    vm.class(w.class).methods.iter().copied().find(|&m| {
        let method = vm.method(m);
        method.name == w.name
            && method.intrinsic != intrinsic::NONE
            && method.is_static() == is_static
    })
}

fn linkage(class: &'static str, m: String) -> Box<Throw> {
    Throw::msg(class, m)
}

fn no_such_method(vm: &Vm, w: &Wanted) -> Box<Throw> {
    let class = vm.class(w.class).dotted();
    let s = java_signature(&class, vm.syms.str(w.name), vm.syms.str(w.desc));
    linkage("java/lang/NoSuchMethodError", format!("'{s}'"))
}

fn find_constructor(vm: &Vm, w: &Wanted) -> R<MethodId> {
    vm.class(w.class)
        .method_index
        .get(&(w.name, w.desc))
        .copied()
        .ok_or_else(|| no_such_method(vm, w))
}

fn find_method(vm: &Vm, w: &Wanted) -> R<MethodId> {
    let ref_kind = member_name::ref_kind(w.flags);
    let class = vm.class(w.class);
    let interface = class.is_interface();
    match ref_kind {
        kind::INVOKE_INTERFACE if !interface => {
            let m = format!("Found class {}, but interface was expected", class.dotted());
            return Err(linkage("java/lang/IncompatibleClassChangeError", m));
        }
        kind::INVOKE_VIRTUAL if interface => {
            let m = format!("Found interface {}, but class was expected", class.dotted());
            return Err(linkage("java/lang/IncompatibleClassChangeError", m));
        }
        _ => {}
    }
    let m = vm
        .find_method(w.class, w.name, w.desc)
        .ok_or_else(|| no_such_method(vm, w))?;
    let method = vm.method(m);
    // an interface has of Object's methods only the public instance ones
    if interface
        && method.class == vm.known.object
        && method.access & (acc::PUBLIC | acc::STATIC) != acc::PUBLIC
    {
        return Err(no_such_method(vm, w));
    }
    let wants_static = ref_kind == kind::INVOKE_STATIC;
    if method.is_static() != wants_static {
        let which = if wants_static {
            "Expected static method"
        } else {
            "Expected instance not static method"
        };
        let m = format!("{which} '{}'", external_name(vm, m));
        return Err(linkage("java/lang/IncompatibleClassChangeError", m));
    }
    Ok(m)
}

/// A direct call of an instance method.
fn special(vm: &mut Vm, name: Ref, m: MethodId) -> R<()> {
    member_name::init_method(vm, name, m)?;
    let flags = member_name::flags(vm, name) & !(0xf << flag::REF_KIND_SHIFT);
    vm.set_int(
        name,
        "flags:I",
        flags | kind::INVOKE_SPECIAL << flag::REF_KIND_SHIFT,
    );
    vm.set_int(name, "$vmindex:I", -1);
    Ok(())
}

fn find_field(vm: &Vm, w: &Wanted, caller: Option<ClassId>) -> R<(ClassId, u32)> {
    let hit = look_up_field(vm, w.class, w.name, w.desc);
    let (c, i) = hit.ok_or_else(|| {
        linkage(
            "java/lang/NoSuchFieldError",
            vm.syms.str(w.name).to_string(),
        )
    })?;
    let _ = caller;
    Ok((c, i))
}

/// Field look-up (5.4.3.2): the class, its superinterfaces, its superclass.
pub fn look_up_field(vm: &Vm, class: ClassId, name: Sym, desc: Sym) -> Option<(ClassId, u32)> {
    let mut next = Some(class);
    while let Some(c) = next {
        let k = vm.class(c);
        if let Some(i) = k.find_field(name, desc) {
            return Some((c, i));
        }
        for &i in &k.interfaces {
            if let Some(hit) = look_up_field(vm, i, name, desc) {
                return Some(hit);
            }
        }
        next = k.super_class;
    }
    None
}

/// Access to a method is checked by `Lookup` in Java once more, with better words.
fn check_access(_: &mut Vm, _caller: Option<ClassId>, _m: MethodId) -> R<()> {
    Ok(())
}

//! Resolution of a `MemberName`: member look-up (JVMS 5.4.3.2 to 5.4.3.4) with names taken from
//! Java objects instead of a constant pool.

use super::member_name::{self, flag, kind};
use crate::support::descriptor_of;
use rjvm_vm::{ClassId, Env, MethodId, R, Ref, Sym, Throw, jdk};

/// What a `MemberName` asks for.
struct MemberRequest {
    class: ClassId,
    name: Sym,
    desc: Sym,
    flags: i32,
}

/// Resolves `name` and fills it; `None` when it names nothing that could be looked for.
pub fn resolve(vm: &mut Env, name: Ref, caller: Option<ClassId>) -> R<Option<Ref>> {
    if member_name::target(vm, name).is_some() {
        return Ok(Some(name));
    }
    let Some(w) = wanted(vm, name)? else {
        return Ok(None);
    };
    vm.link_class(w.class)?;
    match look_up(vm, name, caller, &w) {
        // of what no class mentions HotSpot does not even say that it is missing
        Err(e)
            if matches!(
                *e,
                Throw::New {
                    class: "java/lang/NoSuchMethodError",
                    ..
                }
            ) && !vm.is_descriptor_of_a_class(&vm.symbols().str(w.desc).clone()) =>
        {
            Ok(None)
        }
        found => found,
    }
}

fn look_up(vm: &mut Env, name: Ref, caller: Option<ClassId>, w: &MemberRequest) -> R<Option<Ref>> {
    match w.flags & flag::ALL_KINDS {
        flag::IS_FIELD => {
            let (class, i) = vm.resolve_field_in(caller, w.class, w.name, w.desc)?;
            let ref_kind = member_name::ref_kind(w.flags);
            let setter = matches!(ref_kind, kind::PUT_FIELD | kind::PUT_STATIC);
            member_name::init_field(vm, name, class, i, setter);
        }
        flag::IS_METHOD => {
            let m = find_method(vm, w, caller)?;
            if member_name::ref_kind(w.flags) == kind::INVOKE_SPECIAL {
                special(vm, name, m)?;
            } else {
                member_name::init_method_of(vm, name, m, w.class)?;
            }
        }
        flag::IS_CONSTRUCTOR if **vm.symbols().str(w.name) == *"<init>" => {
            let m = find_method(vm, w, caller)?;
            member_name::init_method(vm, name, m)?;
        }
        _ => return Ok(None),
    }
    Ok(Some(name))
}

fn wanted(vm: &mut Env, name: Ref) -> R<Option<MemberRequest>> {
    let Some(class) = member_name::clazz(vm, name) else {
        return Ok(None);
    };
    let (n, t) = (
        vm.get(name, jdk::member_name::NAME),
        vm.get(name, jdk::member_name::TYPE),
    );
    if n.is_null() || t.is_null() || vm.class(class).is_primitive() {
        return Ok(None);
    }
    // the members of an array class are those of Object
    let class = if vm.class(class).is_array() {
        vm.known().object
    } else {
        class
    };
    let text = vm.string(n);
    let name_sym = vm.symbol(&text);
    if text == "<clinit>" {
        return Ok(None);
    }
    let Some(desc) = descriptor(vm, t) else {
        return Ok(None);
    };
    let desc = vm.symbol(&desc);
    let flags = member_name::flags(vm, name);
    Ok(Some(MemberRequest {
        class,
        name: name_sym,
        desc,
        flags,
    }))
}

/// Descriptor of a `type` field: a MethodType, a Class or a String.
pub fn descriptor(vm: &mut Env, t: Ref) -> Option<String> {
    let c = vm.class_of(t);
    if c == vm.known().class {
        return Some(descriptor_of(vm, vm.of_mirror(t)));
    }
    if c == vm.known().string {
        return Some(vm.string(t));
    }
    if c != vm.known().method_type {
        return None;
    }
    let parameters = vm.get(t, jdk::method_type::PTYPES);
    let result = vm.get(t, jdk::method_type::RTYPE);
    let mut s = String::from("(");
    for i in 0..vm.heap().len(parameters) {
        let p = vm.heap().elem_ref(parameters, i);
        s.push_str(&descriptor_of(vm, vm.of_mirror(p)));
    }
    s.push(')');
    s.push_str(&descriptor_of(vm, vm.of_mirror(result)));
    Some(s)
}

/// The method meant, which must suit the reference kind.
fn find_method(vm: &mut Env, w: &MemberRequest, caller: Option<ClassId>) -> R<MethodId> {
    let ref_kind = member_name::ref_kind(w.flags);
    vm.resolve_method_for_handle(caller, w.class, w.name, w.desc, ref_kind)
}

/// A direct call of an instance method.
fn special(vm: &mut Env, name: Ref, m: MethodId) -> R<()> {
    member_name::init_method(vm, name, m)?;
    let flags = member_name::flags(vm, name) & !(0xf << flag::REF_KIND_SHIFT);
    vm.set(
        name,
        jdk::member_name::FLAGS,
        flags | kind::INVOKE_SPECIAL << flag::REF_KIND_SHIFT,
    );
    vm.set(name, jdk::member_name::VMINDEX, -1);
    Ok(())
}

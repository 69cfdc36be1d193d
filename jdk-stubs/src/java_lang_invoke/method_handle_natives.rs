//! Natives of `java.lang.invoke.MethodHandleNatives`.

use super::member_name::{self, flag};
use super::resolve;
use crate::boxing::{Prim, new_box};
use crate::java_lang_reflect::{executable, field};
use crate::support::{make_and_forget, non_null, ref_array};
use rjvm_vm::classes::{acc, method::intrinsic};
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};

natives! { "java/lang/invoke/MethodHandleNatives";
    registerNatives "()V" => register_natives;
    init "(Ljava/lang/invoke/MemberName;Ljava/lang/Object;)V" => init;
    expand "(Ljava/lang/invoke/MemberName;)V" => expand;
    resolve "(Ljava/lang/invoke/MemberName;Ljava/lang/Class;IZ)Ljava/lang/invoke/MemberName;" => resolve_member;
    objectFieldOffset "(Ljava/lang/invoke/MemberName;)J" => object_field_offset;
    staticFieldOffset "(Ljava/lang/invoke/MemberName;)J" => static_field_offset;
    staticFieldBase "(Ljava/lang/invoke/MemberName;)Ljava/lang/Object;" => static_field_base;
    getMemberVMInfo "(Ljava/lang/invoke/MemberName;)Ljava/lang/Object;" => get_member_vm_info;
    setCallSiteTargetNormal "(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V" => set_call_site_target;
    setCallSiteTargetVolatile "(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V" => set_call_site_target;
    clearCallSiteContext "(Ljava/lang/invoke/MethodHandleNatives$CallSiteContext;)V" until 24 => clear_call_site_context;
    getNamedCon "(I[Ljava/lang/Object;)I" => get_named_con;
}

/// Tables are bound by name, so there is nothing to register.
fn register_natives(_: &mut Env) -> R<()> {
    Ok(())
}

fn internal(m: &str) -> Box<Throw> {
    Throw::msg("java/lang/InternalError", m)
}

fn init(vm: &mut Env, name: Ref, member: Ref) -> R<()> {
    if name.is_null() {
        return Err(internal("mname not resolved"));
    }
    if member.is_null() {
        return Err(internal("target not resolved"));
    }
    let class = vm.class_of(member);
    if class == vm.known().field {
        let (c, i) = field::target(vm, member).ok_or_else(field::no_field)?;
        member_name::init_field(vm, name, c, i, false);
    } else if class == vm.known().method || class == vm.known().constructor {
        // the class library throws a LinkageError for what is left as it is
        let Some(m) = executable::target(vm, member) else {
            return Ok(());
        };
        // a signature-polymorphic method needs a concrete signature first
        if vm.method(m).intrinsic == intrinsic::NONE {
            member_name::init_method(vm, name, m)?;
        }
    } else {
        let m = format!("unrecognized type {}", vm.class(class).dotted());
        return Err(internal(&m));
    }
    Ok(())
}

/// Materializes name and type of a resolved member.
fn expand(vm: &mut Env, name: Ref) -> R<()> {
    if name.is_null() {
        return Err(internal("mname not resolved"));
    }
    let flags = member_name::flags(vm, name);
    let (n, d) = if flags & flag::IS_FIELD != 0 {
        let class = member_name::clazz(vm, name).ok_or_else(|| internal("nothing to expand"))?;
        let offset = member_name::vmindex(vm, name);
        let is_static = flags & i32::from(acc::STATIC) != 0;
        let i = member_name::field_at(vm, class, offset, is_static)
            .ok_or_else(|| internal("field is missing"))?;
        let f = &vm.class(class).fields[i as usize];
        (f.name, f.desc)
    } else {
        let m = member_name::target(vm, name).ok_or_else(|| internal("nothing to expand"))?;
        let class = vm.method(m).class;
        if member_name::clazz(vm, name).is_none() {
            let mirror = vm.mirror(class);
            vm.set(name, jdk::member_name::CLAZZ, mirror);
        }
        (vm.method(m).name, vm.method(m).desc)
    };
    let (n, d) = (vm.symbols().str(n).clone(), vm.symbols().str(d).clone());
    if vm.get(name, jdk::member_name::NAME).is_null() {
        let s = vm.intern_str(&n)?;
        vm.set(name, jdk::member_name::NAME, s);
    }
    if vm.get(name, jdk::member_name::TYPE).is_null() {
        let s = vm.new_string(&d)?;
        vm.set(name, jdk::member_name::TYPE, s);
    }
    Ok(())
}

fn resolve_member(vm: &mut Env, name: Ref, caller: Ref, _mode: i32, speculative: bool) -> R<Ref> {
    if name.is_null() {
        return Err(internal("mname not resolved"));
    }
    let caller = caller.non_null().map(|c| vm.of_mirror(c));
    let found = match resolve::resolve(vm, name, caller) {
        Ok(found) => found,
        Err(e) => match *e {
            Throw::Object(_) if speculative => return Ok(Ref::NULL),
            Throw::New {
                class,
                ref message,
                cause,
            } if speculative => {
                return Err(make_and_forget(
                    vm,
                    class,
                    message.as_deref(),
                    cause,
                    Ref::NULL.into(),
                )?);
            }
            _ => return Err(e),
        },
    };
    if let Some(r) = found {
        return Ok(r);
    }
    let flags = member_name::flags(vm, name);
    if !(1..=9).contains(&member_name::ref_kind(flags)) {
        return Err(internal("obsolete MemberName format"));
    }
    if speculative {
        return Ok(Ref::NULL);
    }
    Err(match flags & flag::ALL_KINDS {
        flag::IS_FIELD => Throw::msg("java/lang/NoSuchFieldError", "field resolution failed"),
        flag::IS_METHOD | flag::IS_CONSTRUCTOR => {
            Throw::msg("java/lang/NoSuchMethodError", "method resolution failed")
        }
        _ => Throw::msg("java/lang/LinkageError", "resolution failed"),
    })
}

/// Offset of a resolved field of the kind requested.
fn field_offset(vm: &mut Env, name: Ref, is_static: bool, problem: &str) -> R<i64> {
    if name.is_null() || member_name::clazz(vm, name).is_none() {
        return Err(internal("mname not resolved"));
    }
    let flags = member_name::flags(vm, name);
    if flags & flag::IS_FIELD == 0 || (flags & i32::from(acc::STATIC) != 0) != is_static {
        return Err(internal(problem));
    }
    Ok(i64::from(member_name::vmindex(vm, name)))
}

fn object_field_offset(vm: &mut Env, name: Ref) -> R<i64> {
    field_offset(vm, name, false, "non-static field required")
}

fn static_field_offset(vm: &mut Env, name: Ref) -> R<i64> {
    field_offset(vm, name, true, "static field required")
}

fn static_field_base(vm: &mut Env, name: Ref) -> R<Ref> {
    field_offset(vm, name, true, "static field required")?;
    Ok(vm.get(name, jdk::member_name::CLAZZ))
}

/// `{Long vmindex, Object vmtarget}`, for assertions of the class library.
fn get_member_vm_info(vm: &mut Env, name: Ref) -> R<Ref> {
    if name.is_null() {
        return Ok(Ref::NULL);
    }
    let long = vm.known().long_box;
    vm.ensure_initialized(long)?;
    let index = i64::from(member_name::vmindex(vm, name));
    let index = new_box(
        vm,
        Prim {
            ty: b'J',
            slot: index as u64,
        },
    )?;
    let target = match member_name::flags(vm, name) & flag::IS_FIELD {
        0 => name,
        _ => vm.get(name, jdk::member_name::CLAZZ),
    };
    let elem = vm.known().object;
    ref_array(vm, elem, &[index, target])
}

/// No compiled code depends on a call site's target: setting the field is all.
fn set_call_site_target(vm: &mut Env, site: Ref, target: Ref) -> R<()> {
    vm.set(non_null(site)?, jdk::call_site::TARGET, target)?;
    Ok(())
}

/// No compiled code depends on a call site, so there is nothing to clear.
fn clear_call_site_context(_: &mut Env, _context: Ref) -> R<()> {
    Ok(())
}

/// The VM has no constants to compare: the list ends at once.
fn get_named_con(_: &mut Env, _which: i32, _name: Ref) -> R<i32> {
    Ok(0)
}

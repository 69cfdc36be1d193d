//! Natives of `java.security.AccessController`.

use crate::support::{class_arg, ref_array};
use rjvm_vm::{Env, R, Ref, jdk, natives};
use std::ops::ControlFlow;

natives! { "java/security/AccessController";
    getStackAccessControlContext "()Ljava/security/AccessControlContext;" until 23 => get_stack_access_control_context;
    getInheritedAccessControlContext "()Ljava/security/AccessControlContext;" until 23 => get_inherited_access_control_context;
    getProtectionDomain "(Ljava/lang/Class;)Ljava/security/ProtectionDomain;" until 23 => get_protection_domain;
    ensureMaterializedForStackWalk "(Ljava/lang/Object;)V" until 23 => ensure_materialized_for_stack_walk;
}

fn get_protection_domain(vm: &mut Env, class: Ref) -> R<Ref> {
    class_arg(vm, class)?;
    Ok(vm.get(class, jdk::class::PROTECTION_DOMAIN))
}

fn get_inherited_access_control_context(vm: &mut Env) -> R<Ref> {
    let thread = vm.a_thread(vm.current()).object;
    Ok(
        match vm.has_field(jdk::thread::INHERITED_ACCESS_CONTROL_CONTEXT) {
            Some(f) => vm.get(thread, f),
            None => Ref::NULL,
        },
    )
}

/// Locals of a frame are in memory anyway.
fn ensure_materialized_for_stack_walk(_: &mut Env, _object: Ref) -> R<()> {
    Ok(())
}

/// The protection domains on the stack down to the nearest privileged call, and that call's context;
/// null when all of it is the system's.
fn get_stack_access_control_context(vm: &mut Env) -> R<Ref> {
    let controller = vm.jdk_class(jdk::access_controller::CLASS)?;
    let class = vm.jdk_class(jdk::access_control_context::CLASS)?;
    vm.ensure_initialized(class)?;
    let domain_class = vm.jdk_class(jdk::protection_domain::CLASS)?;
    let execute = vm.symbol("executePrivileged");
    let mut domains: Vec<Ref> = Vec::new();
    let mut privileged = None;
    let thread = vm.current();
    vm.walk_frames(thread, |vm, f| {
        let m = vm.method(f.method);
        let mirror = if m.class == controller && m.name == execute {
            privileged = Some(f.local_ref(vm, 1));
            f.local_ref(vm, 2)
        } else {
            vm.mirror(m.class)
        };
        let domain = if mirror.is_null() {
            Ref::NULL
        } else {
            vm.get(mirror, jdk::class::PROTECTION_DOMAIN)
        };
        if !domain.is_null() && domains.last() != Some(&domain) {
            domains.push(domain);
        }
        if privileged.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    let context = privileged.unwrap_or_default();
    if domains.is_empty() && privileged.is_some() && context.is_null() {
        return Ok(Ref::NULL);
    }
    let r = vm.alloc_object(class)?;
    if !domains.is_empty() {
        let array = ref_array(vm, domain_class, &domains)?;
        vm.set(r, jdk::access_control_context::CONTEXT, array)?;
    }
    let there = "a JDK with access control";
    let f = vm
        .has_field(jdk::access_control_context::PRIVILEGED_CONTEXT)
        .expect(there);
    vm.set(r, f, context)?;
    let f = vm
        .has_field(jdk::access_control_context::IS_PRIVILEGED)
        .expect(there);
    vm.set(r, f, privileged.is_some())?;
    let f = vm
        .has_field(jdk::access_control_context::IS_AUTHORIZED)
        .expect(there);
    vm.set(r, f, true)?;
    Ok(r)
}

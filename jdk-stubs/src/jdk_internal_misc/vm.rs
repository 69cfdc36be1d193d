//! Natives of `jdk.internal.misc.VM`.

use crate::jdk_internal_reflect::reflection::is_accessor;
use crate::support::string_array;
use rjvm_vm::{Env, LoaderId, R, Ref, natives};
use std::ops::ControlFlow;

natives! { "jdk/internal/misc/VM";
    initialize "()V" => initialize;
    latestUserDefinedLoader0 "()Ljava/lang/ClassLoader;" => latest_user_defined_loader;
    getRuntimeArguments "()[Ljava/lang/String;" => get_runtime_arguments;
    getNanoTimeAdjustment "(J)J" => get_nano_time_adjustment;
    getuid "()J" => get_uid;
    geteuid "()J" => get_uid;
    getgid "()J" => get_gid;
    getegid "()J" => get_gid;
}

/// Tables are bound by name, so there is nothing to register.
fn initialize(_: &mut Env) -> R<()> {
    Ok(())
}

/// The loader of the topmost frame whose class is neither the boot loader's nor the platform loader's.
fn latest_user_defined_loader(vm: &mut Env) -> R<Ref> {
    let mut found = Ref::NULL;
    let thread = vm.current();
    vm.walk_stack(thread, |vm, m, _| {
        let loader = vm.class(vm.method(m).class).loader;
        if loader == LoaderId::BOOT || is_accessor(vm, m) {
            return ControlFlow::Continue(());
        }
        let object = vm.loader_object(loader);
        let class = vm.class_of(object);
        if *vm.class(class).name == *"jdk/internal/loader/ClassLoaders$PlatformClassLoader" {
            return ControlFlow::Continue(());
        }
        found = object;
        ControlFlow::Break(())
    });
    Ok(found)
}

/// The options of `java` that the VM was started with: the launcher of source files hands some on to the compiler. It looks at
/// each, so rjvm's own are not among them: they must not change the execution.
fn get_runtime_arguments(vm: &mut Env) -> R<Ref> {
    let options = vm.options();
    let own = |i: &usize| options.own_arguments.contains(i);
    let all = 0..options.arguments.len();
    let args = all
        .filter(|i| !own(i))
        .map(|i| options.arguments[i].clone());
    let args: Vec<String> = args.collect();
    string_array(vm, &args)
}

/// Nanoseconds between `offset` (seconds since 1970) and now; -1 if that is too far away.
fn get_nano_time_adjustment(vm: &mut Env, offset: i64) -> R<i64> {
    const MAX_SECONDS: i64 = 0x1_0000_0000;
    let (seconds, nanos) = vm.wall_clock();
    match seconds.checked_sub(offset) {
        Some(d) if d.abs() < MAX_SECONDS => Ok(d * 1_000_000_000 + i64::from(nanos)),
        _ => Ok(-1),
    }
}

/// User and group of this process; nobody's where the host doesn't report. There are no set-user-ID
/// programs here, so the effective ones are the same.
fn ids(vm: &mut Env) -> (i64, i64) {
    const NOBODY: i64 = 65534;
    match vm.host().files().stat(-100, b"/proc/self", true) {
        Ok(s) => (i64::from(s.uid), i64::from(s.gid)),
        Err(_) => (NOBODY, NOBODY),
    }
}

fn get_uid(vm: &mut Env) -> R<i64> {
    Ok(ids(vm).0)
}

fn get_gid(vm: &mut Env) -> R<i64> {
    Ok(ids(vm).1)
}

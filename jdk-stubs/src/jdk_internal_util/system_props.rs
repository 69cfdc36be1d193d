//! Natives of `jdk.internal.util.SystemProps.Raw`.

use crate::support::ref_array;
use rjvm_vm::sysprops::{HostInfo, VmInfo, platform_properties, variables, vm_properties};
use rjvm_vm::{Env, R, Ref, Throw, natives};

natives! { "jdk/internal/util/SystemProps$Raw";
    vmProperties "()[Ljava/lang/String;" => raw_vm_properties;
    platformProperties "()[Ljava/lang/String;" => raw_platform_properties;
}

/// What the properties say about the host.
fn host_info(vm: &mut Env) -> HostInfo {
    let host = vm.host();
    let (env, system) = (host.environment(), host.system());
    HostInfo {
        system,
        env: variables(&env),
    }
}

/// Keys and values in turn; null ends the list.
fn raw_vm_properties(vm: &mut Env) -> R<Ref> {
    let jdk =
        rjvm_vm::classpath::Jdk::open(&vm.options().java_home, rjvm_vm::classpath::FoundBy::Option)
            .map_err(|e| Throw::msg("java/lang/InternalError", e.to_string()))?;
    let mut info = VmInfo::of(&jdk);
    if !vm.options().boot_append.is_empty() {
        info.boot_append = Some(vm.options().boot_append.join(":"));
    }
    info.max_direct_memory = vm.options().max_direct_memory;
    let host = host_info(vm);
    if let Some(home) = &host.system.java_home {
        info.java_home.clone_from(home);
    }
    let properties = vm_properties(&info, &host, &vm.options().properties);
    let mut items = Vec::new();
    for (k, v) in &properties {
        items.push(vm.new_string(k)?);
        items.push(vm.new_string(v)?);
    }
    items.push(Ref::NULL);
    let elem = vm.known().string;
    ref_array(vm, elem, &items)
}

fn raw_platform_properties(vm: &mut Env) -> R<Ref> {
    let host = host_info(vm);
    let mut items = Vec::new();
    for (_, v) in platform_properties(&host, vm.feature()) {
        items.push(match v {
            Some(v) => vm.new_string(&v)?,
            None => Ref::NULL,
        });
    }
    let elem = vm.known().string;
    ref_array(vm, elem, &items)
}

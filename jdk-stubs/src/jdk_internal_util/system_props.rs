//! Natives of `jdk.internal.util.SystemProps.Raw`.

use crate::support::ref_array;
use rjvm_vm::sysprops::{HostInfo, VmInfo, platform_properties, variables, vm_properties};
use rjvm_vm::throw::{Call, Cont, Next, Resume};
use rjvm_vm::{Env, R, Ref, Throw, Value, jdk, jdk::calls, natives};

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
    info.mode = vm.options().mode();
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

/// The encoding of names and messages of the platform.
pub fn platform_encoding(vm: &mut Env) -> Option<String> {
    let host = host_info(vm);
    let all = platform_properties(&host, vm.feature());
    all.into_iter()
        .find_map(|(k, v)| (k == "sun_jnu_encoding").then_some(v?))
}

fn raw_platform_properties(vm: &mut Env) -> R<Ref> {
    if vm.feature() < 18 {
        return platform_strings(vm);
    }
    // HotSpot makes these strings with the platform's character set since 18. Which classes are initialized here decides
    // about identity hashes.
    let charset = vm.jdk_class(jdk::charset::CLASS)?;
    vm.ensure_initialized(charset)?;
    let Some(name) = platform_encoding(vm) else {
        return platform_strings(vm);
    };
    let name = vm.new_string(&name)?;
    let find = vm.jdk_method(charset, calls::charset::FOR_NAME);
    let call = Call::new(vm, find, &[name.into()]);
    Err(call.then(
        Cont::new(found_charset, [0; 3], [Ref::NULL; 3]),
        Resume::Value,
    ))
}

/// The strings do not depend on whether there is such a character set.
fn found_charset(vm: &mut Env, _: &mut Cont, _: Result<Value, Ref>) -> Next {
    match platform_strings(vm) {
        Ok(strings) => Next::Return(strings.into()),
        Err(t) => Next::Throw(t),
    }
}

fn platform_strings(vm: &mut Env) -> R<Ref> {
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

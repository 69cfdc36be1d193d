//! Natives of `jdk.internal.vm.VMSupport`.

use rjvm_vm::{Env, R, Ref, natives};

natives! { "jdk/internal/vm/VMSupport";
    initAgentProperties "(Ljava/util/Properties;)Ljava/util/Properties;" => init_agent_properties;
    getVMTemporaryDirectory "()Ljava/lang/String;" => get_vm_temporary_directory;
}

/// There are no agents, so nothing is added.
fn init_agent_properties(_: &mut Env, properties: Ref) -> R<Ref> {
    Ok(properties)
}

fn get_vm_temporary_directory(vm: &mut Env) -> R<Ref> {
    vm.new_string("/tmp")
}

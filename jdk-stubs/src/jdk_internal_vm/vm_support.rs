//! Natives of `jdk.internal.vm.VMSupport`.

use rjvm_vm::{R, Ref, Vm, natives};

natives! { "jdk/internal/vm/VMSupport";
    initAgentProperties "(Ljava/util/Properties;)Ljava/util/Properties;" => init_agent_properties;
    getVMTemporaryDirectory "()Ljava/lang/String;" => get_vm_temporary_directory;
}

/// There are no agents, so nothing is added.
fn init_agent_properties(_: &mut Vm, properties: Ref) -> R<Ref> {
    Ok(properties)
}

fn get_vm_temporary_directory(vm: &mut Vm) -> R<Ref> {
    vm.new_string("/tmp")
}

//! From a VM's counters to a profile.

use crate::launcher::Scope;
use rjvm_profiler::{Builder, Kind, MethodInfo, Profile, TreeError};
use rjvm_vm::vm::ProfileMode;
use rjvm_vm::{MethodId, ThreadId, Vm};

/// Class, name and descriptor of a method by its id.
fn describe(vm: &Vm, id: u32) -> MethodInfo {
    let m = vm.method(MethodId(id));
    let class = vm.class(m.class);
    MethodInfo::new(
        &class.name,
        vm.syms.str(m.name),
        vm.syms.str(m.desc),
        m.is_native(),
        class.hidden,
    )
}

/// The exact profile of what has been executed so far.
pub fn exact(vm: &mut Vm, scope: Scope) -> Result<Profile, TreeError> {
    vm.flush_open_frames();
    let names: Vec<String> = (0..vm.threads.len() as u32)
        .map(|t| vm.thread_name(ThreadId(t)))
        .collect();
    let vm = &*vm;
    let call_sites = vm.options.profile != ProfileMode::Exact;
    let blocks = vm.options.profile == ProfileMode::Blocks;
    let mut builder =
        Builder::new(Kind::Exact, call_sites, |id| describe(vm, id)).with_extra(|visit, extra| {
            (extra.objects, extra.bytes) = vm.allocations(visit);
            if blocks {
                extra.counts = vm.bytecode_counts(visit);
            }
        });
    for (t, roots) in vm.contexts(scope == Scope::All) {
        builder.thread(&names[t.0 as usize], t.0 as u64, roots)?;
    }
    builder.finish()
}

/// The samples taken so far.
pub fn samples(vm: &mut Vm) -> Result<Profile, TreeError> {
    vm.finish_samples();
    let vm = &*vm;
    match &vm.samples {
        Some(r) => r.profile(|id| describe(vm, id)),
        None => Ok(Profile::default()),
    }
}

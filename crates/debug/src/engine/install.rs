//! Gives a VM an engine.

use super::hits::Hits;
use super::stops::Front;
use super::world::{Frontend, Shared};
use rjvm_vm::Vm;

/// Gives a VM, whose options must be [`debuggable`](rjvm_vm::vm::Options::debuggable), an engine with a front end.
pub fn install(vm: &mut Vm, front: Box<dyn Frontend>) -> Shared {
    assert!(vm.options().debuggable, "the VM is not made for a debugger");
    let shared = Shared::new();
    shared.lock().observer = Some(vm.observe(Box::new(Hits(shared.clone()))));
    vm.set_debugger(Some(Box::new(Front::new(shared.clone(), front))));
    shared
}

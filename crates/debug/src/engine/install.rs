//! Gives a VM an engine.

use super::hits::Hits;
use super::stops::Front;
use super::world::{Frontend, Shared};
use rjvm_vm::Vm;

/// Gives a VM, whose options must be [`debuggable`](rjvm_vm::vm::Options::debuggable), an engine with a front end.
pub fn install(vm: &mut Vm, front: Box<dyn Frontend>) -> Shared {
    assert!(vm.options().debuggable, "the VM is not made for a debugger");
    let shared = Shared::new();
    let listener = vm.add_shared_listener(Box::new(Hits(shared.clone())));
    let subscriber = vm.subscribe(Box::new(Hits(shared.clone())));
    {
        let mut engine = shared.lock();
        (engine.listener, engine.subscriber) = (Some(listener), Some(subscriber));
    }
    vm.set_debugger(Some(Box::new(Front::new(shared.clone(), front))));
    shared
}

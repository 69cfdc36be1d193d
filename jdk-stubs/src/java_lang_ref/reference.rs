//! Natives of `java.lang.ref.Reference`.

use rjvm_vm::{Env, R, Ref, jdk, natives};

natives! { "java/lang/ref/Reference";
    getAndClearReferencePendingList "()Ljava/lang/ref/Reference;" => get_and_clear_reference_pending_list;
    hasReferencePendingList "()Z" => has_reference_pending_list;
    waitForReferencePendingList "()V" => wait_for_reference_pending_list;
    refersTo0 "(Ljava/lang/Object;)Z" => refers_to;
    clear0 "()V" => clear;
}

fn get_and_clear_reference_pending_list(vm: &mut Env) -> R<Ref> {
    Ok(vm.take_pending_references())
}

fn has_reference_pending_list(vm: &mut Env) -> R<bool> {
    Ok(vm.has_pending_references())
}

fn wait_for_reference_pending_list(vm: &mut Env) -> R<()> {
    vm.wait_for_pending_references()
}

/// Whether the referent is this object.
pub fn refers_to(vm: &mut Env, this: Ref, object: Ref) -> R<bool> {
    Ok(vm.get(this, jdk::reference::REFERENT) == object)
}

fn clear(vm: &mut Env, this: Ref) -> R<()> {
    vm.set(this, jdk::reference::REFERENT, Ref::NULL);
    Ok(())
}

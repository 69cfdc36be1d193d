//! Natives of `java.lang.ref.Reference`.

use rjvm_vm::{Env, R, Ref, jdk, natives};

natives! { "java/lang/ref/Reference";
    getAndClearReferencePendingList "()Ljava/lang/ref/Reference;" => get_and_clear_reference_pending_list;
    hasReferencePendingList "()Z" => has_reference_pending_list;
    waitForReferencePendingList "()V" => wait_for_reference_pending_list;
    refersTo0 "(Ljava/lang/Object;)Z" => refers_to, inlined RefersTo;
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

/// No longer refers to anything.
pub fn clear(vm: &mut Env, this: Ref) -> R<()> {
    vm.set(this, jdk::reference::REFERENT, Ref::NULL);
    Ok(())
}

/// `java.lang.ref.Finalizer` since 18.
pub mod finalizer {
    use rjvm_vm::{Env, R, Ref};
    rjvm_vm::natives! { "java/lang/ref/Finalizer";
        isFinalizationEnabled "()Z" since 18 => is_enabled;
        reportComplete "(Ljava/lang/Object;)V" since 18 => report;
    }
    fn is_enabled(vm: &mut Env) -> R<bool> {
        Ok(vm.options().finalization)
    }
    fn report(_: &mut Env, _o: Ref) -> R<()> {
        Ok(())
    }
}

//! Natives of `java.lang.Object` (those of monitors are with the threads).

use rjvm_vm::{R, Ref, Throw, Vm, natives};

natives! { "java/lang/Object";
    getClass "()Ljava/lang/Class;" => get_class;
    hashCode "()I" => hash_code;
    clone "()Ljava/lang/Object;" => clone;
}

fn get_class(vm: &mut Vm, this: Ref) -> R<Ref> {
    Ok(vm.mirror(vm.class_of(this)))
}

fn hash_code(vm: &mut Vm, this: Ref) -> R<i32> {
    Ok(vm.identity_hash(this))
}

fn clone(vm: &mut Vm, this: Ref) -> R<Ref> {
    let c = vm.class_of(this);
    if vm.class(c).is_array() {
        let copy = vm.alloc_array(c, vm.heap().len(this))?;
        vm.heap_mut().copy_body(this, copy);
        return Ok(copy);
    }
    if !vm.is_subtype(c, vm.known().cloneable) || vm.is_subtype(c, vm.known().reference) {
        return Err(Throw::msg(
            "java/lang/CloneNotSupportedException",
            vm.class(c).dotted(),
        ));
    }
    let copy = vm.alloc_object(c)?;
    vm.heap_mut().copy_body(this, copy);
    Ok(copy)
}

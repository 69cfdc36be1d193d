//! Natives of `java.lang.Object` (those of monitors are with the threads).

use super::system::PIECE;
use rjvm_vm::{Env, R, Ref, Throw, natives};

natives! { "java/lang/Object";
    getClass "()Ljava/lang/Class;" => get_class, inlined ClassOf;
    hashCode "()I" => hash_code, inlined IdentityHash;
    clone "()Ljava/lang/Object;" => clone;
}

/// Clones a large array: a request to stop need not wait for all of it.
fn clone_in_pieces(vm: &mut Env, this: Ref, n: usize) -> R<Ref> {
    if vm.native_refs().is_empty() {
        let copy = vm.alloc_array(vm.class_of(this), n)?;
        vm.native_refs().push(copy);
    }
    let copy = vm.native_refs()[0];
    vm.in_pieces(n, PIECE, |vm, at, n| {
        vm.heap_mut().copy_elems((this, at), (copy, at), n);
        Ok(())
    })?;
    Ok(copy)
}

fn get_class(vm: &mut Env, this: Ref) -> R<Ref> {
    Ok(vm.mirror(vm.class_of(this)))
}

fn hash_code(vm: &mut Env, this: Ref) -> R<i32> {
    Ok(vm.identity_hash(this))
}

fn clone(vm: &mut Env, this: Ref) -> R<Ref> {
    let c = vm.class_of(this);
    if vm.class(c).is_array() {
        let n = vm.heap().len(this);
        if n > PIECE {
            return clone_in_pieces(vm, this, n);
        }
        let copy = vm.alloc_array(c, n)?;
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

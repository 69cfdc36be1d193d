//! Natives of `java.lang.NullPointerException`.

use super::throwable;
use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/lang/NullPointerException";
    getExtendedNPEMessage "()Ljava/lang/String;" => get_extended_npe_message;
}

fn get_extended_npe_message(vm: &mut Env, this: Ref) -> R<Ref> {
    if !vm.options().null_pointer_messages {
        return Ok(Ref::NULL);
    }
    let top = throwable::top_frame(vm, this);
    match top.and_then(|(method, bci)| vm.null_pointer_message(method, bci)) {
        Some(text) => vm.new_string(&text),
        None => Ok(Ref::NULL),
    }
}

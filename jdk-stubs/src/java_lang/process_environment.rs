//! Natives of `java.lang.ProcessEnvironment`.

use crate::support::{byte_array, ref_array};
use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/lang/ProcessEnvironment";
    environ "()[[B" => environ;
}

/// Names and values in turn. Entries without `=` never get here.
fn environ(vm: &mut Env) -> R<Ref> {
    let mut items = Vec::new();
    for (name, value) in vm.host().environment() {
        items.push(byte_array(vm, &name)?);
        items.push(byte_array(vm, &value)?);
    }
    let bytes = vm.array_of(vm.primitive(b'B'));
    ref_array(vm, bytes, &items)
}

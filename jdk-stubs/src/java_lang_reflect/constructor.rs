//! How the VM makes a `java.lang.reflect.Constructor`.

use super::executable::new_common;
use rjvm_vm::{Env, MethodId, R, Ref};

/// A `Constructor` for an `<init>` method.
pub fn new(vm: &mut Env, m: MethodId) -> R<Ref> {
    let class = vm.known().constructor;
    Ok(new_common(vm, class, m)?.0)
}

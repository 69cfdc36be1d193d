//! How the VM makes a `java.lang.reflect.Method`.

use super::executable::{class_file, new_common};
use crate::support::opt_byte_array;
use rjvm_vm::{Env, MethodId, R, Ref, jdk};

/// A `Method` for a method that is neither constructor nor class initializer.
pub fn new(vm: &mut Env, m: MethodId) -> R<Ref> {
    let class = vm.known().method;
    let (r, result) = new_common(vm, class, m)?;
    let name = vm.symbols().str(vm.method(m).name).clone();
    let name = vm.intern_str(&name)?;
    vm.set(r, jdk::method::NAME, name);
    let result = vm.mirror(result);
    vm.set(r, jdk::method::RETURN_TYPE, result);
    let (cf, index) = class_file(vm, m);
    let a = opt_byte_array(
        vm,
        cf.methods[index].attributes.annotation_default.as_deref(),
    )?;
    vm.set(r, jdk::method::ANNOTATION_DEFAULT, a);
    Ok(r)
}

//! Natives of package `java.lang.invoke`. (`MethodHandle.invokeBasic`, `linkTo*` and the
//! signature-polymorphic accessors are instructions of the interpreter.)

pub mod member_name;
mod method_handle_natives;
mod resolve;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&method_handle_natives::NATIVES]);
}

//! Natives of package `jdk.internal.reflect`.

mod constant_pool;
mod invocation;
mod native_constructor_accessor_impl;
mod native_method_accessor_impl;
pub mod reflection;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &constant_pool::NATIVES,
        &native_constructor_accessor_impl::NATIVES,
        &native_constructor_accessor_impl::direct::NATIVES,
        &native_method_accessor_impl::NATIVES,
        &native_method_accessor_impl::direct::NATIVES,
        &reflection::NATIVES,
    ]);
}

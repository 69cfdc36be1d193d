//! Natives of package `com.sun.management.internal`.

mod diagnostic_command_impl;
pub mod flag;
mod garbage_collector_ext_impl;
mod gc_info_builder;
mod hot_spot_diagnostic;
mod operating_system_impl;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &diagnostic_command_impl::NATIVES,
        &flag::NATIVES,
        &garbage_collector_ext_impl::NATIVES,
        &gc_info_builder::NATIVES,
        &hot_spot_diagnostic::NATIVES,
        &operating_system_impl::NATIVES,
    ]);
}

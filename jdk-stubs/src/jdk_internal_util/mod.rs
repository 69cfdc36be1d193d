//! Natives of package `jdk.internal.util`.

mod system_props;

pub use system_props::platform_encoding;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&system_props::NATIVES]);
}

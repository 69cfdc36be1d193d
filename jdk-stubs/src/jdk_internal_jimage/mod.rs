//! Natives of package `jdk.internal.jimage`.

mod native_image_buffer;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([&native_image_buffer::NATIVES]);
}

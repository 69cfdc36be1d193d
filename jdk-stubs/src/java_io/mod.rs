//! Natives of package `java.io`.

mod canonical;
mod console;
mod file_cleanable;
mod file_descriptor;
mod file_input_stream;
mod file_output_stream;
mod object_stream_class;
mod random_access_file;
mod stream;
mod unix_file_system;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &console::NATIVES,
        &console::jdk::NATIVES,
        &file_cleanable::NATIVES,
        &file_descriptor::NATIVES,
        &file_input_stream::NATIVES,
        &file_output_stream::NATIVES,
        &object_stream_class::NATIVES,
        &random_access_file::NATIVES,
        &unix_file_system::NATIVES,
    ]);
}

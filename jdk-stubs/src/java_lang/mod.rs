//! Natives of package `java.lang`.

mod class;
mod class_loader;
mod class_members;
mod class_nesting;
mod double;
mod fdlibm;
mod float;
pub mod math;
pub mod module;
mod null_pointer_exception;
mod object;
mod object_wait;
mod process_environment;
mod runtime;
mod security_manager;
mod shutdown;
mod stack_stream_factory;
pub mod stack_trace_element;
mod strict_math;
mod string;
mod string_utf16;
mod system;
pub mod thread;
pub mod throwable;

pub use class_loader::{class_bytes, define};
pub use runtime::PROCESSORS;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &class::NATIVES,
        &class_loader::NATIVES,
        &double::NATIVES,
        &float::NATIVES,
        &module::NATIVES,
        &null_pointer_exception::NATIVES,
        &object::NATIVES,
        &object_wait::NATIVES,
        &process_environment::NATIVES,
        &runtime::NATIVES,
        &security_manager::NATIVES,
        &shutdown::NATIVES,
        &stack_stream_factory::NATIVES,
        &stack_stream_factory::walker::NATIVES,
        &stack_stream_factory::frame_info::NATIVES,
        &stack_trace_element::NATIVES,
        &strict_math::NATIVES,
        &string::NATIVES,
        &string_utf16::NATIVES,
        &system::NATIVES,
        &thread::NATIVES,
        &thread::virtual_thread::NATIVES,
        &throwable::NATIVES,
    ]);
}

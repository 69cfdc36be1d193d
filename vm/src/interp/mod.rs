//! The interpreter: translated register code, threaded by tail calls.

pub mod frame;

pub use frame::{Frame, Hot, Regs};

/// A method's translated code and the tables that lead from it back to bytecodes.
#[derive(Default)]
pub struct Translated {}

/// Sets up an idle thread (no frames) to call `method` with these argument slots when it next runs.
/// When the call ends, the interpreter calls [`crate::Vm::thread_returned`].
pub fn start_call(
    _vm: &mut crate::Vm,
    _thread: crate::ThreadId,
    _method: crate::MethodId,
    _args: &[u64],
) {
    unimplemented!("start_call")
}

/// Visits the references in a thread's frames.
pub fn each_frame_root(
    _vm: &mut crate::Vm,
    _thread: crate::ThreadId,
    _f: &mut dyn FnMut(&mut crate::Ref),
) {
    unimplemented!("each_frame_root")
}

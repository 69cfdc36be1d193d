//! The interpreter: translated register code, threaded by tail calls.

pub mod frame;

pub use frame::{Frame, Hot, Regs};

/// A method's translated code and the tables that lead from it back to bytecodes.
#[derive(Default)]
pub struct Translated {}

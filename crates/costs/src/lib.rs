//! Cost models of machines, as data, and what they make of a profile. A model ([`Model`]) is a TOML file that says what each
//! opcode, native method and allocation costs; [`weigh`] turns a profile that counts bytecodes into one that counts the
//! model's unit, by context and by bytecode; [`fit()`] finds a model's parameters from measured programs. Knows no VM.

#![forbid(unsafe_code)]

mod expr;
mod fit;
mod least;
mod model;
mod opcodes;
mod parse;
mod shape;
mod sums;
mod weigh;

pub use fit::{Fit, FitError, Fitted, Observation, Parts, fit};
pub use model::{Model, SHIPPED, shipped};
pub use parse::ModelError;
pub use shape::{Instruction, Shape};
pub use weigh::{CostError, Costs, total, weigh};

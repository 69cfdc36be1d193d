//! Probes: what they compute, what they refuse, and what they cost.

mod common;

mod evaluation;
mod hostile;
mod mistakes;
mod quick;
mod speed;

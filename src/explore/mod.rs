//! `rjvm explore`: the schedules of a program, run one after the other until one fails.

mod controller;
mod process;
pub mod report;
pub mod session;
mod sharing;
mod told;

pub use controller::{Begins, Explorer, Points, Shared};
pub use process::Capture;
pub use told::Ending;

//! Decides the schedule of a VM's threads: by a strategy of `rjvm-explore`, or as a recorded schedule says.

#![forbid(unsafe_code)]

mod controller;
mod fair;
mod guide;
pub mod memory;
mod races;
mod shared;
mod sharing;
mod shown;

pub use controller::{Explorer, SchedulingPoints, StartCallback, TraceStep};
pub use guide::{ChoiceKey, Guide};
pub use memory::WeakMemory;
pub use races::Races;
pub use shared::{SharedExplorer, new_numbers};
pub use sharing::Sites;

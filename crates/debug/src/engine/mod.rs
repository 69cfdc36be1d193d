//! The engine: what a debugger asks of a VM, in the VM's own terms.
//!
//! Requests are instruments and events of the VM (`requests`). Where one is hit (`hits`), the VM stops between two bytecodes. There
//! it lets the engine decide on the reports (`stops`), and the front end what becomes of the threads (`suspend`). While all of
//! them are suspended the VM waits, so neither counts nor the schedule know that it has stopped.

mod filters;
mod hits;
mod install;
mod objects;
mod raw;
mod requests;
mod sources;
mod step;
mod steps;
mod stops;
mod suspend;
mod types;
mod world;

pub use filters::source_file;
pub use install::install;
pub use objects::{NULL, ObjectId, Objects};
pub use stops::descriptor_of;
pub use types::{
    Depth, Event, Filter, Happened, Location, MOST_REQUESTS, Policy, Refused, Request, Shown, Size,
    What,
};
pub use world::{Engine, Frontend, Served, Shared, World};

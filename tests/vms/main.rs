//! VMs in the tests' own process, driven from Rust.

#[path = "../common/mod.rs"]
mod common;

mod agent_traits;
mod cut_collections;
mod embedding;
mod events;
mod events_calls;
mod hostile;
mod inspect;
mod instruments;
mod instruments_placed;
mod intrinsics;
mod limits;
mod replace;
mod translated;

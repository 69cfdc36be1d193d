//! Hosts made of other hosts, or around them: what a Java program may reach outside its VM, and what it finds there.
//!
//! Each is a [`Host`](rjvm_vm::host::Host); those that wrap another one are put together from outside in:
//! what records what the program saw, what injects faults, what makes answers the same in every run, and inside
//! what grants (a contained host, or the operating system).

#![forbid(unsafe_code)]

#[macro_use]
mod forward;
mod contained;
pub mod deterministic;
pub mod faults;
mod grants;
mod limited;
mod mapped;
mod memory;
pub mod record;
pub mod recording;
pub mod replay;

pub use grants::{Clock, Entropy, Environment, Grants, Network};
pub use limited::{HostLimit, HostLimits, Limited, Usage};
pub use memory::{DEFAULT_LIMIT, MemoryFiles};
pub use rjvm_jdk_stubs::os::StandardStreams;

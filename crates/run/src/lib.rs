//! What the library `rjvm` and the program of that name have in common: how a VM is put together of its hosts, natives and
//! recordings, how a program starts and ends in it, and what its counters, throwables and probes become outside it.

#![forbid(unsafe_code)]

pub mod assembly;
pub mod blocks;
#[cfg(feature = "probes")]
pub mod probes;
pub mod profile;
pub mod program;
pub mod tape;
pub mod throwable;

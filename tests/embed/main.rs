//! The VM as a library, by its public interface.

#[path = "../common/mod.rs"]
mod common;

mod api;
mod compile;
mod functions;
mod host;
mod limits;
mod record;
mod runs;
mod tier;

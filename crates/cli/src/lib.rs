//! The program `rjvm`: its launcher and its tools. `rjvm --help` and docs/ document it; its modules are for
//! its own tests. Embedders use the package `rjvm-embed`.

pub mod agent;
pub mod divergence;
pub mod explore;
pub mod file_error;
pub mod invalid;
pub mod launcher;
pub mod locks;
pub mod messages;
mod run_error;
pub mod sources;
pub mod subcommands;
pub mod testing;
pub mod tools;
pub mod travel;

//! A session's front for editors: the Debug Adapter Protocol (`rjvm debug --dap`).
//!
//! DESIGN. One thread reads requests (`link`, whose messages `frames` has) and carries them out (`server`): the launch (`launch`),
//! stops (`stops`), movements (`going`), and views of a stopped program (`views`). While a search is under way, it waits for the
//! process of the program and the client together, so a pause ends the search. Where the program is does not depend on that: it is
//! at the end of the last stretch. Numbers of frames and variables are good until the program goes on.

mod changes;
mod error;
mod frames;
mod going;
mod launch;
mod link;
mod server;
mod stops;
mod views;

pub use error::DapError;
pub use launch::{BegunProgram, DapStart, Launch};
pub use server::DapServer;

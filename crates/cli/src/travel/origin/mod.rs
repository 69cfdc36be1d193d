//! The origin of a value: which bytecode wrote it last, and what it was made of, back to its cause.
//!
//! DESIGN. `ask` answers a question: it runs the program again from the checkpoints before the present, with a watch on the variable
//! (`watch`, at the places of `points`, instruments of the VM), goes to the last write, and follows the written operand back along the bytecodes that
//! the call has executed (`path`, `flow`). `look` is what it asks of a stopped program, `data` all that goes over the wire.
//! `command` has the words of a session, `report` the text. `calls` lists the calls between two positions.
//!
//! Everything but the asking happens in copies of the process that run again, so positions and counts stay as they are.

mod ask;
mod calls;
mod command;
mod data;
mod flow;
mod initial;
mod look;
mod path;
mod points;
mod report;
mod watch;

pub use command::{OriginAsker, OriginPlace, OriginRequest, calls, run};
pub use data::{OriginLook, OriginSeen, Trail, Watch};
pub use look::look;
pub use watch::PlacedWatch;

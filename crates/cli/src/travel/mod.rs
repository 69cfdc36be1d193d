//! A debugger that also runs backwards: `rjvm debug`.
//!
//! DESIGN. A program that runs deterministically has positions: the count of bytecodes that all threads have executed. The session
//! (`session`, a process with the terminal and without a VM) reads commands. The program runs in other processes (`worker`), each a copy
//! made by `fork` of one that has executed less, and each stopped at a position, where it waits for orders (`wire`, lines of JSON on a
//! socket): make a copy of yourself, run to a position, show something. `timeline` keeps some of them as checkpoints. To go to
//! a position, the nearest checkpoint before it is copied, and the copy runs there. To go back to a hit of a breakpoint, the stretch from
//! the last checkpoint to the present runs again and notes the last hit (`query`, with instruments of the VM); if there is none, the
//! stretch before that, and so on (`backward`). Going forward works alike, in stretches that grow, so that checkpoints come about on the way.
//! Whatever runs again does exactly the same, and its output is shown once.
//!
//! A session has two fronts: commands in a terminal (`session`), and the Debug Adapter Protocol for editors (`dap`). Both move by `moves`.
//! Texts for the terminal are made by `values`; data for editors by `looks`, whose form is in `seen`. Conditions and messages of stops
//! (`filtered`) are `expressions` over values that `reading` finds.
//!
//! `origin` finds the bytecode that wrote a value last, by a search, and what the value was made of.
//!
//! A replay of a recording is a program like others: its host reads the recording, a file that each copy opens again for itself.
//! A program in the real world is recorded by a separate process, and replayed behind it (`live`).
//!
//! To be done: a loop that begins at a method's first bytecode counts as a call to `reverse-next`.
//!
//! Lines begin where a row of the table of lines does whose line is another than the one that the frame was at.

mod attention;
mod backward;
mod branches;
mod copies;
mod dap;
mod errors;
mod evaluations;
mod expression_error;
mod expressions;
mod filtered;
mod live;
mod looks;
mod mark;
mod marks;
mod moves;
mod origin;
mod query;
mod reading;
mod runs;
mod seen;
mod session;
mod shown;
mod stride;
mod terminal;
mod timeline;
mod values;
mod wire;
mod words;
mod worker;

pub use dap::{BegunProgram, DapError, DapServer, DapStart, Launch};
pub use live::{LiveCame, LiveProgram};
pub use origin::{OriginPlace, OriginRequest, run as run_origin};
pub use session::{DebugSession, ReadPlace};
pub use shown::{OwnStreams, ShowOutput, Shown};
pub use timeline::{CheckpointLimits, Timeline, TimelineStart, TravelError};
pub use wire::{DebugStop, NumberedStop};
pub use worker::SharedWorker;

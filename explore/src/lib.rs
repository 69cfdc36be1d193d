//! Exploration of thread schedules: which thread goes on at each scheduling point, and which of the values that the
//! memory model permits a read returns. Nothing here knows a VM, a process or a file: whoever runs a program asks a
//! [`Strategy`] at each point and tells it what was executed.
//!
//! * [`Op`] is what a thread is about to do at a scheduling point, [`dependent`] whether the order of two matters.
//! * [`Strategy`] and its kinds choose: [`RandomWalk`], [`Pct`], [`Pos`], [`Quanta`], [`Guided`] by a list, [`Follow`] by
//!   switches. [`Method`] is their names on a command line.
//! * [`dpor`] plans runs until none is left that differs, from the [`trace`]s of those made.
//! * [`Order`] is which operations happen before which, and [`races`] finds accesses that are not ordered.
//! * [`memory`] is the Java memory model: which stores a load may see.
//! * [`minimise`](minimise()) makes a schedule that fails small.
//! * [`result`] is what schedules came to, one and all; parts made on several machines can be joined.
//! * [`report`] shows a failure: as text, as a page, as JSON.
//! * [`schedule`] is the file in which a schedule is kept.
//!
//! Everything is a function of the seed, the number of the schedule, and what the program does.

mod clock;
pub mod dpor;
pub mod memory;
mod minimise;
mod op;
mod order;
pub mod races;
mod random;
pub mod report;
pub mod result;
pub mod schedule;
mod strategy;
pub mod trace;

pub use minimise::{Minimised, minimise};
pub use op::{Candidate, Mode, Op, OpKind, Place, ThreadNo, dependent};
pub use order::Order;
pub use random::Random;
pub use strategy::follow::{Deviations, Follow, OldValue, Switch};
pub use strategy::guided::{Decision, Divergence, Guided};
pub use strategy::method::{Method, MethodError};
pub use strategy::pct::Pct;
pub use strategy::pos::Pos;
pub use strategy::quanta::Quanta;
pub use strategy::walk::RandomWalk;
pub use strategy::{Choice, Start, Strategy};

//! Exploration of thread schedules: which thread goes on at each scheduling point, and which of the values that the
//! memory model permits a read returns. Nothing here knows a VM, a process or a file: the code that runs a program asks a
//! [`Strategy`] at each point and notifies it of the executed operation.
//!
//! * [`Op`] is the next operation of a thread at a scheduling point, [`dependent`] whether the order of two matters.
//! * [`Strategy`] and its kinds choose: [`RandomWalk`], [`Pct`], [`Pos`], [`Preempt`], [`Mixed`], [`Quanta`], [`Guided`] by a list,
//!   [`Inertia`] by no choice at all. [`Method`] is their names on a command line.
//! * [`dpor`] plans runs until none is left that differs, from the [`trace`]s of those made.
//! * [`Order`] is which operations happen before which, and [`races`] finds accesses that are not ordered.
//! * [`memory`] is the Java memory model: which stores a load may see.
//! * [`Minimiser`] makes a schedule that fails small.
//! * [`result`] is what schedules came to, one and all; parts made on several machines can be joined.
//! * [`report`] shows a failure: as text, as a page, as JSON.
//! * [`schedule`] is the file in which a schedule is kept.
//!
//! Code that runs a program does this:
//!
//! ```
//! use rjvm_explore::{Candidate, Choice, Method, Mode, Op, OpKind, Place, Start, ThreadNo};
//!
//! // two threads that store to one variable each in three steps
//! let mut left = [3, 3];
//! let mut strategy = "pos".parse::<Method>()?.strategy().expect("it samples");
//! strategy.begin(&Start { seed: 7, number: 0, length: 0 });
//! let mut last = None;
//! for step in 0.. {
//!     let ready = (0..2).filter(|&t| left[t] > 0);
//!     let write = |t: usize| Op::new(OpKind::Write(Mode::Plain), Place(1 + t as u64));
//!     let candidates: Vec<Candidate> = ready
//!         .map(|t| Candidate::new(ThreadNo(t as u32), write(t)))
//!         .collect();
//!     if candidates.is_empty() {
//!         break;
//!     }
//!     let current = candidates.iter().position(|c| Some(c.thread) == last);
//!     let chosen = strategy.choose(&Choice { candidates: &candidates, current, step });
//!     let Candidate { thread, op } = candidates[chosen];
//!     left[thread.index()] -= 1;
//!     strategy.executed(thread, op, true);
//!     last = Some(thread);
//! }
//! assert_eq!(left, [0, 0]);
//! # Ok::<(), rjvm_explore::MethodError>(())
//! ```
//!
//! Everything is a function of the seed, the number of the schedule, and what the program does.

#![forbid(unsafe_code)]

mod clock;
pub mod dpor;
pub mod memory;
mod minimise;
mod order;
pub mod races;
mod random;
pub mod report;
pub mod result;
pub mod schedule;
mod strategy;
pub mod trace;

pub use minimise::Minimiser;
pub use order::Order;
pub use random::Random;
pub use rjvm_ops::{Candidate, Mode, Op, OpKind, Place, ThreadNo, dependent};
pub use strategy::guided::{Decision, Divergence, Guided};
pub use strategy::inertia::Inertia;
pub use strategy::method::{Method, MethodError};
pub use strategy::mixed::Mixed;
pub use strategy::pct::Pct;
pub use strategy::pos::Pos;
pub use strategy::preempt::Preempt;
pub use strategy::quanta::Quanta;
pub use strategy::spinning::Spinning;
pub use strategy::walk::RandomWalk;
pub use strategy::{Choice, Start, Strategy};

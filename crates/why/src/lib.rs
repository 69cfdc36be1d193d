//! When, where and why a run is slow. What a run has executed comes in as a [`Recording`]: calling contexts, what each of
//! them did in each window of the run, and what else was notified of it (locks, collections, classes). Out comes a [`Report`]:
//! the phases of the run, and causes, each with its figures, the evidence behind it, and what could be saved. Nothing here
//! knows a VM.
//!
//! * [`phases`] finds where the mix of methods changes.
//! * [`tree`] prepares contexts for questions: their subtrees, and their callers in the application.
//! * [`rules`] has a file for each group of causes, the leaves of the hierarchy of *why*.
//! * [`cost`] is the common measure by which causes are ranked.
//! * [`search`] finds bottlenecks while the program runs, by instruments along the call graph.
//! * [`report`] shows it as text, as a page, as JSON.

#![forbid(unsafe_code)]

pub mod analysis;
pub mod claim;
pub mod collector;
pub mod cost;
pub mod phases;
pub mod recording;
pub mod report;
pub mod rules;
pub mod search;
pub mod tree;

pub use analysis::analyse;
pub use claim::{Claim, Place, Report};
pub use collector::Collector;
pub use recording::Recording;

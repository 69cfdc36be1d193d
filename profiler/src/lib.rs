//! Profiles of bytecode executions: the calling-context tree the interpreter writes, profiles as
//! plain data, and what turns them into files. The crate knows method ids, not the VM.
//!
//! * [`cct`]: the hot tree, written through raw pointers while the program runs.
//! * [`samples`]: the recorder of a sampled run.
//! * [`Builder`] makes a [`Profile`] of either; [`Profile::view`] projects it; [`export`] and
//!   [`summary`] write it.
//!
//! Whatever is written is determined by the counters alone: identical runs give identical bytes.

mod alike;
pub mod cct;
mod compare;
mod estimate;
pub mod export;
mod filter;
mod leb;
mod lens;
mod merge;
mod method;
mod metrics;
mod numbers;
pub mod origin;
mod part;
mod profile;
mod prune;
mod query;
mod read;
mod recorded;
pub mod rjp;
pub mod samples;
mod source;
pub mod summary;
mod table;
mod tree;
mod weighed;

pub use alike::Renamed;
pub use compare::{Change, Comparison, ContextPair, Contexts, MethodChange, OverlapBy};
pub use filter::{Filter, Pattern, PatternError};
pub use merge::{MergeError, Renumbered};
pub use method::{Identity, MethodInfo, is_application, readable_names, without_variant};
pub use metrics::{CallSite, Shape};
pub use profile::{About, Builder, Kind, Part, Profile, ThreadProfile, Threads, Totals, View};
pub use prune::{Limits, Pruned};
pub use query::Context;
pub use read::{ReadError, ReadFileError};
pub use recorded::{Recorded, RecordedError, Report, Roots, VisibleContexts};
pub use source::Source;
pub use table::{Flat, MethodTotals};
pub use tree::{Allocation, Children, Counts, Extra, Node, Preorder, Tree, TreeError};
pub use weighed::UNIT;

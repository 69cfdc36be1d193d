//! Results: how a schedule ended, what all schedules together came to, and how parts of an exploration made on
//! several machines are joined.

mod exploration;
mod outcome;
mod shard;
mod summary;

pub use exploration::Exploration;
pub use outcome::{Outcome, Thread, Waiting};
pub use shard::{Shard, ShardError};
pub use summary::{
    FailingSchedule, FailureGroup, KEPT, MergeError, Output, RaceAccess, RaceFound, Range, Summary,
    SummaryError,
};

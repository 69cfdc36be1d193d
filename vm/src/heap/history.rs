//! What the management interface remembers of memory: peaks, what collections left, and the last one of each kind.

pub use super::pools::{HEAP, InUse, POOLS};
use super::sensors::Sensors;

pub(super) const YOUNG: std::ops::Range<usize> = 2..4;

/// A collection that has ended.
#[derive(Clone, Copy, Debug)]
pub struct PastCollection {
    /// Number among those of its kind, from 1.
    pub number: u64,
    /// Its start and end, nanoseconds since the VM was made.
    pub span: (i64, i64),
    /// The bytes in use before and after it.
    pub in_use: (InUse, InUse),
}

/// See the module.
#[derive(Default)]
pub(crate) struct History {
    pub(super) peak: InUse,
    /// Young and full: the last one, and nanoseconds of all.
    pub(super) kinds: [(Option<PastCollection>, i64); 2],
    /// The usage before the collection under way.
    pub(super) before: InUse,
    /// What the last collection of each pool left in it.
    pub(super) left: [Option<usize>; POOLS],
    pub(crate) sensors: Sensors,
}

//! State of the collector.

use super::cards::Crossing;
use super::pause::PauseCheck;
use super::spaces::Spaces;
use super::units::Units;

/// State of the collector.
pub struct GcState {
    /// Collections so far.
    pub collections: u64,
    /// Full collections among them.
    pub full_collections: u64,
    /// Collect at every allocation of the slow path and poison freed memory.
    pub stress: bool,
    /// The interpreter's: the allocation it is at has had its collection.
    pub stress_flip: bool,
    /// The collector is at work, or has stopped in the middle.
    pub(crate) collecting: bool,
    /// Each allocation takes the slow path: an observer wants to be notified of it.
    pub(super) watched: bool,
    pub(super) spaces: Spaces,
    /// Byte offset where the eden ends for now.
    pub(super) eden_end: usize,
    /// The survivor space with objects in it.
    pub(super) full: usize,
    /// End of those objects, byte offset.
    pub(super) survivor_top: usize,
    /// Next free byte of the old space.
    pub(super) old_top: usize,
    /// The old space is all zeros from here on.
    pub(super) old_high: usize,
    /// It is all zeros from its next free byte to here.
    pub(super) clean: usize,
    /// Use of the old space that asks for a full collection.
    pub(super) threshold: usize,
    pub(super) crossing: Crossing,
    /// What can be unloaded.
    pub(crate) units: Units,
    pub(super) policy: super::policy::Policy,
    /// Whether it is to stop half-way.
    pub(super) breath: PauseCheck,
}

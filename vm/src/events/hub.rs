//! The events of a VM that are wanted, and those under way.

use super::EventSet;
use super::observer_id::ObserverId;
use crate::ids::Ref;
use crate::interp::ThreadPosition;

/// All who want to be notified of each bytecode.
pub(super) const EVERY: ObserverId = ObserverId::reserved(0);
/// The one that instruments have, for numbers of bytecodes.
pub(super) const COUNTED: ObserverId = ObserverId::reserved(1);
/// The one that a debugger has, for a thread that is followed.
pub(super) const FOLLOWED: ObserverId = ObserverId::reserved(2);

/// Kinds that are reported while the heap is collected.
pub(super) const IN_COLLECTIONS: EventSet = EventSet::UNLOADING
    .and(EventSet::MOVES)
    .and(EventSet::FREES)
    .and(EventSet::ARENAS)
    .and(EventSet::COLLECTIONS);

/// The events of a VM that are under way.
#[derive(Default)]
pub(crate) struct Hub {
    /// What at least one observer or instrument wants.
    pub(super) wanted: EventSet,
    /// Objects the running instruction has allocated, and where, while an observer wants to be notified of them.
    pub(super) fresh: Vec<(Ref, usize, Option<ThreadPosition>)>,
    /// What the observer that was notified last wants instead of a class file.
    pub(super) replacement: Option<Vec<u8>>,
    /// Files of heap dumps that are requested.
    pub(crate) dumps: Vec<Vec<u8>>,
    /// Where the running thread was at the event that is being reported, if it is further now.
    pub(super) spot: Option<ThreadPosition>,
}

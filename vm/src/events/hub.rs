//! Who is subscribed to what.

use super::alarms::SubscriberId;
use super::{EventSet, Subscriber};
use crate::ids::Ref;
use crate::interp::Spot;

/// Stands for all who want to be told of each bytecode.
pub(super) const EVERY: SubscriberId = SubscriberId(u32::MAX);
/// Kinds that are told while the heap is collected.
pub(super) const IN_COLLECTIONS: EventSet = EventSet::UNLOADING
    .and(EventSet::MOVES)
    .and(EventSet::FREES)
    .and(EventSet::ARENAS)
    .and(EventSet::COLLECTIONS);
/// The one that instruments have, for numbers of bytecodes.
pub(super) const COUNTED: SubscriberId = SubscriberId(u32::MAX - 1);

pub(super) struct Entry {
    pub(super) id: SubscriberId,
    pub(super) wants: EventSet,
    /// Away while it is told of something: what happens meanwhile, it is not told of.
    pub(super) subscriber: Option<Box<dyn Subscriber>>,
}

/// The subscribers of a VM.
#[derive(Default)]
pub(crate) struct Hub {
    /// What at least one of them wants.
    pub(super) wanted: EventSet,
    /// In the order in which they subscribed, which is the order in which they are told.
    pub(super) entries: Vec<Entry>,
    pub(super) next_id: u32,
    /// Objects the running instruction has allocated, and where, while somebody wants to be told of them.
    pub(super) fresh: Vec<(Ref, usize, Option<Spot>)>,
    /// What the subscriber that was told last wants in place of a class file.
    pub(super) replacement: Option<Vec<u8>>,
    /// Files of heap dumps that are asked for.
    pub(crate) dumps: Vec<Vec<u8>>,
    /// Where the running thread was when what is being told has happened, if it is further now.
    pub(super) spot: Option<Spot>,
}

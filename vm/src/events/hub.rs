//! Who is subscribed to what.

use super::alarms::SubscriberId;
use super::{EventSet, Subscriber};
use crate::ids::Ref;
use crate::interp::ThreadPosition;

/// All who want to be notified of each bytecode.
pub(super) const EVERY: SubscriberId = SubscriberId(u32::MAX);
/// Kinds that are reported while the heap is collected.
pub(super) const IN_COLLECTIONS: EventSet = EventSet::UNLOADING
    .and(EventSet::MOVES)
    .and(EventSet::FREES)
    .and(EventSet::ARENAS)
    .and(EventSet::COLLECTIONS);
/// The one that instruments have, for numbers of bytecodes.
pub(super) const COUNTED: SubscriberId = SubscriberId(u32::MAX - 1);

/// The one that a debugger has, for a thread that is followed.
pub(super) const FOLLOWED: SubscriberId = SubscriberId(u32::MAX - 2);

pub(super) struct SubscriberEntry {
    pub(super) id: SubscriberId,
    pub(super) wants: EventSet,
    /// Away while it is notified of something: what happens meanwhile, it is not notified of.
    pub(super) subscriber: Option<Box<dyn Subscriber>>,
}

/// The subscribers of a VM.
#[derive(Default)]
pub(crate) struct Hub {
    /// What at least one of them wants.
    pub(super) wanted: EventSet,
    /// In the order in which they subscribed, which is the order in which they are notified.
    pub(super) entries: Vec<SubscriberEntry>,
    pub(super) next_id: u32,
    /// Objects the running instruction has allocated, and where, while somebody wants to be notified of them.
    pub(super) fresh: Vec<(Ref, usize, Option<ThreadPosition>)>,
    /// What the subscriber that was notified last wants instead of a class file.
    pub(super) replacement: Option<Vec<u8>>,
    /// Files of heap dumps that are requested.
    pub(crate) dumps: Vec<Vec<u8>>,
    /// Where the running thread was when what is being reported has happened, if it is further now.
    pub(super) spot: Option<ThreadPosition>,
}

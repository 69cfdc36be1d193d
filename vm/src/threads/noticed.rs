//! Notices that wait for their listeners.

use crate::heap::history::PastCollection;
use crate::ids::ThreadId;
use crate::throw::StepFn;
use std::collections::VecDeque;

/// A collection of which Java code is to be notified.
#[derive(Clone, Copy, Debug)]
pub struct CollectionNotice {
    /// Whether it was one of the whole heap.
    pub full: bool,
    /// What requested it, in HotSpot's words.
    pub cause: &'static str,
    /// When it was over, milliseconds since 1970.
    pub millis: i64,
    /// Facts about it.
    pub past: PastCollection,
}

/// Those that are still to be reported, and their listeners.
#[derive(Default)]
pub(crate) struct CollectionNotices {
    pub(super) thread: Option<ThreadId>,
    /// For young collections and full ones: the root cell of the object that reports listeners.
    pub(super) notifiers: [Option<u32>; 2],
    pub(super) notify: Option<StepFn>,
    /// Reports the sensor of a pool.
    pub(super) signal: Option<StepFn>,
    pub(super) queue: VecDeque<CollectionNotice>,
    /// The notice that is being reported.
    pub(super) current: Option<CollectionNotice>,
}

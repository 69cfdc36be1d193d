//! Signals that have arrived, and the steps of system threads.

use crate::ids::ThreadId;
use std::collections::VecDeque;

/// What a system thread does next when the method at the bottom of its stack has returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SystemStep {
    /// Its `Thread` object is constructed: joins its group.
    Constructed,
    /// Handles the next signal or notice, or waits for one.
    Serve,
}

/// Signals that have arrived and their dispatcher.
#[derive(Default)]
pub struct Signals {
    pub(super) dispatcher: Option<ThreadId>,
    /// One has been requested from inside.
    pub(super) snapshot_wanted: bool,
    pub(super) queue: VecDeque<i32>,
}

impl Signals {
    /// Whether the dispatcher runs.
    pub(super) fn are_served(&self) -> bool {
        self.dispatcher.is_some()
    }
}

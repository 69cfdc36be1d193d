//! The scheduler: run queue, timers, waking.

/// Run queue and timers.
#[derive(Default)]
pub struct Scheduler {}

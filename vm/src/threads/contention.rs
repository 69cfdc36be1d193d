//! How often threads were blocked by monitors and how often they waited, and how long. Measured from the first request on.

/// How often something happened to a thread, and how long it took while that was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitCounts {
    /// How often, from the thread's start on.
    pub count: i64,
    /// Nanoseconds by the VM's clock.
    pub nanos: i64,
}

/// What a thread has lost to others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contention {
    /// Entering monitors that others held, be it again after `Object.wait`.
    pub blocked: WaitCounts,
    /// `Object.wait`, `Thread.sleep` and `LockSupport.park`.
    pub waited: WaitCounts,
    /// When the present state began, if it is measured.
    pub(super) since: Option<i64>,
}

//! Which allocations are to fail on purpose.

/// Receives each allocation that fails: its number, its bytes, and the bytecodes executed until then.
pub type OnFailure = Box<dyn FnMut(u64, usize, i64) + Send>;

/// Allocations that are to fail.
pub(crate) struct Failing {
    /// Numbers of those that are left, the next one last.
    pub(super) at: Vec<u64>,
    /// Objects allocated so far.
    pub(super) count: u64,
    /// Those of them that the running instruction or native has allocated, which are allocated again if it runs again.
    pub(super) running: u64,
    /// They are counted now.
    pub(super) on: bool,
    pub(super) reported: OnFailure,
}

//! What threads have used: processor time and memory.
//!
//! Memory is counted exactly: what the heap's count of allocated bytes has grown by while a thread ran, less what
//! attempts had allocated that were made again after a collection.
//!
//! Processor time costs a call of the operating system at each switch of threads, so it is measured from the first request on.
//! What the VM has used until then is shared out by executed bytecodes.

use crate::host::CpuTime;

/// What the VM remembers to report the running thread's share.
#[derive(Default)]
pub struct Usage {
    /// Processor time at the last switch of threads; `None`: there was no request yet.
    pub(super) mark: Option<CpuTime>,
    /// The same for those who look on, who ask the clock in their own way.
    pub(super) peeked: Option<CpuTime>,
    /// Bytes of allocations that were made again.
    pub(super) abandoned: u64,
    /// Bytes allocated when the running thread got its turn.
    pub(super) at_turn: u64,
}

impl CpuTime {
    pub(super) fn since(self, mark: CpuTime) -> CpuTime {
        let least = |now: i64, then: i64| now.saturating_sub(then).max(0);
        CpuTime {
            total: least(self.total, mark.total),
            user: least(self.user, mark.user),
        }
    }
    pub(super) fn add(&mut self, used: CpuTime) {
        self.total += used.total;
        self.user += used.user;
    }
    /// The share of a thread that has executed `part` of `whole` bytecodes.
    pub(super) fn share(self, part: i64, whole: i64) -> CpuTime {
        let of = |n: i64| (i128::from(n) * i128::from(part) / i128::from(whole.max(1))) as i64;
        CpuTime {
            total: of(self.total),
            user: of(self.user),
        }
    }
}

//! What methods are to a search.

use super::{Moment, Reading, Via};

/// The state of a method in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It was seen, no more.
    Seen,
    /// It is timed.
    Frontier(Timing),
    /// It waits for a late instrument.
    Waiting(Via),
    /// It is a bottleneck.
    Focus(Watch),
    /// It was timed, and is none. It is timed again after some time, each time a longer one.
    Rejected { until: u64, times: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timing {
    pub since: Moment,
    /// What the timer had reported then: calls, and what they had used.
    pub base: (u64, u64),
    pub late: bool,
    pub via: Via,
    pub rejected: u32,
}

impl Timing {
    /// Calls, and what they have used, of the window.
    pub fn window(&self, r: Reading) -> (u64, u64) {
        (
            r.calls.saturating_sub(self.base.0),
            (r.used + r.open).saturating_sub(self.base.1),
        )
    }
    pub fn again(self, now: Moment, r: Reading) -> Timing {
        Timing {
            since: now,
            base: (r.calls, r.used + r.open),
            ..self
        }
    }
}

/// How a bottleneck is looked at again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Watch {
    /// It is timed.
    pub timing: Option<Timing>,
    /// It is not, until so many bytecodes of the run.
    pub next: u64,
    /// Bytecodes between two looks.
    pub gap: u64,
}

//! The part of a run that is profiled.

use super::places::StopRequest;

/// The part of a run that is profiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Where it begins; `None`: with the run.
    pub from: Option<WindowStart>,
    /// Bytecodes of all threads after which it ends.
    pub length: Option<i64>,
}

/// Where a part begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WindowStart {
    /// When the program calls `rjvm.agent.Profile.start()`, or a request comes from outside.
    Requested,
    /// Here.
    Place(StopRequest),
}

impl Window {
    /// Whether nothing is recorded when the VM comes up.
    pub fn begins_later(&self) -> bool {
        self.from.is_some()
    }
}

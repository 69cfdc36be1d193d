//! Flow of control that no edge represents.

use hashbrown::HashMap;
use rjvm_profiler::cct::ContextNode;

/// How control leaves the straight way at a bytecode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum BranchKind {
    /// It came from elsewhere than the bytecode before.
    Enter,
    /// It did not come here from the bytecode before, or from where the edges say.
    Before,
    /// It did not continue to the next one.
    After,
}

/// Turns by node, bytecode number and kind.
pub(super) type BranchCounts = HashMap<(usize, u16, BranchKind), u64>;

/// What the counters of edges do not say.
#[derive(Default)]
pub struct FlowCounts {
    pub(super) turns: BranchCounts,
    /// Of frames that were open when they were last looked at.
    pub(super) open: BranchCounts,
}

impl FlowCounts {
    /// Forgets the turns of contexts that are there no more.
    pub(super) fn forget_contexts(&mut self, live: impl Fn(*const ContextNode) -> bool) {
        self.turns
            .retain(|turn, _| live(turn.0 as *const ContextNode));
        self.open
            .retain(|turn, _| live(turn.0 as *const ContextNode));
    }
}

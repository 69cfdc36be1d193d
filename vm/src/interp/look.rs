//! How control has come to where the limit is looked at.

/// How control has come to where the limit is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PollKind {
    /// A branch is taken, or straight code is long: by the instruction at `Hot::source`.
    Branch,
    /// A call; the callee's frame is on top.
    Call,
    /// A return, by the instruction at `Hot::source`; its frame still lies above the top one. With
    /// the result's slot, and whether that is a reference.
    Return(*mut u64, bool),
}

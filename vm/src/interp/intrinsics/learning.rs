//! An intrinsic whose effect is being learned.

use super::effect::EffectPlace;
use crate::ids::ThreadId;
use hashbrown::HashMap;

/// Invocations, bytecodes, and allocations and edges of a context, by slot.
pub(super) type Counted = (u64, i64, Vec<(u32, u64)>);

/// An execution that is learned.
pub(super) struct Learning {
    pub(super) thread: ThreadId,
    /// Address of its control frame.
    pub(super) cs: usize,
    pub(super) at: EffectPlace,
    /// Ticks at the entry.
    pub(super) ticks: i64,
    /// See [`Effect::looks`](super::effect::Effect::looks).
    pub(super) looks: Vec<u32>,
    /// All contexts at and below the method's, as they were at the entry.
    pub(super) before: HashMap<usize, Counted>,
    /// The thread's allocations at the end, if Rust code can do the same.
    pub(super) allocated: u64,
    /// Whether all methods that were called are known.
    pub(super) known: bool,
    pub(super) patience: u32,
    /// How often control comes to the place before it has ended.
    pub(super) arrivals: u32,
}

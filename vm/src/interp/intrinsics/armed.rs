//! The intrinsics of a VM.

use super::effect::Effects;
use super::learning::Learning;
use crate::ids::{MethodId, Ref};
use crate::interp::Handler;
use hashbrown::{HashMap, HashSet};

/// The data for the Rust code of an intrinsic, if the arguments suit it.
#[derive(Clone, Copy, Default)]
pub(super) struct Work {
    /// What the executed bytecodes depend on.
    pub(super) key: u64,
    /// Arrays and objects. They are valid until the heap is collected, which the Rust code does not.
    pub(super) refs: [Ref; 4],
    /// Offsets and lengths, which have been checked.
    pub(super) numbers: [usize; 4],
    /// Bytes that it allocates, in one object or none.
    pub(super) allocates: usize,
}

/// How a method runs whose entry is the stub: its row in the table of whole methods, in the table of methods built from
/// pieces, or in the table of methods that count by tallies.
#[derive(Clone, Copy)]
pub(super) enum Armed {
    Whole(usize),
    Pieced(usize),
    Summed(usize),
}

/// The VM's data about its intrinsics.
pub(crate) struct Intrinsics {
    /// Those whose methods are entered by the stub.
    pub(super) armed: HashMap<MethodId, Armed>,
    /// Methods whose bodies are known.
    pub(super) reviewed: HashSet<MethodId>,
    pub(super) effects: Effects,
    pub(super) learning: Option<Box<Learning>>,
    /// Bodies were replaced: nothing is known any more.
    pub(super) given_up: bool,
    /// Loops that can be passed over, by what their instruction names: rows of their table.
    pub(super) loops: Vec<(MethodId, usize)>,
    /// How many executions, and rounds of loops, were done by Rust code, by row of all tables.
    pub(super) done: Box<[u64]>,
    /// The handler of the return at which control is after the work of a method.
    pub(super) returns: Option<Handler>,
}

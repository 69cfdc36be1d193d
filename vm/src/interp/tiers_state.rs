//! The data of a VM's compiled tier: when points are given next, and the compiled methods.
#![cfg_attr(not(tier), allow(dead_code, reason = "for compiled code alone"))]

#[cfg(tier)]
use super::tier::space::CodeSpace;
use crate::ids::MethodId;
use std::collections::BTreeMap;
#[cfg(tier)]
use std::sync::{Arc, Mutex};

/// Whether there is a compiled tier.
pub const TIER: bool = cfg!(tier);

/// Bytecodes of the program before which nothing is compiled: what runs no longer than that starts as it always has.
const FIRST: i64 = 4_000_000;

/// Figures of the compiled tier: methods, instructions and bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TierUse {
    /// Methods that have been compiled, each time counted.
    pub compiled: u64,
    /// Their instructions, and those of these with a template.
    pub instructions: (u64, u64),
    /// Bytes of compiled code that were made.
    pub bytes: u64,
    /// Calls in it that are inlined.
    pub inlined: u64,
    /// The system refuses memory that is executed: all is interpreted.
    pub refused: bool,
}

/// The compiled tier of a VM.
pub(crate) struct Tier {
    /// Bytecodes of the running thread at which points are given; if it were not for this, the limit would be `plain`.
    pub(super) next: i64,
    pub(super) plain: i64,
    /// Bytecodes until then, while no thread runs.
    pub(super) left: i64,
    pub(super) found: TierUse,
    /// By method the methods whose compiled code relies on how it is entered, and what it does.
    pub(super) inliners: BTreeMap<MethodId, Vec<MethodId>>,
    #[cfg(tier)]
    pub(super) table: Option<super::instruction::InsnTable>,
    #[cfg(tier)]
    pub(super) space: Option<Arc<Mutex<CodeSpace>>>,
}

impl Default for Tier {
    fn default() -> Tier {
        Tier {
            next: i64::MAX,
            plain: i64::MIN,
            left: FIRST,
            found: TierUse::default(),
            inliners: BTreeMap::new(),
            #[cfg(tier)]
            table: None,
            #[cfg(tier)]
            space: None,
        }
    }
}

//! Names of observers.

/// Names an observer of a VM. Names are not used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObserverId {
    pub(super) index: u32,
    /// How many have had the place before.
    pub(super) generation: u32,
}

impl ObserverId {
    /// One that no VM gives away: for events that the VM requests of itself.
    pub(super) const fn reserved(n: u32) -> ObserverId {
        ObserverId {
            index: u32::MAX,
            generation: n,
        }
    }
}

//! Numbers of instruments.

/// An instrument. Numbers are not used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InstrumentId(pub(super) u64);

impl InstrumentId {
    /// How many instruments the VM had been given before it.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// Index of an instrument in the list; indices are used again.
pub(crate) type Index = u32;

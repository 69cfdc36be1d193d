//! Allocation spaces and collection.

/// Offset in a `java.lang.Class` object of the injected field that names the class it stands for.
pub const MIRROR_CLASS: u32 = 8;

/// Bytes of address space for a heap of `max_bytes`.
pub fn reservation(max_bytes: usize) -> usize {
    max_bytes + (64 << 20)
}

/// State of the collector.
pub struct GcState {
    /// Collections so far.
    pub collections: u64,
    /// Collect at every allocation and poison freed memory.
    pub stress: bool,
}

impl GcState {
    /// For a heap of `_max_bytes`.
    pub fn new(_max_bytes: usize) -> GcState {
        GcState { collections: 0, stress: false }
    }
}

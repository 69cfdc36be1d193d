//! The pools of memory that the management interface knows.

/// How many pools memory has.
pub const POOLS: usize = 5;

/// Bytes in use in each pool: in all metadata, in classes' blocks among these, in the eden, the survivors and the old space.
pub type InUse = [usize; POOLS];

/// Which of them are the heap, and which of these a young collection is about.
pub const HEAP: std::ops::Range<usize> = 2..POOLS;

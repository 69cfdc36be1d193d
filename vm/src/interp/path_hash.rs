//! The hash of a path of execution, step by step.

/// A hash of a path that has become longer.
#[inline(always)]
pub(crate) fn note(path: u64, step: u64) -> u64 {
    (path.rotate_left(5) ^ step).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

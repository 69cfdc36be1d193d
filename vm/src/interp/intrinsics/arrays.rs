//! Arrays of numbers as the Rust code of intrinsics reads and writes them.

use crate::heap::{ELEMS, Heap, Prim};
use crate::ids::Ref;

/// Whether `r` is an array with `n` elements from `at` on.
pub(super) fn has(heap: &Heap, r: Ref, at: usize, n: usize) -> bool {
    !r.is_null() && at.checked_add(n).is_some_and(|end| end <= heap.len(r))
}

/// Numbers as they are in arrays.
pub(super) trait Number: Prim + Copy + Default {
    /// Reads one from the beginning of `bytes`, as the machine has it.
    fn read(bytes: &[u8]) -> Self;
    /// Writes it there.
    fn write(self, bytes: &mut [u8]);
}
macro_rules! numbers {
    ($($t:ty)*) => { $(
        impl Number for $t {
            #[inline(always)]
            fn read(bytes: &[u8]) -> $t {
                <$t>::from_ne_bytes(*bytes.first_chunk().expect("as many bytes"))
            }
            #[inline(always)]
            fn write(self, bytes: &mut [u8]) {
                *bytes.first_chunk_mut().expect("as many bytes") = self.to_ne_bytes();
            }
        }
    )* };
}
numbers! { u16 u32 u64 }

/// Reads numbers from an array of such numbers, from element `at` on, until `to` is full.
pub(super) fn read<T: Number>(heap: &Heap, r: Ref, at: usize, to: &mut [T]) {
    let size = size_of::<T>();
    let bytes = heap.raw(r, ELEMS + at * size, size_of_val(to));
    for (v, bytes) in to.iter_mut().zip(bytes.chunks_exact(size)) {
        *v = T::read(bytes);
    }
}

/// Writes them.
pub(super) fn write<T: Number>(heap: &mut Heap, r: Ref, at: usize, from: &[T]) {
    let size = size_of::<T>();
    let bytes = heap.raw_mut(r, ELEMS + at * size, size_of_val(from));
    for (v, bytes) in from.iter().zip(bytes.chunks_exact_mut(size)) {
        v.write(bytes);
    }
}

//! The natives of `CRC32` and `Adler32`: sums of bytes in an array, or in memory outside the heap.

use super::stream;
use crate::io;
use rjvm_vm::heap::ELEMS;
use rjvm_vm::{Env, R, Ref};

/// A sum of bytes, continued from another one.
pub type Sum = fn(i32, &[u8]) -> i32;

/// The sum of a part of an array.
pub fn of_array(vm: &mut Env, sum: Sum, start: i32, array: Ref, (off, len): (i32, i32)) -> R<i32> {
    io::check_range(vm, array, off, len)?;
    stream::in_pieces(vm, start, len as usize, |vm, before, at, n| {
        let bytes = vm.heap().raw(array, ELEMS + off as usize + at, n);
        Ok(sum(before, bytes))
    })
}

/// The sum of a part of a direct buffer.
pub fn of_memory(
    vm: &mut Env,
    sum: Sum,
    start: i32,
    address: i64,
    (off, len): (i32, i32),
) -> R<i32> {
    stream::in_pieces(vm, start, len as usize, |vm, before, at, n| {
        let bytes = io::memory(vm.offheap(), address + off as i64 + at as i64, n)?;
        Ok(sum(before, &bytes))
    })
}

//! Products of large numbers in `int[]`s, the most significant element first.

use super::arrays::{read, write};
use crate::heap::Heap;
use crate::ids::Ref;
use smallvec::SmallVec;

/// The elements of a number.
type Elements = SmallVec<[u32; 128]>;

fn elements(heap: &Heap, r: Ref, at: usize, n: usize) -> Elements {
    let mut v = Elements::from_elem(0, n);
    read(heap, r, at, &mut v);
    v
}

/// Adds `from` times `by`; returns what is carried out.
fn add_product(to: &mut [u32], from: &[u32], by: u32) -> u32 {
    let mut carry = 0;
    for (to, &from) in to.iter_mut().rev().zip(from.iter().rev()) {
        let sum = u64::from(from) * u64::from(by) + u64::from(*to) + carry;
        *to = sum as u32;
        carry = sum >> 32;
    }
    carry as u32
}

/// Adds to `len` elements of an array those of another one times `by`; returns what is carried out.
pub(super) fn mul_add(heap: &mut Heap, out: (Ref, usize), from: Ref, len: usize, by: u32) -> u32 {
    let mut to = elements(heap, out.0, out.1, len);
    let carry = add_product(&mut to, &elements(heap, from, 0, len), by);
    write(heap, out.0, out.1, &to);
    carry
}

/// Puts the product of two numbers of so many elements at the beginning of `z`.
pub(super) fn multiply(heap: &mut Heap, x: (Ref, usize), y: (Ref, usize), z: Ref) {
    let (x, y) = (elements(heap, x.0, 0, x.1), elements(heap, y.0, 0, y.1));
    let mut product = Elements::from_elem(0, x.len() + y.len());
    for (i, &by) in x.iter().enumerate().rev() {
        let carry = add_product(&mut product[i + 1..=i + y.len()], &y, by);
        product[i] = carry;
    }
    write(heap, z, 0, &product);
}

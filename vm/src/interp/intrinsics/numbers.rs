//! Products of large numbers in `int[]`s, the most significant element first.

use super::arrays::{Number, read};
use super::machine;
use crate::heap::{ELEMS, Heap};
use crate::ids::Ref;
use smallvec::SmallVec;

/// Elements of a number.
pub(super) type Elements = SmallVec<[u32; 128]>;

#[inline(always)]
pub(super) fn elements(heap: &Heap, r: Ref, at: usize, n: usize) -> Elements {
    let mut v = Elements::from_elem(0, n);
    read(heap, r, at, &mut v);
    v
}

/// The same, the least significant element first. They are moved often, and so are not in place.
pub(super) fn reversed(heap: &Heap, r: Ref, at: usize, n: usize) -> Vec<u32> {
    let bytes = heap.raw(r, ELEMS + at * 4, n * 4).rchunks_exact(4);
    bytes.map(u32::read).collect()
}

/// Adds `from` times `by`, and `carry`, to as many limbs of 64 bits, the least significant first; returns the carry.
#[inline]
pub(super) fn add_product(to: &mut [u64], from: &[u64], by: u64, carry: u64) -> u64 {
    machine::add_product(to, from, by, carry)
        .unwrap_or_else(|| add_product_portably(to, from, by, carry))
}
fn add_product_portably(to: &mut [u64], from: &[u64], by: u64, mut carry: u64) -> u64 {
    for (to, &from) in to.iter_mut().zip(from) {
        let sum = u128::from(from) * u128::from(by) + u128::from(*to) + u128::from(carry);
        *to = sum as u64;
        carry = (sum >> 64) as u64;
    }
    carry
}

/// Adds `from` times `by` to as many elements, the least significant first; returns the carry.
pub(super) fn add_product_reversed(to: &mut [u32], from: &[u32], by: u32) -> u32 {
    // two elements at a time
    let two = |v: &[u32]| u64::from(v[0]) | u64::from(v[1]) << 32;
    let mut carry = 0;
    let (mut to, mut from) = (to.chunks_exact_mut(2), from.chunks_exact(2));
    for (to, from) in to.by_ref().zip(from.by_ref()) {
        let product = u128::from(two(from)) * u128::from(by);
        let sum = product + u128::from(two(to)) + u128::from(carry);
        (to[0], to[1]) = (sum as u32, (sum >> 32) as u32);
        carry = (sum >> 64) as u64;
    }
    if let ([to], [from]) = (to.into_remainder(), from.remainder()) {
        let sum = u64::from(*from) * u64::from(by) + u64::from(*to) + carry;
        *to = sum as u32;
        carry = sum >> 32;
    }
    carry as u32
}

/// Takes `from` times `by` away again, the least significant element first.
pub(super) fn take_product_reversed(to: &mut [u32], from: &[u32], by: u32) {
    let mut borrow = 0;
    for (to, &from) in to.iter_mut().zip(from) {
        let product = u64::from(from) * u64::from(by) + borrow;
        let (difference, borrows) = to.overflowing_sub(product as u32);
        *to = difference;
        borrow = (product >> 32) + u64::from(borrows);
    }
}

/// Adds to `len` elements of an array the elements of another array times `by`; returns the carry.
pub(super) fn mul_add(heap: &mut Heap, out: (Ref, usize), from: Ref, len: usize, by: u32) -> u32 {
    let (from, to) = heap.apart(from, out.0);
    let to = to[out.1 * 4..][..len * 4].rchunks_exact_mut(4);
    let mut carry = 0;
    for (to, from) in to.zip(from[..len * 4].rchunks_exact(4)) {
        let product = u64::from(u32::read(from)) * u64::from(by);
        let sum = product + u64::from(u32::read(to)) + carry;
        (sum as u32).write(to);
        carry = sum >> 32;
    }
    carry as u32
}

/// A number's elements in pairs, the least significant first; the last one may be half empty.
fn pairs(heap: &Heap, r: Ref, n: usize) -> SmallVec<[u64; 64]> {
    let both = heap.raw(r, ELEMS, n * 4).rchunks(8);
    both.map(|b| match b.len() {
        8 => u64::from(u32::read(b)) << 32 | u64::from(u32::read(&b[4..])),
        _ => u32::read(b).into(),
    })
    .collect()
}

/// Puts the product of two numbers of so many elements at the beginning of `z`.
pub(super) fn multiply(heap: &mut Heap, x: (Ref, usize), y: (Ref, usize), z: Ref) {
    let n = x.1 + y.1;
    let (x, y) = (pairs(heap, x.0, x.1), pairs(heap, y.0, y.1));
    let mut product: SmallVec<[u64; 128]> = SmallVec::from_elem(0, x.len() + y.len());
    for (i, &by) in x.iter().enumerate() {
        let end = i + y.len();
        product[end] = add_product(&mut product[i..end], &y, by, 0);
    }
    let to = heap.raw_mut(z, ELEMS, n * 4).rchunks_exact_mut(4);
    let halves = product.iter().flat_map(|v| [*v as u32, (v >> 32) as u32]);
    for (to, v) in to.zip(halves) {
        v.write(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_the_same_on_all_processors() {
        let mut x = 7_u64;
        let mut next = || {
            x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
            [u64::MAX, x ^ x >> 29, x, 0][(x >> 60) as usize % 4]
        };
        for n in (0..20).chain([0, 1, 255]) {
            for _ in 0..50 {
                let from: Vec<u64> = (0..n).map(|_| next()).collect();
                let to: Vec<u64> = (0..n).map(|_| next()).collect();
                let (by, carry) = (next(), next());
                let mut fast = to.clone();
                let mut plain = to;
                let carries = [
                    add_product(&mut fast, &from, by, carry),
                    add_product_portably(&mut plain, &from, by, carry),
                ];
                assert_eq!(carries[0], carries[1]);
                assert_eq!(fast, plain);
            }
        }
    }

    #[test]
    fn two_elements_at_a_time_are_as_one_by_one() {
        let mut x = 7_u32;
        let mut next = || {
            x = x.wrapping_mul(0x9e37_79b1).wrapping_add(1);
            // many ones
            x | x.rotate_left(7) | x >> 11
        };
        for n in [1, 2, 3, 8, 33] {
            let from: Vec<u32> = (0..n).map(|_| next()).collect();
            let to: Vec<u32> = (0..n).map(|_| next()).collect();
            for by in [0, 1, u32::MAX, next()] {
                let (mut single, mut carry) = (to.clone(), 0);
                for (to, &from) in single.iter_mut().zip(&from) {
                    let sum = u64::from(from) * u64::from(by) + u64::from(*to) + carry;
                    *to = sum as u32;
                    carry = sum >> 32;
                }
                let mut back = to.clone();
                assert_eq!(u64::from(add_product_reversed(&mut back, &from, by)), carry);
                let mut again = back.clone();
                take_product_reversed(&mut again, &from, by);
                assert_eq!(again, to);
                assert_eq!(back, single);
            }
        }
    }
}

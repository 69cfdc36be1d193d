//! Montgomery's reduction and squares of `BigInteger`, by 64 bits of its numbers at a time, with the carries that its loops
//! over 32 bits would have had: each decides a branch.

use super::arrays::{Number, has};
use super::numbers;
use super::pieces::{Pieces, RowLengths};
use super::table::{number, object};
use crate::heap::{ELEMS, Heap};
use crate::ids::Ref;
use crate::vm::Vm;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Two elements of a number in each, the least significant first.
type WideLimbs = SmallVec<[u64; 64]>;
/// Whether a round carried out of the element that got its carry.
pub(super) type Carries = SmallVec<[bool; 64]>;

/// Elements of the largest number.
const LARGEST: usize = 510;
/// An element that passes a carry on.
const FULL: u32 = u32::MAX;

/// Reads them from the first elements of an array.
fn read_limbs(heap: &Heap, r: Ref, limbs: &mut [u64]) {
    let both = heap.raw(r, ELEMS, limbs.len() * 8).rchunks_exact(8);
    for (to, from) in limbs.iter_mut().zip(both) {
        *to = u64::from(u32::read(from)) << 32 | u64::from(u32::read(&from[4..]));
    }
}
/// Makes them the first elements of an array.
pub(super) fn write_limbs(heap: &mut Heap, r: Ref, limbs: &[u64]) {
    let both = heap.raw_mut(r, ELEMS, limbs.len() * 8).rchunks_exact_mut(8);
    for (to, limb) in both.zip(limbs) {
        ((limb >> 32) as u32).write(to);
        (*limb as u32).write(&mut to[4..]);
    }
}

/// The carry above the limbs of a sum: a number with this highest limb times `by`, plus a number with the limb `added`. None:
/// lower limbs may decide.
#[inline]
fn above(by: u32, highest: u64, added: u64) -> Option<u32> {
    let sum = u128::from(highest) * u128::from(by) + u128::from(added);
    // all that is below adds no more than that
    (sum as u64).checked_add(by.into())?;
    Some((sum >> 64) as u32)
}

/// Two rounds add what they carry, `first` of the first one and `both` of both, to the limb at `at`. Whether the element that
/// got it carried, for each. None if a carry went on further; `is_last`: nothing is above.
#[inline]
fn carried(to: &mut [u64], at: usize, first: u32, both: u64, is_last: bool) -> Option<[bool; 2]> {
    let limb = to[at];
    let is_carried = (limb as u32).overflowing_add(first).1;
    if is_carried && (limb >> 32) as u32 == FULL {
        return None;
    }
    let (sum, carries) = limb.overflowing_add(both);
    to[at] = sum;
    if carries && !is_last {
        if to[at + 1] as u32 == FULL {
            return None;
        }
        to[at + 1] += 1;
    }
    Some([is_carried, carries])
}

/// Adds multiples of `by` so that the lower half of `to` becomes 0; `inverse` times `by` is -1.
fn reduce(to: &mut [u64], by: &[u64], inverse: u32) -> Option<Carries> {
    let n = by.len();
    if (by[0] as u32).wrapping_mul(inverse) != FULL {
        return None;
    }
    // Newton's step doubles the bits
    let inverse = u64::from(inverse);
    let inverse = inverse.wrapping_mul(by[0].wrapping_mul(inverse).wrapping_add(2));
    let mut carries = Carries::from_elem(false, 2 * n);
    for (at, carry) in carries.chunks_exact_mut(2).enumerate() {
        let times = to[at].wrapping_mul(inverse);
        let first = above(times as u32, by[n - 1], to[at + n - 1])?;
        let both = numbers::add_product(&mut to[at..at + n], by, times, 0);
        carry.copy_from_slice(&carried(to, at + n, first, both, at + 1 == n)?);
    }
    Some(carries)
}

/// A limb with the product of a limb's halves added from its upper half on, and what it carries.
#[inline]
fn with_halves(limb: u64, of: u64) -> (u64, u64) {
    let product = u64::from(of as u32) * (of >> 32);
    let (sum, over) = limb.overflowing_add(product << 32);
    (sum, (product >> 32) + u64::from(over))
}

/// The square, and the carries of its rounds before the last one, which has none.
fn square(of: &[u64]) -> Option<(Vec<u64>, Carries)> {
    let n = of.len();
    // half of the squares of all elements
    let mut out = Vec::with_capacity(2 * n);
    let mut higher = 0;
    for &limb in of.iter().rev() {
        for half in [limb >> 32, u64::from(limb as u32)] {
            let square = half * half;
            out.push(square >> 1 | higher << 63);
            higher = square;
        }
    }
    out.reverse();
    let mut carries = Carries::from_elem(false, 2 * n);
    for (i, (&by, carry_of)) in of.iter().zip(carries.chunks_exact_mut(2)).enumerate() {
        let is_last = i + 1 == n;
        let first = match is_last {
            true => ((u64::from(by as u32) * (by >> 32) + (out[2 * i] >> 32)) >> 32) as u32,
            false => above(by as u32, of[n - 1], out[n + i - 1])?,
        };
        let (limb, carry) = with_halves(out[2 * i], by);
        out[2 * i] = limb;
        let both = numbers::add_product(&mut out[2 * i + 1..n + i], &of[i + 1..], by, carry);
        carry_of.copy_from_slice(&carried(&mut out, n + i, first, both, is_last)?);
    }
    carries.pop();
    let mut low = of[0] & 1;
    for limb in &mut out {
        (*limb, low) = (*limb << 1 | low, *limb >> 63);
    }
    Some((out, carries))
}

/// Takes `from` away; whether it borrows.
fn take_away(to: &mut [u64], from: &[u64]) -> bool {
    let mut borrow = false;
    for (to, &from) in to.iter_mut().zip(from) {
        let (difference, a) = to.overflowing_sub(from);
        let (difference, b) = difference.overflowing_sub(borrow.into());
        (*to, borrow) = (difference, a || b);
    }
    borrow
}

/// After the last row of a reduction, which carried or not: takes the modulus away until the number is less. What decides the
/// branches.
fn finish(to: &mut [u64], modulus: &[u64], carries: bool) -> Option<u64> {
    let mut key = (modulus.len() as u64) << 2 | u64::from(carries);
    if carries {
        // the number was less than two of them
        if !take_away(to, modulus) {
            return None;
        }
    }
    // how many elements are equal before those that decide
    let compared = |to: &[u64]| {
        let limbs = to.iter().zip(modulus).rev();
        let (i, (a, b)) = limbs.enumerate().find(|(_, (a, b))| a != b)?;
        let in_first = a >> 32 != b >> 32;
        Some((2 * i as u64 + u64::from(!in_first), a.cmp(b)))
    };
    let (equal, order) = compared(to)?;
    key |= equal << 16;
    if order == Ordering::Greater {
        take_away(to, modulus);
        let (equal, order) = compared(to)?;
        if order == Ordering::Greater {
            return None;
        }
        key |= equal << 32 | 2;
    }
    Some(key)
}

/// The arrays of `montReduce(n, mod, mlen, inv)`, and `mlen`.
fn reduction_arrays(vm: &Vm, l: &[u64]) -> Option<(Ref, Ref, usize)> {
    let (to, modulus, len) = (object(l[0]), object(l[1]), number(l[2])?);
    let fits = len >= 2 && len.is_multiple_of(2) && len <= LARGEST;
    let fits = fits && to != modulus && has(&vm.heap, modulus, 0, len);
    (fits && has(&vm.heap, to, 0, 2 * len) && vm.heap.len(to) == 2 * len)
        .then_some((to, modulus, len))
}
pub(super) fn for_reduction(vm: &Vm, a: &[u64]) -> Option<Pieces> {
    let (target, modulus, len) = reduction_arrays(vm, a)?;
    let mut limbs = WideLimbs::from_elem(0, len / 2);
    read_limbs(&vm.heap, modulus, &mut limbs);
    let mut out = vec![0; len];
    read_limbs(&vm.heap, target, &mut out);
    let mut carries = reduce(&mut out, &limbs, a[3] as u32)?;
    let last = carries.pop()?;
    let end = finish(&mut out[len / 2..], &limbs, last)?;
    Some(Pieces {
        begin: 0,
        rows: RowLengths::Equal(len),
        carries,
        end,
        target,
        out,
    })
}
/// While `--len > 0`, before the last round.
pub(super) fn last_of_reduction(vm: &Vm, l: &[u64]) -> Option<u64> {
    let (target, modulus, len) = reduction_arrays(vm, l)?;
    let (carried, left, offset) = (l[4] as u32, number(l[5])?, number(l[6])?);
    if carried != 0 || left != 1 || offset + 1 != len {
        return None;
    }
    let mut out = numbers::reversed(&vm.heap, target, 0, 2 * len);
    let by = out[offset].wrapping_mul(l[3] as u32);
    let row = numbers::reversed(&vm.heap, modulus, 0, len);
    let carry = numbers::add_product_reversed(&mut out[offset..offset + len], &row, by);
    let highest = out.last_mut()?;
    let (sum, carries) = highest.overflowing_add(carry);
    *highest = sum;
    let upper = out[len..].chunks_exact(2);
    let mut upper: WideLimbs = upper
        .map(|v| u64::from(v[0]) | u64::from(v[1]) << 32)
        .collect();
    let mut limbs = WideLimbs::from_elem(0, len / 2);
    read_limbs(&vm.heap, modulus, &mut limbs);
    finish(&mut upper, &limbs, carries)
}

/// The arrays of `implSquareToLen(x, len, z, zlen)`, and `len`.
fn square_arrays(vm: &Vm, l: &[u64]) -> Option<(Ref, Ref, usize)> {
    let (of, len, target, full) = (object(l[0]), number(l[1])?, object(l[2]), number(l[3])?);
    let fits = len >= 2 && len.is_multiple_of(2) && len <= LARGEST && full == 2 * len;
    let fits = fits && of != target && has(&vm.heap, of, 0, len);
    (fits && has(&vm.heap, target, 0, full) && vm.heap.len(target) == full)
        .then_some((of, target, len))
}
pub(super) fn for_square(vm: &Vm, a: &[u64]) -> Option<Pieces> {
    let (of, target, len) = square_arrays(vm, a)?;
    let mut limbs = WideLimbs::from_elem(0, len / 2);
    read_limbs(&vm.heap, of, &mut limbs);
    let (out, carries) = square(&limbs)?;
    Some(Pieces {
        begin: len as u64,
        rows: RowLengths::Falling(len),
        carries,
        end: len as u64,
        target,
        out,
    })
}
/// While `i > 0`, before the last round.
pub(super) fn last_of_square(vm: &Vm, l: &[u64]) -> Option<u64> {
    let (_, _, len) = square_arrays(vm, l)?;
    (number(l[5])? == 1).then_some(len as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers with many ones and zeros.
    fn numbers_from(seed: u32) -> impl FnMut() -> u32 {
        let mut x = seed;
        move || {
            x = x.wrapping_mul(0x9e37_79b1).wrapping_add(12345);
            let v = x ^ x >> 15;
            match v & 7 {
                0 => FULL,
                1 => 0,
                2 => v | v.rotate_left(9) | v.rotate_left(17),
                _ => v.wrapping_mul(0x85eb_ca6b),
            }
        }
    }
    fn paired(v: &[u32]) -> Vec<u64> {
        let both = v.chunks_exact(2);
        both.map(|v| u64::from(v[0]) | u64::from(v[1]) << 32)
            .collect()
    }
    /// A row: adds, and whether the element that gets the carry carries. None: the carry goes further.
    fn row(to: &mut [u32], at: usize, from: &[u32], by: u32) -> Option<bool> {
        let mut carry = 0_u64;
        for (i, &from) in from.iter().enumerate() {
            let sum = u64::from(from) * u64::from(by) + u64::from(to[at + i]) + carry;
            to[at + i] = sum as u32;
            carry = sum >> 32;
        }
        let end = at + from.len();
        let (sum, carries) = to[end].overflowing_add(carry as u32);
        to[end] = sum;
        if carries && let Some(next) = to.get_mut(end + 1) {
            *next = next.checked_add(1)?;
        }
        Some(carries)
    }

    #[test]
    fn reductions_carry_as_those_of_single_elements() {
        let (mut done, mut refused) = (0, 0);
        for seed in 0..4000 {
            let mut next = numbers_from(seed);
            let n = 2 + 2 * (seed as usize % 20);
            let mut modulus: Vec<u32> = (0..n).map(|_| next()).collect();
            modulus[0] |= 1;
            let inverse = (0..5).fold(1_u32, |v, _| {
                v.wrapping_mul(2_u32.wrapping_sub(v.wrapping_mul(modulus[0])))
            });
            let inverse = inverse.wrapping_neg();
            let mut plain: Vec<u32> = (0..2 * n).map(|_| next()).collect();
            let mut fast = paired(&plain);
            let expected: Option<Carries> = (0..n)
                .map(|at| {
                    let by = plain[at].wrapping_mul(inverse);
                    row(&mut plain, at, &modulus, by)
                })
                .collect();
            match (reduce(&mut fast, &paired(&modulus), inverse), expected) {
                (Some(carries), Some(expected)) => {
                    assert_eq!((carries, fast), (expected, paired(&plain)), "{seed}");
                    done += 1;
                }
                (Some(_), None) => panic!("{seed}: a carry went on"),
                (None, _) => refused += 1,
            }
        }
        assert!(done > 1000, "{done} done, {refused} refused");
    }

    #[test]
    fn squares_carry_as_those_of_single_elements() {
        let (mut done, mut refused) = (0, 0);
        for seed in 0..4000 {
            let mut next = numbers_from(seed);
            let n = 2 + 2 * (seed as usize % 20);
            let of: Vec<u32> = (0..n).map(|_| next()).collect();
            let mut plain = vec![0; 2 * n];
            for (i, &v) in of.iter().enumerate() {
                let v = u64::from(v) * u64::from(v);
                let above = of.get(i + 1).map_or(0, |v| v & 1);
                plain[2 * i] = (v >> 1) as u32;
                plain[2 * i + 1] = (v >> 33) as u32 | above << 31;
            }
            let expected: Option<Carries> = (0..n - 1)
                .map(|i| row(&mut plain, 2 * i + 1, &of[i + 1..], of[i]))
                .collect();
            let doubled = paired(&plain);
            let doubled = (0..n).map(|i| {
                let low = i
                    .checked_sub(1)
                    .map_or(u64::from(of[0] & 1), |i| doubled[i] >> 63);
                doubled[i] << 1 | low
            });
            match (square(&paired(&of)), expected) {
                (Some(result), Some(expected)) => {
                    assert_eq!(result, (doubled.collect(), expected), "{seed}");
                    done += 1;
                }
                (Some(_), None) => panic!("{seed}: a carry went on"),
                (None, _) => refused += 1,
            }
        }
        assert!(done > 1000, "{done} done, {refused} refused");
    }

    #[test]
    fn what_is_left_is_less_than_the_modulus() {
        let key = |mut to: [u64; 2], modulus: [u64; 2], carries| {
            let key = finish(&mut to, &modulus, carries);
            (key, to)
        };
        let (len, small) = (2 << 2, [7, 1 << 60]);
        assert_eq!(key([9, 5], small, false), (Some(len), [9, 5]));
        let close = [9, (1 << 60) - 1];
        assert_eq!(key(close, small, false), (Some(len), close));
        let close = [9, 1 << 60];
        assert_eq!(key(close, small, false), (Some(len | 3 << 16 | 2), [2, 0]));
        let close = [6, 1 << 60];
        assert_eq!(key(close, small, false), (Some(len | 3 << 16), close));
        assert_eq!(key([7, 1 << 60], small, false).0, None);
        // more than twice as much
        assert_eq!(key([9, 1 << 62], small, false).0, None);
        assert_eq!(key([9, 5], small, true).0, None);
        let large = [7, 1 << 63 | 1];
        assert_eq!(
            key([3, 1], large, true),
            (Some(len | 1), [4_u64.wrapping_neg(), (1 << 63) - 1])
        );
        assert_eq!(
            key([3, 5], large, true),
            (Some(len | 1 << 16 | 3), [11_u64.wrapping_neg(), 2])
        );
    }
}

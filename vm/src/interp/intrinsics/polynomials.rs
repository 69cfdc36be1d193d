//! Polynomials modulo primes, as `IntegerPolynomial` has them: limbs that may be too large, and negative.

use super::armed::Work;
use super::arrays::{has, read, write};
use super::table::{number, object};
use crate::ids::Ref;
use crate::jdk;
use crate::vm::Vm;

/// Limbs of a number modulo 2^130 - 5, of 26 bits each.
type Limbs = [i64; 5];
const LOWEST: u64 = (1 << 26) - 1;

/// The limbs of an element to which nothing has been added since it was reduced.
fn limbs_of(vm: &Vm, element: Ref) -> Option<Ref> {
    let limbs = vm.get(element, jdk::polynomial_element::LIMBS).ok()?;
    let adds = vm.get(element, jdk::polynomial_element::ADDS).ok()?;
    (adds == 0 && !limbs.is_null() && vm.heap.len(limbs) == 5).then_some(limbs)
}
/// The limbs of a `Poly1305`: the sum, the last block, the factor.
fn arrays(vm: &Vm, this: Ref) -> Option<[Ref; 3]> {
    let sum = vm.get(this, jdk::poly1305::SUM).ok()?;
    let block = vm.get(this, jdk::poly1305::BLOCK).ok()?;
    let factor = vm.get(this, jdk::poly1305::FACTOR).ok()?;
    if [sum, block, factor].iter().any(|r| r.is_null()) {
        return None;
    }
    let [a, n, r] = [sum, block, factor].map(|e| limbs_of(vm, e));
    let (a, n, r) = (a?, n?, r?);
    (a != n && a != r && n != r).then_some([a, n, r])
}

/// In `engineUpdate(input, offset, len)` and `processMultipleBlocks(input, offset, length, ..)`, while there is a block.
pub(super) fn for_poly1305(vm: &Vm, l: &[u64]) -> Option<(u64, usize)> {
    let (input, at, left) = (object(l[1]), number(l[2])?, number(l[3])?);
    arrays(vm, object(l[0]))?;
    // the condition holds for the round that begins, and has to hold for the next
    let rounds = (left / 16).checked_sub(1)?;
    let fit = has(&vm.heap, input, at, rounds * 16);
    // bytes are read by `VarHandle`s, with other bytecodes where numbers are not aligned
    fit.then_some((at as u64 & 7, rounds))
}
pub(super) fn poly1305(vm: &mut Vm, l: &mut [u64], rounds: usize) {
    let [at, left] = [l[2], l[3]].map(|n| n as u32 as usize);
    let [a, n, r] = arrays(vm, object(l[0])).expect("checked before");
    let limbs = |r: Ref| {
        let mut limbs = [0_u64; 5];
        read(&vm.heap, r, 0, &mut limbs);
        limbs.map(|v| v as i64)
    };
    let (mut sum, mut block, factor) = (limbs(a), limbs(n), limbs(r));
    let bytes = &vm.heap.bytes(object(l[1]))[at..at + rounds * 16];
    for bytes in bytes.chunks_exact(16) {
        block = encoded(bytes);
        let with: Limbs = std::array::from_fn(|i| sum[i].wrapping_add(block[i]));
        sum = product(&with, &factor);
    }
    write(&mut vm.heap, a, 0, &sum.map(|v| v as u64));
    write(&mut vm.heap, n, 0, &block.map(|v| v as u64));
    (l[2], l[3]) = ((at + rounds * 16) as u64, (left - rounds * 16) as u64);
}
/// A block with a one behind it.
fn encoded(block: &[u8]) -> Limbs {
    let v = u128::from_le_bytes(*block.first_chunk().expect("a block"));
    let limb = |i: u32| ((v >> (26 * i)) as u64 & LOWEST) as i64;
    [limb(0), limb(1), limb(2), limb(3), limb(4) + (1 << 24)]
}
/// A product, reduced as `carryReduce` does it: the limbs are the same numbers.
fn product(a: &Limbs, b: &Limbs) -> Limbs {
    let mut c = [0_i64; 9];
    for i in 0..5 {
        for j in 0..5 {
            c[i + j] = c[i + j].wrapping_add(a[i].wrapping_mul(b[j]));
        }
    }
    let five = |i: usize| c[i].wrapping_mul(5);
    let mut r = [0; 5];
    r[2] = c[2].wrapping_add(five(7));
    r[3] = c[3].wrapping_add(five(8));
    let carry = r[3] >> 26;
    r[3] = r[3].wrapping_sub(carry << 26);
    r[4] = c[4].wrapping_add(carry);
    let carry = r[4] >> 26;
    r[4] = r[4].wrapping_sub(carry << 26);
    c[5] = c[5].wrapping_add(carry);
    r[0] = c[0].wrapping_add(c[5].wrapping_mul(5));
    r[1] = c[1].wrapping_add(c[6].wrapping_mul(5));
    for i in 0..4 {
        let carry = r[i] >> 26;
        r[i] = r[i].wrapping_sub(carry << 26);
        r[i + 1] = r[i + 1].wrapping_add(carry);
    }
    r
}

/// Limbs of a number modulo 2^256 - 2^224 + 2^192 + 2^96 - 1 or 2^255 - 19, and a place for their carry.
const WIDE: usize = 10;
/// The limbs of a product; none is the last one.
type Product = [i64; 2 * WIDE];

fn sum(limb: &mut i64, v: i64) {
    *limb = limb.wrapping_add(v);
}
/// Moves what does not fit in a limb to the next one.
fn carry(c: &mut Product, i: usize) {
    let carry = c[i].wrapping_add(1 << 25) >> 26;
    c[i] = c[i].wrapping_sub(carry << 26);
    sum(&mut c[i + 1], carry);
}
/// Adds a limb, times a power of two, to limb `i` and the one above it.
fn spread(c: &mut Product, i: usize, v: i64, shift: u32) {
    sum(&mut c[i], v << shift & LOWEST as i64);
    sum(&mut c[i + 1], v >> (26 - shift));
}
/// Moves a limb of a product to where it belongs modulo the prime of P-256.
fn folded_p256(c: &mut Product, i: usize) {
    let v = c[i];
    spread(c, i - 2, v, 20);
    sum(&mut c[i - 3], (v << 14 & LOWEST as i64).wrapping_neg());
    sum(&mut c[i - 2], (v >> 12).wrapping_neg());
    sum(&mut c[i - 7], (v << 22 & LOWEST as i64).wrapping_neg());
    sum(&mut c[i - 6], (v >> 4).wrapping_neg());
    spread(c, i - 10, v, 4);
}
/// The same modulo the prime of Curve25519.
fn folded_25519(c: &mut Product, i: usize) {
    let v = c[i].wrapping_mul(19);
    spread(c, i - 10, v, 5);
}
/// Reduces a product as `carryReduce` does it: the limbs are the same numbers.
fn reduce_p256(c: &mut Product) {
    for i in (10..19).rev() {
        folded_p256(c, i);
    }
    c[10] = 0;
    carry(c, 8);
    carry(c, 9);
    folded_p256(c, 10);
    (0..9).for_each(|i| carry(c, i));
}
fn reduce_25519(c: &mut Product) {
    folded_25519(c, 17);
    folded_25519(c, 18);
    carry(c, 8);
    carry(c, 9);
    (10..17).for_each(|i| folded_25519(c, i));
    (0..9).for_each(|i| carry(c, i));
}

/// `mult(a, b, r)`, all with so many limbs.
fn for_product(vm: &Vm, [a, b, r]: [u64; 3], limbs: usize) -> Option<Work> {
    let refs = [a, b, r].map(object);
    let fit = |&r: &Ref| !r.is_null() && vm.heap.len(r) == limbs;
    refs.iter().all(fit).then_some(Work {
        refs: [refs[0], refs[1], refs[2], Ref::NULL],
        ..Work::default()
    })
}
pub(super) fn for_mult(vm: &Vm, a: &[u64]) -> Option<Work> {
    for_product(vm, [a[1], a[2], a[3]], WIDE)
}
/// `square(a, r)`.
pub(super) fn for_square(vm: &Vm, a: &[u64]) -> Option<Work> {
    for_product(vm, [a[1], a[1], a[2]], WIDE)
}
fn multiplied(vm: &mut Vm, work: &Work, reduce: fn(&mut Product)) -> u64 {
    let [mut a, mut b] = [[0_u64; WIDE]; 2];
    read(&vm.heap, work.refs[0], 0, &mut a);
    read(&vm.heap, work.refs[1], 0, &mut b);
    let mut c = [0_u64; 2 * WIDE];
    for (i, a) in a.iter().enumerate() {
        for (c, b) in c[i..].iter_mut().zip(&b) {
            *c = c.wrapping_add(a.wrapping_mul(*b));
        }
    }
    let mut c = c.map(|v| v as i64);
    reduce(&mut c);
    let r: [u64; WIDE] = std::array::from_fn(|i| c[i] as u64);
    write(&mut vm.heap, work.refs[2], 0, &r);
    0
}
pub(super) fn p256(vm: &mut Vm, work: &Work) -> u64 {
    multiplied(vm, work, reduce_p256)
}
pub(super) fn curve25519(vm: &mut Vm, work: &Work) -> u64 {
    multiplied(vm, work, reduce_25519)
}

/// Limbs of 52 bits.
const FEW: usize = 5;
const LOW_52: u64 = (1 << 52) - 1;
/// The prime of P-256 in such limbs.
const PRIME: [u64; FEW] = [
    0x000f_ffff_ffff_ffff,
    0x0000_0fff_ffff_ffff,
    0,
    0x0000_0010_0000_0000,
    0x0000_ffff_ffff_0000,
];

/// `MontgomeryIntegerPolynomialP256.mult(a, b, r)`.
pub(super) fn for_montgomery(vm: &Vm, a: &[u64]) -> Option<Work> {
    for_product(vm, [a[1], a[2], a[3]], FEW)
}
pub(super) fn montgomery(vm: &mut Vm, work: &Work) -> u64 {
    let [mut a, mut b] = [[0_u64; FEW]; 2];
    read(&vm.heap, work.refs[0], 0, &mut a);
    read(&vm.heap, work.refs[1], 0, &mut b);
    write(&mut vm.heap, work.refs[2], 0, &montgomery_product(&a, &b));
    0
}
/// The product of two numbers and 2^-260, below the prime if the numbers' limbs are in range; otherwise as the bytecodes have it.
fn montgomery_product(a: &[u64; FEW], b: &[u64; FEW]) -> [u64; FEW] {
    // the lower 52 bits of a product, and the 64 bits above
    let parts = |x: u64, y: u64| {
        let product = u128::from(x) * u128::from(y);
        (product as u64 & LOW_52, (product >> 52) as u64)
    };
    // what has been added so far, from the row's own place on
    let mut c = [0_u64; FEW + 1];
    for &a in a {
        let (mut low, mut high) = ([0; FEW], [0; FEW]);
        for i in 0..FEW {
            (low[i], high[i]) = parts(a, b[i]);
        }
        low[0] = low[0].wrapping_add(c[0]);
        let n = low[0] & LOW_52;
        for i in 0..FEW {
            let (l, h) = parts(n, PRIME[i]);
            low[i] = low[i].wrapping_add(l);
            high[i] = high[i].wrapping_add(h);
        }
        let mut next = [0_u64; FEW + 1];
        for i in 0..FEW {
            let above = if i + 1 < FEW { low[i + 1] } else { 0 };
            next[i] = c[i + 1].wrapping_add(above).wrapping_add(high[i]);
        }
        next[0] = next[0].wrapping_add(low[0] >> 52);
        c = next;
    }
    for i in 0..FEW - 1 {
        c[i + 1] = c[i + 1].wrapping_add(c[i] >> 52);
        c[i] &= LOW_52;
    }
    // less the prime, unless that is negative
    let mut less = [0_i64; FEW];
    let mut borrow = 0;
    for i in 0..FEW {
        let v = (c[i] as i64)
            .wrapping_sub(PRIME[i] as i64)
            .wrapping_add(borrow);
        borrow = v >> 52;
        less[i] = if i + 1 < FEW { v & LOW_52 as i64 } else { v };
    }
    let negative = less[FEW - 1] < 0;
    std::array::from_fn(|i| if negative { c[i] } else { less[i] as u64 })
}

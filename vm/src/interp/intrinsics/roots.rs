//! Square roots as the class library computes them since JDK 21, bit by bit.
//!
//! `FdLibm.Sqrt.compute` finds 54 bits of the root: 22 in a first loop, 32 in a second one. The bit that rounds is the last of them.

use super::sums::{Tallies, tallies};

/// Bits of the second loop.
const LOW: u32 = 32;
/// The highest bit of a word.
const SIGN: u32 = 1 << 31;

/// How often `compute` takes each branch for these argument slots. None: the number is zero, negative, subnormal or not finite; bytecodes
/// do these, which are few.
pub(super) fn tallies_of_root(args: &[u64]) -> Option<Tallies> {
    let x = f64::from_bits(args[0]);
    if !x.is_normal() || x < 0.0 {
        return None;
    }
    let exponent = x.to_bits() >> 52;
    let fraction = x.to_bits() & ((1 << 52) - 1) | 1 << 52;
    // whether the exponent is odd without its bias, which is odd itself
    let odd = !exponent & 1;
    // the number whose root is found, such that the root has 54 bits
    let scaled = u128::from(fraction << (1 + odd)) << 53;
    let root = root_of(scaled, x.sqrt());
    let (high, low) = (root >> LOW, root as u32);
    let rest = after_first_loop(scaled, high);
    let second = match quick_second_loop(scaled, root, rest) {
        Some(second) => second,
        None => second_loop(high, low, rest),
    };
    let inexact = u128::from(root) * u128::from(root) != scaled;
    Some(tallies(&[
        1,
        odd as i64,
        i64::from(high.count_ones()),
        second.below,
        second.equal,
        second.equal_less,
        second.equal_same,
        second.signs,
        second.carries,
        second.borrows,
        second.same,
        i64::from(inexact),
        i64::from(inexact && low == u32::MAX),
        // rounding may have carried into the first word
        i64::from(high & 1 == 1) ^ i64::from(inexact && low == u32::MAX),
    ]))
}

/// What remains after the loop that finds the bits `high`, in two words as that loop leaves it.
fn after_first_loop(scaled: u128, high: u64) -> u64 {
    let square = u128::from(high * high) << (2 * LOW);
    ((scaled - square) >> (LOW - 1)) as u64
}

/// How often branches are taken in the second loop.
#[derive(Debug, Default, PartialEq)]
struct SecondLoop {
    /// The first words decide, and the bit is 1.
    below: i64,
    /// The first words are equal; then the second words decide: one is less than the other, or they are the same.
    equal: i64,
    equal_less: i64,
    equal_same: i64,
    /// The bit is 1, and the second word has its highest bit; it loses it.
    signs: i64,
    carries: i64,
    /// The bit is 1, and the difference of the second words is negative, or 0.
    borrows: i64,
    same: i64,
}

/// Runs the loop after the first one has found the bits `high` and left `rest`; it finds the bits `low`.
fn second_loop(high: u64, low: u32, mut rest: u64) -> SecondLoop {
    let mut n = SecondLoop::default();
    let mut twice = high << (LOW + 1);
    for bit in (0..LOW).rev() {
        let step = 1_u64 << bit;
        let tried = twice + step;
        let words = |n: u64| ((n >> LOW) as u32, n as u32);
        let ((t, t1), (r, r1)) = (words(tried), words(rest));
        n.below += i64::from(t < r);
        n.equal += i64::from(t == r);
        n.equal_less += i64::from(t == r && t1 < r1);
        n.equal_same += i64::from(t == r && t1 == r1);
        if low >> bit & 1 == 1 {
            n.signs += i64::from(t1 & SIGN != 0);
            n.carries += i64::from(t1 & SIGN != 0 && t1.wrapping_add(step as u32) & SIGN == 0);
            n.borrows += i64::from(r1 < t1);
            n.same += i64::from(r1 == t1);
            rest -= tried;
            twice += 2 * step;
        }
        rest <<= 1;
    }
    n
}

/// Runs of so many equal bits are left to the slow loop.
const RUN: u32 = 16;

/// The same without rounds that wait for each other, for the root of `scaled`. None: words are equal in a round, or may be.
///
/// The first words of a round are equal only if the root is near the number that the round tries: nearer than by 2^-22 of the value of its
/// bit. Then the bits below it in the root are all equal, those behind its last one included, or as many of them as matter.
fn quick_second_loop(scaled: u128, root: u64, rest: u64) -> Option<SecondLoop> {
    let low = root as u32;
    let run_of_ones = |bits: u32| {
        let two = bits & bits >> 1;
        let four = two & two >> 2;
        let eight = four & four >> 4;
        eight & eight >> (RUN - 8) != 0
    };
    // bits behind the last one: none are set if nothing is left, all if as much as can be
    let (left, most) = (
        scaled - u128::from(root) * u128::from(root),
        2 * u128::from(root),
    );
    let is_near = |left: u128, equal: u32| left <= most >> (LOW - 10 - equal.min(RUN));
    if run_of_ones(low)
        || run_of_ones(!low)
        || is_near(left, low.trailing_zeros())
        || is_near(most - left, low.trailing_ones())
    {
        return None;
    }
    let mut borrows = 0;
    let mut bits = low;
    while bits != 0 {
        let bit = bits.trailing_zeros();
        bits &= bits - 1;
        // the bits before, and the second word of what is left by then
        let shifted = bits >> bit;
        let r1 = ((rest as u32) << (LOW - 1 - bit)).wrapping_sub(shifted.wrapping_mul(bits));
        let t1 = bits.wrapping_mul(2).wrapping_add(1 << bit);
        if r1 == t1 {
            return None;
        }
        borrows += i64::from(r1 < t1);
    }
    let (first, second) = (i64::from(low >> 31), i64::from(low >> 30 & 1));
    let others = i64::from((low & (u32::MAX >> 2)).count_ones());
    Some(SecondLoop {
        below: i64::from(low.count_ones()),
        // the second word has its highest bit in the first round, where it loses it, and after the second bit
        signs: first + second * others,
        carries: first,
        borrows,
        ..SecondLoop::default()
    })
}

/// The root of a number of 106 or 107 bits, rounded down; `rounded`: to 53 bits, with any exponent.
fn root_of(scaled: u128, rounded: f64) -> u64 {
    let fraction = rounded.to_bits() & ((1 << 52) - 1) | 1 << 52;
    let root = fraction << 1;
    root - u64::from(u128::from(root) * u128::from(root) > scaled)
}

/// The result for these argument slots.
pub(super) fn root(args: &[u64]) -> u64 {
    f64::from_bits(args[0]).sqrt().to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For this number: the scaled number, its root, and what remains after the first loop.
    fn parts(x: f64) -> (u128, u64, u64) {
        let odd = !(x.to_bits() >> 52) & 1;
        let fraction = x.to_bits() & ((1 << 52) - 1) | 1 << 52;
        let scaled = u128::from(fraction << (1 + odd)) << 53;
        let root = scaled.isqrt() as u64;
        assert_eq!(root_of(scaled, x.sqrt()), root, "{x:e}");
        (scaled, root, after_first_loop(scaled, root >> LOW))
    }

    #[test]
    fn the_quick_loop_counts_the_same() {
        let (mut state, mut quick) = (88_172_645_463_325_252_u64, 0);
        for i in 0..200_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let whole = (state >> 12 & ((1 << (i % 40)) - 1)) as f64;
            let x = match i % 4 {
                0 => whole,
                1 => whole * whole,
                2 => (whole * whole).next_down(),
                _ => f64::from_bits(state >> 1),
            };
            if x.is_normal() {
                let (scaled, root, rest) = parts(x);
                if let Some(counted) = quick_second_loop(scaled, root, rest) {
                    assert_eq!(
                        counted,
                        second_loop(root >> LOW, root as u32, rest),
                        "{x:e}"
                    );
                    quick += 1;
                }
            }
        }
        assert!(quick > 50_000, "{quick}");
    }

    #[test]
    fn only_normal_numbers_have_tallies() {
        for x in [0.0, -0.0, -2.0, f64::NAN, f64::INFINITY, 1e-310] {
            assert_eq!(tallies_of_root(&[x.to_bits()]), None);
        }
        // 1 is found in the first round of the first loop
        let of_one = tallies_of_root(&[1_f64.to_bits()]).expect("it has a root");
        assert_eq!(of_one[..4], [1, 0, 1, 0]);
    }
}

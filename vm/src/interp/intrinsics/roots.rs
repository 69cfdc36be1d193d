//! Square roots as the class library computes them since JDK 21, bit by bit.
//!
//! `FdLibm.Sqrt.compute` finds 54 bits of the root: 22 in a first loop, 32 in a second one. The bit that rounds is the last of them.

use super::machine;
use super::sums::{Tallies, tallies};

/// Bits of the second loop.
const LOW: u32 = 32;
/// The highest bit of a word.
const SIGN: u32 = 1 << 31;

/// How often `compute` takes each branch for these argument slots, and its result. None: the number is zero, negative, subnormal or not finite; bytecodes
/// do these, which are few.
pub(super) fn root(args: &[u64]) -> Option<(Tallies, u64)> {
    let x = f64::from_bits(args[0]);
    if !x.is_normal() || x < 0.0 {
        return None;
    }
    let exponent = x.to_bits() >> 52;
    // whether the exponent is odd without its bias, which is odd itself
    let odd = !exponent as u32 & 1;
    let scaled = Scaled {
        fraction: fraction_of(x),
        by: 1 + odd,
    };
    let result = x.sqrt();
    let (root, left) = scaled.root(result);
    let (high, low) = ((root >> LOW) as u32, root as u32);
    let rest = scaled.after_first_loop(high);
    let second = match quick_second_loop(root, left, rest) {
        Some(second) => second,
        None => second_loop(high, low, rest),
    };
    let inexact = left != 0;
    let tallies = tallies(&[
        1,
        odd as i16,
        high.count_ones() as i16,
        second.below,
        second.equal,
        second.equal_less,
        second.equal_same,
        second.signs,
        second.carries,
        second.borrows,
        second.same,
        i16::from(inexact),
        i16::from(inexact && low == u32::MAX),
        // rounding may have carried into the first word
        i16::from(high & 1 == 1) ^ i16::from(inexact && low == u32::MAX),
    ]);
    Some((tallies, result.to_bits()))
}

/// The 53 bits of a normal number, the highest one included.
fn fraction_of(x: f64) -> u64 {
    x.to_bits() & ((1 << 52) - 1) | 1 << 52
}

/// A number whose root has 54 bits: this fraction, shifted by so many bits, and by 53.
#[derive(Clone, Copy)]
struct Scaled {
    fraction: u64,
    by: u32,
}

impl Scaled {
    /// Its last 64 bits.
    fn last(self) -> u64 {
        self.fraction << (53 + self.by)
    }
    /// The root, rounded down, and the rest: the number less the root's square. `rounded`: the root to 53 bits, with any exponent.
    fn root(self, rounded: f64) -> (u64, u64) {
        let root = fraction_of(rounded) << 1;
        // it is less than 2^56 on either side, so 64 bits suffice
        let left = self.last().wrapping_sub(root.wrapping_mul(root));
        match left as i64 >= 0 {
            true => (root, left),
            false => (root - 1, left.wrapping_add(2 * root - 1)),
        }
    }
    /// What remains after the loop that finds the bits `high`, in two words as that loop leaves it.
    fn after_first_loop(self, high: u32) -> u64 {
        let first = self.fraction >> (11 - self.by);
        let rest = first - u64::from(high) * u64::from(high);
        rest << (LOW + 1) | self.last() >> (LOW - 1)
    }
}

/// How often branches are taken in the second loop.
#[derive(Debug, Default, PartialEq)]
struct SecondLoop {
    /// The first words decide, and the bit is 1.
    below: i16,
    /// The first words are equal; then the second words decide: one is less than the other, or they are the same.
    equal: i16,
    equal_less: i16,
    equal_same: i16,
    /// The bit is 1, and the second word has its highest bit; it loses it.
    signs: i16,
    carries: i16,
    /// The bit is 1, and the difference of the second words is negative, or 0.
    borrows: i16,
    same: i16,
}

/// Runs the loop after the first one has found the bits `high` and left `rest`; it finds the bits `low`.
fn second_loop(high: u32, low: u32, mut rest: u64) -> SecondLoop {
    let mut n = SecondLoop::default();
    let mut twice = u64::from(high) << (LOW + 1);
    for bit in (0..LOW).rev() {
        let step = 1_u64 << bit;
        let tried = twice + step;
        let words = |n: u64| ((n >> LOW) as u32, n as u32);
        let ((t, t1), (r, r1)) = (words(tried), words(rest));
        n.below += i16::from(t < r);
        n.equal += i16::from(t == r);
        n.equal_less += i16::from(t == r && t1 < r1);
        n.equal_same += i16::from(t == r && t1 == r1);
        if low >> bit & 1 == 1 {
            n.signs += i16::from(t1 & SIGN != 0);
            n.carries += i16::from(t1 & SIGN != 0 && t1.wrapping_add(step as u32) & SIGN == 0);
            n.borrows += i16::from(r1 < t1);
            n.same += i16::from(r1 == t1);
            rest -= tried;
            twice += 2 * step;
        }
        rest <<= 1;
    }
    n
}

/// Runs of so many equal bits are left to the slow loop.
const RUN: u32 = 16;

/// The same without rounds that wait for each other, for this root with so much left. None: words are equal in a round, or may be.
///
/// The first words of a round are equal only if the root is near the number that the round tries: nearer than by 2^-22 of the value of its
/// bit. Then the bits below it in the root are all equal, those behind its last one included, or as many of them as matter.
fn quick_second_loop(root: u64, left: u64, rest: u64) -> Option<SecondLoop> {
    let low = root as u32;
    let run_of_ones = |bits: u32| {
        let two = bits & bits >> 1;
        let four = two & two >> 2;
        let eight = four & four >> 4;
        eight & eight >> (RUN - 8) != 0
    };
    // bits behind the last one: none are set if nothing is left, all if as much as can be
    let most = 2 * root;
    let is_near = |left: u64, equal: u32| left <= most >> (LOW - 10 - equal.min(RUN));
    if run_of_ones(low)
        || run_of_ones(!low)
        || is_near(left, low.trailing_zeros())
        || is_near(most - left, low.trailing_ones())
    {
        return None;
    }
    let (borrows, same) =
        machine::borrows(low, rest as u32).unwrap_or_else(|| borrows(low, rest as u32));
    if same != 0 {
        return None;
    }
    let (first, second) = (low >> 31, low >> 30 & 1);
    let others = (low & (u32::MAX >> 2)).count_ones();
    Some(SecondLoop {
        below: low.count_ones() as i16,
        // the second word has its highest bit in the first round, where it loses it, and after the second bit
        signs: (first + second * others) as i16,
        carries: first as i16,
        borrows: borrows as i16,
        ..SecondLoop::default()
    })
}

/// The rounds that find a bit of `low` and in which the second word of the rest is less than the second word of the tried number; and those
/// in which both words are the same. `rest`: the first of these words before the first round.
pub(super) fn borrows(low: u32, rest: u32) -> (u32, u32) {
    let (mut borrows, mut same) = (0, 0);
    let mut bits = low;
    while bits != 0 {
        let bit = bits.trailing_zeros();
        bits &= bits - 1;
        // `bits` are those before
        let left = (rest << (LOW - 1 - bit)).wrapping_sub((bits >> bit).wrapping_mul(bits));
        let tried = bits.wrapping_mul(2).wrapping_add(1 << bit);
        borrows += u32::from(left < tried);
        same += u32::from(left == tried);
    }
    (borrows, same)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For this number: its root, the rest, and the rest after the first loop.
    fn parts(x: f64) -> (u64, u64, u64) {
        let odd = !(x.to_bits() >> 52) as u32 & 1;
        let scaled = Scaled {
            fraction: fraction_of(x),
            by: 1 + odd,
        };
        let whole = u128::from(scaled.fraction << scaled.by) << 53;
        let root = whole.isqrt();
        let left = whole - root * root;
        assert_eq!(scaled.root(x.sqrt()), (root as u64, left as u64), "{x:e}");
        let first = root >> LOW << LOW;
        let rest = (whole - first * first) >> (LOW - 1);
        assert_eq!(scaled.after_first_loop((root >> LOW) as u32), rest as u64);
        (root as u64, left as u64, rest as u64)
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
                let (root, left, rest) = parts(x);
                if let Some(counted) = quick_second_loop(root, left, rest) {
                    let slow = second_loop((root >> LOW) as u32, root as u32, rest);
                    assert_eq!(counted, slow, "{x:e}");
                    quick += 1;
                }
            }
        }
        assert!(quick > 50_000, "{quick}");
    }

    #[test]
    fn only_normal_numbers_have_tallies() {
        for x in [0.0, -0.0, -2.0, f64::NAN, f64::INFINITY, 1e-310] {
            assert_eq!(root(&[x.to_bits()]), None);
        }
        // 1 is found in the first round of the first loop
        let (of_one, result) = root(&[1_f64.to_bits()]).expect("it has a root");
        assert_eq!(of_one[..4], [1, 0, 1, 0]);
        assert_eq!(result, 1_f64.to_bits());
    }
}

//! Division by a constant, by a multiplication.
//!
//! A signed number of `N` bits divided by `d` is the upper part of its product with `m = floor(2^(N-1+l) / d) + 1`, where `l` is the
//! logarithm of `d`, rounded up; plus 1 if it is negative (Granlund and Montgomery 1994, section 5).

use super::asm::*;
use super::template::{CodeBuilder, Val};

/// What to multiply by, and `l`. The divisor is at least 2.
fn multiplier(bits: u32, d: u32) -> (u64, u8) {
    let l = d.next_power_of_two().trailing_zeros();
    let m = (1_u128 << (bits - 1 + l)) / u128::from(d) + 1;
    (m as u64, l as u8)
}

impl CodeBuilder<'_> {
    /// The quotient, or remainder, of `a` and a divisor of at least 2, as a result.
    pub fn divide_by_constant(&mut self, wide: bool, remainder: bool, a: Val, d: u32) {
        self.load(wide, R8, a);
        match wide {
            true => self.wide_quotient(d),
            false => self.quotient(d),
        }
        match remainder {
            true => {
                self.a.multiply_constant(wide, RAX, RAX, d as i32);
                self.a.alu(wide, Alu::Sub, R8, RAX);
            }
            false => self.a.load(wide, R8, RAX),
        }
        self.result();
    }
    /// Of the number in r8d, in eax.
    fn quotient(&mut self, d: u32) {
        let (m, l) = multiplier(32, d);
        self.a.sign_extend(RAX, R8);
        self.a.constant(R11, m);
        self.a.multiply(true, RAX, R11);
        self.a.shift_constant(true, Shift::Arithmetic, RAX, 31 + l);
        self.a.load(false, R10, R8);
        self.a.shift_constant(false, Shift::Logical, R10, 31);
        self.a.alu(false, Alu::Add, RAX, R10);
    }
    /// Of the number in r8, in rax.
    fn wide_quotient(&mut self, d: u32) {
        let (m, l) = multiplier(64, d);
        self.a.load(true, RAX, R8);
        // the control frame waits in another register
        self.a.load(true, R10, RDX);
        self.a.constant(R11, m);
        self.a.multiply_high(R11);
        self.a.load(true, RAX, RDX);
        self.a.load(true, RDX, R10);
        if m >> 63 != 0 {
            // that was a negative number
            self.a.alu(true, Alu::Add, RAX, R8);
        }
        self.a.shift_constant(true, Shift::Arithmetic, RAX, l - 1);
        self.a.load(true, R10, R8);
        self.a.shift_constant(true, Shift::Logical, R10, 63);
        self.a.alu(true, Alu::Add, RAX, R10);
    }
}

#[cfg(test)]
mod tests {
    use super::multiplier;

    fn quotient(n: i32, d: u32) -> i32 {
        let (m, l) = multiplier(32, d);
        let product = i64::from(n) * m as i64;
        (product >> (31 + l)) as i32 + i32::from(n < 0)
    }
    fn wide_quotient(n: i64, d: u32) -> i64 {
        let (m, l) = multiplier(64, d);
        let mut high = ((i128::from(n) * i128::from(m as i64)) >> 64) as i64;
        if m >> 63 != 0 {
            high = high.wrapping_add(n);
        }
        (high >> (l - 1)) + i64::from(n < 0)
    }

    #[test]
    fn products_are_quotients() {
        let divisors = (2..700).chain([1 << 16, 86_400, 999_983, 1_000_000_000, i32::MAX as u32]);
        for d in divisors.chain((1..31).flat_map(|k| [1 << k, (1 << k) + 1])) {
            if d < 2 {
                continue;
            }
            let mut all: Vec<i64> = vec![0, i64::MIN, i64::MAX, i32::MIN.into(), i32::MAX.into()];
            all.extend((0..63).flat_map(|k| [1_i64 << k, (1 << k) - 1, -(1 << k), -(1 << k) - 1]));
            let multiples = all
                .clone()
                .into_iter()
                .map(|n| n / i64::from(d) * i64::from(d));
            all.extend(
                multiples
                    .flat_map(|n| [n, n.wrapping_add(1), n.wrapping_sub(1)])
                    .collect::<Vec<_>>(),
            );
            for n in all {
                assert_eq!(wide_quotient(n, d), n / i64::from(d), "{n} / {d}");
                let small = n as i32;
                assert_eq!(
                    i64::from(quotient(small, d)),
                    i64::from(small) / i64::from(d),
                    "{small} / {d}"
                );
            }
        }
    }
}

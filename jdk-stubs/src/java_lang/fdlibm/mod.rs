//! The elementary functions as `java.lang.StrictMath` defines them: bit for bit those of fdlibm 5.3.
//!
//! Where the `libm` crate gives the same results (compared on 310,000 arguments each), it is used;
//! the others are ported here. fdlibm: Copyright (C) 1993 by Sun Microsystems, Inc. All rights
//! reserved. Permission to use, copy, modify, and distribute this software is freely granted,
//! provided that this notice is preserved.

mod hyperbolic;
mod log;
mod rem_pio2;
#[cfg(test)]
mod tests;
mod trig;

pub use hyperbolic::{cosh, sinh, tanh};
pub use libm::{acos, asin, remainder, tan};
pub use log::{log, log1p, log10};
pub use trig::{atan2, cos, sin};

/// The upper half of the bits, signed.
fn hi(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

/// The lower half of the bits.
fn lo(x: f64) -> u32 {
    x.to_bits() as u32
}

/// `x` with another upper half.
fn with_hi(x: f64, hi: i32) -> f64 {
    f64::from_bits(u64::from(hi as u32) << 32 | u64::from(lo(x)))
}

/// The upper half without the sign.
fn abs_hi(x: f64) -> i32 {
    hi(x) & 0x7fff_ffff
}

/// What a function gives that has no value at `x`: a NaN is handed on (quiet, its other bits as they
/// were), anything else makes the processor's own.
#[allow(clippy::eq_op, reason = "a NaN minus itself is that NaN")]
fn invalid(x: f64) -> f64 {
    let zero = x - x;
    zero / zero
}

/// Arc tangent.
pub fn atan(x: f64) -> f64 {
    if x.is_nan() {
        return x + x;
    }
    libm::atan(x)
}

/// `exp(x) - 1`.
pub fn expm1(x: f64) -> f64 {
    if x.is_nan() {
        return x + x;
    }
    libm::expm1(x)
}

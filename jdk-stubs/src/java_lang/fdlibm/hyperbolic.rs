//! `sinh`, `cosh`, `tanh`.

use super::{abs_hi, lo};
use libm::{exp, expm1};

/// From here on `exp` is needed (22).
const BIG: i32 = 0x4036_0000;
/// `exp` overflows beyond this (709.78).
const LOG_MAX: i32 = 0x4086_2e42;

/// Whether |x| is at most the greatest argument of `sinh` and `cosh` without overflow (710.4758…).
fn below_overflow(x: f64) -> bool {
    let ix = abs_hi(x);
    ix < 0x4086_33ce || ix == 0x4086_33ce && lo(x) <= 0x8fb9_f87d
}

/// Hyperbolic sine.
pub fn sinh(x: f64) -> f64 {
    let ix = abs_hi(x);
    if ix >= 0x7ff0_0000 {
        return x + x;
    }
    let h = if x.is_sign_negative() { -0.5 } else { 0.5 };
    let a = x.abs();
    if ix < BIG {
        if ix < 0x3e30_0000 {
            return x;
        }
        let t = expm1(a);
        if ix < 0x3ff0_0000 {
            return h * (2.0 * t - t * t / (t + 1.0));
        }
        return h * (t + t / (t + 1.0));
    }
    if ix < LOG_MAX {
        return h * exp(a);
    }
    if below_overflow(x) {
        let w = exp(0.5 * a);
        return (h * w) * w;
    }
    x * 1e307
}

/// Hyperbolic cosine.
pub fn cosh(x: f64) -> f64 {
    let ix = abs_hi(x);
    if ix >= 0x7ff0_0000 {
        return x * x;
    }
    let a = x.abs();
    if ix < 0x3fd6_2e43 {
        let t = expm1(a);
        let w = 1.0 + t;
        if ix < 0x3c80_0000 {
            return w;
        }
        return 1.0 + (t * t) / (w + w);
    }
    if ix < BIG {
        let t = exp(a);
        return 0.5 * t + 0.5 / t;
    }
    if ix < LOG_MAX {
        return 0.5 * exp(a);
    }
    if below_overflow(x) {
        let w = exp(0.5 * a);
        return (0.5 * w) * w;
    }
    f64::INFINITY
}

/// Hyperbolic tangent.
pub fn tanh(x: f64) -> f64 {
    let ix = abs_hi(x);
    if ix >= 0x7ff0_0000 {
        return if x.is_sign_negative() {
            1.0 / x - 1.0
        } else {
            1.0 / x + 1.0
        };
    }
    let z = if ix < BIG {
        if ix < 0x3c80_0000 {
            return x * (1.0 + x);
        }
        if ix >= 0x3ff0_0000 {
            let t = expm1(2.0 * x.abs());
            1.0 - 2.0 / (t + 2.0)
        } else {
            let t = expm1(-2.0 * x.abs());
            -t / (t + 2.0)
        }
    } else {
        1.0 - 1e-300
    };
    if x.is_sign_negative() { -z } else { z }
}

//! `sin`, `cos`, `atan2`.

use super::rem_pio2::rem_pio2;
use super::{abs_hi, hi, invalid};
use libm::atan;

const S: [f64; 6] = [
    f64::from_bits(0xbfc5_5555_5555_5549),
    f64::from_bits(0x3f81_1111_1110_f8a6),
    f64::from_bits(0xbf2a_01a0_19c1_61d5),
    f64::from_bits(0x3ec7_1de3_57b1_fe7d),
    f64::from_bits(0xbe5a_e5e6_8a2b_9ceb),
    f64::from_bits(0x3de5_d93a_5acf_d57c),
];
const C: [f64; 6] = [
    f64::from_bits(0x3fa5_5555_5555_554c),
    f64::from_bits(0xbf56_c16c_16c1_5177),
    f64::from_bits(0x3efa_01a0_19cb_1590),
    f64::from_bits(0xbe92_7e4f_809c_52ad),
    f64::from_bits(0x3e21_ee9e_bdb4_b1c4),
    f64::from_bits(0xbda8_fae9_be88_38d4),
];

/// |x| up to here needs no reduction (pi/4).
const PIO4: i32 = 0x3fe9_21fb;

/// Sine of `x + y` for |x| up to pi/4; `y` is a tail, or exactly nothing.
fn kernel_sin(x: f64, y: Option<f64>) -> f64 {
    if abs_hi(x) < 0x3e40_0000 {
        return x;
    }
    let z = x * x;
    let v = z * x;
    let r = S[1] + z * (S[2] + z * (S[3] + z * (S[4] + z * S[5])));
    match y {
        None => x + v * (S[0] + z * r),
        Some(y) => x - ((z * (0.5 * y - v * r) - y) - v * S[0]),
    }
}

/// Cosine of `x + y` for |x| up to pi/4.
fn kernel_cos(x: f64, y: f64) -> f64 {
    let ix = abs_hi(x);
    if ix < 0x3e40_0000 {
        return 1.0;
    }
    let z = x * x;
    let r = z * (C[0] + z * (C[1] + z * (C[2] + z * (C[3] + z * (C[4] + z * C[5])))));
    if ix < 0x3fd3_3333 {
        return 1.0 - (0.5 * z - (z * r - x * y));
    }
    let qx = match ix > 0x3fe9_0000 {
        true => 0.28125,
        false => f64::from_bits(((ix - 0x0020_0000) as u64) << 32),
    };
    let hz = 0.5 * z - qx;
    let a = 1.0 - qx;
    a - (hz - (z * r - x * y))
}

/// Sine.
pub fn sin(x: f64) -> f64 {
    if abs_hi(x) <= PIO4 {
        return kernel_sin(x, None);
    }
    if !x.is_finite() {
        return invalid(x);
    }
    let (n, y0, y1) = rem_pio2(x);
    match n & 3 {
        0 => kernel_sin(y0, Some(y1)),
        1 => kernel_cos(y0, y1),
        2 => -kernel_sin(y0, Some(y1)),
        _ => -kernel_cos(y0, y1),
    }
}

/// Cosine.
pub fn cos(x: f64) -> f64 {
    if abs_hi(x) <= PIO4 {
        return kernel_cos(x, 0.0);
    }
    if !x.is_finite() {
        return invalid(x);
    }
    let (n, y0, y1) = rem_pio2(x);
    match n & 3 {
        0 => kernel_cos(y0, y1),
        1 => -kernel_sin(y0, Some(y1)),
        2 => -kernel_cos(y0, y1),
        _ => kernel_sin(y0, Some(y1)),
    }
}

/// The angle of the point (x, y).
pub fn atan2(y: f64, x: f64) -> f64 {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    const PI_LO: f64 = f64::from_bits(0x3ca1_a626_3314_5c07);
    if x.is_nan() || y.is_nan() {
        return x + y;
    }
    if x == 1.0 {
        return atan(y);
    }
    let (left, below) = (x.is_sign_negative(), y.is_sign_negative());
    let signed = |a: f64| if below { -a } else { a };
    if y == 0.0 {
        return if left { signed(PI) } else { y };
    }
    if x == 0.0 {
        return signed(FRAC_PI_2);
    }
    if x.is_infinite() {
        return signed(match (y.is_infinite(), left) {
            (true, false) => FRAC_PI_4,
            (true, true) => 3.0 * FRAC_PI_4,
            (false, false) => 0.0,
            (false, true) => PI,
        });
    }
    if y.is_infinite() {
        return signed(FRAC_PI_2);
    }
    let k = (abs_hi(y) - abs_hi(x)) >> 20;
    let z = if k > 60 {
        FRAC_PI_2 + 0.5 * PI_LO
    } else if hi(x) < 0 && k < -60 {
        0.0
    } else {
        atan((y / x).abs())
    };
    match (left, below) {
        (false, _) => signed(z),
        (true, false) => PI - (z - PI_LO),
        (true, true) => (z - PI_LO) - PI,
    }
}

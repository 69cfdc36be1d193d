//! Reduction of an angle by multiples of pi/2.

use super::{abs_hi, hi};
use libm::scalbn;

const INV_PIO2: f64 = f64::from_bits(0x3fe4_5f30_6dc9_c883);
/// pi/2 in pieces of 33 bits, each with what remains after it.
const PIO2_1: f64 = f64::from_bits(0x3ff9_21fb_5440_0000);
const PIO2_1T: f64 = f64::from_bits(0x3dd0_b461_1a62_6331);
const PIO2_2: f64 = f64::from_bits(0x3dd0_b461_1a60_0000);
const PIO2_2T: f64 = f64::from_bits(0x3ba3_198a_2e03_7073);
const PIO2_3: f64 = f64::from_bits(0x3ba3_198a_2e00_0000);
const PIO2_3T: f64 = f64::from_bits(0x397b_839a_2520_49c1);

const TWO24: f64 = 16777216.0;

/// 2/pi in digits of 24 bits.
const TWO_OVER_PI: [i32; 66] = [
    0xA2F983, 0x6E4E44, 0x1529FC, 0x2757D1, 0xF534DD, 0xC0DB62, 0x95993C, 0x439041, 0xFE5163,
    0xABDEBB, 0xC561B7, 0x246E3A, 0x424DD2, 0xE00649, 0x2EEA09, 0xD1921C, 0xFE1DEB, 0x1CB129,
    0xA73EE8, 0x8235F5, 0x2EBB44, 0x84E99C, 0x7026B4, 0x5F7E41, 0x3991D6, 0x398353, 0x39F49C,
    0x845F8B, 0xBDF928, 0x3B1FF8, 0x97FFDE, 0x05980F, 0xEF2F11, 0x8B5A0A, 0x6D1F6D, 0x367ECF,
    0x27CB09, 0xB74F46, 0x3F669E, 0x5FEA2D, 0x7527BA, 0xC7EBE5, 0xF17B3D, 0x0739F7, 0x8A5292,
    0xEA6BFB, 0x5FB11F, 0x8D5D08, 0x560330, 0x46FC7B, 0x6BABF0, 0xCFBC20, 0x9AF436, 0x1DA9E3,
    0x91615E, 0xE61B08, 0x659985, 0x5F14A0, 0x68408D, 0xFFD880, 0x4D7327, 0x310606, 0x1556CA,
    0x73A8C9, 0x60E27B, 0xC08C6B,
];

/// pi/2 in digits of 24 bits, as floating numbers.
const PIO2: [f64; 8] = [
    f64::from_bits(0x3ff9_21fb_4000_0000),
    f64::from_bits(0x3e74_442d_0000_0000),
    f64::from_bits(0x3cf8_4698_8000_0000),
    f64::from_bits(0x3b78_cc51_6000_0000),
    f64::from_bits(0x39f0_1b83_8000_0000),
    f64::from_bits(0x387a_2520_4000_0000),
    f64::from_bits(0x36e3_8222_8000_0000),
    f64::from_bits(0x3569_f31d_0000_0000),
];

/// A finite `x` beyond pi/4 as `n * pi/2 + y0 + y1`; of `n` the last bits count.
pub fn rem_pio2(x: f64) -> (i32, f64, f64) {
    let ix = abs_hi(x);
    let (n, y0, y1) = if ix <= 0x4139_21fb {
        medium(x.abs(), ix)
    } else {
        large(x.abs())
    };
    if x.is_sign_negative() {
        (-n, -y0, -y1)
    } else {
        (n, y0, y1)
    }
}

/// `x` up to 2^19 * pi/2: subtracts in one to three rounds.
fn medium(x: f64, ix: i32) -> (i32, f64, f64) {
    let n = if ix < 0x4002_d97c {
        1
    } else {
        (x * INV_PIO2 + 0.5) as i32
    };
    let f = f64::from(n);
    let mut r = x - f * PIO2_1;
    let mut w = f * PIO2_1T;
    let mut y0 = r - w;
    let lost = |y0: f64| (ix >> 20) - (hi(y0) >> 20 & 0x7ff);
    if lost(y0) > 16 {
        let t = r;
        w = f * PIO2_2;
        r = t - w;
        w = f * PIO2_2T - ((t - r) - w);
        y0 = r - w;
        if lost(y0) > 49 {
            let t = r;
            w = f * PIO2_3;
            r = t - w;
            w = f * PIO2_3T - ((t - r) - w);
            y0 = r - w;
        }
    }
    (n, y0, (r - y0) - w)
}

/// Any greater `x`: multiplies three digits of it by as many digits of 2/pi as matter.
fn large(x: f64) -> (i32, f64, f64) {
    let e0 = (hi(x) >> 20) - 1046;
    let mut z = super::with_hi(x, hi(x) - (e0 << 20));
    let mut digits = [0.0; 3];
    for d in &mut digits[..2] {
        *d = f64::from(z as i32);
        z = (z - *d) * TWO24;
    }
    digits[2] = z;
    let nx = digits.iter().rposition(|&d| d != 0.0).map_or(1, |i| i + 1);
    kernel(&digits[..nx], e0)
}

/// Digits of 2/pi taken at first.
const JK: usize = 4;

fn kernel(x: &[f64], e0: i32) -> (i32, f64, f64) {
    let jx = x.len() - 1;
    let jv = ((e0 - 3) / 24).max(0);
    let q0 = e0 - 24 * (jv + 1);
    let digit = |i: i32| match usize::try_from(i) {
        Ok(i) => f64::from(TWO_OVER_PI[i]),
        Err(_) => 0.0,
    };
    let mut f = [0.0f64; 20];
    for (i, f) in f.iter_mut().enumerate().take(jx + JK + 1) {
        *f = digit(jv - jx as i32 + i as i32);
    }
    let sum = |f: &[f64; 20], i: usize| (0..=jx).fold(0.0, |s, j| s + x[j] * f[jx + i - j]);
    let mut q = [0.0f64; 20];
    for (i, q) in q.iter_mut().enumerate().take(JK + 1) {
        *q = sum(&f, i);
    }
    let mut iq = [0i32; 20];
    let mut jz = JK;
    let (mut n, mut ih, mut z);
    loop {
        // the digits of q as integers, the last first
        z = q[jz];
        for (i, j) in (1..=jz).rev().enumerate() {
            let fw = f64::from((z / TWO24) as i32);
            iq[i] = (z - TWO24 * fw) as i32;
            z = q[j - 1] + fw;
        }
        z = scalbn(z, q0);
        z -= 8.0 * (z * 0.125).floor();
        n = z as i32;
        z -= f64::from(n);
        ih = 0;
        if q0 > 0 {
            let i = iq[jz - 1] >> (24 - q0);
            n += i;
            iq[jz - 1] -= i << (24 - q0);
            ih = iq[jz - 1] >> (23 - q0);
        } else if q0 == 0 {
            ih = iq[jz - 1] >> 23;
        } else if z >= 0.5 {
            ih = 2;
        }
        if ih > 0 {
            n += 1;
            let carry = complement(&mut iq[..jz]);
            if q0 == 1 {
                iq[jz - 1] &= 0x7f_ffff;
            } else if q0 == 2 {
                iq[jz - 1] &= 0x3f_ffff;
            }
            if ih == 2 {
                z = 1.0 - z;
                if carry {
                    z -= scalbn(1.0, q0);
                }
            }
        }
        if z != 0.0 || iq[JK..jz].iter().any(|&d| d != 0) {
            break;
        }
        // all that was computed cancelled: more digits
        let mut k = 1;
        while iq[JK - k] == 0 {
            k += 1;
        }
        for i in jz + 1..=jz + k {
            f[jx + i] = digit(jv + i as i32);
            q[i] = sum(&f, i);
        }
        jz += k;
    }
    let mut q0 = q0;
    if z == 0.0 {
        jz -= 1;
        q0 -= 24;
        while iq[jz] == 0 {
            jz -= 1;
            q0 -= 24;
        }
    } else {
        z = scalbn(z, -q0);
        if z >= TWO24 {
            let fw = f64::from((z / TWO24) as i32);
            iq[jz] = (z - TWO24 * fw) as i32;
            jz += 1;
            q0 += 24;
            iq[jz] = fw as i32;
        } else {
            iq[jz] = z as i32;
        }
    }
    let (y0, y1) = times_pio2(&iq[..=jz], q0);
    if ih == 0 {
        (n & 7, y0, y1)
    } else {
        (n & 7, -y0, -y1)
    }
}

/// One minus the fraction that the digits are; whether there was anything to subtract.
fn complement(iq: &mut [i32]) -> bool {
    let mut carry = false;
    for d in iq {
        if carry {
            *d = 0xff_ffff - *d;
        } else if *d != 0 {
            carry = true;
            *d = 0x100_0000 - *d;
        }
    }
    carry
}

/// The fraction times pi/2, in two parts.
fn times_pio2(iq: &[i32], q0: i32) -> (f64, f64) {
    let jz = iq.len() - 1;
    let mut q = [0.0f64; 20];
    let mut scale = scalbn(1.0, q0);
    for i in (0..=jz).rev() {
        q[i] = scale * f64::from(iq[i]);
        scale /= TWO24;
    }
    let mut fq = [0.0f64; 20];
    for i in (0..=jz).rev() {
        let mut s = 0.0;
        for k in 0..=JK.min(jz - i) {
            s += PIO2[k] * q[i + k];
        }
        fq[jz - i] = s;
    }
    let mut s = 0.0;
    for v in fq[..=jz].iter().rev() {
        s += v;
    }
    let y0 = s;
    let mut s = fq[0] - y0;
    for v in &fq[1..=jz] {
        s += v;
    }
    (y0, s)
}

//! Digests of 20,000 results of each function, as OpenJDK 17's `StrictMath` gives them.

use super as fdlibm;

/// Arguments from a generator that is easy to write in Java too.
struct TestArguments(u64);

impl TestArguments {
    fn next(&mut self, i: u32) -> f64 {
        let x = &mut self.0;
        *x ^= *x << 13;
        *x ^= *x >> 7;
        *x ^= *x << 17;
        let unit = (*x >> 11) as f64 / 9007199254740992.0;
        match i & 3 {
            0 => f64::from_bits(*x),
            1 => unit * 2.0 - 1.0,
            2 => (unit - 0.5) * 1500.0,
            _ => (*x >> 40) as f64 * std::f64::consts::FRAC_PI_4 / 1024.0,
        }
    }
}

fn digest(mut f: impl FnMut(&mut TestArguments, u32) -> f64) -> u64 {
    let mut arguments = TestArguments(88172645463325252);
    (0..20_000).fold(0xcbf29ce484222325u64, |h, i| {
        let r = f(&mut arguments, i);
        let bits = if r.is_nan() {
            0x7ff8_0000_0000_0000
        } else {
            r.to_bits()
        };
        (h ^ bits).wrapping_mul(0x100000001b3)
    })
}

#[test]
fn one_argument() {
    let functions: [(&str, fn(f64) -> f64, u64); 13] = [
        ("sin", fdlibm::sin, 0xbbfeff60525a0be4),
        ("cos", fdlibm::cos, 0x863fed4222cd787e),
        ("tan", fdlibm::tan, 0x81da546c6331c404),
        ("asin", fdlibm::asin, 0x27cf9ea899c14979),
        ("acos", fdlibm::acos, 0x4c93e008d9e627af),
        ("atan", fdlibm::atan, 0xfbfc8d4b2da78796),
        ("log", fdlibm::log, 0x4d6f6f7eeb15ea6d),
        ("log10", fdlibm::log10, 0x2b216e200d1fe39b),
        ("sinh", fdlibm::sinh, 0xe97a58117d558a8e),
        ("cosh", fdlibm::cosh, 0x79a8ebecb6f18495),
        ("tanh", fdlibm::tanh, 0xc950a08e88cc753e),
        ("expm1", fdlibm::expm1, 0xa9f36cafb1fb5b7a),
        ("log1p", fdlibm::log1p, 0xcd30787b91d97616),
    ];
    for (name, f, expected) in functions {
        assert_eq!(digest(|a, i| f(a.next(i))), expected, "{name}");
    }
}

#[test]
fn two_arguments() {
    let pair = |f: fn(f64, f64) -> f64| digest(|a, i| f(a.next(i), a.next(i >> 2)));
    assert_eq!(pair(fdlibm::atan2), 0xd15bf7617fa15701, "atan2");
    assert_eq!(pair(fdlibm::remainder), 0x164d5280f3def006, "IEEEremainder");
}

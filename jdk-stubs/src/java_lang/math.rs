//! What methods of `java.lang.Math` return for which HotSpot has its own code on x86-64, rather than running their
//! bytecode, which hands them on to `StrictMath`. That code is nearly correctly rounded; so correctly rounded functions
//! give the same bits much more often than `StrictMath` does (README.md has figures), and the same ones everywhere.

use rjvm_vm::jdk::Versions;
use rjvm_vm::natives::{ResultFn, ResultRow};

const ALL: Versions = Versions::ALL;
const SINCE_24: Versions = Versions::of(&[24], &[]);
const SINCE_25: Versions = Versions::of(&[25], &[]);

/// The methods.
pub static RESULTS: [ResultRow; 9] = [
    row("sin", "(D)D", ALL, |x, _| pxfm::f_sin(x)),
    row("cos", "(D)D", ALL, |x, _| pxfm::f_cos(x)),
    row("tan", "(D)D", ALL, |x, _| pxfm::f_tan(x)),
    row("exp", "(D)D", ALL, |x, _| pxfm::f_exp(x)),
    row("log", "(D)D", ALL, |x, _| pxfm::f_log(x)),
    row("log10", "(D)D", ALL, |x, _| pxfm::f_log10(x)),
    row("pow", "(DD)D", ALL, pow),
    row("tanh", "(D)D", SINCE_24, |x, _| pxfm::f_tanh(x)),
    row("cbrt", "(D)D", SINCE_25, |x, _| pxfm::f_cbrt(x)),
];

/// Anything to the power of zero is one, NaN as well.
fn pow(x: f64, y: f64) -> f64 {
    match y == 0.0 {
        true => 1.0,
        false => pxfm::f_pow(x, y),
    }
}

const fn row(
    name: &'static str,
    desc: &'static str,
    versions: Versions,
    result: ResultFn,
) -> ResultRow {
    ResultRow {
        class: "java/lang/Math",
        name,
        desc,
        versions,
        result,
    }
}

#[cfg(test)]
mod tests {
    use super::RESULTS;
    use crate::java_lang::fdlibm;

    fn result(name: &str, x: f64, y: f64) -> f64 {
        let row = RESULTS.iter().find(|r| r.name == name);
        (row.expect("a row").result)(x, y)
    }

    #[test]
    fn edges_are_those_of_the_bytecode() {
        let (inf, tiny) = (f64::INFINITY, f64::from_bits(1));
        let edges = [0.0, -0.0, 1.0, -1.0, inf, -inf, tiny, -tiny, 710.0, -746.0];
        let functions: [(&str, fn(f64) -> f64); 6] = [
            ("sin", fdlibm::sin),
            ("cos", fdlibm::cos),
            ("tan", fdlibm::tan),
            ("log", fdlibm::log),
            ("log10", fdlibm::log10),
            ("tanh", fdlibm::tanh),
        ];
        for (name, strict) in functions {
            for x in edges {
                let (got, want) = (result(name, x, 0.0), strict(x));
                let near = (got - want).abs() <= want.abs() * f64::EPSILON;
                let same = got.to_bits() == want.to_bits() || want.is_nan() || near && want != 0.0;
                assert!(same, "{name}({x}) is {got}, not {want}");
            }
        }
        for (x, y, want) in [
            (2.0, 0.5, 2f64.sqrt()),
            (-2.0, 3.0, -8.0),
            (0.0, -1.0, inf),
            (-0.0, -3.0, -inf),
            (-0.0, 3.0, -0.0),
            (0.5, inf, 0.0),
            (2.0, -1074.0, tiny),
            (2.0, 1024.0, inf),
            (f64::NAN, -0.0, 1.0),
        ] {
            assert_eq!(result("pow", x, y).to_bits(), want.to_bits(), "{x}^{y}");
        }
        assert_eq!(result("exp", -746.0, 0.0), 0.0);
        assert_eq!(result("exp", 710.0, 0.0), inf);
    }

    /// Where the nearest double is known from more digits.
    #[test]
    fn results_are_the_nearest_doubles() {
        for (name, x, y, bits) in [
            ("exp", 1.0, 0.0, 0x4005_bf0a_8b14_5769),
            ("log", 10.0, 0.0, 0x4002_6bb1_bbb5_5516),
            ("sin", 1.0, 0.0, 0x3fea_ed54_8f09_0cee),
            ("cos", 1.0, 0.0, 0x3fe1_4a28_0fb5_068c),
            ("pow", 10.0, 0.5, 0x4009_4c58_3ada_5b53),
        ] {
            let got = result(name, x, y);
            assert_eq!(got.to_bits(), bits, "{name}: {got}");
        }
    }
}

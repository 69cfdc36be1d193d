//! Results that methods with bytecode return instead of what their bytecode computes.
//!
//! HotSpot has its own code for some methods of `java.lang.Math`, whose results differ in the last bit from those of
//! their bytecode. Here the bytecode runs, is counted and is visible to all observers; only the number that the method returns is
//! different.

use super::Natives;
use crate::jdk::Versions;

/// Computes a result from what the method was called with; a method with one parameter leaves the second number open.
pub type ResultFn = fn(f64, f64) -> f64;

/// A static method of the JDK's boot loader that takes one or two `double`s and hands them on to another method, whose result it
/// returns.
pub struct ResultRow {
    /// Internal name of its class.
    pub class: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its descriptor.
    pub desc: &'static str,
    /// JDKs in which HotSpot has its own code for it.
    pub versions: Versions,
    /// What it returns, unless its bytecode computes no number (NaN): then it returns that.
    pub result: ResultFn,
}

/// Those of a VM.
#[derive(Clone, Default)]
pub(super) struct Results {
    rows: Vec<&'static ResultRow>,
    feature: u32,
}

impl Natives {
    /// Adds results.
    pub fn add_results(&mut self, rows: &'static [ResultRow]) {
        self.results.rows.extend(rows);
    }
    pub(super) fn settle_results(&mut self, feature: u32) {
        self.results.feature = feature;
    }
    /// The number of the result of a method, if it has one.
    pub(crate) fn find_result(&self, class: &str, name: &str, desc: &str) -> Option<u32> {
        let is = |r: &&ResultRow| {
            r.versions.contains(self.results.feature)
                && (r.class, r.name, r.desc) == (class, name, desc)
        };
        let at = self.results.rows.iter().position(is)?;
        u32::try_from(at).ok()
    }
    /// What a method returns that was called with `a` and `b`, and whose bytecode has computed `computed`.
    pub(crate) fn result(&self, number: u32, computed: f64, a: f64, b: f64) -> f64 {
        match computed.is_nan() {
            true => computed,
            false => (self.results.rows[number as usize].result)(a, b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static ROWS: [ResultRow; 2] = [
        ResultRow {
            class: "a/B",
            name: "twice",
            desc: "(D)D",
            versions: Versions::ALL,
            result: |a, _| a * 2.0,
        },
        ResultRow {
            class: "a/B",
            name: "sum",
            desc: "(DD)D",
            versions: Versions::of(&[24], &[]),
            result: |a, b| a + b,
        },
    ];

    #[test]
    fn results_are_those_of_the_jdk() {
        let mut natives = Natives::default();
        natives.add_results(&ROWS);
        natives.settle_results(17);
        let twice = natives.find_result("a/B", "twice", "(D)D").expect("a row");
        assert_eq!(natives.result(twice, 1.0, 3.0, 9.0), 6.0);
        assert!(natives.result(twice, f64::NAN, 3.0, 9.0).is_nan());
        assert_eq!(natives.find_result("a/B", "sum", "(DD)D"), None);
        natives.settle_results(25);
        let sum = natives.find_result("a/B", "sum", "(DD)D").expect("a row");
        assert_eq!(natives.result(sum, 1.0, 3.0, 9.0), 12.0);
        assert_eq!(natives.find_result("a/C", "twice", "(D)D"), None);
    }
}

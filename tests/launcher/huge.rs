//! Arrays over 4 GB, all of them touched, with `RJVM_TEST_HUGE=1`: takes 10 GB of memory and minutes. Without
//! it the same program has smaller arrays; cheap tests of large ones are in
//! `tests/java/gc/LargeArrays.java`.

use crate::common;
use crate::common::run::{self, Run};
use crate::common::{jdk, tests_dir};

#[test]
fn large_arrays_are_right_from_end_to_end() {
    let dir = tests_dir().join("launcher/huge");
    let classes = jdk::compile("huge", &[dir.join("Huge.java")], &[], &dir.join("none"));
    // a number that 7 does not divide, nor its quarter
    let (heap, longs) = match common::switch("RJVM_TEST_HUGE") {
        true => ("-Xmx10g", "560000040"),
        false => ("-Xmx96m", "2000044"),
    };
    let got = Run::new(&run::vm(), "huge")
        .args([heap, "-cp"])
        .arg(classes)
        .args(["Huge", longs])
        .finish();
    assert!(!got.timed_out, "more time: RJVM_TEST_TIMEOUT");
    assert_eq!(got.exit, 0, "{}", got.err());
    assert_eq!(got.out().lines().count(), 12, "{}", got.out());
}

//! What the benchmarks share with the tests: the JDK, and Java classes that are compiled once.
#![allow(dead_code, reason = "the tests use more of it")]

#[path = "../tests/common/files.rs"]
mod files;
#[path = "../tests/common/jdk.rs"]
pub mod jdk;

use files::{entries, work_dir};

/// Reports what this machine lacks.
fn not_checked(what: &str) {
    eprintln!("NOT CHECKED: {what}");
}

//! The target `probe`: see `tests/common/fuzzed.rs`.
#![no_main]
#![allow(dead_code, reason = "each target uses its own part")]

#[path = "../../tests/common/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzed::probe(bytes));

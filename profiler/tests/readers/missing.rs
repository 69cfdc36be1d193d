//! What a test says where something is not installed that it needs.

use std::io::Write;

/// Names the running test and what is missing: `./test.sh` lists these lines at its end.
pub fn not_checked(missing: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let line = format!("NOT CHECKED: {test}: {missing}\n");
    // The harness keeps what `eprintln!` writes in a test that passes.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

//! The message of a test that needs something that is not installed.

use std::io::Write;

/// Names the running test and the missing thing: `./test.sh` lists these lines at its end.
pub fn not_checked(missing: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let line = format!("NOT CHECKED: {test}: {missing}\n");
    // The harness keeps what `eprintln!` writes in a test that passes.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

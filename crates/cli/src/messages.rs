//! What the program says on standard error: errors, warnings, notes. What `java` says in the same place has `java`'s words, and is
//! printed elsewhere.

use std::fmt::Display;

/// Something cannot be done, or a run is not what it was to be.
pub const ERROR: &str = "rjvm: error: ";
/// Something is not as it may be thought to be.
pub const WARNING: &str = "rjvm: warning: ";
/// The beginning of a note.
pub const NOTE: &str = "rjvm: note: ";

/// Says what cannot be done.
pub fn error(text: &dyn Display) {
    eprintln!("{ERROR}{text}");
}

/// Warns.
pub fn warning(text: &dyn Display) {
    eprintln!("{WARNING}{text}");
}

/// Prints a note.
pub fn note(text: &dyn Display) {
    eprintln!("{NOTE}{text}");
}

/// Says what cannot be done; the exit code of a command that ends by it.
pub fn failed(text: &dyn Display) -> i32 {
    error(text);
    1
}

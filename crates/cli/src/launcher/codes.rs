//! The exit codes of the program itself.

/// Invalid command line.
pub const WRONG_USE: i32 = 2;
/// A recording cannot be understood, or is damaged.
pub const DAMAGED: i32 = 65;
/// After a panic: the code of an internal error, as in `sysexits.h`.
pub const INTERNAL: i32 = 70;
/// The machine has no more of what the VM needs: the code of an error of the system.
pub const EXHAUSTED: i32 = 71;
/// A recording ends before its program.
pub const CUT_OFF: i32 = 75;
/// A run diverges from the one it is compared with: the code of a protocol error.
pub const PARTED: i32 = 76;

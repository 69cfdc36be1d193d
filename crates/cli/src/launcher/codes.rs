//! The exit codes of the program itself.

/// Invalid command line.
pub const WRONG_USE: i32 = 2;
/// A recording cannot be understood, or is damaged.
pub const DAMAGED: i32 = 65;
/// After a panic: that of an internal error, as `sysexits.h` has it.
pub const INTERNAL: i32 = 70;
/// The machine has no more of what the VM needs: that of an error of the system.
pub const EXHAUSTED: i32 = 71;
/// A recording ends before its program.
pub const CUT_OFF: i32 = 75;
/// A run does something else than the one it is compared with: that of an error of protocol.
pub const PARTED: i32 = 76;

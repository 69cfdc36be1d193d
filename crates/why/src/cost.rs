//! The common measure: what a run costs beside its bytecodes, in bytecodes that take about as long. The figures are
//! round; they say in which order causes are looked at, no more. `docs/why.md` has them as a table.

/// Making an object and freeing it again.
pub const OBJECT: u64 = 10;
/// So many bytes of it cost a bytecode: clearing, and copying what survives.
pub const BYTES: u64 = 16;
/// A call of the operating system.
pub const SYSTEM_CALL: u64 = 1_000;
/// Making an exception: for its stack trace, each frame.
pub const TRACED_FRAME: u64 = 20;
/// Throwing it and finding who catches it.
pub const THROW: u64 = 200;
/// Finding, parsing, verifying and linking a class.
pub const CLASS: u64 = 5_000;
/// A call that cannot be inlined since its receiver's class differs from time to time.
pub const DISPATCH: u64 = 4;
/// How many nanoseconds of waiting, while no thread runs, count as one bytecode.
pub const NANOSECONDS: u64 = 2;
/// Frames of a stack trace that are stored at most (`-XX:MaxJavaStackTraceDepth`).
pub const MOST_TRACED: u64 = 1_024;

/// What objects cost.
pub fn of_objects(objects: u64, bytes: u64) -> u64 {
    objects * OBJECT + bytes / BYTES
}

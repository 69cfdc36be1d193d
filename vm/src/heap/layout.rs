//! What an object of `java.lang.Class` names, and what freed memory is filled with.

/// Offset in a `java.lang.Class` object of the injected field that names the class it represents.
pub const MIRROR_CLASS: u32 = 8;

/// Byte that freed memory is filled with in stress mode.
pub const POISON: u8 = 0xDB;

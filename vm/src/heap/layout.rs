//! The class named by an object of `java.lang.Class`, and the filling of freed memory.

/// Offset in a `java.lang.Class` object of the injected field that names the class it represents.
pub const MIRROR_CLASS: u32 = 8;

/// Byte that freed memory is filled with in stress mode.
pub const POISON: u8 = 0xDB;

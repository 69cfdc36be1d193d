//! Where things lie in objects and in the heap.

/// Offset in a `java.lang.Class` object of the injected field that names the class it stands for.
pub const MIRROR_CLASS: u32 = 8;

/// Byte that freed memory is filled with in stress mode.
pub const POISON: u8 = 0xDB;

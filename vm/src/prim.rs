//! Plain values as memory holds them, in the heap and outside of it, and offsets at which they are.

pub(crate) mod copying;

mod sealed {
    pub trait Sealed {}
}

macro_rules! prim {
    ($($t:ty)*) => { $( impl sealed::Sealed for $t {} impl Prim for $t {} )* };
}

/// A plain value that is in a field or an array element: all bit patterns are valid, and it has no
/// padding. The heap reads and writes its bytes as they are, so these are all there are.
///
/// ```compile_fail,E0277
/// #[derive(Clone, Copy)]
/// struct Pointer(&'static str);
/// impl rjvm_vm::prim::Prim for Pointer {}
/// ```
pub trait Prim: Copy + sealed::Sealed {}
prim! { u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 }

/// A byte offset in an object: 32 bits name any field, but not any element of a large array.
pub trait Offset: Copy + sealed::Sealed {
    /// In bytes from the object's start.
    fn bytes(self) -> usize;
}
impl Offset for u32 {
    #[inline(always)]
    fn bytes(self) -> usize {
        self as usize
    }
}
impl sealed::Sealed for usize {}
impl Offset for usize {
    #[inline(always)]
    fn bytes(self) -> usize {
        self
    }
}

//! Natives that compiled code has in it instead of calls.

/// What a native does, if compiled code may do it in its place. All other cases (null, no identity hash yet, ...) are left to the native.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InlinedNative {
    /// The object of the running thread.
    CurrentThread,
    /// The class object of `this`.
    ClassOf,
    /// The identity hash of the first argument, an object that has one already.
    IdentityHash,
    /// Whether the second argument is an instance of the class that `this` represents.
    IsInstance,
    /// Whether `this`, a `java.lang.ref.Reference`, refers to the second argument.
    RefersTo,
    /// The element of an array of references (the second argument) at an offset (the third one).
    ReferenceAt,
    /// The bits of a `double` as a `long`.
    Bits,
    /// The bits of a `float` as an `int`.
    FloatBits,
    /// The `float` or `double` with these bits.
    OfBits,
    /// The square root of a `double`.
    Root,
    /// Copies a few elements (the fifth argument) of an array of bytes at an index to such an array at another index.
    CopyBytes,
}

impl InlinedNative {
    /// Whether the result is in the accumulator of whole numbers.
    #[cfg(tier)]
    pub(crate) fn is_in_acc(self) -> bool {
        use InlinedNative::*;
        !matches!(self, OfBits | Root | CopyBytes)
    }
}

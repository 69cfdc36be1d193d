//! The memory of `-Xcheck:jni` of a call of native code.

/// The state of a call between two functions of the interface.
#[derive(Default)]
pub struct CallHistory {
    /// The function that has called Java code, after which C code has not looked for an exception; 0: none.
    pub unchecked: usize,
    /// Arrays and strings in critical sections.
    pub critical: usize,
}

//! Conditions of branches.

/// A condition, numbered as in the opcodes `ifeq`…`ifle`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum C {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}
impl C {
    /// From the offset to `ifeq`, `if_icmpeq`….
    pub(crate) fn from(n: u8) -> C {
        [C::Eq, C::Ne, C::Lt, C::Ge, C::Gt, C::Le][n as usize]
    }
    /// With operands exchanged.
    pub(crate) fn swap(self) -> C {
        match self {
            C::Eq => C::Eq,
            C::Ne => C::Ne,
            C::Lt => C::Gt,
            C::Ge => C::Le,
            C::Gt => C::Lt,
            C::Le => C::Ge,
        }
    }
}

//! Conditions of branches.

#[cfg(tier)]
use std::cmp::Ordering;

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
    /// Whether it holds for two operands that compare like that.
    #[cfg(tier)]
    pub(crate) fn holds(self, order: Ordering) -> bool {
        match self {
            C::Eq => order.is_eq(),
            C::Ne => order.is_ne(),
            C::Lt => order.is_lt(),
            C::Ge => order.is_ge(),
            C::Gt => order.is_gt(),
            C::Le => order.is_le(),
        }
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

//! The shape of a frame at each bytecode.

/// Kinds by bytecode, as letters: `I`, `J`, `F`, `D`, `A` (a reference), `R` (a return address), 0 (nothing that can
/// be used).
#[derive(Default)]
pub(super) struct Shapes {
    pub(super) letters: Vec<u8>,
    /// By number of the bytecode; without one, nothing leads there.
    pub(super) at: Vec<Option<KindRow>>,
}

/// Where the kinds at a bytecode are.
#[derive(Clone, Copy)]
pub(super) struct KindRow {
    pub(super) locals: u32,
    pub(super) stack: u32,
    pub(super) depth: u16,
}

/// The contents of a frame before a bytecode.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameShape {
    /// Kind of each local, the slots of which have the same numbers.
    pub locals: Vec<u8>,
    /// Slot and kind of each operand, the lowest first.
    pub stack: Vec<(u16, u8)>,
}

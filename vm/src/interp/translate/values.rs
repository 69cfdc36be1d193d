//! Values as the translator knows them, and the margins of potentials.

/// From this many slots on, the real need of a frame is computed.
pub(super) const LARGE: usize = 60_000;

/// Bytecodes of straight code after which the limit is looked at.
pub(crate) const CHECK_DISTANCE: u32 = 64;

/// What the ticks lag at labels, at most: as many bytecodes before a sample, every look at the limit looks
/// closer.
pub(crate) const LABEL_LAG: u32 = 8;

/// How close to a trigger it is approached with care: more than any path without a check, and more
/// than the ticks ever lag.
pub(crate) const MARGIN: i64 = 80;

/// Where a stack entry's value is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum V {
    /// In another slot (a local, or the stack slot of a duplicated value).
    Slot(u16),
    /// In its own stack slot.
    Tmp,
    /// A constant.
    Imm(i64),
    /// Only in the accumulator of its type.
    Acc,
}

/// A simulated stack entry. `t`: `I`, `J`, `F`, `D`, `A` or `R` (return address).
#[derive(Clone, Copy, Debug)]
pub(super) struct Ent {
    pub(super) v: V,
    pub(super) t: u8,
    pub(super) at: u16,
}

impl Ent {
    pub(super) fn float(&self) -> bool {
        matches!(self.t, b'F' | b'D')
    }
    pub(super) fn wide(&self) -> bool {
        matches!(self.t, b'J' | b'D')
    }
    /// As an immediate operand (see `IM`), if it is a constant that fits.
    pub(super) fn immediate(&self) -> Option<i32> {
        let V::Imm(v) = self.v else {
            return None;
        };
        match self.t {
            b'I' | b'A' | b'F' => Some(v as i32),
            b'J' => i32::try_from(v).ok(),
            b'D' => {
                let f = f64::from_bits(v as u64) as f32;
                ((f as f64).to_bits() == v as u64).then_some(f.to_bits() as i32)
            }
            _ => None,
        }
    }
}

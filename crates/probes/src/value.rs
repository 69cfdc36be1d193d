//! Values of expressions, and those that are stored.

use crate::hit::Object;

/// A value while an event is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Val {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Sym),
    /// By number among the stacks that are stored.
    Stack(u32),
    /// Until the end of the event only.
    Object(Object),
}

/// A string, by number. Those with [`Sym::TEMPORARY`] last until the end of the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sym(pub u32);

impl Sym {
    pub const TEMPORARY: u32 = 1 << 31;

    pub fn is_temporary(self) -> bool {
        self.0 & Sym::TEMPORARY != 0
    }
}

/// Part of a key: no objects, no temporary strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Null,
    Bool(bool),
    Int(i64),
    /// Its bits, with one zero and one NaN.
    Float(u64),
    Str(u32),
    Stack(u32),
}

impl Part {
    pub fn float(x: f64) -> Part {
        let x = if x.is_nan() { f64::NAN } else { x + 0.0 };
        Part::Float(x.to_bits())
    }

    pub fn val(self) -> Val {
        match self {
            Part::Null => Val::Null,
            Part::Bool(b) => Val::Bool(b),
            Part::Int(n) => Val::Int(n),
            Part::Float(bits) => Val::Float(f64::from_bits(bits)),
            Part::Str(n) => Val::Str(Sym(n)),
            Part::Stack(n) => Val::Stack(n),
        }
    }

    /// Its kind and its bits: the same for the same part only.
    #[inline(always)]
    pub fn bits(self) -> (u8, u64) {
        match self {
            Part::Null => (0, 0),
            Part::Bool(b) => (1, u64::from(b)),
            Part::Int(n) => (2, n as u64),
            Part::Float(bits) => (3, bits),
            Part::Str(n) => (4, u64::from(n)),
            Part::Stack(n) => (5, u64::from(n)),
        }
    }

    /// Well mixed.
    pub fn hash(self, seed: u64) -> u64 {
        let (kind, n) = self.bits();
        hash(seed, kind, n)
    }
}

/// What a part adds to the hash of those before it.
pub fn hash(seed: u64, kind: u8, n: u64) -> u64 {
    mix(seed ^ mix(n.wrapping_add(u64::from(kind) << 59)))
}

/// Bits of a product's halves (after splitmix64).
pub fn mix(n: u64) -> u64 {
    let n = (n ^ (n >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ (n >> 31)
}

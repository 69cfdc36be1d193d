//! A small assembler for x86-64: the instructions that the templates are made of, and labels.
//!
//! A crate for this would be dynasm-rs, whose licence (MPL 2.0) is none of those a binary of this repository may be given away
//! under, and which brings a second `syn`. The needed part of it is less than this file.

/// A general register by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gpr(pub u8);
/// A register of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct X(pub u8);

pub(super) const RAX: Gpr = Gpr(0);
pub(super) const RCX: Gpr = Gpr(1);
pub(super) const RDX: Gpr = Gpr(2);
pub(super) const RBX: Gpr = Gpr(3);
pub(super) const RBP: Gpr = Gpr(5);
pub(super) const RSI: Gpr = Gpr(6);
pub(super) const RDI: Gpr = Gpr(7);
pub(super) const R8: Gpr = Gpr(8);
pub(super) const R9: Gpr = Gpr(9);
pub(super) const R10: Gpr = Gpr(10);
pub(super) const R11: Gpr = Gpr(11);
pub(super) const R12: Gpr = Gpr(12);
pub(super) const R13: Gpr = Gpr(13);
pub(super) const R14: Gpr = Gpr(14);
pub(super) const R15: Gpr = Gpr(15);
pub(super) const XMM0: X = X(0);
pub(super) const XMM1: X = X(1);

/// A place in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mem {
    base: Gpr,
    /// Register, and log2 of its factor.
    index: Option<(Gpr, u8)>,
    disp: i32,
}

/// `disp` bytes behind what `base` points at.
pub(super) fn at(base: Gpr, disp: i32) -> Mem {
    Mem {
        base,
        index: None,
        disp,
    }
}

/// The same and `index << shift` more.
pub(super) fn indexed(base: Gpr, index: Gpr, shift: u8, disp: i32) -> Mem {
    Mem {
        base,
        index: Some((index, shift)),
        disp,
    }
}

/// Operand of an instruction that may be a register or in memory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rm {
    Reg(u8),
    Mem(Mem),
}
impl From<Gpr> for Rm {
    fn from(r: Gpr) -> Rm {
        Rm::Reg(r.0)
    }
}
impl From<X> for Rm {
    fn from(x: X) -> Rm {
        Rm::Reg(x.0)
    }
}
impl From<Mem> for Rm {
    fn from(m: Mem) -> Rm {
        Rm::Mem(m)
    }
}

/// Operations of two operands, by the number that their encodings have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Alu {
    Add = 0,
    Or = 1,
    And = 4,
    Sub = 5,
    Xor = 6,
    Cmp = 7,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Shift {
    Left = 4,
    Logical = 5,
    Arithmetic = 7,
}
/// Conditions, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Cc {
    B = 2,
    Ae = 3,
    E = 4,
    Ne = 5,
    Be = 6,
    A = 7,
    P = 10,
    L = 12,
    Ge = 13,
    Le = 14,
    G = 15,
}
impl Cc {
    /// The opposite.
    pub fn not(self) -> Cc {
        match self {
            Cc::B => Cc::Ae,
            Cc::Ae => Cc::B,
            Cc::E => Cc::Ne,
            Cc::Ne => Cc::E,
            Cc::Be => Cc::A,
            Cc::A => Cc::Be,
            Cc::P => unreachable!("not needed"),
            Cc::L => Cc::Ge,
            Cc::Ge => Cc::L,
            Cc::Le => Cc::G,
            Cc::G => Cc::Le,
        }
    }
}
/// Operations on floating-point numbers, by their opcodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Sse {
    Root = 0x51,
    Add = 0x58,
    Mul = 0x59,
    Sub = 0x5c,
    Div = 0x5e,
}

/// A place in the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label(u32);

const UNBOUND: u32 = u32::MAX;

/// Code being made.
#[derive(Default)]
pub(super) struct Asm {
    pub bytes: Vec<u8>,
    labels: Vec<u32>,
    /// Where four bytes are the distance from a place in the code (by default, where they end) to a label.
    fixups: Vec<(u32, u32, Label)>,
}

impl Asm {
    pub fn label(&mut self) -> Label {
        self.labels.push(UNBOUND);
        Label(self.labels.len() as u32 - 1)
    }
    pub fn bind(&mut self, l: Label) {
        self.labels[l.0 as usize] = self.here();
    }
    pub fn here(&self) -> u32 {
        self.bytes.len() as u32
    }
    /// Where a label is.
    pub fn offset(&self, l: Label) -> u32 {
        self.labels[l.0 as usize]
    }
    /// Fills in all distances. `None`: the code is too large.
    pub fn finish(&mut self) -> Option<()> {
        for &(at, from, l) in &self.fixups {
            let to = self.labels[l.0 as usize];
            assert_ne!(to, UNBOUND, "a label without a place");
            let distance = i32::try_from(i64::from(to) - i64::from(from)).ok()?;
            self.bytes[at as usize..][..4].copy_from_slice(&distance.to_le_bytes());
        }
        Some(())
    }
    fn byte(&mut self, b: u8) {
        self.bytes.push(b);
    }
    fn dword(&mut self, v: i32) {
        self.bytes.extend_from_slice(&v.to_le_bytes());
    }
    /// Prefixes, opcode, and operands; `bytes`: a general register among these names its lowest byte.
    fn encode(&mut self, prefix: u8, wide: bool, op: &[u8], reg: u8, rm: Rm, bytes: bool) {
        if prefix != 0 {
            self.byte(prefix);
        }
        let (x, b) = match rm {
            Rm::Reg(r) => (0, r >> 3),
            Rm::Mem(m) => (m.index.map_or(0, |i| i.0.0 >> 3), m.base.0 >> 3),
        };
        let rex = u8::from(wide) << 3 | (reg >> 3) << 2 | x << 1 | b;
        let low = |r: u8| (4..8).contains(&r);
        let named = bytes && (low(reg) || matches!(rm, Rm::Reg(r) if low(r)));
        if rex != 0 || named {
            self.byte(0x40 | rex);
        }
        self.bytes.extend_from_slice(op);
        let reg = (reg & 7) << 3;
        match rm {
            Rm::Reg(r) => self.byte(0xc0 | reg | r & 7),
            Rm::Mem(m) => self.memory(reg, m),
        }
    }
    fn memory(&mut self, reg: u8, m: Mem) {
        let base = m.base.0 & 7;
        let small = i8::try_from(m.disp).is_ok();
        // a base of these registers always has a displacement
        let mode = match m.disp {
            0 if base != 5 => 0,
            _ if small => 0x40,
            _ => 0x80,
        };
        match m.index {
            None if base != 4 => self.byte(mode | reg | base),
            None => {
                self.byte(mode | reg | 4);
                self.byte(0x24);
            }
            Some((index, shift)) => {
                assert_ne!(index.0, 4, "the stack pointer is no index");
                self.byte(mode | reg | 4);
                self.byte(shift << 6 | (index.0 & 7) << 3 | base);
            }
        }
        match mode {
            0 => {}
            0x40 => self.byte(m.disp as u8),
            _ => self.dword(m.disp),
        }
    }
    /// `mov` to a register; `wide`: all 64 bits, else the upper half becomes 0.
    pub fn load(&mut self, wide: bool, r: Gpr, from: impl Into<Rm>) {
        self.encode(0, wide, &[0x8b], r.0, from.into(), false);
    }
    /// `mov` to memory, of so many bytes.
    pub fn store(&mut self, bytes: u8, to: Mem, r: Gpr) {
        match bytes {
            1 => self.encode(0, false, &[0x88], r.0, to.into(), true),
            2 => self.encode(0x66, false, &[0x89], r.0, to.into(), false),
            4 => self.encode(0, false, &[0x89], r.0, to.into(), false),
            _ => self.encode(0, true, &[0x89], r.0, to.into(), false),
        }
    }
    /// The same of a constant; of eight bytes, sign-extended.
    pub fn store_constant(&mut self, bytes: u8, to: Mem, v: i32) {
        match bytes {
            1 => {
                self.encode(0, false, &[0xc6], 0, to.into(), false);
                self.byte(v as u8);
            }
            2 => {
                self.encode(0x66, false, &[0xc7], 0, to.into(), false);
                self.bytes.extend_from_slice(&(v as i16).to_le_bytes());
            }
            _ => {
                self.encode(0, bytes == 8, &[0xc7], 0, to.into(), false);
                self.dword(v);
            }
        }
    }
    /// A constant to a register.
    pub fn constant(&mut self, r: Gpr, v: u64) {
        if v == 0 {
            self.alu(false, Alu::Xor, r, r);
        } else if let Ok(v) = u32::try_from(v) {
            if r.0 > 7 {
                self.byte(0x41);
            }
            self.byte(0xb8 | r.0 & 7);
            self.dword(v as i32);
        } else if let Ok(v) = i32::try_from(v as i64) {
            self.encode(0, true, &[0xc7], 0, r.into(), false);
            self.dword(v);
        } else {
            self.byte(0x48 | r.0 >> 3);
            self.byte(0xb8 | r.0 & 7);
            self.bytes.extend_from_slice(&v.to_le_bytes());
        }
    }
    /// Loads one or two bytes, extended to 32 bits.
    pub fn load_small(&mut self, signed: bool, bytes: u8, r: Gpr, from: impl Into<Rm>) {
        let op = 0xb6 | u8::from(bytes == 2) | u8::from(signed) << 3;
        let from = from.into();
        let byte = bytes == 1 && matches!(from, Rm::Reg(_));
        self.encode(0, false, &[0x0f, op], r.0, from, byte);
    }
    /// 32 bits, extended to 64 with their sign.
    pub fn sign_extend(&mut self, r: Gpr, from: impl Into<Rm>) {
        self.encode(0, true, &[0x63], r.0, from.into(), false);
    }
    pub fn lea(&mut self, r: Gpr, m: Mem) {
        self.encode(0, true, &[0x8d], r.0, m.into(), false);
    }
    pub fn alu(&mut self, wide: bool, op: Alu, r: Gpr, rm: impl Into<Rm>) {
        self.encode(0, wide, &[(op as u8) << 3 | 3], r.0, rm.into(), false);
    }
    /// With memory as the first operand.
    pub fn alu_to(&mut self, wide: bool, op: Alu, to: Mem, r: Gpr) {
        self.encode(0, wide, &[(op as u8) << 3 | 1], r.0, to.into(), false);
    }
    /// With a constant, sign-extended.
    pub fn alu_constant(&mut self, wide: bool, op: Alu, rm: impl Into<Rm>, v: i32) {
        match i8::try_from(v) {
            Ok(v) => {
                self.encode(0, wide, &[0x83], op as u8, rm.into(), false);
                self.byte(v as u8);
            }
            Err(_) => {
                self.encode(0, wide, &[0x81], op as u8, rm.into(), false);
                self.dword(v);
            }
        }
    }
    pub fn test(&mut self, wide: bool, a: Gpr, b: Gpr) {
        self.encode(0, wide, &[0x85], b.0, a.into(), false);
    }
    pub fn multiply(&mut self, wide: bool, r: Gpr, rm: impl Into<Rm>) {
        self.encode(0, wide, &[0x0f, 0xaf], r.0, rm.into(), false);
    }
    pub fn multiply_constant(&mut self, wide: bool, r: Gpr, rm: impl Into<Rm>, v: i32) {
        self.encode(0, wide, &[0x69], r.0, rm.into(), false);
        self.dword(v);
    }
    pub fn negate(&mut self, wide: bool, r: Gpr) {
        self.encode(0, wide, &[0xf7], 3, r.into(), false);
    }
    /// Extends rax into rdx.
    pub fn extend_rax(&mut self, wide: bool) {
        if wide {
            self.byte(0x48);
        }
        self.byte(0x99);
    }
    /// rdx gets the upper half of rax times the register, rax the lower one. Numbers have signs.
    pub fn multiply_high(&mut self, r: Gpr) {
        self.encode(0, true, &[0xf7], 5, r.into(), false);
    }
    /// rax: quotient, rdx: remainder.
    pub fn divide(&mut self, wide: bool, r: Gpr) {
        self.encode(0, wide, &[0xf7], 7, r.into(), false);
    }
    pub fn shift_constant(&mut self, wide: bool, op: Shift, r: Gpr, n: u8) {
        self.encode(0, wide, &[0xc1], op as u8, r.into(), false);
        self.byte(n);
    }
    /// By the lowest bits of rcx.
    pub fn shift(&mut self, wide: bool, op: Shift, r: Gpr) {
        self.encode(0, wide, &[0xd3], op as u8, r.into(), false);
    }
    /// Flips the sign of a double in a register.
    pub fn flip_bit_63(&mut self, r: Gpr) {
        self.encode(0, true, &[0x0f, 0xba], 7, r.into(), false);
        self.byte(63);
    }
    pub fn increment(&mut self, wide: bool, m: Mem) {
        self.encode(0, wide, &[0xff], 0, m.into(), false);
    }
    /// The lowest byte: 1 or 0.
    pub fn set(&mut self, cc: Cc, r: Gpr) {
        self.encode(0, false, &[0x0f, 0x90 | cc as u8], 0, r.into(), true);
    }
    pub fn jump(&mut self, l: Label) {
        self.byte(0xe9);
        self.distance(l);
    }
    pub fn jump_if(&mut self, cc: Cc, l: Label) {
        self.bytes.extend_from_slice(&[0x0f, 0x80 | cc as u8]);
        self.distance(l);
    }
    pub fn jump_to(&mut self, rm: impl Into<Rm>) {
        self.encode(0, false, &[0xff], 4, rm.into(), false);
    }
    fn distance(&mut self, l: Label) {
        let at = self.here();
        self.fixups.push((at, at + 4, l));
        self.dword(0);
    }
    /// The address of a label.
    pub fn address(&mut self, r: Gpr, l: Label) {
        self.bytes
            .extend_from_slice(&[0x48 | (r.0 >> 3) << 2, 0x8d, 5 | (r.0 & 7) << 3]);
        self.distance(l);
    }
    /// Four bytes of a table: the distance from label `from`, which has its place, to `to`.
    pub fn entry(&mut self, from: Label, to: Label) {
        let (at, from) = (self.here(), self.offset(from));
        self.fixups.push((at, from, to));
        self.dword(0);
    }
    fn kind(double: bool) -> u8 {
        if double { 0xf2 } else { 0xf3 }
    }
    /// A number to a register; the rest of it becomes 0.
    pub fn load_float(&mut self, double: bool, x: X, m: Mem) {
        self.encode(
            Self::kind(double),
            false,
            &[0x0f, 0x10],
            x.0,
            m.into(),
            false,
        );
    }
    pub fn store_float(&mut self, double: bool, m: Mem, x: X) {
        self.encode(
            Self::kind(double),
            false,
            &[0x0f, 0x11],
            x.0,
            m.into(),
            false,
        );
    }
    /// All 16 bytes of a register, from any address.
    pub fn load_sixteen(&mut self, x: X, m: Mem) {
        self.encode(0, false, &[0x0f, 0x10], x.0, m.into(), false);
    }
    pub fn store_sixteen(&mut self, m: Mem, x: X) {
        self.encode(0, false, &[0x0f, 0x11], x.0, m.into(), false);
    }
    pub fn move_float(&mut self, to: X, from: X) {
        self.encode(0, false, &[0x0f, 0x28], to.0, from.into(), false);
    }
    pub fn clear_float(&mut self, x: X) {
        self.encode(0, false, &[0x0f, 0x57], x.0, x.into(), false);
    }
    pub fn sse(&mut self, double: bool, op: Sse, x: X, rm: impl Into<Rm>) {
        self.encode(
            Self::kind(double),
            false,
            &[0x0f, op as u8],
            x.0,
            rm.into(),
            false,
        );
    }
    /// Compares: sets `B`, `E`, `A`; `P`, with `B` and `E`, if one is not a number.
    pub fn compare_floats(&mut self, double: bool, x: X, rm: impl Into<Rm>) {
        let prefix = if double { 0x66 } else { 0 };
        self.encode(prefix, false, &[0x0f, 0x2e], x.0, rm.into(), false);
    }
    /// All 64 bits of a general register to one of floating-point numbers.
    pub fn bits_to_float(&mut self, x: X, r: Gpr) {
        self.encode(0x66, true, &[0x0f, 0x6e], x.0, r.into(), false);
    }
    pub fn float_to_bits(&mut self, r: Gpr, x: X) {
        self.encode(0x66, true, &[0x0f, 0x7e], x.0, r.into(), false);
    }
    /// An int, or a long (`wide`), as a number. The rest of the register stays.
    pub fn convert_int(&mut self, wide: bool, double: bool, x: X, rm: impl Into<Rm>) {
        self.encode(
            Self::kind(double),
            wide,
            &[0x0f, 0x2a],
            x.0,
            rm.into(),
            false,
        );
    }
    /// A number as an int or a long; what does not fit gives the smallest one.
    pub fn truncate(&mut self, wide: bool, double: bool, r: Gpr, rm: impl Into<Rm>) {
        self.encode(
            Self::kind(double),
            wide,
            &[0x0f, 0x2c],
            r.0,
            rm.into(),
            false,
        );
    }
    /// A number of one kind as one of the other; `double` is what it was.
    pub fn convert_float(&mut self, double: bool, x: X, rm: impl Into<Rm>) {
        self.encode(
            Self::kind(double),
            false,
            &[0x0f, 0x5a],
            x.0,
            rm.into(),
            false,
        );
    }
}

#[cfg(test)]
mod tests;

//! Decoding of instructions, driven by the opcode table.

use super::{OPCODES, Operands, info};
use crate::error::{Error, Result};

/// A decoded instruction.
#[derive(Clone, Copy, Debug)]
pub struct Insn<'a> {
    /// Where it begins.
    pub pc: usize,
    /// The opcode; of a `wide` instruction, the widened one.
    pub opcode: u8,
    /// Whether it was widened.
    pub wide: bool,
    /// Its length in bytes, `wide` included.
    pub len: usize,
    /// Its operands.
    pub operand: Operand<'a>,
}

impl Insn<'_> {
    /// The mnemonic, without `wide`.
    pub fn name(&self) -> &'static str {
        super::name(self.opcode)
    }

    /// Where the next instruction begins.
    pub fn next_pc(&self) -> usize {
        self.pc + self.len
    }
}

/// The operands of an instruction. Branch targets are absolute; they may lie outside the code.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// Nothing.
    None,
    /// The number of `bipush` and `sipush`.
    Immediate(i32),
    /// A local variable.
    Local(u16),
    /// A local variable and what to add to it.
    Iinc {
        /// The local variable.
        local: u16,
        /// The added value.
        delta: i16,
    },
    /// A constant-pool index.
    Constant(u16),
    /// `invokeinterface`: a constant-pool index and the argument slots.
    Interface {
        /// `InterfaceMethodref`.
        index: u16,
        /// The argument slots, receiver included.
        count: u8,
    },
    /// `multianewarray`: a constant-pool index and the dimensions.
    MultiArray {
        /// `Class`.
        index: u16,
        /// How many dimensions are created.
        dimensions: u8,
    },
    /// `newarray`: the element type, see [`array_type_name`](super::array_type_name).
    ArrayType(u8),
    /// The target of a branch.
    Branch(i32),
    /// A switch.
    Switch(Switch<'a>),
}

/// The cases of a `tableswitch` or `lookupswitch`.
#[derive(Clone, Copy, Debug)]
pub struct Switch<'a> {
    /// The target if no case matches.
    pub default: i32,
    /// The first key of a `tableswitch`; `None` for a `lookupswitch`.
    pub low: Option<i32>,
    pc: i32,
    cases: &'a [u8],
}

impl<'a> Switch<'a> {
    /// The number of cases.
    pub fn len(&self) -> usize {
        self.cases.len() / if self.low.is_some() { 4 } else { 8 }
    }

    /// Whether there is no case but the default.
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    /// The cases, in file order: keys with targets.
    pub fn cases(self) -> impl Iterator<Item = (i32, i32)> + use<'a> {
        let number = |bytes: &[u8], at| {
            bytes[at..]
                .first_chunk()
                .map_or(0, |bytes| i32::from_be_bytes(*bytes))
        };
        let row = if self.low.is_some() { 4 } else { 8 };
        self.cases
            .chunks_exact(row)
            .enumerate()
            .map(move |(i, bytes)| match self.low {
                Some(low) => (
                    low.wrapping_add(i as i32),
                    self.pc.saturating_add(number(bytes, 0)),
                ),
                None => (number(bytes, 0), self.pc.saturating_add(number(bytes, 4))),
            })
    }
}

/// Iterates over the instructions of a method; stops after the first error.
pub fn insns(code: &[u8]) -> Insns<'_> {
    Insns { code, pc: 0 }
}

/// See [`insns`].
#[derive(Clone, Debug)]
pub struct Insns<'a> {
    code: &'a [u8],
    pc: usize,
}

impl<'a> Iterator for Insns<'a> {
    type Item = Result<Insn<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Result<Insn<'a>>> {
        if self.pc >= self.code.len() {
            return None;
        }
        let insn = Insn::decode(self.code, self.pc);
        self.pc = match &insn {
            Ok(insn) => insn.next_pc(),
            Err(_) => self.code.len(),
        };
        Some(insn)
    }
}

#[cold]
fn bad(pc: usize, what: &str) -> Error {
    Error::rule(format_args!("{what} at code offset {pc}"))
}

fn u1(code: &[u8], at: usize, pc: usize) -> Result<u8> {
    code.get(at)
        .copied()
        .ok_or_else(|| bad(pc, "Truncated instruction"))
}

fn u2(code: &[u8], at: usize, pc: usize) -> Result<u16> {
    match code.get(at..).and_then(<[u8]>::first_chunk) {
        Some(bytes) => Ok(u16::from_be_bytes(*bytes)),
        None => Err(bad(pc, "Truncated instruction")),
    }
}

fn s4(code: &[u8], at: usize, pc: usize) -> Result<i32> {
    match code.get(at..).and_then(<[u8]>::first_chunk) {
        Some(bytes) => Ok(i32::from_be_bytes(*bytes)),
        None => Err(bad(pc, "Truncated instruction")),
    }
}

/// The byte after the padding of the switch at `pc`.
fn aligned(pc: usize) -> usize {
    (pc & !3) + 4
}

/// The number of cases of the switch at `pc`.
fn switch_cases(code: &[u8], pc: usize, table: bool) -> Result<usize> {
    let at = aligned(pc);
    let count = if table {
        let (low, high) = (s4(code, at + 4, pc)?, s4(code, at + 8, pc)?);
        if low > high {
            return Err(bad(
                pc,
                "low must be less than or equal to high in tableswitch",
            ));
        }
        i64::from(high) - i64::from(low) + 1
    } else {
        i64::from(s4(code, at + 4, pc)?)
    };
    // Bounded here so that nothing below can overflow.
    match usize::try_from(count) {
        Ok(count) if count <= code.len() => Ok(count),
        Ok(_) => Err(bad(pc, "Truncated instruction")),
        Err(_) => Err(bad(pc, "number of keys in lookupswitch less than 0")),
    }
}

#[inline]
pub(super) fn length(code: &[u8], pc: usize) -> Result<usize> {
    match code
        .get(pc)
        .map(|&opcode| usize::from(LENGTHS[usize::from(opcode)]))
    {
        Some(len) if len != 0 && len <= code.len() - pc => Ok(len),
        _ => odd_length(code, pc),
    }
}

/// Lengths of the instructions by opcode; 0 where the length varies or there is no such instruction.
static LENGTHS: [u8; 256] = {
    let mut lengths = [0; 256];
    let mut i = 0;
    while i < OPCODES.len() {
        if let Some(size) = OPCODES[i].operands.size() {
            lengths[i] = 1 + size as u8;
        }
        i += 1;
    }
    lengths
};

/// What the table doesn't know: instructions of varying length, and errors.
#[inline(never)]
fn odd_length(code: &[u8], pc: usize) -> Result<usize> {
    let opcode = u1(code, pc, pc)?;
    let row = info(opcode).ok_or_else(|| bad(pc, "Bad instruction"))?;
    let len = match (row.operands.size(), row.operands) {
        (Some(size), _) => 1 + size,
        (None, Operands::TableSwitch) => aligned(pc) + 12 + 4 * switch_cases(code, pc, true)? - pc,
        (None, Operands::LookupSwitch) => aligned(pc) + 8 + 8 * switch_cases(code, pc, false)? - pc,
        (None, _) => match info(u1(code, pc + 1, pc)?).map(|row| row.operands) {
            Some(Operands::Local) => 4,
            Some(Operands::Iinc) => 6,
            _ => return Err(bad(pc, "Bad wide instruction")),
        },
    };
    if len > code.len() - pc {
        return Err(bad(pc, "Truncated instruction"));
    }
    Ok(len)
}

impl<'a> Insn<'a> {
    /// Decodes the instruction at `pc`, which must lie wholly within `code`.
    pub fn decode(code: &'a [u8], pc: usize) -> Result<Insn<'a>> {
        let len = length(code, pc)?;
        let mut opcode = u1(code, pc, pc)?;
        let wide = opcode == super::WIDE;
        if wide {
            opcode = u1(code, pc + 1, pc)?;
        }
        let row = info(opcode).ok_or_else(|| bad(pc, "Bad instruction"))?;
        let branch = |offset: i32| Operand::Branch((pc as i32).saturating_add(offset));
        let operand = match row.operands {
            Operands::None | Operands::Wide => Operand::None,
            Operands::Byte => Operand::Immediate(i32::from(u1(code, pc + 1, pc)? as i8)),
            Operands::Short => Operand::Immediate(i32::from(u2(code, pc + 1, pc)? as i16)),
            Operands::Local if wide => Operand::Local(u2(code, pc + 2, pc)?),
            Operands::Local => Operand::Local(u1(code, pc + 1, pc)?.into()),
            Operands::Iinc if wide => Operand::Iinc {
                local: u2(code, pc + 2, pc)?,
                delta: u2(code, pc + 4, pc)? as i16,
            },
            Operands::Iinc => Operand::Iinc {
                local: u1(code, pc + 1, pc)?.into(),
                delta: (u1(code, pc + 2, pc)? as i8).into(),
            },
            Operands::Constant1 => Operand::Constant(u1(code, pc + 1, pc)?.into()),
            Operands::Constant2 | Operands::InvokeDynamic => {
                Operand::Constant(u2(code, pc + 1, pc)?)
            }
            Operands::Branch2 => branch(i32::from(u2(code, pc + 1, pc)? as i16)),
            Operands::Branch4 => branch(s4(code, pc + 1, pc)?),
            Operands::InvokeInterface => Operand::Interface {
                index: u2(code, pc + 1, pc)?,
                count: u1(code, pc + 3, pc)?,
            },
            Operands::NewArray => Operand::ArrayType(u1(code, pc + 1, pc)?),
            Operands::MultiANewArray => Operand::MultiArray {
                index: u2(code, pc + 1, pc)?,
                dimensions: u1(code, pc + 3, pc)?,
            },
            format @ (Operands::TableSwitch | Operands::LookupSwitch) => {
                let table = format == Operands::TableSwitch;
                let at = aligned(pc);
                let cases = at + if table { 12 } else { 8 };
                Operand::Switch(Switch {
                    default: (pc as i32).saturating_add(s4(code, at, pc)?),
                    low: if table {
                        Some(s4(code, at + 4, pc)?)
                    } else {
                        None
                    },
                    pc: pc as i32,
                    cases: code
                        .get(cases..pc + len)
                        .ok_or_else(|| bad(pc, "Truncated instruction"))?,
                })
            }
        };
        Ok(Insn {
            pc,
            opcode,
            wide,
            len,
            operand,
        })
    }
}

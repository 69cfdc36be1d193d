//! The instruction set (JVMS 6.5): [`table`](OPCODES), lengths, and the instruction decoder.

mod insn;
mod table;

pub use insn::{Insn, Insns, Operand, Switch, insns};
pub use table::*;

use crate::error::Result;

/// How an instruction's operands are laid out in the bytes after the opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Nothing.
    None,
    /// A signed byte (`bipush`).
    Byte,
    /// A signed 16-bit number (`sipush`).
    Short,
    /// A local variable: 8 bits, 16 after `wide`.
    Local,
    /// A local variable and a signed constant: 8 bits each, 16 after `wide`.
    Iinc,
    /// An 8-bit constant-pool index.
    Constant1,
    /// A 16-bit constant-pool index.
    Constant2,
    /// A signed 16-bit branch offset.
    Branch2,
    /// A signed 32-bit branch offset.
    Branch4,
    /// Padding, default, low, high, offsets.
    TableSwitch,
    /// Padding, default, count, pairs of key and offset.
    LookupSwitch,
    /// A 16-bit constant-pool index, the argument slots, zero.
    InvokeInterface,
    /// A 16-bit constant-pool index, two zeros.
    InvokeDynamic,
    /// A primitive array type, 4 to 11.
    NewArray,
    /// A 16-bit constant-pool index and a number of dimensions.
    MultiANewArray,
    /// Another opcode with 16-bit operands.
    Wide,
}

impl Operands {
    /// The bytes after the opcode; `None` where that varies.
    pub const fn size(self) -> Option<usize> {
        Some(match self {
            Operands::None => 0,
            Operands::Byte | Operands::Local | Operands::Constant1 | Operands::NewArray => 1,
            Operands::Short | Operands::Iinc | Operands::Constant2 | Operands::Branch2 => 2,
            Operands::MultiANewArray => 3,
            Operands::Branch4 | Operands::InvokeInterface | Operands::InvokeDynamic => 4,
            Operands::TableSwitch | Operands::LookupSwitch | Operands::Wide => return None,
        })
    }
}

impl Opcode {
    /// How many slots it pops; `None` where the operands decide.
    pub fn pop_slots(&self) -> Option<u16> {
        slots(self.pop)
    }

    /// How many slots it pushes; `None` where the operands decide.
    pub fn push_slots(&self) -> Option<u16> {
        slots(self.push)
    }
}

fn slots(letters: &str) -> Option<u16> {
    let mut slots = 0;
    for letter in letters.bytes() {
        slots += match letter {
            b'*' => return None,
            b'J' | b'D' => 2,
            _ => 1,
        };
    }
    Some(slots)
}

/// The table's row for an opcode; `None` for bytes that aren't one.
#[inline]
pub fn info(opcode: u8) -> Option<&'static Opcode> {
    OPCODES.get(usize::from(opcode))
}

/// The mnemonic; `illegal` for bytes that aren't an opcode.
pub fn name(opcode: u8) -> &'static str {
    info(opcode).map_or("illegal", |row| row.mnemonic)
}

/// The length in bytes of the instruction at `pc`, which lies wholly within `code`.
#[inline]
pub fn length(code: &[u8], pc: usize) -> Result<usize> {
    insn::length(code, pc)
}

/// Whether the instruction never falls through to the next one.
pub fn ends_block(opcode: u8) -> bool {
    matches!(
        opcode,
        GOTO | GOTO_W | JSR | JSR_W | RET | TABLESWITCH | LOOKUPSWITCH | IRETURN..=RETURN | ATHROW
    )
}

/// The Java name of `newarray`'s element type, by its operand (JVMS table 6.5.newarray-A).
pub fn array_type_name(atype: u8) -> Option<&'static str> {
    Some(match atype {
        4 => "boolean",
        5 => "char",
        6 => "float",
        7 => "double",
        8 => "byte",
        9 => "short",
        10 => "int",
        11 => "long",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_byte() {
        assert_eq!(OPCODES.len(), 202);
        for (index, row) in OPCODES.iter().enumerate() {
            assert_eq!(usize::from(row.byte), index, "{}", row.mnemonic);
            assert!(
                row.pop
                    .bytes()
                    .chain(row.push.bytes())
                    .all(|b| b"IJFDA1*".contains(&b))
            );
        }
        assert_eq!(
            (name(ALOAD_0), name(IF_ACMPNE), name(JSR_W)),
            ("aload_0", "if_acmpne", "jsr_w")
        );
        assert_eq!((name(0xCA), info(0xFF)), ("illegal", None));
    }

    #[test]
    fn stack_effects() {
        let effect = |op| {
            info(op)
                .map(|row| (row.pop_slots(), row.push_slots()))
                .unwrap()
        };
        assert_eq!(effect(LASTORE), (Some(4), Some(0)));
        assert_eq!(effect(DUP2_X2), (Some(4), Some(6)));
        assert_eq!(effect(LCMP), (Some(4), Some(1)));
        assert_eq!(effect(LSHL), (Some(3), Some(2)));
        assert_eq!(effect(GETFIELD), (Some(1), None));
    }

    #[test]
    fn decodes_every_format() {
        let mut code = vec![BIPUSH, 0xFF, SIPUSH, 0x80, 0, ILOAD, 200, IINC, 1, 0xFE];
        code.extend([
            WIDE, IINC, 1, 0, 0xFF, 0, WIDE, RET, 1, 2, LDC, 255, GETSTATIC, 1, 0,
        ]);
        code.extend([
            INVOKEINTERFACE,
            0,
            9,
            3,
            0,
            MULTIANEWARRAY,
            0,
            5,
            2,
            NEWARRAY,
            10,
        ]);
        code.extend([IFEQ, 0xFF, 0xFF, GOTO_W, 0, 0, 1, 0, RETURN]);
        let decoded: Result<Vec<_>> = insns(&code).collect();
        let decoded: Vec<_> = decoded
            .unwrap()
            .iter()
            .map(|i| format!("{:?}", i.operand))
            .collect();
        assert_eq!(
            decoded[..5],
            [
                "Immediate(-1)",
                "Immediate(-32768)",
                "Local(200)",
                "Iinc { local: 1, delta: -2 }",
                "Iinc { local: 256, delta: -256 }",
            ]
        );
        assert_eq!(
            decoded[5..],
            [
                "Local(258)",
                "Constant(255)",
                "Constant(256)",
                "Interface { index: 9, count: 3 }",
                "MultiArray { index: 5, dimensions: 2 }",
                "ArrayType(10)",
                "Branch(35)",
                "Branch(295)",
                "None",
            ]
        );
    }

    #[test]
    fn decodes_switches_at_every_alignment() {
        for pad in 0..4 {
            let mut code = vec![NOP; pad];
            code.push(TABLESWITCH);
            code.resize(code.len().next_multiple_of(4), 0);
            for number in [100, -1, 1, 10, 20, 30] {
                code.extend(i32::to_be_bytes(number));
            }
            let insn = Insn::decode(&code, pad).unwrap();
            assert_eq!(insn.next_pc(), code.len());
            let Operand::Switch(switch) = insn.operand else {
                panic!("{insn:?}")
            };
            let pc = pad as i32;
            assert_eq!(switch.default, pc + 100);
            let cases: Vec<_> = switch.cases().collect();
            assert_eq!(cases, [(-1, pc + 10), (0, pc + 20), (1, pc + 30)]);

            code[pad] = LOOKUPSWITCH;
            code.truncate(code.len() - 24);
            for number in [7, 2, -5, 10, 5, 20] {
                code.extend(i32::to_be_bytes(number));
            }
            let Operand::Switch(switch) = Insn::decode(&code, pad).unwrap().operand else {
                panic!("no switch")
            };
            assert_eq!((switch.len(), switch.default), (2, pc + 7));
            assert_eq!(
                switch.cases().collect::<Vec<_>>(),
                [(-5, pc + 10), (5, pc + 20)]
            );
        }
    }

    #[test]
    fn malformed_code_is_an_error() {
        let mut huge = vec![TABLESWITCH, 0, 0, 0, 0, 0, 0, 0];
        huge.extend(i32::MIN.to_be_bytes());
        huge.extend(i32::MAX.to_be_bytes());
        let mut negative = vec![LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 0];
        negative.extend((-1i32).to_be_bytes());
        let bad: [&[u8]; 8] = [
            &[0xCA],
            &[BIPUSH],
            &[WIDE],
            &[WIDE, NOP, 0, 0],
            &[WIDE, WIDE, 0, 0],
            &[GOTO_W, 0, 0, 0],
            &huge,
            &negative,
        ];
        for code in bad {
            assert!(length(code, 0).is_err(), "{code:?}");
            assert_eq!(insns(code).filter(Result::is_err).count(), 1);
        }
        assert!(length(&[NOP], 1).is_err());
    }
}

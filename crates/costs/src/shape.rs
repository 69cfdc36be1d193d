//! What a cost model wants to know of a method's code: its instructions with the sizes of their operands.

use crate::expr::{self, VARIABLES, Values};
use rjvm_classfile::descriptor::{FieldType, MethodDescriptor};
use rjvm_classfile::opcodes::{
    self, INVOKEDYNAMIC, INVOKEINTERFACE, INVOKESPECIAL, INVOKESTATIC, INVOKEVIRTUAL, Operand,
    insns,
};
use rjvm_classfile::{ClassFile, CodeAttribute, Constant, MethodInfo, Result, access};

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// Its index in the code.
    pub pc: u16,
    /// Its opcode; for a `wide` instruction, the widened opcode.
    pub opcode: u8,
    /// The kind of its operand, see [`KINDS`](crate::opcodes::KINDS).
    pub(crate) kind: Option<&'static str>,
    pub(crate) values: Values,
    /// Name and descriptor of the method it names, if it calls one.
    pub(crate) target: Option<(String, String)>,
}

/// The code of a method.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Its instructions, in the order of the code.
    pub instructions: Vec<Instruction>,
    /// Its length in bytes.
    pub bytes: u32,
    /// Is it a synchronized method?
    pub synchronized: bool,
}

impl Shape {
    /// The shape of a method of a class.
    pub fn of(class: &ClassFile, method: &MethodInfo, code: &CodeAttribute) -> Result<Shape> {
        let mut instructions = Vec::new();
        for insn in insns(&code.code) {
            let insn = insn?;
            let mut new = Instruction {
                pc: insn.pc as u16,
                opcode: insn.opcode,
                kind: None,
                values: [0.0; VARIABLES.len()],
                target: None,
            };
            new.set("wide", f64::from(u8::from(insn.wide)));
            match insn.operand {
                Operand::Local(local) | Operand::Iinc { local, .. } => {
                    new.set("local", local.into());
                }
                Operand::Constant(index) => new.constant(class, index)?,
                Operand::Interface { index, .. } => new.constant(class, index)?,
                Operand::MultiArray { dimensions, .. } => {
                    new.set("dimensions", dimensions.into());
                }
                Operand::ArrayType(atype) => new.kind = opcodes::array_type_name(atype),
                Operand::Switch(switch) => new.set("cases", switch.cases().count() as f64),
                _ => {}
            }
            instructions.push(new);
        }
        Ok(Shape {
            instructions,
            bytes: code.code.len() as u32,
            synchronized: method.access_flags & access::SYNCHRONIZED != 0,
        })
    }

    /// The instruction at an index of the code.
    pub fn at(&self, pc: u16) -> Option<usize> {
        let found = self.instructions.binary_search_by_key(&pc, |i| i.pc);
        found.ok()
    }
}

impl Instruction {
    fn set(&mut self, variable: &str, value: f64) {
        if let Some(index) = expr::VARIABLES.iter().position(|v| *v == variable) {
            self.values[index] = value;
        }
    }

    fn constant(&mut self, class: &ClassFile, index: u16) -> Result<()> {
        let pool = &class.constant_pool;
        match self.opcode {
            INVOKEVIRTUAL | INVOKESPECIAL | INVOKESTATIC | INVOKEINTERFACE => {
                let member = pool.member_ref(index)?;
                self.calls(member.name, member.descriptor, self.opcode == INVOKESTATIC)
            }
            INVOKEDYNAMIC => {
                let (_, name, descriptor) = pool.dynamic(index)?;
                self.calls(name, descriptor, true)
            }
            _ => {
                let constant = pool.get(index)?;
                let field = match constant {
                    Constant::Integer(_) => Some("int"),
                    Constant::Float(_) => Some("float"),
                    Constant::Long(_) => Some("long"),
                    Constant::Double(_) => Some("double"),
                    Constant::String { .. } => Some("string"),
                    Constant::Class { .. } => Some("class"),
                    Constant::Fieldref { .. } => {
                        let field = FieldType::parse(pool.member_ref(index)?.descriptor)?;
                        self.set("slots", field.slots().into());
                        Some(kind(field))
                    }
                    _ => None,
                };
                self.kind = field;
                Ok(())
            }
        }
    }

    fn calls(&mut self, name: &str, descriptor: &str, is_static: bool) -> Result<()> {
        let parsed = MethodDescriptor::parse(descriptor)?;
        self.set("arguments", parsed.argument_slots(is_static).into());
        self.set("slots", parsed.return_slots().into());
        self.target = Some((name.to_owned(), descriptor.to_owned()));
        Ok(())
    }
}

/// The kind of a field.
fn kind(field: FieldType<'_>) -> &'static str {
    match field.letter() {
        b'Z' => "boolean",
        b'B' => "byte",
        b'C' => "char",
        b'S' => "short",
        b'I' => "int",
        b'J' => "long",
        b'F' => "float",
        b'D' => "double",
        _ => "reference",
    }
}

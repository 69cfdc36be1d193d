//! The static constraints (JVMS 4.9.1): instructions one after the other, their operands, and the
//! exception table.

use super::types::{CLASS, OBJECT, STRING, Type};
use super::{ExceptionRow, MethodInference, VerifyStop};
use crate::verify::types::RefType;
use crate::verify::world::World;
use rjvm_classfile::descriptor::{FieldType, MethodDescriptor};
use rjvm_classfile::opcodes::{self as op, Insn, Operand};
use rjvm_classfile::{Constant, MemberRef};
use smallvec::SmallVec;

/// An instruction with its operand looked up.
pub struct ResolvedInsn {
    /// Where it begins.
    pub pc: u16,
    /// The opcode, without `wide`.
    pub opcode: u8,
    /// `invokespecial` of a constructor.
    pub init: bool,
    /// Names a protected member of a superclass in another package.
    pub protected: bool,
    /// The operand.
    pub arg: OperandArg,
}

/// An operand.
pub enum OperandArg {
    /// None that matters.
    None,
    /// A local.
    Local(u16),
    /// Numbers of the instructions that are branched to.
    Targets(Vec<u32>),
    /// A type; for `new`, its type after initialization.
    Type(Type),
    /// `multianewarray`
    Array(Type, u8),
    /// A field: class, its type, and whether the class declares it itself.
    Field(Type, Type, bool),
    /// A method.
    Method(Box<CalledMethod>),
}

/// A method that is called.
pub struct CalledMethod {
    /// The class named.
    pub class: Type,
    /// Types of the parameters.
    pub args: SmallVec<[Type; 6]>,
    /// Type of the result.
    pub result: Option<Type>,
    /// `Object.clone()`, which arrays have in public.
    pub is_object_clone: bool,
    /// The descriptor, if there are more than 255 arguments with the receiver.
    pub too_many: Option<Box<str>>,
}

impl<W: World> MethodInference<'_, W> {
    /// Numbers the instructions.
    pub(super) fn scan(&mut self) -> Result<(), VerifyStop<W::Error>> {
        let code = &self.code.code;
        self.number = vec![u32::MAX; code.len()];
        let mut pc = 0;
        while pc < code.len() {
            let Ok(len) = op::length(code, pc) else {
                return Err(self.fail(match is_cut_off(code, pc) {
                    true => {
                        format!("Code stops in the middle of instruction  starting at offset {pc}")
                    }
                    false => format!("Illegal instruction found at offset {pc}"),
                }));
            };
            self.number[pc] = self.pcs.len() as u32;
            self.pcs.push(pc as u16);
            pc += len;
        }
        Ok(())
    }

    fn target(&self, pc: i32, message: &str) -> Result<u32, VerifyStop<W::Error>> {
        let number = usize::try_from(pc).ok().and_then(|pc| self.number.get(pc));
        match number {
            Some(&n) if n != u32::MAX => Ok(n),
            _ => Err(self.fail(message)),
        }
    }

    /// Checks the operands of all instructions.
    pub(super) fn operands(&mut self) -> Result<(), VerifyStop<W::Error>> {
        let code = self.code;
        for i in 0..self.pcs.len() {
            let pc = usize::from(self.pcs[i]);
            let insn = match Insn::decode(&code.code, pc) {
                Ok(insn) => insn,
                Err(_) => {
                    return Err(self.fail(format!("Illegal instruction found at offset {pc}")));
                }
            };
            let (mut init, mut protected) = (false, false);
            let arg = match insn.opcode {
                op::LDC | op::LDC_W | op::LDC2_W => OperandArg::Type(self.loadable(&insn)?),
                op::GETSTATIC..=op::PUTFIELD => self.field_operand(&insn, &mut protected)?,
                op::INVOKEDYNAMIC => {
                    return Err(self.fail(
                        "invokedynamic bytecode is not supported in this class file version",
                    ));
                }
                op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                    self.method_operand(&insn, &mut init, &mut protected)?
                }
                op::TABLESWITCH | op::LOOKUPSWITCH => self.switch(&insn)?,
                _ => self.plain(&insn)?,
            };
            if matches!(insn.opcode, op::JSR | op::JSR_W)
                && let OperandArg::Targets(t) = &arg
            {
                self.calls.push((t[0], i as u32));
            }
            self.ops.push(ResolvedInsn {
                pc: insn.pc as u16,
                opcode: insn.opcode,
                init,
                protected,
                arg,
            });
        }
        Ok(())
    }

    fn plain(&mut self, insn: &Insn<'_>) -> Result<OperandArg, VerifyStop<W::Error>> {
        let local = match insn.operand {
            Operand::Local(l) | Operand::Iinc { local: l, .. } => Some(l),
            _ => match insn.opcode {
                o @ op::ILOAD_0..=op::ALOAD_3 => Some(u16::from(o - op::ILOAD_0) % 4),
                o @ op::ISTORE_0..=op::ASTORE_3 => Some(u16::from(o - op::ISTORE_0) % 4),
                _ => None,
            },
        };
        if let Some(l) = local {
            let wide = op::info(insn.opcode)
                .is_some_and(|o| matches!(o.pop, "J" | "D") || matches!(o.push, "J" | "D"));
            if usize::from(l) + usize::from(wide) >= usize::from(self.code.max_locals) {
                return Err(self.fail("Illegal local variable number"));
            }
            return Ok(OperandArg::Local(l));
        }
        Ok(match insn.operand {
            Operand::Branch(t) => {
                OperandArg::Targets(vec![self.target(t, "Illegal target of jump or branch")?])
            }
            Operand::ArrayType(n) => match b"ZCFDBSIJ".get(usize::from(n.wrapping_sub(4))) {
                Some(&p) => OperandArg::Type(Type::Prims(1, p)),
                None => return Err(self.fail("Bad type passed to newarray")),
            },
            Operand::MultiArray { index, dimensions } => {
                let t = self.class_constant(index)?;
                let dims = match t {
                    Type::Objects(d, _) | Type::Prims(d, _) => d,
                    _ => 0,
                };
                if dimensions == 0 || dimensions > dims {
                    return Err(self.fail("Illegal dimension argument"));
                }
                OperandArg::Array(t, dimensions)
            }
            Operand::Constant(index) => {
                let t = self.class_constant(index)?;
                match (insn.opcode, t) {
                    (op::ANEWARRAY, _) => match t.array() {
                        Some(t) => OperandArg::Type(t),
                        None => return Err(self.fail("Array with too many dimensions")),
                    },
                    (op::NEW, Type::Object(_)) => OperandArg::Type(t),
                    (op::NEW, _) => {
                        return Err(self.fail("Illegal creation of multi-dimensional array"));
                    }
                    _ => OperandArg::Type(t),
                }
            }
            _ => OperandArg::None,
        })
    }

    fn switch(&mut self, insn: &Insn<'_>) -> Result<OperandArg, VerifyStop<W::Error>> {
        let Operand::Switch(sw) = insn.operand else {
            return Ok(OperandArg::None);
        };
        let padding = &self.code.code[insn.pc + 1..(insn.pc & !3) + 4];
        if self.cf.major < 51 && padding.iter().any(|&b| b != 0) {
            return Err(self.fail("Non zero padding bytes in switch"));
        }
        if insn.opcode == op::LOOKUPSWITCH && !sw.cases().is_sorted_by(|a, b| a.0 < b.0) {
            return Err(self.fail("Unsorted lookup switch"));
        }
        let mut targets = vec![self.target(sw.default, "Illegal default target in switch")?];
        for (_, t) in sw.cases() {
            targets.push(self.target(t, "Illegal branch in tableswitch")?);
        }
        Ok(OperandArg::Targets(targets))
    }

    fn constant(&self, index: u16) -> Result<Constant, VerifyStop<W::Error>> {
        let pool = &self.cf.constant_pool;
        pool.get(index).map_err(|_| {
            self.fail(match usize::from(index) {
                i if i == 0 || i >= pool.len() => "Illegal constant pool index",
                _ => "Illegal type in constant pool",
            })
        })
    }

    fn bad_constant(&self) -> VerifyStop<W::Error> {
        self.fail("Illegal type in constant pool")
    }

    fn class_constant(&mut self, index: u16) -> Result<Type, VerifyStop<W::Error>> {
        let Constant::Class { .. } = self.constant(index)? else {
            return Err(self.bad_constant());
        };
        let name = self.class_name(index)?;
        Ok(self.classes.of_class(name))
    }

    fn loadable(&mut self, insn: &Insn<'_>) -> Result<Type, VerifyStop<W::Error>> {
        let Operand::Constant(index) = insn.operand else {
            return Ok(Type::Bogus);
        };
        let (two, major) = (insn.opcode == op::LDC2_W, self.cf.major);
        Ok(match self.constant(index)? {
            Constant::Long(_) if two => Type::Long,
            Constant::Double(_) if two => Type::Double,
            _ if two => return Err(self.bad_constant()),
            Constant::Integer(_) => Type::Int,
            Constant::Float(_) => Type::Float,
            Constant::String { .. } => Type::Object(STRING),
            Constant::Class { .. } if major >= 49 => Type::Object(CLASS),
            _ => return Err(self.bad_constant()),
        })
    }

    /// A member reference, and the class it names.
    fn member(
        &mut self,
        index: u16,
        ok: fn(&Constant) -> bool,
    ) -> Result<(MemberRef<'_>, Type), VerifyStop<W::Error>> {
        let constant = self.constant(index)?;
        let (Constant::Fieldref { class, .. }
        | Constant::Methodref { class, .. }
        | Constant::InterfaceMethodref { class, .. }) = constant
        else {
            return Err(self.bad_constant());
        };
        if !ok(&constant) {
            return Err(self.bad_constant());
        }
        let t = self.class_constant(class)?;
        match self.cf.constant_pool.member_ref(index) {
            Ok(m) => Ok((m, t)),
            Err(_) => Err(self.bad_constant()),
        }
    }

    /// Whether the member is a protected one of a superclass in another package (4.10.1.8).
    fn is_protected(&self, class: &str, m: &MemberRef<'_>, is_method: bool) -> bool {
        self.supers.iter().any(|s| **s == *class)
            && self.w.is_protected(class, m.name, m.descriptor, is_method)
    }

    fn field_operand(
        &mut self,
        insn: &Insn<'_>,
        protected: &mut bool,
    ) -> Result<OperandArg, VerifyStop<W::Error>> {
        let Operand::Constant(index) = insn.operand else {
            return Ok(OperandArg::None);
        };
        let (_, class) = self.member(index, |c| matches!(c, Constant::Fieldref { .. }))?;
        let cf = self.cf;
        let pool = &cf.constant_pool;
        let m = pool.member_ref(index).map_err(|_| self.bad_constant())?;
        let t = FieldType::parse(m.descriptor).map_err(|_| self.bad_constant())?;
        let t = self.classes.of(t);
        if matches!(insn.opcode, op::GETFIELD | op::PUTFIELD) {
            *protected = self.is_protected(m.class, &m, false);
        }
        let declared = class == self.this
            && cf.fields.iter().any(|f| {
                pool.str(f.name).is_ok_and(|n| n == m.name)
                    && pool.str(f.descriptor).is_ok_and(|d| d == m.descriptor)
            });
        Ok(OperandArg::Field(class, t, declared))
    }

    fn method_operand(
        &mut self,
        insn: &Insn<'_>,
        init: &mut bool,
        protected: &mut bool,
    ) -> Result<OperandArg, VerifyStop<W::Error>> {
        let (Operand::Constant(index) | Operand::Interface { index, .. }) = insn.operand else {
            return Ok(OperandArg::None);
        };
        let (_, class) = match insn.opcode {
            op::INVOKEINTERFACE => {
                self.member(index, |c| matches!(c, Constant::InterfaceMethodref { .. }))?
            }
            _ => self.member(index, |c| matches!(c, Constant::Methodref { .. }))?,
        };
        let cf = self.cf;
        let m = cf
            .constant_pool
            .member_ref(index)
            .map_err(|_| self.bad_constant())?;
        let d = MethodDescriptor::parse(m.descriptor).map_err(|_| self.bad_constant())?;
        if m.name == "<init>" {
            if insn.opcode != op::INVOKESPECIAL {
                return Err(self.fail("Must call initializers using invokespecial"));
            }
            *init = true;
        } else if m.name.starts_with('<') {
            return Err(self.fail("Illegal call to internal method"));
        } else if insn.opcode == op::INVOKESPECIAL
            && class != self.this
            && !matches!(class, Type::Object(_) if self.supers.iter().any(|s| **s == *m.class))
        {
            return Err(self.fail("Illegal use of nonvirtual function call"));
        }
        if let Operand::Interface { count, .. } = insn.operand {
            if u16::from(count) != d.argument_slots(false) {
                return Err(self.fail("Inconsistent args_size for invokeinterface"));
            }
            if self.code.code[insn.pc + 4] != 0 {
                return Err(self.fail("Fourth operand byte of invokeinterface must be zero"));
            }
        }
        if matches!(insn.opcode, op::INVOKEVIRTUAL | op::INVOKESPECIAL) {
            *protected = self.is_protected(m.class, &m, true);
        }
        let args: SmallVec<[Type; 6]> = d.parameters().map(|t| self.classes.of(t)).collect();
        let receiver = usize::from(insn.opcode != op::INVOKESTATIC);
        let too_many = (args.len() + receiver > 255).then(|| m.descriptor.into());
        Ok(OperandArg::Method(Box::new(CalledMethod {
            class,
            args,
            too_many,
            result: d.return_type.map(|t| self.classes.of(t)),
            is_object_clone: class == Type::Object(OBJECT) && m.name == "clone",
        })))
    }

    /// Checks the exception table; caught types must be throwable.
    pub(super) fn exception_table(&mut self) -> Result<(), VerifyStop<W::Error>> {
        let code = self.code;
        if code.max_stack < 1 && !code.exceptions.is_empty() {
            return Err(self.fail("Stack size too large"));
        }
        let count = self.pcs.len() as u32;
        for e in code.exceptions.iter().rev() {
            let legal = |pc: u16| {
                let n = self.number.get(usize::from(pc)).copied();
                n.filter(|&n| n != u32::MAX)
            };
            let at_end = usize::from(e.end_pc) == code.code.len();
            let end = if at_end { Some(count) } else { legal(e.end_pc) };
            let (Some(start), Some(end)) = (legal(e.start_pc), end) else {
                return Err(self.format_error("Illegal exception table range"));
            };
            if start >= end {
                return Err(self.format_error("Illegal exception table range"));
            }
            let Some(target) = legal(e.handler_pc).filter(|_| e.handler_pc > 0) else {
                return Err(self.format_error("Illegal exception table handler"));
            };
            let throwable = Type::Object(super::types::THROWABLE);
            let mut catch = throwable;
            if e.catch_type != 0 {
                let name = self.class_name(e.catch_type)?;
                // not as an array: the name of one is no class's name here
                catch = match RefType::of_class_name(name) {
                    r if r.is_array() => self.classes.of_class(name),
                    r => Type::Object(self.classes.name(r.name)),
                };
                if !self.classes.assignable(self.w, catch, throwable)? {
                    return Err(self.fail("catch_type not a subclass of Throwable"));
                }
            }
            self.handlers.push(ExceptionRow {
                range: start..end,
                target,
                catch,
            });
        }
        Ok(())
    }
}

/// Whether the instruction at `pc` is a good one except for the end of the code.
fn is_cut_off(code: &[u8], pc: usize) -> bool {
    let word = |i: usize| {
        let bytes = code.get((pc & !3) + 4 + 4 * i..)?;
        bytes
            .first_chunk()
            .map(|b| i64::from(i32::from_be_bytes(*b)))
    };
    match code[pc] {
        op::TABLESWITCH => match (word(1), word(2)) {
            (Some(low), Some(high)) => (0..=65535).contains(&(high - low)),
            _ => false,
        },
        op::LOOKUPSWITCH => word(1).is_some_and(|n| (0..65536).contains(&n)),
        op::WIDE => match code.get(pc + 1) {
            Some(&o) => matches!(
                o,
                op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET | op::IINC
            ),
            None => false,
        },
        o => op::info(o).is_some(),
    }
}

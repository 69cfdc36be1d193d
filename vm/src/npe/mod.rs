//! Messages of NullPointerExceptions thrown by instructions (JEP 358): which action failed, and
//! which expression was null, reported from the method's bytecode. The texts are HotSpot's.

mod cause;
mod stacks;

use crate::ids::MethodId;
use crate::natives::Env;
use cause::CauseWriter;
use rjvm_classfile::descriptor::{FieldType, MethodDescriptor};
use rjvm_classfile::opcodes::{self as op, Insn};
use rjvm_classfile::{ClassFile, CodeAttribute};
use stacks::Stacks;

/// The method under analysis.
struct AnalyzedMethod<'a> {
    cf: &'a ClassFile,
    code: &'a CodeAttribute,
    desc: MethodDescriptor<'a>,
    is_static: bool,
}

impl Env {
    /// The message for a null pointer found by the instruction at `bci`; `None` for instructions
    /// that find none, such as the call of the exception's own constructor.
    pub fn null_pointer_message(&self, m: MethodId, bci: i32) -> Option<String> {
        let method = self.0.method(m);
        let code = method.code()?;
        let subject = AnalyzedMethod {
            cf: code.cf,
            code: code.attr(),
            desc: MethodDescriptor::parse(self.0.syms.str(method.desc)).ok()?,
            is_static: method.is_static(),
        };
        message(&subject, usize::try_from(bci).ok()?)
    }
}

fn message(s: &AnalyzedMethod, bci: usize) -> Option<String> {
    let insn = Insn::decode(&s.code.code, bci).ok()?;
    let (action, depth) = failed_action(s, &insn)?;
    let stacks = Stacks::up_to(s, bci);
    let cause = CauseWriter::new(s, &stacks).cause(bci, depth);
    Some(action + &cause)
}

/// What the instruction could not do, and how deep in the operand stack the null reference lay.
fn failed_action(s: &AnalyzedMethod, insn: &Insn) -> Option<(String, usize)> {
    let load = |what| (format!("Cannot load from {what} array"), 1);
    let store = |what, depth| (format!("Cannot store to {what} array"), depth);
    Some(match insn.opcode {
        op::IALOAD => load("int"),
        op::LALOAD => load("long"),
        op::FALOAD => load("float"),
        op::DALOAD => load("double"),
        op::AALOAD => load("object"),
        op::BALOAD => load("byte/boolean"),
        op::CALOAD => load("char"),
        op::SALOAD => load("short"),
        op::IASTORE => store("int", 2),
        op::LASTORE => store("long", 3),
        op::FASTORE => store("float", 2),
        op::DASTORE => store("double", 3),
        op::AASTORE => store("object", 2),
        op::BASTORE => store("byte/boolean", 2),
        op::CASTORE => store("char", 2),
        op::SASTORE => store("short", 2),
        op::ARRAYLENGTH => ("Cannot read the array length".into(), 0),
        op::ATHROW => ("Cannot throw exception".into(), 0),
        op::MONITORENTER => ("Cannot enter synchronized block".into(), 0),
        op::MONITOREXIT => ("Cannot exit synchronized block".into(), 0),
        op::GETFIELD | op::PUTFIELD => {
            let field = s.cf.constant_pool.member_ref(constant(insn)?).ok()?;
            match insn.opcode {
                op::GETFIELD => (format!("Cannot read field \"{}\"", field.name), 0),
                _ => {
                    let slots = FieldType::parse(field.descriptor).ok()?.slots();
                    let text = format!("Cannot assign field \"{}\"", field.name);
                    (text, slots.into())
                }
            }
        }
        op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKEINTERFACE => {
            let callee = s.cf.constant_pool.member_ref(constant(insn)?).ok()?;
            // a constructor's receiver is never null: the exception was made by the program itself
            if callee.name == "<init>" {
                return None;
            }
            let d = MethodDescriptor::parse(callee.descriptor).ok()?;
            let text = format!("Cannot invoke \"{}\"", cause::method_text(&callee, &d));
            (text, d.parameter_slots.into())
        }
        _ => return None,
    })
}

/// The constant-pool index among an instruction's operands.
fn constant(insn: &Insn) -> Option<u16> {
    use rjvm_classfile::opcodes::Operand;
    match insn.operand {
        Operand::Constant(i) | Operand::Interface { index: i, .. } => Some(i),
        _ => None,
    }
}

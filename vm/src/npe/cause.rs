//! The expression that was null, as text.

use super::stacks::{OperandState, Stacks};
use super::{AnalyzedMethod, constant};
use rjvm_classfile::MemberRef;
use rjvm_classfile::descriptor::{FieldType, MethodDescriptor};
use rjvm_classfile::opcodes::{self as op, Insn, Operand};
use std::fmt::Write;

/// How many links of an access path are shown.
const MAX_LINKS: u32 = 5;

/// Writes expressions.
pub(super) struct CauseWriter<'a> {
    subject: &'a AnalyzedMethod<'a>,
    stacks: &'a Stacks,
    text: String,
}

impl<'a> CauseWriter<'a> {
    pub fn new(subject: &'a AnalyzedMethod<'a>, stacks: &'a Stacks) -> CauseWriter<'a> {
        CauseWriter {
            subject,
            stacks,
            text: String::new(),
        }
    }
    /// ` because "…" is null` for the value `depth` below the top of the stack at `bci`; empty
    /// where the expression has no text.
    pub fn cause(mut self, bci: usize, depth: usize) -> String {
        let Some(source) = self.source(bci, depth) else {
            return String::new();
        };
        let head = match source.opcode {
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => " because the return value of \"",
            _ => " because \"",
        };
        match self.expression(bci, depth, MAX_LINKS) {
            Some(()) => format!("{head}{}\" is null", self.text),
            None => String::new(),
        }
    }
    fn source(&self, bci: usize, depth: usize) -> Option<Insn<'a>> {
        let at = self.stacks.at(bci)?.source(depth)?;
        Insn::decode(&self.subject.code.code, at).ok()
    }
    /// Writes the expression, or nothing (`None`) where it has no text.
    fn expression(&mut self, bci: usize, depth: usize, links: u32) -> Option<()> {
        let rest = links.checked_sub(1)?;
        let insn = self.source(bci, depth)?;
        let pool = &self.subject.cf.constant_pool;
        let code = insn.opcode;
        if let Some(local) = loaded_local(&insn) {
            let stacks = self.stacks;
            self.local(insn.pc, local, stacks.at(bci)?);
            return Some(());
        }
        match code {
            op::ACONST_NULL => self.text.push_str("null"),
            op::ICONST_M1..=op::ICONST_5 => {
                let _ = write!(self.text, "{}", i32::from(code) - i32::from(op::ICONST_0));
            }
            op::BIPUSH | op::SIPUSH => {
                if let Operand::Immediate(n) = insn.operand {
                    let _ = write!(self.text, "{n}");
                }
            }
            op::IALOAD | op::AALOAD => {
                if self.expression(insn.pc, 1, rest).is_none() {
                    self.text.push_str("<array>");
                }
                self.text.push('[');
                if self.expression(insn.pc, 0, links).is_none() {
                    self.text.push_str("...");
                }
                self.text.push(']');
            }
            op::GETSTATIC => {
                let field = pool.member_ref(constant(&insn)?).ok()?;
                let _ = write!(self.text, "{}.{}", class_text(field.class), field.name);
            }
            op::GETFIELD => {
                let field = pool.member_ref(constant(&insn)?).ok()?;
                if self.expression(insn.pc, 0, rest).is_some() {
                    self.text.push('.');
                }
                self.text.push_str(field.name);
            }
            op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKESTATIC | op::INVOKEINTERFACE => {
                let callee = pool.member_ref(constant(&insn)?).ok()?;
                let d = MethodDescriptor::parse(callee.descriptor).ok()?;
                self.text.push_str(&method_text(&callee, &d));
            }
            _ => return None,
        }
        Some(())
    }
    /// A local variable's name at `bci`: from the class file, or its kind.
    fn local(&mut self, bci: usize, local: u16, stack: &OperandState) {
        let s = self.subject;
        let named = s.code.local_variables.iter().find(|v| {
            let start = usize::from(v.start_pc);
            v.index == local && bci >= start && bci < start + usize::from(v.length)
        });
        if let Some(v) = named
            && let Ok(name) = s.cf.constant_pool.str(v.name)
        {
            self.text.push_str(name);
            return;
        }
        let untouched = !stack.written(local);
        let _ = match parameter(s, local) {
            _ if local == 0 && !s.is_static && untouched => write!(self.text, "this"),
            Some(n) if untouched => write!(self.text, "<parameter{n}>"),
            _ => write!(self.text, "<local{local}>"),
        };
    }
}

/// The number of the parameter in this local, from 1 on.
fn parameter(s: &AnalyzedMethod, local: u16) -> Option<usize> {
    let mut slot = u16::from(!s.is_static);
    for (i, p) in s.desc.parameters().enumerate() {
        if (slot..slot + p.slots()).contains(&local) {
            return Some(i + 1);
        }
        slot += p.slots();
    }
    None
}

/// The local an `iload` or `aload` reads; other types never show in an expression.
fn loaded_local(insn: &Insn) -> Option<u16> {
    match (insn.opcode, insn.operand) {
        (op::ILOAD | op::ALOAD, Operand::Local(l)) => Some(l),
        (c @ op::ILOAD_0..=op::ILOAD_3, _) => Some((c - op::ILOAD_0).into()),
        (c @ op::ALOAD_0..=op::ALOAD_3, _) => Some((c - op::ALOAD_0).into()),
        _ => None,
    }
}

/// A class as these messages name it: the two commonest without their package.
fn class_text(name: &str) -> String {
    match name {
        "java/lang/Object" => "Object".into(),
        "java/lang/String" => "String".into(),
        _ => name.replace('/', "."),
    }
}

/// `p.C.m(int, String)`.
pub(super) fn method_text(callee: &MemberRef, d: &MethodDescriptor) -> String {
    let params: Vec<String> = d.parameters().map(parameter_text).collect();
    let class = class_text(callee.class);
    format!("{class}.{}({})", callee.name, params.join(", "))
}

/// A parameter's type: HotSpot cuts the package off every name that begins like the commonest two.
fn parameter_text(t: FieldType) -> String {
    let text = t.java().to_string();
    match text.strip_prefix("java.lang.") {
        Some(rest) if rest.starts_with("Object") || rest.starts_with("String") => rest.to_string(),
        _ => text,
    }
}

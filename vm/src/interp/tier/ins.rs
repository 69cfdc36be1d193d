//! Instructions to be compiled, and places in memory that code of several kinds needs.

use crate::classes::Method;
use crate::interp::frame::Frame;
use crate::interp::insn::{Call, Layout};
use crate::interp::instruction::{ENDS, Insn, TemplateOp};
use rjvm_profiler::cct::ContextNode;
use std::mem::offset_of;

pub(super) const FRAME: i32 = size_of::<Frame>() as i32;
pub(super) const RIP: i32 = offset_of!(Frame, rip) as i32;
pub(super) const FP: i32 = offset_of!(Frame, fp) as i32;
pub(super) const TICKS: i32 = offset_of!(Frame, ticks) as i32;
pub(super) const METHOD: i32 = offset_of!(Frame, method) as i32;
pub(super) const INCLUSIVE: i32 = offset_of!(ContextNode, inclusive) as i32;
pub(super) const INVOCATIONS: i32 = offset_of!(ContextNode, invocations) as i32;
pub(super) const CALLED: i32 = offset_of!(ContextNode, method) as i32;
pub(super) const ENTRY: i32 = offset_of!(Method, entry) as i32;
/// The largest object whose words are cleared one by one.
pub(super) const CLEARED: u32 = 128;

/// An instruction to be compiled.
pub(super) struct Ins<'a> {
    /// Byte offset.
    pub off: u32,
    pub insn: Option<&'a Insn>,
    pub words: &'a [u64],
    /// What it does by itself.
    pub handler: u64,
    /// Control may come to it from elsewhere than the instruction before.
    pub target: bool,
    /// Compiled code is entered at it.
    pub entry: bool,
    /// It is a call, and has that number among those that are inlined.
    pub inlined: Option<usize>,
}

impl Ins<'_> {
    pub fn half(&self, at: usize) -> u16 {
        (self.words[at / 8] >> (at % 8 * 8)) as u16
    }
    pub fn int(&self, at: usize) -> i32 {
        (self.words[at / 8] >> (at % 8 * 8)) as i32
    }
    pub fn returns(&self) -> bool {
        let is_return = |i: &Insn| matches!(i.op, TemplateOp::Return { .. });
        self.insn.is_some_and(is_return)
    }
    /// Its operands, if it is a call that has a template.
    pub fn call(&self) -> Option<Call> {
        let is_call = |i: &&Insn| matches!(i.op, TemplateOp::Call { .. });
        self.insn.filter(is_call).map(|_| Call::read(self.words))
    }
}

/// Whether control may come to the next instruction.
pub(super) fn goes_on(x: &Ins<'_>) -> bool {
    x.insn.is_none_or(|i| i.does & ENDS == 0)
}

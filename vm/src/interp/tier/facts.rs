//! Facts about slots: which ones have an object, not null, and whether rax has the value of one.
//!
//! An instruction that found an object in a slot comes before all code for which that is a fact, however it was executed. So the fact
//! holds where control comes back from handlers, too, but not where branches lead.

use super::asm::RAX;
use super::template::{CodeBuilder, Ins, Val};
use crate::interp::insn::Operand;

/// See the module.
#[derive(Clone, Default, Debug)]
pub(super) struct Facts {
    objects: Vec<u16>,
    /// Slots with `this` of the methods whose code is being made, if these never change it.
    pub receivers: Vec<u16>,
    /// The instruction at whose beginning rax has the value of that slot.
    pub rax: Option<(usize, u16)>,
}

impl Facts {
    /// Control comes from elsewhere, too.
    pub fn join(&mut self) {
        self.objects.clear();
        self.rax = None;
    }
    /// A call has used all slots from that one on.
    pub fn remove_from(&mut self, first: u16) {
        self.objects.retain(|&n| n < first);
        self.rax = None;
    }
    pub fn remove(&mut self, n: u16) {
        self.objects.retain(|&o| o != n);
        self.rax = self.rax.filter(|r| r.1 != n);
    }
    pub fn add(&mut self, n: u16) {
        if !self.has(n) {
            self.objects.push(n);
        }
    }
    /// Whether the slot has an object.
    pub fn has(&self, n: u16) -> bool {
        self.objects.contains(&n) || self.receivers.contains(&n)
    }
}

impl CodeBuilder<'_> {
    /// The slot with an operand's value.
    fn slot_of(&self, v: Val) -> Option<u16> {
        match v {
            Val::Slot(n) => Some(n),
            Val::Acc => self.acc,
            Val::Constant(_) => None,
        }
    }
    /// Whether an operand is known to be an object.
    pub fn is_object(&self, v: Val) -> bool {
        self.slot_of(v).is_some_and(|n| self.facts.has(n))
    }
    /// An operand has turned out to be an object.
    pub fn found_object(&mut self, v: Val) {
        if let Some(n) = self.slot_of(v) {
            self.facts.add(n);
        }
    }
    /// A reference into rax, at the beginning of an instruction.
    pub fn reference(&mut self, v: Val) {
        let moved = self.facts.rax.take();
        let there = |(i, n)| v == Val::Slot(n) && i == self.i && self.held(v).is_none();
        // nothing above its 32 bits
        if !moved.is_some_and(there) {
            self.load(false, RAX, v);
        }
    }
}

/// Whether the instruction may give that slot a value.
pub(super) fn writes(x: &Ins<'_>, n: u16) -> bool {
    let Some(insn) = x.insn else { return true };
    if let Some(call) = x.call() {
        return call.first <= n || n != 0 && call.moved_to == n;
    }
    // some of these only read it
    let mut fields = insn.fields.iter();
    fields.any(|f| matches!(f.what, Operand::Dest | Operand::Slot) && x.half(f.at) == n)
        || insn.result == Some(true) && x.half(10) == n
}

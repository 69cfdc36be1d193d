//! Which slots have an object, not null, at each instruction.
//!
//! An instruction that found an object in a slot comes before all code for which that is a fact, however it was executed. So the fact
//! holds where control comes back from handlers, too.

use super::ins::{Ins, goes_on};
use crate::interp::code::K;
use crate::interp::insn::{Call, Operand};
use crate::interp::instruction::TemplateOp;

/// Slots from this one on are never among [`KnownObjects`].
const SLOTS: u16 = 64;

/// Slots with an object.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct KnownObjects(u64);

impl KnownObjects {
    pub const ALL: KnownObjects = KnownObjects(u64::MAX);
    /// Whether the slot may be among them.
    pub fn covers(n: u16) -> bool {
        n < SLOTS
    }
    pub fn has(self, n: u16) -> bool {
        n < SLOTS && self.0 >> n & 1 != 0
    }
    pub fn set(&mut self, n: u16, has: bool) {
        if n < SLOTS {
            self.0 = self.0 & !(1 << n) | u64::from(has) << n;
        }
    }
    /// Without the slots to which the instruction may give a value.
    pub fn unless_written(mut self, x: &Ins<'_>) -> KnownObjects {
        if let Some(call) = x.call() {
            if call.moved_to != 0 {
                self.set(call.moved_to, false);
            }
            let below = 1u64.checked_shl(call.first.into());
            return KnownObjects(self.0 & below.map_or(u64::MAX, |b| b - 1));
        }
        use TemplateOp::*;
        // not resolved yet: it may be a call
        let Some(insn) = x.insn else {
            return KnownObjects::default();
        };
        for f in insn.fields {
            let is_written = match (f.what, insn.op) {
                (Operand::Slot, Add | MoveTwo) => f.name.starts_with("to"),
                (Operand::Slot, Store(_) | MonitorEnter | MonitorExit) => false,
                (what, _) => what == Operand::Slot,
            };
            if is_written {
                self.set(x.half(f.at), false);
            }
        }
        if insn.result == Some(true) {
            self.set(x.half(10), false);
        }
        self
    }
    pub fn and_unless_written(self, x: &Ins<'_>) -> KnownObjects {
        KnownObjects(self.0 & KnownObjects::ALL.unless_written(x).0)
    }
    /// Those of a callee that begins with the call's arguments.
    pub fn in_callee(mut self, call: &Call, has_receiver: bool) -> KnownObjects {
        if call.moved_to != 0 {
            self.set(call.moved_to, self.has(call.moved_from));
        }
        if has_receiver {
            self.set(call.first, true);
        }
        self
    }
    /// After that instruction, where control comes to the next one.
    fn after(mut self, x: &Ins<'_>) -> KnownObjects {
        let Some(insn) = x.insn.filter(|_| x.call().is_none()) else {
            return self.unless_written(x);
        };
        // what it finds to be an object
        let name = match insn.op {
            TemplateOp::GetField(_) | TemplateOp::PutField(_) => Some("object"),
            TemplateOp::ArrayLength => Some("a"),
            TemplateOp::Load(_) => insn.places.first().map(|p| p.0),
            TemplateOp::Store(_) => Some("array"),
            _ => None,
        };
        let fields = || insn.fields.iter();
        let is_slot = |f: &str| insn.places.iter().all(|p| p.0 != f || p.1 == K::S);
        if let Some(f) = name.and_then(|n| fields().find(|f| f.name == n && is_slot(n))) {
            self.set(x.half(f.at), true);
        }
        match insn.op {
            TemplateOp::MoveTwo => {
                self.set(x.half(10), self.has(x.half(8)));
                self.set(x.half(14), self.has(x.half(12)));
            }
            TemplateOp::Move if insn.places[0].1 == K::S => {
                self.set(x.half(10), self.has(x.half(8)));
            }
            TemplateOp::New(_) | TemplateOp::NewArray(_) => {
                if insn.result == Some(true) {
                    self.set(x.half(10), true);
                }
            }
            _ => return self.unless_written(x),
        }
        self
    }
    /// Those at each instruction, if there are these at the beginning. Control may come to `landings` from anywhere.
    pub fn at_all(
        self,
        all: &[Ins<'_>],
        ways: &[Vec<usize>],
        landings: impl Iterator<Item = usize>,
    ) -> Vec<KnownObjects> {
        let mut found = vec![KnownObjects::ALL; all.len()];
        let mut kept = self;
        for x in all {
            kept = kept.and_unless_written(x);
        }
        landings.for_each(|i| found[i] = kept);
        found[0].0 &= self.0;
        let mut changed = true;
        while changed {
            changed = false;
            for (i, x) in all.iter().enumerate() {
                let after = found[i].after(x);
                let next = (i + 1 < all.len() && goes_on(x)).then_some(i + 1);
                for &to in ways[i].iter().chain(&next) {
                    let both = KnownObjects(found[to].0 & after.0);
                    changed |= both != found[to];
                    found[to] = both;
                }
            }
        }
        found
    }
}

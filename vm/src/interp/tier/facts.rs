//! Facts about slots: which ones have an object, not null, and whether rax has the value of one.
//!
//! An instruction that found an object in a slot comes before all code for which that is a fact, however it was executed. So the fact
//! holds where control comes back from handlers, too, but not where branches lead.

use super::ins::{Ins, goes_on};
use crate::interp::code::K;
use crate::interp::insn::Operand;
use crate::interp::instruction::TemplateOp;

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
    /// Control comes from elsewhere, too; the slots with an object are among `known` then.
    pub fn join(&mut self, known: KnownObjects) {
        self.objects.clear();
        self.objects.extend((0..SLOTS).filter(|&n| known.has(n)));
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

/// Slots from this one on are never among [`KnownObjects`].
const SLOTS: u16 = 64;

/// Slots with an object.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct KnownObjects(u64);

impl KnownObjects {
    const ALL: KnownObjects = KnownObjects(u64::MAX);
    fn has(self, n: u16) -> bool {
        n < SLOTS && self.0 >> n & 1 != 0
    }
    fn set(&mut self, n: u16, has: bool) {
        if n < SLOTS {
            self.0 = self.0 & !(1 << n) | u64::from(has) << n;
        }
    }
    /// After that instruction, where control comes to the next one.
    fn after(mut self, x: &Ins<'_>) -> KnownObjects {
        let Some(insn) = x.insn else {
            return KnownObjects::default();
        };
        if let Some(call) = x.call() {
            let below = u32::from(call.first).min(u64::BITS);
            return KnownObjects(self.0 & 1u64.checked_shl(below).map_or(u64::MAX, |b| b - 1));
        }
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
            TemplateOp::Other => return KnownObjects::default(),
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
            // objects that are only looked at stay
            TemplateOp::Store(_) | TemplateOp::MonitorEnter | TemplateOp::MonitorExit => {}
            _ => written(x).for_each(|n| self.set(n, false)),
        }
        self
    }
    /// Those at each instruction; at `landings`, there may be none.
    pub fn at_all(
        all: &[Ins<'_>],
        ways: &[Vec<usize>],
        landings: impl Iterator<Item = usize>,
    ) -> Vec<KnownObjects> {
        let mut found = vec![KnownObjects::ALL; all.len()];
        for none in landings.chain([0]) {
            found[none] = KnownObjects::default();
        }
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

/// Slots to which an instruction that is not a call may give a value; some of these it only reads.
fn written(x: &Ins<'_>) -> impl Iterator<Item = u16> {
    let result = x.insn.is_some_and(|i| i.result == Some(true)).then_some(10);
    let fields = x.insn.iter().flat_map(|i| i.fields);
    let slots = fields.filter(|f| matches!(f.what, Operand::Dest | Operand::Slot));
    slots.map(|f| f.at).chain(result).map(|at| x.half(at))
}

/// Whether the instruction may give that slot a value.
pub(super) fn writes(x: &Ins<'_>, n: u16) -> bool {
    match x.call() {
        Some(call) => call.first <= n || n != 0 && call.moved_to == n,
        None => x.insn.is_none() || written(x).any(|w| w == n),
    }
}

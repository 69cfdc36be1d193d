//! Arguments of inlined callees: copies of slots that are not made yet, and constants.
//!
//! Callees read their arguments a few times and seldom change them, so a copy is only noted: what reads the slot reads its source. The
//! copy is made where its source gets another value, where control comes from elsewhere, too, and where compiled code is left.
//! Constants are stored at once, and noted for templates with a shorter way (`division`).

use super::asm::RAX;
use super::facts::KnownObjects;
use super::inline::is_inlined;
use super::ins::Ins;
use super::template::{CodeBuilder, Val};
use smallvec::SmallVec;

/// Copies that are noted at the same time, at most.
const MOST: usize = 8;
/// Instructions after a copy among which its call is looked for.
const NEAR: usize = 8;

/// Slots that do not have their value yet, each with the slot that has it, which is none of them.
pub(super) type Copies = SmallVec<[(u16, u16); MOST]>;

/// See the module.
#[derive(Clone, Default, Debug)]
pub(super) struct DeferredCopies {
    pub later: Copies,
    /// Arguments that are a constant, which is in its slot.
    constants: SmallVec<[(u16, i32); MOST]>,
}

impl DeferredCopies {
    /// The slot that has the value of this one.
    pub fn root(&self, n: u16) -> u16 {
        self.later.iter().find(|c| c.0 == n).map_or(n, |c| c.1)
    }
    /// The slots that are to get the value of that one.
    pub fn of(&self, n: u16) -> impl Iterator<Item = u16> {
        self.later.iter().filter(move |c| c.1 == n).map(|c| c.0)
    }
    /// That slot gets another value.
    pub fn remove(&mut self, n: u16) {
        self.later.retain(|c| c.0 != n);
        self.constants.retain(|c| c.0 != n);
    }
    /// A callee that began with that slot has returned.
    pub fn remove_from(&mut self, first: u16) {
        self.later.retain(|c| c.0 < first);
        self.constants.retain(|c| c.0 < first);
    }
    pub fn clear(&mut self) {
        self.later.clear();
        self.constants.clear();
    }
}

impl CodeBuilder<'_> {
    /// The value of a slot, as an operand.
    pub fn value(&self, n: u16) -> Val {
        Val::Slot(self.copies.root(n))
    }
    /// Slot `d` gets the value of slot `from`, later. False: it has to get it now.
    pub fn defer_copy(&mut self, d: u16, from: u16) -> bool {
        let is_possible = self.copies.later.len() < MOST
            && d != from
            && KnownObjects::covers(d.max(from))
            && !self.has_home(d)
            && self.is_argument(d);
        if is_possible {
            self.overwritten(d);
            self.copies.later.push((d, from));
        }
        is_possible
    }
    /// Slot `d` has got that value.
    pub fn note_constant(&mut self, d: u16, c: i32) {
        if KnownObjects::covers(d) && self.is_argument(d) {
            self.copies.constants.push((d, c));
        }
    }
    /// The constant that an operand is, if that is known.
    pub fn constant_in(&self, v: Val) -> Option<i32> {
        match v {
            Val::Constant(c) => Some(c),
            Val::Slot(n) => {
                let known = self.copies.constants.iter().find(|c| c.0 == n);
                known.map(|c| c.1)
            }
            Val::Acc => None,
        }
    }
    /// Whether the slot is an argument of a call that is inlined.
    fn is_argument(&self, d: u16) -> bool {
        let mut near = self.all[self.i..].iter().take(NEAR);
        let call = near.find(|x| x.call().is_some());
        let inlined = call.filter(|x| x.inlined.is_some());
        inlined.and_then(Ins::call).is_some_and(|c| c.first <= d)
    }
    /// Makes those of the copies, given by slot and source.
    pub fn make_copies(&mut self, which: impl Fn(u16, u16) -> bool) {
        let is_now = |c: &(u16, u16)| which(c.0, c.1);
        let now: Copies = self.copies.later.iter().copied().filter(is_now).collect();
        self.copies.later.retain(|c| !is_now(c));
        for &(d, from) in &now {
            let r = self.in_register(true, Val::Slot(from), RAX);
            self.a.store(8, Self::slot(d), r);
        }
        if !now.is_empty() {
            self.rax = None;
        }
    }
    pub fn make_all_copies(&mut self) {
        self.make_copies(|_, _| true);
    }
    /// Before an instruction: makes copies of slots that it changes, and those that are not noted where it leads.
    pub fn make_copies_before(&mut self) {
        if self.copies.later.is_empty() {
            return;
        }
        let x = self.ins();
        let kept = KnownObjects::ALL.unless_written(x);
        self.make_copies(|_, from| !kept.has(from));
        let branches = x.insn.is_none_or(|i| !i.edges(x.words).is_empty());
        if branches && !self.is_left_if_taken() || x.call().is_some() && x.inlined.is_none() {
            self.make_unstable_copies();
        }
    }
    /// Makes copies that are not the same everywhere in inlined code; all of them in other code.
    pub fn make_unstable_copies(&mut self) {
        let stable = self.stable.later.clone();
        self.make_copies(|d, from| !stable.contains(&(d, from)));
    }
    /// Those that the code of a callee, which begins now, does not change.
    pub fn stable_copies(&self, all: &[Ins<'_>]) -> DeferredCopies {
        let executed = all.iter().filter(|x| x.inlined.is_some() || is_inlined(x));
        let kept = executed.fold(KnownObjects::ALL, |k, x| k.and_unless_written(x));
        let mut stable = self.copies.clone();
        stable.later.retain(|c| kept.has(c.0) && kept.has(c.1));
        stable.constants.retain(|c| kept.has(c.0));
        stable
    }
    /// Makes them where compiled code is left: registers may have other values there.
    pub fn make_copies_in_memory(&mut self, copies: &[(u16, u16)]) {
        for &(d, from) in copies {
            self.a.load(true, RAX, Self::slot(from));
            self.a.store(8, Self::slot(d), RAX);
        }
    }
}

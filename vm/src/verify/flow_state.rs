//! The states of the data flow for the translator: stored ones, and the one that instructions change.

use super::changing::ChangingList;
use super::infer::SlotKind;
use super::slots::{Pool, SlotList};
use super::sub::Subs;
use smallvec::SmallVec;

/// The state before an instruction. Both lists are by slot: the second of a wide value is `Top`.
#[derive(Clone)]
pub(super) struct FlowState {
    pub locals: SlotList<SlotKind>,
    pub stack: SlotList<SlotKind>,
    pub subs: Subs,
}

impl FlowState {
    pub fn of(locals: SlotList<SlotKind>) -> FlowState {
        FlowState {
            locals,
            stack: SlotList::default(),
            subs: Subs::default(),
        }
    }
    /// Merges another state into this one (4.10.2.2); whether this one changed.
    pub fn join(&mut self, other: &FlowState) -> Result<bool, String> {
        if self.stack.len() != other.stack.len() {
            return Err(format!(
                "Inconsistent stack height {} != {}",
                other.stack.len(),
                self.stack.len()
            ));
        }
        let a = join_kinds(&mut self.stack, &other.stack);
        let b = self.join_locals(&other.locals, &other.subs);
        Ok(a || b)
    }
    pub fn join_locals(&mut self, locals: &SlotList<SlotKind>, subs: &Subs) -> bool {
        let changed = join_kinds(&mut self.locals, locals);
        self.subs.join(subs) || changed
    }
    /// The same of what is executed.
    pub fn join_executed(&mut self, other: &Executed) -> Result<bool, String> {
        if self.stack.len() != other.stack.len() {
            return Err(format!(
                "Inconsistent stack height {} != {}",
                other.stack.len(),
                self.stack.len()
            ));
        }
        let a = join_executed_kinds(&mut self.stack, &other.stack);
        let b = self.join_executed_locals(other);
        Ok(a || b)
    }
    pub fn join_executed_locals(&mut self, other: &Executed) -> bool {
        let changed = join_executed_kinds(&mut self.locals, &other.locals);
        self.subs.join(&other.subs) || changed
    }
    /// Makes the lists those of pools.
    pub fn keep(&mut self, kinds: &mut Pool<SlotKind>, subs: &mut Pool<u16>) {
        kinds.keep(&mut self.locals);
        kinds.keep(&mut self.stack);
        self.subs.keep(subs);
    }
}

/// The state that instructions change one after the other.
#[derive(Default)]
pub(super) struct Executed {
    pub locals: ChangingList<SlotKind>,
    pub stack: ChangingList<SlotKind>,
    pub subs: Subs,
}

impl Executed {
    pub fn take(&mut self, state: &FlowState) {
        self.locals.take(&state.locals);
        self.stack.take(&state.stack);
        self.subs = state.subs.clone();
    }
    pub fn to_state(&self) -> FlowState {
        FlowState {
            locals: self.locals.to_list(),
            stack: self.stack.to_list(),
            subs: self.subs.clone(),
        }
    }
    pub fn set(&mut self, i: usize, k: SlotKind) -> Result<(), String> {
        let wide = usize::from(k.is_wide());
        if i + wide >= self.locals.len() {
            return Err("Local variable table overflow".into());
        }
        if i > 0 && self.locals.get(i - 1).is_some_and(SlotKind::is_wide) {
            self.locals.set(i - 1, SlotKind::Top);
            self.subs.touch(i - 1);
        }
        // the far half of a wide value that this overwrites is `Top` already
        for j in i..=i + wide {
            self.locals.set(j, if j == i { k } else { SlotKind::Top });
            self.subs.touch(j);
        }
        Ok(())
    }
    pub fn pop(&mut self) -> Result<SlotKind, String> {
        self.stack
            .pop()
            .ok_or_else(|| "Operand stack underflow".into())
    }
    pub fn pop_n(&mut self, n: usize) -> Result<(), String> {
        match self.stack.len().checked_sub(n) {
            Some(len) => {
                self.stack.truncate(len);
                Ok(())
            }
            None => Err("Operand stack underflow".into()),
        }
    }
    pub fn push(&mut self, k: SlotKind) {
        self.stack.push(k);
        if k.is_wide() {
            self.stack.push(SlotKind::Top);
        }
    }
}

fn join_executed_kinds(into: &mut SlotList<SlotKind>, from: &ChangingList<SlotKind>) -> bool {
    let mut lost: SmallVec<[usize; 8]> = SmallVec::new();
    from.find_difference(into, SlotKind::Top, |i, _, kept| {
        if kept != SlotKind::Top {
            lost.push(i);
        }
        false
    });
    lost.iter().for_each(|&i| into.set(i, SlotKind::Top));
    !lost.is_empty()
}

fn join_kinds(into: &mut SlotList<SlotKind>, from: &SlotList<SlotKind>) -> bool {
    let mut changed = false;
    for (i, a, _) in into.differences(from) {
        if a != SlotKind::Top {
            into.set(i, SlotKind::Top);
            changed = true;
        }
    }
    changed
}

//! The states of the data flow for the translator: stored ones, and the one that instructions change.

use super::changing::ChangingList;
use super::infer::SlotKind;
use super::slots::{Pool, SlotList};
use super::sub::Subs;
use rjvm_classfile::opcodes::{self as op, OPCODES, Opcode, Operands};
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
    pub(super) fn join(&mut self, other: &FlowState) -> Result<bool, String> {
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
    /// The same for the state of execution.
    pub(super) fn join_executed(&mut self, other: &Executed) -> Result<bool, String> {
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
    pub(super) fn set(&mut self, i: usize, k: SlotKind) -> Result<(), String> {
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
    pub(super) fn pop(&mut self) -> Result<SlotKind, String> {
        self.stack
            .pop()
            .ok_or_else(|| "Operand stack underflow".into())
    }
    pub(super) fn pop_n(&mut self, n: usize) -> Result<(), String> {
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

/// What an instruction that only moves and computes values does.
#[derive(Clone, Copy)]
struct Quick {
    /// Bytes of the instruction; 0: it is not such a one.
    len: u8,
    /// How many slots it pops.
    pops: u8,
    pushes: Option<SlotKind>,
}

/// By opcode.
static QUICK: [Quick; 256] = {
    let mut quick = [Quick {
        len: 0,
        pops: 0,
        pushes: None,
    }; 256];
    let mut i = 0;
    while i < OPCODES.len() {
        quick[i] = quick_of(&OPCODES[i]);
        i += 1;
    }
    quick
};

const fn quick_of(row: &Opcode) -> Quick {
    let mut quick = Quick {
        len: 0,
        pops: 0,
        pushes: None,
    };
    let Some(size) = row.operands.size() else {
        return quick;
    };
    let other = matches!(row.operands, Operands::Branch2 | Operands::Branch4)
        || matches!(
            row.byte,
            op::LDC..=op::LDC2_W
                | op::ISTORE..=op::ASTORE_3
                | op::POP..=op::SWAP
                | op::RET..=op::INVOKEDYNAMIC
                | op::ATHROW
                | op::MULTIANEWARRAY
        );
    let (pop, push) = (row.pop.as_bytes(), row.push.as_bytes());
    if other || push.len() > 1 {
        return quick;
    }
    let mut i = 0;
    while i < pop.len() {
        quick.pops += if matches!(pop[i], b'J' | b'D') { 2 } else { 1 };
        i += 1;
    }
    if push.len() == 1 {
        quick.pushes = Some(match push[0] {
            b'I' => SlotKind::Int,
            b'J' => SlotKind::Long,
            b'F' => SlotKind::Float,
            b'D' => SlotKind::Double,
            _ => SlotKind::Ref,
        });
    }
    quick.len = 1 + size as u8;
    quick
}

impl Executed {
    /// Executes the instruction at `pc` if it only moves and computes values, and there are operands for it; its length.
    /// Else nothing has changed.
    #[inline]
    pub fn quick(&mut self, code: &[u8], pc: usize) -> Option<usize> {
        let quick = QUICK[usize::from(*code.get(pc)?)];
        let left = self.stack.len().checked_sub(quick.pops.into())?;
        if quick.len == 0 || usize::from(quick.len) > code.len() - pc {
            return None;
        }
        self.stack.truncate(left);
        if let Some(kind) = quick.pushes {
            self.push(kind);
        }
        Some(quick.len.into())
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

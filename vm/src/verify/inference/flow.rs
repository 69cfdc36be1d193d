//! What an instruction passes on to others, and how that is merged with what others have passed on (JVMS 4.10.2.2).

use super::operands::OperandArg;
use super::stack::{self, OperandStack};
use super::steps::Initialized;
use super::types::Type;
use super::{InferenceState, MethodInference, NO_RETURN, VerifyStop};
use crate::verify::error::VerifyFailure;
use crate::verify::slots::SlotList;
use crate::verify::sub::Subs;
use crate::verify::world::World;
use rjvm_classfile::opcodes as op;

/// What an instruction passes on to another.
pub(super) struct FlowEdge<'s> {
    pub locals: &'s SlotList<Type>,
    pub subs: &'s Subs,
    pub stack: &'s OperandStack,
    pub constructed: bool,
    pub flags: u8,
}

impl<W: World> MethodInference<'_, W> {
    /// Merges the state after an instruction into those of its handlers and successors. Whether control continues to the next
    /// one, which has no separate state.
    pub(super) fn pass_on(
        &mut self,
        i: u32,
        before: &InferenceState,
        after: &InferenceState,
        made: Initialized,
    ) -> Result<bool, VerifyStop<W::Error>> {
        for h in 0..self.handlers.len() {
            let handler = &self.handlers[h];
            if !handler.range.contains(&i) {
                continue;
            }
            let (target, stack) = (handler.target, OperandStack::of(handler.catch));
            let flow = FlowEdge {
                locals: &before.locals,
                subs: &before.subs,
                stack: &stack,
                constructed: before.constructed,
                flags: before.flags,
            };
            self.flow(i, target, &flow, true)?;
            if let Some((from, _)) = made {
                // the constructor may or may not have been through with the object
                let no_return = if from == Type::This { NO_RETURN } else { 0 };
                let flow = FlowEdge {
                    locals: &after.locals,
                    subs: &after.subs,
                    stack: &stack,
                    constructed: after.constructed,
                    flags: after.flags | no_return,
                };
                self.flow(i, target, &flow, true)?;
            }
        }
        let op = &self.ops[i as usize];
        let mut goes_on = false;
        let mut targets: Vec<u32> = match &op.arg {
            OperandArg::Targets(t) => t.clone(),
            _ => Vec::new(),
        };
        if op.opcode == op::RET {
            targets = self.return_points(i, &before.locals);
        } else if !op::ends_block(op.opcode) {
            // the one behind the last is an error
            match self.stored.get(i as usize + 1) {
                Some(false) => goes_on = true,
                _ => targets.insert(0, i + 1),
            }
        }
        if matches!(op.opcode, op::JSR | op::JSR_W)
            && let Some(&ret) = self.returns.get(&i)
        {
            self.changed.insert(ret);
        }
        let flow = FlowEdge {
            locals: &after.locals,
            subs: &after.subs,
            stack: &after.stack,
            constructed: after.constructed,
            flags: after.flags,
        };
        for t in targets {
            if t as usize >= self.ops.len() {
                return Err(self.fail("Falling off the end of the code"));
            }
            self.flow(i, t, &flow, false)?;
        }
        Ok(goes_on)
    }

    /// Where a `ret` can return to: behind every `jsr` to the subroutine.
    fn return_points(&self, ret: u32, locals: &SlotList<Type>) -> Vec<u32> {
        let entry = match self.ops[ret as usize].arg {
            OperandArg::Local(l) => locals.get(usize::from(l)),
            _ => None,
        };
        let Some(Type::RetAddr(pc)) = entry else {
            return Vec::new();
        };
        let number = self.number[usize::from(pc)];
        let calls = self.calls.iter().rev().filter(|c| c.0 == number);
        calls.map(|c| c.1 + 1).collect()
    }

    /// Merges into the state before instruction `to`; `from` is where the flow comes from.
    pub(super) fn flow(
        &mut self,
        from: u32,
        to: u32,
        f: &FlowEdge<'_>,
        to_handler: bool,
    ) -> Result<(), VerifyStop<W::Error>> {
        if let Err(e) = self.w.breathe() {
            self.stops = true;
            return Err(VerifyStop::Load(e));
        }
        let opcode = self.ops[from as usize].opcode;
        let (mut locals, mut stack) = (f.locals.clone(), f.stack.clone());
        if matches!(opcode, op::JSR | op::JSR_W | op::RET) {
            // an uninitialized object gets neither into a subroutine nor out of it
            stack::hide_new(&mut locals);
            stack.hide_new();
        }
        let mut subs = f.subs.clone();
        if opcode == op::RET && !to_handler {
            match self.returned(from, to - 1, &locals, &subs)? {
                Some(after) => (locals, subs) = after,
                // the jsr itself hasn't been reached yet; it will look at the ret again
                None => return Ok(()),
            }
        }
        // lists are compared by where they are from here on
        self.pool.keep(&mut locals);
        stack.keep(&mut self.pool);
        subs.keep(&mut self.sub_pool);
        let Some(mut old) = self.states[to as usize].take() else {
            self.states[to as usize] = Some(InferenceState {
                locals,
                subs,
                stack,
                constructed: f.constructed,
                flags: f.flags,
            });
            self.changed.insert(to);
            return self.weigh();
        };
        let mut changed = self.merge_stack(&mut old.stack, &stack)?;
        changed |= self.merge_locals(&mut old.locals, &locals)?;
        changed |= old.subs.join(&subs);
        changed |= old.constructed && !f.constructed || f.flags & !old.flags != 0;
        old.constructed &= f.constructed;
        old.flags |= f.flags;
        if changed {
            self.pool.keep(&mut old.locals);
            old.stack.keep(&mut self.pool);
            old.subs.keep(&mut self.sub_pool);
            self.changed.insert(to);
        }
        self.states[to as usize] = Some(old);
        self.weigh()
    }

    /// The states may take no more memory than there is for them.
    fn weigh(&mut self) -> Result<(), VerifyStop<W::Error>> {
        let most = self.w.memory();
        match self.pool.bytes() + self.sub_pool.bytes() > most {
            true => Err(VerifyStop::Failure(VerifyFailure::memory(
                self.cf,
                self.class,
                self.method,
                most,
            ))),
            false => Ok(()),
        }
    }

    /// What the instruction after a `jsr` sees when `ret` returns there: locals that the subroutine
    /// hasn't touched are as they were at the `jsr`.
    fn returned(
        &mut self,
        ret: u32,
        jsr: u32,
        locals: &SlotList<Type>,
        subs: &Subs,
    ) -> Result<Option<(SlotList<Type>, Subs)>, VerifyStop<W::Error>> {
        if *self.returns.entry(jsr).or_insert(ret) != ret {
            return Err(self.fail("Multiple returns to single jsr"));
        }
        let Some(at_jsr) = &self.states[jsr as usize] else {
            return Ok(None);
        };
        let entry = match self.ops[ret as usize].arg {
            OperandArg::Local(i) => match locals.get(usize::from(i)) {
                Some(Type::RetAddr(entry)) => entry,
                _ => return Err(self.fail("Illegal return from subroutine")),
            },
            _ => return Err(self.fail("Illegal return from subroutine")),
        };
        let Some(around) = subs.around(entry) else {
            return Err(self.fail("Illegal return from subroutine"));
        };
        let mut merged = at_jsr.locals.clone();
        if merged.len() < locals.len() {
            merged.resize(locals.len(), Type::Bogus);
        }
        let len = merged.len();
        for i in subs.touched_in(around).take_while(|&i| i < len) {
            merged.set(i, locals.get(i).unwrap_or(Type::Bogus));
        }
        let mut outside = subs.clone();
        outside.truncate(around);
        Ok(Some((merged, outside)))
    }

    fn merge_stack(
        &mut self,
        old: &mut OperandStack,
        new: &OperandStack,
    ) -> Result<bool, VerifyStop<W::Error>> {
        let (new_height, old_height) = (new.height(), old.height());
        if new_height != old_height {
            let message = format!("Inconsistent stack height {new_height} != {old_height}");
            return Err(self.fail(message));
        }
        if old.values().len() != new.values().len() {
            return Err(self.fail("Mismatched stack types"));
        }
        let differences = old.values().differences(new.values());
        let mut changed = false;
        for &(_, o, n) in differences.iter().rev() {
            if !self.classes.assignable(self.w, n, o)? {
                changed = true;
                break;
            }
        }
        if !changed {
            return Ok(false);
        }
        for (i, o, n) in differences.into_iter().rev() {
            let merged = self.classes.merge(self.w, o, n, false)?;
            if merged == Type::Bogus {
                return Err(self.fail("Mismatched stack types"));
            }
            old.set(i, merged);
        }
        Ok(true)
    }

    fn merge_locals(
        &mut self,
        old: &mut SlotList<Type>,
        new: &SlotList<Type>,
    ) -> Result<bool, VerifyStop<W::Error>> {
        let mut changed = false;
        if old.len() > new.len() {
            old.truncate(new.len());
            changed = true;
        }
        let differences = old.differences(new);
        let mut first = None;
        for (at, &(_, o, n)) in differences.iter().enumerate() {
            if !self.classes.assignable(self.w, n, o)? {
                first = Some(at);
                break;
            }
        }
        let Some(first) = first else {
            return Ok(changed);
        };
        for (i, o, n) in differences.into_iter().skip(first) {
            let merged = self.classes.merge(self.w, n, o, false)?;
            old.set(i, merged);
        }
        while old.last() == Some(Type::Bogus) {
            old.pop();
        }
        Ok(true)
    }
}

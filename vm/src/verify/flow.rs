//! Data flow over the bytecodes of a method without `StackMapTable`: kinds only, with subroutines
//! treated as JVMS 4.10.2.5 has it.

use super::flow_state::{Executed, FlowState};
use super::infer::{FrameTypes, SlotKind};
use super::pace::{TOO_MUCH, WorkBudget};
use super::slots::{Pool, SlotList};
use hashbrown::HashMap;
use rjvm_classfile::descriptor::{FieldType, MethodDescriptor};
use rjvm_classfile::opcodes::{self as op, Insn, Operand};
use rjvm_classfile::{ClassFile, CodeAttribute, Constant, ConstantPool};
use smallvec::SmallVec;

const NO_BLOCK: u32 = u32::MAX;

struct TypeFlow<'a> {
    pool: &'a ConstantPool,
    code: &'a CodeAttribute,
    /// Block that begins at a bci.
    block_at: Vec<u32>,
    /// Where blocks begin, ascending.
    starts: Vec<u16>,
    pace: &'a WorkBudget<'a>,
    reached: FlowProgress,
    /// The state of the block that is gone through.
    executed: Executed,
}

/// How far the flow has come, which can be kept when it is stopped.
#[derive(Default)]
pub struct FlowProgress {
    /// State at the beginning of each block, once reached.
    states: Vec<Option<FlowState>>,
    /// Blocks to look at.
    work: Vec<u32>,
    queued: Vec<bool>,
    /// `jsr` instructions seen: subroutine, return point, locals and subroutines around it.
    calls: Vec<(u16, u16, FlowState)>,
    /// Where in `calls` the one is that returns to a bci.
    call_at: HashMap<u16, usize>,
    /// The lists in the states.
    kinds: Pool<SlotKind>,
    sub_lists: Pool<u16>,
    /// `ret` instructions seen: the subroutine they leave, and the block they end.
    rets: Vec<(u16, u32)>,
}

impl FlowProgress {
    /// Whether nothing is left to flow.
    pub fn is_all(&self) -> bool {
        self.work.is_empty()
    }
}

/// Infers the frames at the labels of a method.
pub(super) fn infer(
    cf: &ClassFile,
    code: &CodeAttribute,
    mut initial: SlotList<SlotKind>,
    pace: &WorkBudget<'_>,
) -> Result<Vec<(u16, FrameTypes)>, String> {
    let len = code.code.len();
    let mut is_label = vec![false; len];
    let mut is_start = vec![false; len];
    let mut used = initial.len();
    let mut any = false;
    let mut mark = |set: &mut Vec<bool>, target: i64| match usize::try_from(target)
        .ok()
        .and_then(|t| set.get_mut(t))
    {
        Some(slot) => {
            *slot = true;
            any = true;
            Ok(())
        }
        None => Err(format!("Illegal target of jump or branch {target}")),
    };
    let mut pc = 0;
    while pc < len {
        is_start[pc] = true;
        let next = pc + op::length(&code.code, pc).map_err(|e| e.to_string())?;
        if !names_local_or_label(code.code[pc]) {
            pc = next;
            continue;
        }
        let insn = Insn::decode(&code.code, pc).map_err(|e| e.to_string())?;
        pc = next;
        match insn.operand {
            Operand::Branch(t) => {
                mark(&mut is_label, t.into())?;
                if insn.opcode == op::JSR || insn.opcode == op::JSR_W {
                    mark(&mut is_label, insn.next_pc() as i64)?;
                }
            }
            Operand::Switch(s) => {
                mark(&mut is_label, s.default.into())?;
                for (_, t) in s.cases() {
                    mark(&mut is_label, t.into())?;
                }
            }
            _ => {}
        }
        if let Some(i) = local_index(&insn) {
            used = used.max(i + 2);
        }
    }
    for e in &code.exceptions {
        mark(&mut is_label, e.handler_pc.into())?;
    }
    if !any {
        return Ok(Vec::new());
    }
    if let Some(bad) = (0..len).find(|&i| is_label[i] && !is_start[i]) {
        return Err(format!("Illegal target of jump or branch {bad}"));
    }
    if initial.len() > usize::from(code.max_locals) {
        return Err("Arguments can't fit into locals".into());
    }
    initial.resize(used.min(code.max_locals.into()), SlotKind::Top);

    let mut f = TypeFlow {
        pool: &cf.constant_pool,
        code,
        block_at: vec![NO_BLOCK; len],
        starts: Vec::new(),
        pace,
        reached: FlowProgress::default(),
        executed: Executed::default(),
    };
    for (bci, label) in is_label.iter().enumerate() {
        if *label || bci == 0 {
            f.block_at[bci] = f.starts.len() as u32;
            f.starts.push(bci as u16);
        }
    }
    match pace.take_kept() {
        Some(reached) => f.reached = *reached,
        None => {
            f.reached.states.resize_with(f.starts.len(), || None);
            f.reached.queued.resize(f.starts.len(), false);
            f.flow_state_to(0, &FlowState::of(initial))?;
        }
    }
    while let Some(b) = f.reached.work.pop() {
        f.reached.queued[b as usize] = false;
        let done = match pace.look() {
            Ok(()) => f.block(b),
            stopped => stopped,
        };
        if let Err(e) = done {
            if pace.stopped().is_some() {
                // states only grow: what was begun of the block can be done again
                f.enqueue(b);
                pace.keep(Box::new(f.reached));
            }
            return Err(e);
        }
    }
    let frames = f.frames(&is_label);
    // what comes next may be stopped, too
    pace.keep(Box::new(f.reached));
    frames
}

/// Whether the operands of an instruction may be a local or where control goes, or the opcode names a local.
fn names_local_or_label(opcode: u8) -> bool {
    matches!(
        opcode,
        op::ILOAD..=op::ALOAD_3
            | op::ISTORE..=op::ASTORE_3
            | op::IINC
            | op::IFEQ..=op::LOOKUPSWITCH
            | op::WIDE
            | op::IFNULL..=op::JSR_W
    )
}

/// The local an instruction names.
fn local_index(insn: &Insn<'_>) -> Option<usize> {
    match insn.operand {
        Operand::Local(i) | Operand::Iinc { local: i, .. } => Some(i.into()),
        _ => match insn.opcode {
            o @ op::ILOAD_0..=op::ALOAD_3 => Some(usize::from(o - op::ILOAD_0) % 4),
            o @ op::ISTORE_0..=op::ASTORE_3 => Some(usize::from(o - op::ISTORE_0) % 4),
            _ => None,
        },
    }
}

impl TypeFlow<'_> {
    fn frames(&mut self, is_label: &[bool]) -> Result<Vec<(u16, FrameTypes)>, String> {
        let (mut out, mut known) = (Vec::new(), HashMap::new());
        for (&bci, state) in self.starts.iter().zip(&self.reached.states) {
            let Some(FlowState { locals, stack, .. }) = state else {
                continue;
            };
            if !is_label[usize::from(bci)] {
                continue;
            }
            self.pace.look()?;
            let (locals, mut stack) = (locals.clone(), stack.clone());
            if stack.any(&|k| k.is_wide(), &mut known) {
                let mut values = Vec::with_capacity(stack.len());
                let mut slots = stack.iter();
                while let Some(k) = slots.next() {
                    values.push(k);
                    if k.is_wide() {
                        slots.next();
                    }
                }
                stack = self.reached.kinds.list(&values);
            }
            out.push((bci, FrameTypes { locals, stack }));
        }
        Ok(out)
    }

    fn enqueue(&mut self, b: u32) {
        if !std::mem::replace(&mut self.reached.queued[b as usize], true) {
            self.reached.work.push(b);
        }
    }

    fn flow_to(&mut self, bci: usize, s: &Executed) -> Result<(), String> {
        let b = self.block_at[bci];
        let changed = match &mut self.reached.states[b as usize] {
            Some(old) => {
                let joined = old.join_executed(s);
                joined.map_err(|e| format!("{e} at bci {bci}"))?
            }
            slot => {
                *slot = Some(s.to_state());
                true
            }
        };
        self.settle(b, changed)
    }

    fn flow_state_to(&mut self, bci: usize, s: &FlowState) -> Result<(), String> {
        let b = self.block_at[bci];
        let changed = match &mut self.reached.states[b as usize] {
            Some(old) => old.join(s).map_err(|e| format!("{e} at bci {bci}"))?,
            slot => {
                *slot = Some(s.clone());
                true
            }
        };
        self.settle(b, changed)
    }

    /// The state before a block may have changed.
    fn settle(&mut self, b: u32, changed: bool) -> Result<(), String> {
        if !changed {
            return Ok(());
        }
        if let Some(state) = &mut self.reached.states[b as usize] {
            state.keep(&mut self.reached.kinds, &mut self.reached.sub_lists);
        }
        self.enqueue(b);
        if self.reached.kinds.bytes() + self.reached.sub_lists.bytes() > self.pace.memory {
            return Err(TOO_MUCH.into());
        }
        Ok(())
    }

    /// What the handlers of the instruction at `pc` see: its locals, and the exception.
    fn flow_to_handlers(&mut self, pc: usize, s: &Executed) -> Result<(), String> {
        for e in &self.code.exceptions {
            if (usize::from(e.start_pc)..usize::from(e.end_pc)).contains(&pc) {
                let b = self.block_at[usize::from(e.handler_pc)];
                let changed = match &mut self.reached.states[b as usize] {
                    Some(old) if old.stack.len() == 1 => old.join_executed_locals(s),
                    Some(_) => {
                        return Err(format!("Inconsistent stack height at bci {}", e.handler_pc));
                    }
                    slot => {
                        *slot = Some(FlowState {
                            locals: s.locals.to_list(),
                            stack: std::iter::once(SlotKind::Ref).collect(),
                            subs: s.subs.clone(),
                        });
                        true
                    }
                };
                self.settle(b, changed)?;
            }
        }
        Ok(())
    }

    fn block(&mut self, b: u32) -> Result<(), String> {
        let mut s = std::mem::take(&mut self.executed);
        if let Some(state) = &self.reached.states[b as usize] {
            s.take(state);
            self.block_from(b, &mut s)?;
        }
        self.executed = s;
        Ok(())
    }

    fn block_from(&mut self, b: u32, s: &mut Executed) -> Result<(), String> {
        let code = self.code;
        let mut pc = usize::from(self.starts[b as usize]);
        let mut touched = true;
        loop {
            if !code.exceptions.is_empty()
                && (touched
                    || code
                        .exceptions
                        .iter()
                        .any(|e| usize::from(e.start_pc) == pc))
            {
                self.flow_to_handlers(pc, s)?;
            }
            let (opcode, next) = match s.quick(&code.code, pc) {
                Some(len) => (code.code[pc], pc + len),
                None => {
                    let insn = Insn::decode(&code.code, pc).map_err(|e| e.to_string())?;
                    self.step(b, &insn, s)
                        .map_err(|e| format!("{e} at bci {pc}"))?;
                    (insn.opcode, insn.next_pc())
                }
            };
            touched = matches!(opcode, op::ISTORE..=op::ASTORE_3);
            if s.stack.len() > usize::from(code.max_stack) {
                return Err(format!("Operand stack overflow at bci {pc}"));
            }
            if op::ends_block(opcode) {
                return Ok(());
            }
            pc = next;
            if pc >= code.code.len() {
                return Err("Falling off the end of the code".into());
            }
            if self.block_at[pc] != NO_BLOCK {
                return self.flow_to(pc, s);
            }
        }
    }

    /// Executes an instruction; branches flow to their targets.
    fn step(&mut self, block: u32, insn: &Insn<'_>, s: &mut Executed) -> Result<(), String> {
        match insn.opcode {
            op::ISTORE..=op::ASTORE_3 => {
                let i = local_index(insn).unwrap_or_default();
                let mut k = s.pop()?;
                let wide = op::info(insn.opcode).is_some_and(|o| matches!(o.pop, "J" | "D"));
                if wide {
                    k = s.pop()?;
                }
                if k.is_wide() != wide {
                    return Err("Bad type on operand stack".into());
                }
                s.set(i, k)
            }
            op::POP..=op::SWAP => self.shuffle(insn.opcode, s),
            op::GETSTATIC..=op::PUTFIELD => {
                let Operand::Constant(i) = insn.operand else {
                    return Err("Bad instruction".into());
                };
                let t = self.pool.descriptor_of(i).and_then(FieldType::parse);
                let t = t.map_err(|e| e.to_string())?;
                if matches!(insn.opcode, op::PUTSTATIC | op::PUTFIELD) {
                    s.pop_n(t.slots().into())?;
                }
                if matches!(insn.opcode, op::GETFIELD | op::PUTFIELD) {
                    s.pop()?;
                }
                if matches!(insn.opcode, op::GETSTATIC | op::GETFIELD) {
                    s.push(SlotKind::of(t));
                }
                Ok(())
            }
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => {
                let (Operand::Constant(i) | Operand::Interface { index: i, .. }) = insn.operand
                else {
                    return Err("Bad instruction".into());
                };
                let d = self.pool.descriptor_of(i);
                let d = d.and_then(MethodDescriptor::parse);
                let d = d.map_err(|e| e.to_string())?;
                let no_this = matches!(insn.opcode, op::INVOKESTATIC | op::INVOKEDYNAMIC);
                s.pop_n(d.argument_slots(no_this).into())?;
                if let Some(t) = d.return_type {
                    s.push(SlotKind::of(t));
                }
                Ok(())
            }
            op::LDC | op::LDC_W | op::LDC2_W => {
                let Operand::Constant(i) = insn.operand else {
                    return Err("Bad instruction".into());
                };
                s.push(constant_kind(self.pool, i)?);
                Ok(())
            }
            op::MULTIANEWARRAY => {
                let Operand::MultiArray { dimensions, .. } = insn.operand else {
                    return Err("Bad instruction".into());
                };
                s.pop_n(dimensions.into())?;
                s.push(SlotKind::Ref);
                Ok(())
            }
            op::JSR | op::JSR_W => {
                let Operand::Branch(t) = insn.operand else {
                    return Err("Bad instruction".into());
                };
                self.jsr(t as u16, insn.next_pc() as u16, s)
            }
            op::RET => {
                let i = local_index(insn).unwrap_or_default();
                let Some(SlotKind::RetAddr(entry)) = s.locals.get(i) else {
                    return Err("No return address in local variable".into());
                };
                self.ret(block, entry, s)
            }
            _ => {
                let row = op::info(insn.opcode).ok_or("Bad instruction")?;
                s.pop_n(row.pop_slots().unwrap_or(0).into())?;
                for letter in row.push.bytes() {
                    s.push(match letter {
                        b'I' => SlotKind::Int,
                        b'J' => SlotKind::Long,
                        b'F' => SlotKind::Float,
                        b'D' => SlotKind::Double,
                        _ => SlotKind::Ref,
                    });
                }
                match insn.operand {
                    Operand::Branch(t) => self.flow_to(t as usize, s)?,
                    Operand::Switch(sw) => {
                        self.flow_to(sw.default as usize, s)?;
                        for (_, t) in sw.cases() {
                            self.flow_to(t as usize, s)?;
                        }
                    }
                    _ => {}
                }
                Ok(())
            }
        }
    }

    /// `pop` to `swap`, on slots.
    fn shuffle(&mut self, opcode: u8, s: &mut Executed) -> Result<(), String> {
        let (take, skip) = match opcode {
            op::POP => return s.pop_n(1),
            op::POP2 => return s.pop_n(2),
            op::DUP => (1, 0),
            op::DUP_X1 => (1, 1),
            op::DUP_X2 => (1, 2),
            op::DUP2 => (2, 0),
            op::DUP2_X1 => (2, 1),
            op::DUP2_X2 => (2, 2),
            _ => {
                let len = s.stack.len();
                if len < 2 {
                    return Err("Operand stack underflow".into());
                }
                let (a, b) = (s.pop()?, s.pop()?);
                s.stack.extend([a, b]);
                return Ok(());
            }
        };
        let len = s.stack.len();
        if len < take + skip {
            return Err("Operand stack underflow".into());
        }
        // deepest first
        let taken = len - take - skip..len;
        let slots: SmallVec<[SlotKind; 4]> = taken.filter_map(|i| s.stack.get(i)).collect();
        s.stack.truncate(len - take - skip);
        s.stack.extend(slots[skip..].iter().copied());
        s.stack.extend(slots.iter().copied());
        Ok(())
    }

    fn jsr(&mut self, entry: u16, back: u16, s: &mut Executed) -> Result<(), String> {
        if s.subs.around(entry).is_some() {
            return Err("Recursive call to jsr entry".into());
        }
        let mut around = s.to_state();
        around.keep(&mut self.reached.kinds, &mut self.reached.sub_lists);
        match self.reached.call_at.get(&back) {
            Some(&i) => self.reached.calls[i].2 = around,
            None => {
                self.reached.call_at.insert(back, self.reached.calls.len());
                self.reached.calls.push((entry, back, around));
            }
        }
        // those that return from it have a new place, or new locals, to return to
        for i in 0..self.reached.rets.len() {
            if self.reached.rets[i].0 == entry {
                self.enqueue(self.reached.rets[i].1);
            }
        }
        s.push(SlotKind::RetAddr(entry));
        s.subs.enter(entry);
        if s.stack.len() > usize::from(self.code.max_stack) {
            return Err("Operand stack overflow".into());
        }
        self.flow_to(entry.into(), s)
    }

    fn ret(&mut self, block: u32, entry: u16, s: &mut Executed) -> Result<(), String> {
        let Some(depth) = s.subs.around(entry) else {
            return Err("Returning from a subroutine that isn't active".into());
        };
        if !self.reached.rets.contains(&(entry, block)) {
            self.reached.rets.push((entry, block));
        }
        let inside = s.subs.clone();
        s.subs.truncate(depth);
        // a return address that has been used cannot be used again
        for list in [&mut s.locals, &mut s.stack] {
            for i in 0..list.len() {
                if list.get(i) == Some(SlotKind::RetAddr(entry)) {
                    list.set(i, SlotKind::Top);
                }
            }
        }
        let stack = s.stack.to_list();
        for i in 0..self.reached.calls.len() {
            let (e, back, around) = &self.reached.calls[i];
            if *e != entry {
                continue;
            }
            let mut after = FlowState {
                locals: around.locals.clone(),
                stack: stack.clone(),
                subs: around.subs.clone(),
            };
            for l in inside.touched_in(depth) {
                let kind = s.locals.get(l).unwrap_or(SlotKind::Top);
                after.locals.set(l, kind);
            }
            self.pace.look()?;
            // subroutines around the call that the merge inside lost sight of
            after.subs.touch_like(&inside, depth);
            let back = *back;
            self.flow_state_to(back.into(), &after)?;
        }
        Ok(())
    }
}

/// The kind of value `ldc` pushes.
fn constant_kind(pool: &ConstantPool, i: u16) -> Result<SlotKind, String> {
    Ok(match pool.get(i).map_err(|e| e.to_string())? {
        Constant::Integer(_) => SlotKind::Int,
        Constant::Float(_) => SlotKind::Float,
        Constant::Long(_) => SlotKind::Long,
        Constant::Double(_) => SlotKind::Double,
        Constant::Dynamic { .. } => {
            let (_, _, d) = pool.dynamic(i).map_err(|e| e.to_string())?;
            SlotKind::of(FieldType::parse(d).map_err(|e| e.to_string())?)
        }
        _ => SlotKind::Ref,
    })
}

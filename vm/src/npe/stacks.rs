//! Where the operand stack's values come from: a simulation of the method's code, from its start
//! to the instruction asked about.

use super::{AnalyzedMethod, constant};
use rjvm_classfile::Constant;
use rjvm_classfile::descriptor::{FieldType, MethodDescriptor};
use rjvm_classfile::opcodes::{self as op, Insn, Operand};

/// The state before an instruction.
#[derive(Clone, Default)]
pub(super) struct OperandState {
    /// The instruction that pushed each slot, where it is one and the same on all paths.
    slots: Vec<Option<usize>>,
    /// The locals below 64 that some path has written.
    written: u64,
}

impl OperandState {
    /// The instruction that pushed the slot `depth` below the top.
    pub fn source(&self, depth: usize) -> Option<usize> {
        let i = self.slots.len().checked_sub(depth + 1)?;
        self.slots[i]
    }
    /// Whether the local may no longer hold the argument.
    pub fn written(&self, local: u16) -> bool {
        local >= 64 || self.written >> local & 1 == 1
    }
    fn write(&mut self, local: u16) {
        if local < 64 {
            self.written |= 1 << local;
        }
    }
    fn push(&mut self, slots: u16, bci: usize) {
        self.slots
            .extend(std::iter::repeat_n(Some(bci), slots.into()));
    }
    fn pop(&mut self, slots: u16) -> Option<()> {
        let n = self.slots.len().checked_sub(slots.into())?;
        self.slots.truncate(n);
        Some(())
    }
    /// Pops the top `n` slots and pushes them again in this order (0 is the deepest of them).
    fn shuffle(&mut self, n: usize, order: &[usize]) -> Option<()> {
        let from = self.slots.len().checked_sub(n)?;
        let top: Vec<_> = self.slots.drain(from..).collect();
        self.slots.extend(order.iter().map(|&i| top[i]));
        Some(())
    }
    fn merge(&mut self, other: &OperandState) {
        for (a, b) in self.slots.iter_mut().zip(&other.slots) {
            if a != b {
                *a = None;
            }
        }
        self.written |= other.written;
    }
}

/// The states before each instruction, as far as known.
pub(super) struct Stacks(Vec<Option<OperandState>>);

impl Stacks {
    /// Simulates in code order, again as long as something new shows, until `bci` is reached.
    pub fn up_to(s: &AnalyzedMethod, bci: usize) -> Stacks {
        let code = &s.code.code;
        let mut all = Stacks(vec![None; code.len()]);
        all.reach(0, &OperandState::default());
        for e in &s.code.exceptions {
            let handler = usize::from(e.handler_pc);
            let mut stack = OperandState::default();
            stack.push(1, handler);
            all.reach(handler, &stack);
        }
        let mut news = true;
        while news && all.at(bci).is_none() {
            news = false;
            let mut pc = 0;
            while pc < code.len() && !(pc == bci && all.at(bci).is_some()) {
                let Ok(insn) = Insn::decode(code, pc) else {
                    return all;
                };
                match all.step(s, &insn) {
                    Some(n) => news |= n,
                    None => return all,
                }
                pc = insn.next_pc();
            }
        }
        all
    }
    /// The state before an instruction.
    pub fn at(&self, bci: usize) -> Option<&OperandState> {
        self.0.get(bci)?.as_ref()
    }
    /// A path leads to `bci` with this state; whether it is the first.
    fn reach(&mut self, bci: usize, stack: &OperandState) -> bool {
        match self.0.get_mut(bci) {
            Some(Some(known)) => {
                known.merge(stack);
                false
            }
            Some(unknown) => {
                *unknown = Some(stack.clone());
                true
            }
            None => false,
        }
    }
    /// Passes the state before `insn` on to its successors; whether one is reached for the first
    /// time. `None`: the code is not understood.
    fn step(&mut self, s: &AnalyzedMethod, insn: &Insn) -> Option<bool> {
        let Some(mut stack) = self.at(insn.pc).cloned() else {
            return Some(false);
        };
        effect(s, insn, &mut stack)?;
        let mut news = false;
        match insn.operand {
            Operand::Branch(target) => news |= self.reach(usize::try_from(target).ok()?, &stack),
            Operand::Switch(switch) => {
                for target in std::iter::once(switch.default).chain(switch.cases().map(|c| c.1)) {
                    news |= self.reach(usize::try_from(target).ok()?, &stack);
                }
            }
            _ => {}
        }
        if !op::ends_block(insn.opcode) {
            news |= self.reach(insn.next_pc(), &stack);
        }
        Some(news)
    }
}

fn effect(s: &AnalyzedMethod, insn: &Insn, stack: &mut OperandState) -> Option<()> {
    let pool = &s.cf.constant_pool;
    let bci = insn.pc;
    let code = insn.opcode;
    match code {
        op::DUP => return stack.shuffle(1, &[0, 0]),
        op::DUP_X1 => return stack.shuffle(2, &[1, 0, 1]),
        op::DUP_X2 => return stack.shuffle(3, &[2, 0, 1, 2]),
        op::DUP2 => return stack.shuffle(2, &[0, 1, 0, 1]),
        op::DUP2_X1 => return stack.shuffle(3, &[1, 2, 0, 1, 2]),
        op::DUP2_X2 => return stack.shuffle(4, &[2, 3, 0, 1, 2, 3]),
        op::SWAP => return stack.shuffle(2, &[1, 0]),
        // the value keeps its origin
        op::CHECKCAST => return Some(()),
        _ => {}
    }
    if let Some(local) = stored_local(insn) {
        stack.write(local);
        if matches!(stack_letter(code), Some(b'J' | b'D')) {
            stack.write(local.saturating_add(1));
        }
    }
    let row = op::info(code)?;
    let (pop, push) = match code {
        op::LDC | op::LDC_W => (0, 1),
        op::LDC2_W => (0, 2),
        op::GETSTATIC | op::PUTSTATIC | op::GETFIELD | op::PUTFIELD => {
            let field = pool.member_ref(constant(insn)?).ok()?;
            let slots = FieldType::parse(field.descriptor).ok()?.slots();
            match code {
                op::GETSTATIC => (0, slots),
                op::PUTSTATIC => (slots, 0),
                op::GETFIELD => (1, slots),
                _ => (slots + 1, 0),
            }
        }
        op::INVOKEVIRTUAL
        | op::INVOKESPECIAL
        | op::INVOKESTATIC
        | op::INVOKEINTERFACE
        | op::INVOKEDYNAMIC => {
            let index = constant(insn)?;
            let descriptor = match pool.get(index).ok()? {
                Constant::InvokeDynamic { .. } => pool.dynamic(index).ok()?.2,
                _ => pool.member_ref(index).ok()?.descriptor,
            };
            let d = MethodDescriptor::parse(descriptor).ok()?;
            let no_receiver = matches!(code, op::INVOKESTATIC | op::INVOKEDYNAMIC);
            (d.argument_slots(no_receiver), d.return_slots())
        }
        op::MULTIANEWARRAY => match insn.operand {
            Operand::MultiArray { dimensions, .. } => (dimensions.into(), 1),
            _ => return None,
        },
        _ => (row.pop_slots()?, row.push_slots()?),
    };
    stack.pop(pop)?;
    stack.push(push, bci);
    Some(())
}

/// The type letter of a store instruction.
fn stack_letter(code: u8) -> Option<u8> {
    op::info(code)?.pop.bytes().next()
}

/// The local an instruction writes.
fn stored_local(insn: &Insn) -> Option<u16> {
    match (insn.opcode, insn.operand) {
        (op::ISTORE..=op::ASTORE, Operand::Local(l)) | (_, Operand::Iinc { local: l, .. }) => {
            Some(l)
        }
        (c @ op::ISTORE_0..=op::ASTORE_3, _) => Some(u16::from((c - op::ISTORE_0) % 4)),
        _ => None,
    }
}

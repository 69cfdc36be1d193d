//! Type checking of the instructions that only move and compute values, as long as all is right with them. They are most
//! of all instructions, and need neither classes nor constants. Whatever is not as it should be is left to the rules one
//! by one (`steps.rs`), which know what to say about it.

use super::typecheck::Checker;
use super::types::VType;
use rjvm_classfile::opcodes::{self as op, OPCODES, Opcode, Operands};

/// What such an instruction does, as types.
struct StackEffect {
    /// Bytes of the instruction; 0: it is not such a one.
    len: u8,
    /// How many slots it pops, and how many it pushes.
    pops: u8,
    pushes: u8,
    branches: bool,
    /// Topmost first.
    popped: [Primitive; 4],
    /// Deepest first.
    pushed: [VType<'static>; 2],
}

/// The contents of a slot without a reference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Primitive {
    Other,
    Int,
    Float,
    Long,
    Long2,
    Double,
    Double2,
}

impl Primitive {
    #[inline]
    fn of(t: VType<'_>) -> Primitive {
        match t {
            VType::Int => Primitive::Int,
            VType::Float => Primitive::Float,
            VType::Long => Primitive::Long,
            VType::Long2 => Primitive::Long2,
            VType::Double => Primitive::Double,
            VType::Double2 => Primitive::Double2,
            _ => Primitive::Other,
        }
    }
}

const NONE: StackEffect = StackEffect {
    len: 0,
    pops: 0,
    pushes: 0,
    branches: false,
    popped: [Primitive::Other; 4],
    pushed: [VType::Top; 2],
};

/// By opcode.
static EFFECTS: [StackEffect; 256] = {
    let mut effects = [const { NONE }; 256];
    let mut i = 0;
    while i < OPCODES.len() {
        effects[i] = effect(&OPCODES[i]);
        i += 1;
    }
    effects
};

const fn effect(row: &Opcode) -> StackEffect {
    let mut e = NONE;
    let len = match row.operands {
        Operands::None => 1,
        Operands::Byte => 2,
        Operands::Short | Operands::Branch2 => 3,
        _ => return NONE,
    };
    let moves = matches!(
        row.byte,
        op::ILOAD_0..=op::ALOAD_3 | op::ISTORE_0..=op::ASTORE_3 | op::POP..=op::SWAP
    );
    if moves || matches!(row.byte, op::GOTO..=op::RET | op::IRETURN..=op::RETURN) {
        return NONE;
    }
    let (pop, push) = (row.pop.as_bytes(), row.push.as_bytes());
    let mut i = pop.len();
    while i > 0 {
        i -= 1;
        let slots: &[Primitive] = match pop[i] {
            b'I' => &[Primitive::Int],
            b'F' => &[Primitive::Float],
            b'J' => &[Primitive::Long2, Primitive::Long],
            b'D' => &[Primitive::Double2, Primitive::Double],
            _ => return NONE,
        };
        let mut k = 0;
        while k < slots.len() {
            e.popped[e.pops as usize] = slots[k];
            e.pops += 1;
            k += 1;
        }
    }
    while i < push.len() {
        let slots: &[VType<'static>] = match push[i] {
            b'I' => &[VType::Int],
            b'F' => &[VType::Float],
            b'J' => &[VType::Long, VType::Long2],
            b'D' => &[VType::Double, VType::Double2],
            _ => return NONE,
        };
        let mut k = 0;
        while k < slots.len() {
            e.pushed[e.pushes as usize] = slots[k];
            e.pushes += 1;
            k += 1;
        }
        i += 1;
    }
    e.len = len;
    e.branches = matches!(row.operands, Operands::Branch2);
    e
}

/// An instruction that is done except for its branch.
pub(super) struct Done {
    /// Where the next one begins.
    pub next: usize,
    /// Where control may go instead.
    pub target: Option<i32>,
}

impl<'a> Checker<'_, 'a> {
    /// Executes the instruction at `pc` on types, if all is right with it; else nothing has changed. `stores`: it may be
    /// one that stores into a local.
    #[inline]
    pub(super) fn plain(&mut self, pc: usize, stores: bool) -> Option<Done> {
        let code = &self.code.code;
        let opcode = code[pc];
        let e = &EFFECTS[usize::from(opcode)];
        if e.len != 0 {
            if !self.apply(e) {
                return None;
            }
            let offset = || i32::from(i16::from_be_bytes([code[pc + 1], code[pc + 2]]));
            return Some(Done {
                next: pc + usize::from(e.len),
                target: e.branches.then(|| pc as i32 + offset()),
            });
        }
        let operand = || usize::from(code[pc + 1]);
        let number = |first: u8| usize::from(opcode - first);
        let (done, len) = match opcode {
            op::ILOAD..=op::ALOAD => (self.load(number(op::ILOAD), operand()), 2),
            op::ILOAD_0..=op::ALOAD_3 => {
                let n = number(op::ILOAD_0);
                (self.load(n / 4, n % 4), 1)
            }
            op::ISTORE..=op::ASTORE if stores => {
                (self.store_plain(number(op::ISTORE), operand()), 2)
            }
            op::ISTORE_0..=op::ASTORE_3 if stores => {
                let n = number(op::ISTORE_0);
                (self.store_plain(n / 4, n % 4), 1)
            }
            op::IINC => {
                let i = operand();
                let small = i < usize::from(self.code.max_locals);
                (small && self.s.local(i) == VType::Int, 3)
            }
            op::DUP => (self.dup(), 1),
            _ => return None,
        };
        done.then_some(Done {
            next: pc + len,
            target: None,
        })
    }

    #[inline]
    fn apply(&mut self, e: &StackEffect) -> bool {
        let (size, most) = (self.s.size, usize::from(self.code.max_stack));
        let Some(base) = size.checked_sub(usize::from(e.pops)) else {
            return false;
        };
        let operands = &self.s.stack.entries()[base..size];
        let mut pairs = operands.iter().rev().zip(&e.popped);
        if base + usize::from(e.pushes) > most || !pairs.all(|(t, want)| Primitive::of(*t) == *want)
        {
            return false;
        }
        self.s.size = base;
        for &t in &e.pushed[..usize::from(e.pushes)] {
            self.s.push(t);
        }
        true
    }

    /// `kind`: in the order of the instructions.
    #[inline]
    fn load(&mut self, kind: usize, i: usize) -> bool {
        let Some(t) = self.s.locals.get(i) else {
            return false;
        };
        let most = usize::from(self.code.max_stack);
        let fits = match t {
            VType::Int => kind == 0,
            VType::Long => kind == 1,
            VType::Float => kind == 2,
            VType::Double => kind == 3,
            _ => kind == 4 && (t.is_reference() || t.is_uninit()),
        };
        match t.second() {
            _ if !fits => false,
            None => {
                if i >= usize::from(self.code.max_locals) || self.s.size >= most {
                    return false;
                }
                self.s.push(t);
                true
            }
            Some(second) => {
                if i + 1 >= self.s.locals.len() || self.s.size + 2 > most {
                    return false;
                }
                self.s.push(t);
                self.s.push(second);
                true
            }
        }
    }

    #[inline]
    fn store_plain(&mut self, kind: usize, i: usize) -> bool {
        let slots = if matches!(kind, 1 | 3) { 2 } else { 1 };
        let Some(base) = self.s.size.checked_sub(slots) else {
            return false;
        };
        if i + slots > usize::from(self.code.max_locals) {
            return false;
        }
        let t = self.s.operand(base);
        let second = self.s.operand(base + 1);
        let fits = match kind {
            0 => t == VType::Int,
            1 => t == VType::Long && second == VType::Long2,
            2 => t == VType::Float,
            3 => t == VType::Double && second == VType::Double2,
            _ => t.is_reference() || t.is_uninit(),
        };
        if fits {
            self.s.size = base;
            self.s.set_local(i, t);
        }
        fits
    }

    #[inline]
    fn dup(&mut self) -> bool {
        let Some(top) = self.s.size.checked_sub(1) else {
            return false;
        };
        let t = self.s.operand(top);
        let fits = t.is_category1() && self.s.size < usize::from(self.code.max_stack);
        if fits {
            self.s.push(t);
        }
        fits
    }
}

//! First look at a method: bytecode numbers, potentials, labels.

use super::values::{CHECK_DISTANCE, LABEL_LAG};
use crate::interp::fall_through::falls_through;
use rjvm_classfile::{CodeAttribute, opcodes as o};

/// What a linear scan of the bytecode finds.
#[derive(Default)]
pub struct Scan {
    /// Bytecode index of each bytecode.
    pub bcis: Vec<u16>,
    /// Number of the bytecode at each index (`u16::MAX`: inside one).
    pub numbers: Vec<u16>,
    /// Potential: bytecodes since the method's entry, or since the last call, unconditional transfer or
    /// check, in code order. None is larger than [`CHECK_DISTANCE`].
    pub pot: Vec<u32>,
    /// The marks of each bytecode: [`LABEL`], [`PSEUDO`], [`CHECK`].
    pub marks: Vec<u8>,
    /// jsr or ret occur.
    pub has_jsr: bool,
    /// monitorenter or monitorexit occur.
    pub has_monitors: bool,
    /// Some bytecode is a label.
    pub has_labels: bool,
    /// Numbers of the bytecodes that may branch, ascending.
    jumps: Vec<u16>,
    /// Numbers of the branch and the target of the innermost loop's way back, which needs no counter:
    /// how often it is taken follows from the number of bytecodes executed in a context.
    pub free: Option<(u16, u16)>,
}

/// Branch target, handler, or after a jsr.
pub(super) const LABEL: u8 = 1;
/// Reached by a duplicated loop condition.
pub(super) const PSEUDO: u8 = 2;
/// The limit is looked at when control falls through to it; potentials begin again.
pub(super) const CHECK: u8 = 4;

/// Loops of a method that are compared to find the innermost one.
const MANY_LOOPS: usize = 64;

/// Reads an i16 behind the opcode.
pub(super) fn s2(code: &[u8], pc: usize) -> i32 {
    i16::from_be_bytes([code[pc + 1], code[pc + 2]]) as i32
}
/// Reads a u16 behind the opcode.
pub(super) fn u2(code: &[u8], pc: usize) -> u16 {
    u16::from_be_bytes([code[pc + 1], code[pc + 2]])
}
/// Reads an i32.
pub(super) fn s4(code: &[u8], at: usize) -> i32 {
    i32::from_be_bytes([code[at], code[at + 1], code[at + 2], code[at + 3]])
}

/// Facts about opcodes, in [`FACTS`]: potentials begin again after it; it may branch; it is `jsr` or `ret`;
/// it is `monitorenter` or `monitorexit`.
const ANEW: u8 = 1;
const JUMP: u8 = 2;
const SUBROUTINE: u8 = 4;
const MONITOR: u8 = 8;

/// By opcode. Calls and branches count up to themselves, and nothing falls through the latter.
static FACTS: [u8; 256] = {
    let mut facts = [0; 256];
    let mut op = 0;
    while op < 256 {
        let anew = matches!(
            op as u8,
            o::INVOKEVIRTUAL..=o::INVOKEDYNAMIC
                | o::GOTO..=o::RETURN
                | o::GOTO_W
                | o::JSR_W
                | o::ATHROW
        );
        let jump = matches!(
            op as u8,
            o::IFEQ..=o::JSR
                | o::IFNULL..=o::JSR_W
                | o::TABLESWITCH
                | o::LOOKUPSWITCH
        );
        let subroutine = matches!(op as u8, o::JSR | o::JSR_W | o::RET);
        let monitor = matches!(op as u8, o::MONITORENTER | o::MONITOREXIT);
        facts[op] = (anew as u8 * ANEW)
            | (jump as u8 * JUMP)
            | (subroutine as u8 * SUBROUTINE)
            | (monitor as u8 * MONITOR);
        op += 1;
    }
    facts
};

impl Scan {
    /// Looks at a method; what an earlier one left gives its memory. `loops`: whether the innermost loop
    /// is wanted.
    pub(super) fn look(&mut self, attr: &CodeAttribute, loops: bool) -> Result<(), String> {
        let code = &attr.code;
        self.bcis.clear();
        self.pot.clear();
        self.marks.clear();
        self.jumps.clear();
        self.numbers.clear();
        self.numbers.resize(code.len() + 1, u16::MAX);
        let mut seen = 0;
        let (mut pc, mut p) = (0, 0u32);
        while pc < code.len() {
            let number = self.bcis.len() as u16;
            self.numbers[pc] = number;
            self.bcis.push(pc as u16);
            let check = p >= CHECK_DISTANCE;
            if check {
                p = 0;
            }
            self.marks.push(u8::from(check) * CHECK);
            self.pot.push(p);
            let op = code[pc];
            let mut facts = FACTS[op as usize];
            if op == o::WIDE && code.get(pc + 1) == Some(&o::RET) {
                facts = FACTS[o::RET as usize];
            }
            if facts & JUMP != 0 {
                self.jumps.push(number);
            }
            seen |= facts;
            p = if facts & ANEW != 0 { 0 } else { p + 1 };
            pc += o::length(code, pc).map_err(|e| e.to_string())?;
        }
        self.marks.push(0);
        self.has_jsr = seen & SUBROUTINE != 0;
        self.has_monitors = seen & MONITOR != 0;
        self.has_labels = !self.jumps.is_empty() || !attr.exceptions.is_empty();
        let jumps = std::mem::take(&mut self.jumps);
        let marked = self.mark_all(attr, &jumps);
        if self.has_labels {
            self.check_before_labels();
        }
        self.free = match loops {
            true => self.innermost(code, &jumps),
            false => None,
        };
        self.jumps = jumps;
        marked
    }
    /// Where potentials at labels would be larger than [`LABEL_LAG`], the limit is looked at before.
    fn check_before_labels(&mut self) {
        let mut less = 0;
        for (mark, pot) in self.marks.iter_mut().zip(&mut self.pot) {
            // potentials that begin again, begin at 0
            if *pot < less || *mark & CHECK != 0 {
                less = 0;
            }
            *pot -= less;
            if *mark & (LABEL | PSEUDO) != 0 && *pot > LABEL_LAG {
                *mark |= CHECK;
                less += *pot;
                *pot = 0;
            }
        }
    }
    /// Marks labels.
    fn mark_all(&mut self, attr: &CodeAttribute, jumps: &[u16]) -> Result<(), String> {
        let (s, code) = (self, &attr.code);
        for &i in jumps {
            let pc = s.bcis[i as usize] as usize;
            match code[pc] {
                o::IFEQ..=o::JSR | o::IFNULL | o::IFNONNULL => {
                    s.mark(pc as i64 + s2(code, pc) as i64)?;
                    if code[pc] == o::JSR {
                        s.mark(pc as i64 + 3)?;
                    }
                }
                o::GOTO_W | o::JSR_W => {
                    s.mark(pc as i64 + s4(code, pc + 1) as i64)?;
                    if code[pc] == o::JSR_W {
                        s.mark(pc as i64 + 5)?;
                    }
                }
                o::TABLESWITCH => {
                    let a = (pc + 4) & !3;
                    s.mark(pc as i64 + s4(code, a) as i64)?;
                    let n = s4(code, a + 8) as i64 - s4(code, a + 4) as i64 + 1;
                    for k in 0..n as usize {
                        s.mark(pc as i64 + s4(code, a + 12 + k * 4) as i64)?;
                    }
                }
                o::LOOKUPSWITCH => {
                    let a = (pc + 4) & !3;
                    s.mark(pc as i64 + s4(code, a) as i64)?;
                    for k in 0..s4(code, a + 4) as usize {
                        s.mark(pc as i64 + s4(code, a + 12 + k * 8) as i64)?;
                    }
                }
                _ => {}
            }
        }
        for e in &attr.exceptions {
            s.mark(e.handler_pc as i64)?;
        }
        // loop conditions that are repeated at the loop's end: what follows them is entered from there
        for &i in jumps {
            let pc = s.bcis[i as usize] as usize;
            if code[pc] == o::GOTO
                && let Some(l) = s.loop_condition(code, pc)
            {
                s.marks[l.1 as usize + 1] |= PSEUDO;
            }
        }
        Ok(())
    }
    /// The way back of the loop that most others enclose, the shortest of these.
    fn innermost(&self, code: &[u8], jumps: &[u16]) -> Option<(u16, u16)> {
        let mut back = Vec::new();
        for &i in jumps {
            let pc = self.bcis[i as usize] as usize;
            let to = match code[pc] {
                o::IFEQ..=o::GOTO | o::IFNULL | o::IFNONNULL => pc as i64 + s2(code, pc) as i64,
                _ => continue,
            };
            let to = self.number(to as u16)?;
            if to <= i {
                back.push((i, to));
            }
        }
        let depth = |l: &(u16, u16)| {
            let inside = |k: &&(u16, u16)| k.1 <= l.1 && l.0 <= k.0;
            back.iter().take(MANY_LOOPS).filter(inside).count()
        };
        let key = |l: &&(u16, u16)| (depth(l), u16::MAX - (l.0 - l.1));
        let loops = back.iter().take(MANY_LOOPS);
        loops
            .filter(|l| self.reports(code, l))
            .max_by_key(key)
            .copied()
    }
    /// Whether the number of bytecodes executed reports how often a way back is taken. Those that follow
    /// its target are executed once more for each time, up to where control goes elsewhere, and those
    /// that follow its branch once less: there must not be as many of one as of the other.
    fn reports(&self, code: &[u8], &(branch, target): &(u16, u16)) -> bool {
        let straight = |from: u16| {
            let pcs = self.bcis[from as usize..].iter();
            let on = pcs.take_while(|&&pc| falls_through(code, pc as usize));
            on.count() + 1
        };
        let (more, less) = (straight(target), straight(branch) - 1);
        // straight on to the branch itself, it is the bytecodes of the loop
        more > (branch - target) as usize || more != less
    }
    fn mark(&mut self, bci: i64) -> Result<(), String> {
        match self.numbers.get(bci as usize) {
            Some(&n) if n != u16::MAX => {
                self.marks[n as usize] |= LABEL;
                Ok(())
            }
            _ => Err(format!("branch to {bci}, which is no instruction")),
        }
    }
    /// How far the ticks lag where the limit is looked at before bytecode `i`; the check adds that to
    /// them. 0 elsewhere.
    pub(super) fn lag(&self, i: usize) -> u32 {
        match self.marks[i] & CHECK {
            0 => 0,
            _ => self.pot[i - 1] + 1,
        }
    }
    /// Whether control may come to a bytecode from elsewhere than the one before it.
    pub(super) fn is_label(&self, number: usize) -> bool {
        self.marks[number] & LABEL != 0
    }
    /// Number of the bytecode at `bci`.
    pub(in crate::interp) fn number(&self, bci: u16) -> Option<u16> {
        self.numbers
            .get(bci as usize)
            .copied()
            .filter(|&n| n != u16::MAX)
    }
    /// If the `goto` at `pc` goes back to a short loop condition (an int local, optionally an int local or constant, and a
    /// branch): numbers of the condition's first bytecode and of its branch.
    pub(super) fn loop_condition(&self, code: &[u8], pc: usize) -> Option<(u16, u16)> {
        let t = pc as i64 + s2(code, pc) as i64;
        if t >= pc as i64 || t < 0 {
            return None;
        }
        let first = self.number(t as u16)?;
        let at = |k: usize| {
            self.bcis
                .get(first as usize + k)
                .map(|&b| (b as usize, code[b as usize]))
        };
        let is_load = |op: u8| op == o::ILOAD || (o::ILOAD_0..=o::ILOAD_3).contains(&op);
        let is_const = |op: u8| {
            (o::ICONST_M1..=o::ICONST_5).contains(&op) || op == o::BIPUSH || op == o::SIPUSH
        };
        let inner = |k: usize| self.marks[first as usize + k] & LABEL == 0;
        let (_, op0) = at(0)?;
        if !is_load(op0) {
            return None;
        }
        let (_, op1) = at(1)?;
        if (o::IFEQ..=o::IFLE).contains(&op1) && inner(1) {
            return Some((first, first + 1));
        }
        let (_, op2) = at(2)?;
        if (is_load(op1) || is_const(op1))
            && (o::IF_ICMPEQ..=o::IF_ICMPLE).contains(&op2)
            && inner(1)
            && inner(2)
        {
            return Some((first, first + 2));
        }
        None
    }
}

/// Types of the locals at method entry.
pub(in crate::interp) fn initial_locals(loc: &mut [u8], is_static: bool, desc: &str) {
    let mut i = 0;
    let mut set = |t: u8, n: usize| {
        if i < loc.len() {
            loc[i] = t;
        }
        i += n;
    };
    if !is_static {
        set(b'A', 1);
    }
    for letter in rjvm_classfile::descriptor::parameter_letters(desc) {
        match letter {
            b'L' | b'[' => set(b'A', 1),
            b'J' | b'D' => set(letter, 2),
            b'F' => set(b'F', 1),
            _ => set(b'I', 1),
        }
    }
}

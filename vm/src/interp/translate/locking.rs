//! Structured locking (JVMS 2.11.10): does a method release, whatever happens, just the monitors it has
//! entered, the last one first?
//!
//! Compiled `synchronized` blocks do, and the bytecode shows it. In other methods each
//! monitor is noted as it is entered and left (`slow_tracked_monitor`); a return with one held throws.

use super::scan::{Scan, s2, s4, u2};
use rjvm_classfile::{CodeAttribute, opcodes as o};
use smallvec::SmallVec;

/// The locals whose objects are locked, in the order of locking.
type LockedLocals = SmallVec<[u16; 4]>;

struct LockScan<'a> {
    scan: &'a Scan,
    attr: &'a CodeAttribute,
    /// By bytecode number: the monitors held before it.
    held: Vec<Option<LockedLocals>>,
    work: Vec<usize>,
}

/// Whether the method's locking is surely structured.
pub(super) fn is_structured(scan: &Scan, attr: &CodeAttribute) -> bool {
    if scan.has_jsr || scan.bcis.is_empty() {
        return false;
    }
    let mut look = LockScan {
        scan,
        attr,
        held: vec![None; scan.bcis.len()],
        work: Vec::new(),
    };
    look.all().is_some()
}

impl LockScan<'_> {
    /// `None`: a way on which it is not structured, or cannot be shown to be.
    fn all(&mut self) -> Option<()> {
        self.flow(0, &LockedLocals::new())?;
        while let Some(i) = self.work.pop() {
            let before = self.held[i].clone()?;
            self.step(i, before)?;
        }
        Some(())
    }
    /// Control comes to bytecode number `to` with these monitors.
    fn flow(&mut self, to: usize, held: &LockedLocals) -> Option<()> {
        match self.held.get_mut(to)? {
            Some(h) => (h == held).then_some(()),
            slot => {
                *slot = Some(held.clone());
                self.work.push(to);
                Some(())
            }
        }
    }
    fn branch(&mut self, pc: usize, offset: i32, held: &LockedLocals) -> Option<()> {
        let to = self.scan.number((pc as i64 + i64::from(offset)) as u16)?;
        self.flow(to as usize, held)
    }
    /// An exception at `pc` comes to a handler that catches all, or no monitor is held.
    fn throws(&mut self, pc: usize, held: &LockedLocals) -> Option<()> {
        let attr = self.attr;
        for e in &attr.exceptions {
            if pc < e.start_pc as usize || pc >= e.end_pc as usize {
                continue;
            }
            let to = self.scan.number(e.handler_pc)?;
            self.flow(to as usize, held)?;
            if e.catch_type == 0 {
                return Some(());
            }
        }
        held.is_empty().then_some(())
    }
    fn step(&mut self, i: usize, mut held: LockedLocals) -> Option<()> {
        let code = &self.attr.code;
        let pc = self.scan.bcis[i] as usize;
        let op = code[pc];
        if cannot_throw(op) {
            if let Some((at, slots)) = stored(code, pc)
                && (at..at + slots).any(|l| held.contains(&l))
            {
                return None;
            }
        } else if op != o::MONITOREXIT {
            self.throws(pc, &held)?;
        }
        match op {
            o::MONITORENTER => {
                let local = self.entered(i)?;
                if held.contains(&local) {
                    return None;
                }
                held.push(local);
            }
            o::MONITOREXIT => {
                let local = loaded(code, self.before(i, 1)?)?;
                if held.pop() != Some(local) {
                    return None;
                }
            }
            o::IRETURN..=o::RETURN => return held.is_empty().then_some(()),
            o::ATHROW => return Some(()),
            o::GOTO => return self.branch(pc, s2(code, pc), &held),
            o::GOTO_W => return self.branch(pc, s4(code, pc + 1), &held),
            o::IFEQ..=o::IF_ACMPNE | o::IFNULL | o::IFNONNULL => {
                self.branch(pc, s2(code, pc), &held)?;
            }
            o::TABLESWITCH | o::LOOKUPSWITCH => {
                let at = (pc + 4) & !3;
                self.branch(pc, s4(code, at), &held)?;
                let (first, step, n) = match op {
                    o::TABLESWITCH => {
                        let n = i64::from(s4(code, at + 8)) - i64::from(s4(code, at + 4)) + 1;
                        (at + 12, 4, n)
                    }
                    _ => (at + 12, 8, i64::from(s4(code, at + 4))),
                };
                for k in 0..usize::try_from(n).ok()? {
                    self.branch(pc, s4(code, first + k * step), &held)?;
                }
                return Some(());
            }
            _ => {}
        }
        self.flow(i + 1, &held)
    }
    /// Index of the instruction `n` before number `i`, if control comes from there only.
    fn before(&self, i: usize, n: usize) -> Option<usize> {
        let straight = (i + 1 - n..=i).all(|k| !self.scan.is_label(k));
        (straight && i >= n).then(|| self.scan.bcis[i - n] as usize)
    }
    /// The local that has the object which the monitorenter at `i` locks.
    fn entered(&self, i: usize) -> Option<u16> {
        let code = &self.attr.code;
        let last = self.before(i, 1)?;
        if let Some(local) = loaded(code, last) {
            return Some(local);
        }
        let (local, _) = stored(code, last)?;
        (code[self.before(i, 2)?] == o::DUP).then_some(local)
    }
}

/// The local that an `aload` loads.
fn loaded(code: &[u8], pc: usize) -> Option<u16> {
    match code[pc] {
        o::ALOAD => Some(code[pc + 1].into()),
        op @ o::ALOAD_0..=o::ALOAD_3 => Some((op - o::ALOAD_0).into()),
        o::WIDE if code[pc + 1] == o::ALOAD => Some(u2(code, pc + 1)),
        _ => None,
    }
}
/// The local that an instruction changes, and its slots.
fn stored(code: &[u8], pc: usize) -> Option<(u16, u16)> {
    let slots = |op: u8| 1 + u16::from(matches!(op, o::LSTORE | o::DSTORE));
    match code[pc] {
        op @ (o::ISTORE..=o::ASTORE | o::IINC) => Some((code[pc + 1].into(), slots(op))),
        op @ o::ISTORE_0..=o::ASTORE_3 => {
            let (kind, local) = ((op - o::ISTORE_0) / 4, (op - o::ISTORE_0) % 4);
            Some((local.into(), slots(o::ISTORE + kind)))
        }
        o::WIDE => match code[pc + 1] {
            op @ (o::ISTORE..=o::ASTORE | o::IINC) => Some((u2(code, pc + 1), slots(op))),
            _ => None,
        },
        _ => None,
    }
}
/// Instructions that throw nothing.
fn cannot_throw(op: u8) -> bool {
    let divides = matches!(op, o::IDIV | o::LDIV | o::IREM | o::LREM);
    match op {
        o::NOP..=o::SIPUSH | o::ILOAD..=o::ALOAD_3 | o::ISTORE..=o::ASTORE_3 => true,
        o::POP..=o::IF_ACMPNE => !divides,
        o::GOTO | o::TABLESWITCH | o::LOOKUPSWITCH | o::WIDE => true,
        o::IFNULL | o::IFNONNULL | o::GOTO_W => true,
        o::IRETURN..=o::RETURN => true,
        _ => false,
    }
}

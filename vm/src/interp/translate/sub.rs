//! Subroutines (`jsr`, `ret`). A local that holds a reference at a `jsr` may have no kind inside the
//! subroutine, which other places call too, and yet have its value again after the `ret`. The
//! reference maps of the subroutine don't know it, so meanwhile it waits in a separate slot, which all maps of the method have.

use super::super::code::{AS, IM};
use super::super::insn::Operation;
use super::super::ops_arith as oa;
use super::scan::{Scan, s2, s4, u2};
use super::translator::Tr;
use super::values::{Ent, V};
use crate::verify::infer::{FrameTypes, SlotKind};
use rjvm_classfile::opcodes as o;
use std::collections::BTreeSet;

/// A local that waits for the end of a subroutine.
pub(super) struct PendingLocal {
    /// Number of the `jsr`.
    site: u16,
    local: u16,
}

/// The locals that have to wait, in the order of their slots.
pub(super) fn kept_locals(
    scan: &Scan,
    code: &[u8],
    frames: &[(u16, FrameTypes)],
) -> Vec<PendingLocal> {
    let mut kept = Vec::new();
    if !scan.has_jsr {
        return kept;
    }
    let frame = |i: u16| {
        let bci = *scan.bcis.get(i as usize)?;
        let at = frames.binary_search_by_key(&bci, |f| f.0).ok()?;
        Some(&frames[at].1)
    };
    for (i, &pc) in scan.bcis.iter().enumerate() {
        let pc = pc as usize;
        let off = match code[pc] {
            o::JSR => s2(code, pc),
            o::JSR_W => s4(code, pc + 1),
            _ => continue,
        };
        let Some(sub) = scan.number((pc as i64 + off as i64) as u16) else {
            continue;
        };
        let (Some(inside), Some(after)) = (frame(sub), frame(i as u16 + 1)) else {
            continue;
        };
        let lost = |x: &usize| {
            after.locals.get(*x) == Some(SlotKind::Ref)
                && inside.locals.get(*x) != Some(SlotKind::Ref)
        };
        let lost: Vec<usize> = (0..after.locals.len()).filter(lost).collect();
        if lost.is_empty() {
            continue;
        }
        let stored = stored(scan, code, sub);
        kept.extend(lost.into_iter().map(|x| x as u16).filter_map(|local| {
            let site = i as u16;
            (!stored.contains(&local)).then_some(PendingLocal { site, local })
        }));
    }
    kept
}

/// The locals that the subroutine at bytecode number `sub` stores into: those hold its values after
/// the `ret`.
fn stored(scan: &Scan, code: &[u8], sub: u16) -> BTreeSet<u16> {
    let mut stored = BTreeSet::new();
    let mut seen = vec![false; scan.bcis.len()];
    let mut todo = vec![sub];
    while let Some(i) = todo.pop() {
        let Some(seen) = seen.get_mut(i as usize) else {
            continue;
        };
        if std::mem::replace(seen, true) {
            continue;
        }
        let pc = scan.bcis[i as usize] as usize;
        let op = code[pc];
        match op {
            o::ISTORE..=o::ASTORE | o::IINC => drop(stored.insert(code[pc + 1] as u16)),
            o::ISTORE_0..=o::ASTORE_3 => drop(stored.insert((op - o::ISTORE_0) as u16 % 4)),
            o::WIDE if !(o::ILOAD..=o::ALOAD).contains(&code[pc + 1]) => {
                stored.insert(u2(code, pc + 1));
            }
            _ => {}
        }
        let mut to = |off: i32| todo.extend(scan.number((pc as i64 + off as i64) as u16));
        match op {
            o::IFEQ..=o::JSR | o::IFNULL | o::IFNONNULL => to(s2(code, pc)),
            o::GOTO_W | o::JSR_W => to(s4(code, pc + 1)),
            o::TABLESWITCH => {
                let q = (pc + 4) & !3;
                to(s4(code, q));
                for k in 0..(s4(code, q + 8) - s4(code, q + 4) + 1) as usize {
                    to(s4(code, q + 12 + k * 4));
                }
            }
            o::LOOKUPSWITCH => {
                let q = (pc + 4) & !3;
                to(s4(code, q));
                for k in 0..s4(code, q + 4) as usize {
                    to(s4(code, q + 12 + k * 8));
                }
            }
            _ => {}
        }
        let is_ret = op == o::WIDE && code[pc + 1] == o::RET;
        // a subroutine called from here comes back
        if !is_ret && (!o::ends_block(op) || matches!(op, o::JSR | o::JSR_W)) {
            todo.push(i + 1);
        }
    }
    stored
}

impl Tr<'_> {
    fn kept_slot(&self, k: usize) -> u16 {
        self.max_locals + self.sync as u16 + k as u16
    }
    /// At the method's entry: the slots of waiting locals hold null. From here on all maps have them.
    pub(super) fn clear_kept(&mut self) {
        if self.kept.is_empty() {
            return;
        }
        for k in 0..self.kept.len() {
            let slot = self.kept_slot(k);
            let null = Operation {
                a: 0,
                d: slot,
                b: 0,
            };
            self.emit(oa::mov::<IM>, null);
        }
        self.kept_live = true;
        self.locals_changed();
        self.pending_map = self.map_now();
    }
    /// Slots that all maps have now.
    pub(super) fn live_kept(&self) -> std::ops::Range<u16> {
        let n = if self.kept_live { self.kept.len() } else { 0 };
        self.kept_slot(0)..self.kept_slot(n)
    }
    /// Before the `jsr` number `site` jumps.
    pub(super) fn keep_locals(&mut self, site: u16) {
        for k in 0..self.kept.len() {
            let PendingLocal { site: s, local } = self.kept[k];
            if s == site && self.loc[local as usize] == b'A' {
                let (v, at) = (V::Slot(local), self.kept_slot(k));
                self.move_to_slot(Ent { v, t: b'A', at }, at);
            }
        }
    }
    /// Where the `jsr` before bytecode number `i` returns to: its locals come back. Only a `ret` comes
    /// this way.
    pub(super) fn restore_locals(&mut self, i: u16) {
        let at = self.out.len();
        for k in 0..self.kept.len() {
            let PendingLocal { site, local } = self.kept[k];
            if site + 1 == i {
                self.pending_map = self.map_now();
                let slot = self.kept_slot(k);
                let back = Operation {
                    a: slot,
                    d: local,
                    b: 0,
                };
                self.emit(oa::mov::<AS>, back);
            }
        }
        if self.out.len() > at {
            self.returns.push((i, at as u32));
        }
    }
    /// Word offset of the code that a `ret` to bytecode number `i` goes to.
    pub(super) fn return_offset(&self, i: usize) -> u32 {
        match self.returns.binary_search_by_key(&(i as u16), |r| r.0) {
            Ok(at) => self.returns[at].1,
            Err(_) => self.label_off[i],
        }
    }
}

//! Instructions that represent no bytecode: at watched places, and where a block begins in a VM that
//! notes its path.

use super::super::insn::{Amend, Point, Trace, Watch};
use super::super::memory_point::MemoryPoint;
use super::super::points::access;
use super::super::{ops_flow, slow};
use super::scan;
use super::translator::Tr;
use crate::classes::acc;
use rjvm_classfile::opcodes as o;
use std::ops::RangeInclusive;

/// Spreads bytecode indices, so that a method's are far from those of others.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Tr<'_> {
    /// Before bytecode number `i`: notifies the watchers of it.
    #[inline]
    pub(super) fn watch(&mut self, i: usize) {
        if self.watched.is_empty() {
            return;
        }
        let ticks = self.scan.pot[i] as i32;
        self.emit_watch(i as u16, ticks);
    }
    /// Before the instruction of bytecode number `s`, which continues to these as well.
    pub(super) fn watch_ahead(&mut self, s: u16, next: RangeInclusive<u16>) {
        let ticks = self.scan.pot[s as usize] as i32 + 1;
        for (k, i) in next.enumerate() {
            self.emit_watch(i, ticks + k as i32);
        }
    }
    /// Whether rounds that may be passed over begin at one of these bytecodes. All rounds are to begin at one instruction then: a
    /// round is learned from one to the next, and the way back counts before it.
    pub(super) fn rounds_begin(&self, bytecodes: RangeInclusive<u16>) -> bool {
        self.passes && self.watched.iter().any(|w| bytecodes.contains(&w.0))
    }
    fn emit_watch(&mut self, i: u16, ticks: i32) {
        let Ok(at) = self.watched.binary_search_by_key(&i, |w| w.0) else {
            return;
        };
        let point = self.watched[at].1;
        match self.passes {
            // a round begins, whose locals are about to be other ones
            true => {
                self.emit(slow::pass, Watch { point, ticks });
                self.forget();
            }
            false => {
                self.emit(slow::watch, Watch { point, ticks });
            }
        }
        // the VM may stop before what follows
        self.pending_map = self.map_now();
    }
    /// Before bytecode number `i`: the control of the schedule is asked, if it is an access to memory.
    pub(super) fn point(&mut self, i: usize, bci: u16) {
        let Some(op) = self.explored.map(|_| self.code[usize::from(bci)]) else {
            return;
        };
        // the values are in their slots
        let at = |back: usize| {
            let top = self.st.len().checked_sub(back)?;
            self.st.get(top).map(|e| e.at)
        };
        let slots = match op {
            o::GETSTATIC => Some([0; 3]),
            o::PUTSTATIC => at(1).map(|v| [0, 0, v]),
            o::GETFIELD => at(1).map(|a| [a, 0, 0]),
            o::PUTFIELD => at(2).zip(at(1)).map(|(a, v)| [a, 0, v]),
            o::IALOAD..=o::SALOAD => at(2).zip(at(1)).map(|(a, i)| [a, i, 0]),
            o::IASTORE..=o::SASTORE => (at(3).zip(at(2)).zip(at(1))).map(|((a, i), v)| [a, i, v]),
            o::RETURN if self.freezes() => Some([0; 3]),
            _ => None,
        };
        let (Some(slots), true) = (slots, self.shapes.is_some()) else {
            return;
        };
        let index = match op {
            o::GETSTATIC..=o::PUTFIELD => super::scan::u2(self.code, usize::from(bci)),
            _ => 0,
        };
        let number = self.vm.points.len() as u32;
        let row = MemoryPoint::new(self.id, bci, op, index, slots);
        self.vm.points.push(row);
        let ticks = self.scan.pot[i] as i32;
        // the VM may stop here, and before what follows
        self.pending_map = self.map_now();
        self.emit(slow::point, Point { number, ticks });
        self.pending_map = self.map_now();
    }
    /// Whether the method constructs an object with final fields (JLS 17.5.1).
    fn freezes(&self) -> bool {
        let m = self.vm.method(self.id);
        let last = |f: &crate::classes::Field| f.access & (acc::FINAL | acc::STATIC) == acc::FINAL;
        &**self.vm.symbols().str(m.name) == "<init>"
            && self.vm.class(m.class).fields.iter().any(last)
    }
    /// After the bytecode at `bci`, whose result is in its slot: the control decides the outcome of an access.
    pub(super) fn amend(&mut self, bci: u16) {
        let memory = self.explored.is_some_and(|e| e.memory) && self.shapes.is_some();
        let result = match access(self.code[usize::from(bci)]) {
            Some(false) => self.st.last().map(|top| top.at),
            Some(true) => Some(0),
            None => None,
        };
        if memory
            && self.reachable
            && let Some(result) = result
        {
            self.pending_map = self.map_now();
            self.emit(slow::amend, Amend { result });
            self.forget();
            self.pending_map = self.map_now();
        }
    }
    /// Notes that a block begins at bytecode number `i`.
    pub(super) fn trace(&mut self, i: usize, bci: u16) {
        let Some(method) = self.traced else {
            return;
        };
        if i == 0 || self.scan.marks[i] & (scan::LABEL | scan::PSEUDO) != 0 {
            let place = method.wrapping_add(u64::from(bci).wrapping_mul(SPREAD));
            self.emit(ops_flow::trace, Trace { place });
            self.forget();
            self.pending_map = self.map_now();
        }
    }
}

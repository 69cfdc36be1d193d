//! Instructions that stand for no bytecode: where somebody wants to be told, and where a block begins in a VM that
//! notes its path.

use super::super::insn::{Trace, Watch};
use super::super::{ops_flow, slow};
use super::{Tr, scan};
use std::ops::RangeInclusive;

/// Spreads bytecode indices, so that a method's are far from those of others.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Tr<'_> {
    /// Before bytecode number `i`: whoever wants to is told.
    pub(super) fn watch(&mut self, i: usize) {
        let ticks = self.scan.pot[i] as i32;
        self.emit_watch(i as u16, ticks);
    }
    /// Before the instruction of bytecode number `s`, which goes on to these as well.
    pub(super) fn watch_ahead(&mut self, s: u16, next: RangeInclusive<u16>) {
        let ticks = self.scan.pot[s as usize] as i32 + 1;
        for (k, i) in next.enumerate() {
            self.emit_watch(i, ticks + k as i32);
        }
    }
    fn emit_watch(&mut self, i: u16, ticks: i32) {
        let Ok(at) = self.watched.binary_search_by_key(&i, |w| w.0) else {
            return;
        };
        let point = self.watched[at].1;
        self.emit(slow::watch, Watch { point, ticks });
        // the VM may stop before what follows
        self.pending_map = self.map_now();
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

//! Passing over rounds of a loop: control stays where a round begins, with the locals as so many rounds would have left
//! them.
//!
//! A long loop does not fit between two samples or turns of threads as a whole. As many rounds are passed over as do
//! fit, and the round into which something falls runs as bytecodes.

use super::effect::{Advice, Effect, Place};
use super::known;
use super::loops::{LOOPS, Loop};
use crate::classes::Method;
use crate::ids::MethodId;
use crate::interp::insn::watch;
use crate::interp::translate::Scan;
use crate::vm::Vm;

/// Bytecodes that are passed over at once, at most: then somebody who asks the VM to stop is heard.
const MOST: i64 = 4_000_000;

impl Vm {
    /// The bytecodes, by number, at which rounds of the method's loops begin that can be passed over.
    pub(in crate::interp) fn passed_in(&mut self, id: MethodId, scan: &Scan) -> Vec<(u16, u32)> {
        if !self.runs_intrinsics() {
            return Vec::new();
        }
        let row = self.row_of(id, LOOPS, |l: &Loop| l.method);
        let row = row.filter(|_| known::is_known(self, id));
        let Some((row, number)) = row.and_then(|l| Some((l, scan.number(l.begins)?))) else {
            return Vec::new();
        };
        self.intrinsics.loops.push((id, row));
        vec![(number, self.intrinsics.loops.len() as u32 - 1)]
    }
    /// A round begins.
    pub(in crate::interp) fn at_pass(&mut self) -> bool {
        let r = *self.regs();
        // SAFETY: `ip` is the instruction whose handler has come here.
        let (number, begun) = unsafe { (watch::point.get(r.ip), watch::ticks.get(r.ip)) };
        self.learned(Some(number), 0);
        if self.runs_intrinsics() && !self.is_learning(Some(number)) {
            let ticks = r.ticks;
            while self.pass(number, begun.into()) && self.regs().ticks - ticks < MOST {}
            if self.regs().ticks != ticks {
                self.set_limit();
            }
        }
        self.regs().ip = r.ip.wrapping_add(watch::BYTES);
        true
    }
    /// Passes over rounds; the ticks lack `begun` bytecodes here. Whether there may be more.
    fn pass(&mut self, number: u32, begun: i64) -> bool {
        let r = *self.regs();
        let (method, row) = self.intrinsics.loops[number as usize];
        // SAFETY: `cs` is the top frame, of the method with the loop, which is translated. Its locals stand from
        // `fp` on; where a round begins, all of them do.
        let (m, node, locals) = unsafe {
            let m: &Method = &*(*r.cs).method;
            let locals = m.code().map_or(0, |c| usize::from(c.attr().max_locals));
            let locals = std::slice::from_raw_parts_mut(r.fp, locals);
            (m, (*r.cs).node as usize, locals)
        };
        let code = m.translated().map_or(0, |x| x.start() as usize);
        if m.id != method {
            return false;
        }
        let Some((key, rounds)) = (row.prepare)(self, locals).filter(|p| p.1 > 0) else {
            return false;
        };
        let at = Place {
            method,
            round: Some(number),
            key,
            node: if self.profiling() { node } else { 0 },
        };
        match self.intrinsics.effects.advice(at, code) {
            Advice::Leave => false,
            Advice::Learn => {
                self.learn(at, row.arrivals);
                false
            }
            Advice::Known(effect) => {
                let rounds = self.passable(&effect, rounds, begun);
                if rounds > 0 {
                    (row.run)(self, locals, rounds as usize);
                    self.intrinsics.done += rounds as u64;
                    effect.count(rounds as u64);
                    self.regs().ticks += effect.cost * rounds;
                }
                rounds > 0
            }
        }
    }
    /// How many of so many rounds are over before anything that somebody can see. Slices that end in them are passed
    /// over.
    fn passable(&mut self, effect: &Effect, rounds: usize, begun: i64) -> i64 {
        let (ticks, cost) = (self.regs().ticks, effect.cost.max(1));
        let Some(seen) = self.first_seen() else {
            return 0;
        };
        let most = MOST.min(seen.saturating_sub(1 + begun + ticks)) / cost;
        let rounds = most.min(i64::try_from(rounds).unwrap_or(i64::MAX));
        // in as many rounds the slice does not end
        let before = |slice_end: i64| (slice_end - 1 - ticks).max(0) / cost;
        if rounds <= before(self.slice_end) || !self.nobody_wants_a_turn() {
            return rounds.min(before(self.slice_end));
        }
        let most_turns = self.turns_to_pass();
        // the slice that ends next, slices that have ended, and the same with none of them ending in the round after
        let (mut slice_end, mut turns) = (self.slice_end, 0);
        let mut whole = (slice_end, turns);
        while before(slice_end) < rounds && turns < most_turns {
            let round = before(slice_end);
            let Some(look) = effect.look_at(slice_end - ticks - round * cost) else {
                break;
            };
            turns += 1;
            slice_end = ticks + round * cost + look + self.slice_of(self.cur);
            if before(slice_end) > round {
                whole = (slice_end, turns);
            }
        }
        if before(slice_end) >= rounds {
            whole = (slice_end, turns);
        }
        self.slice_end = whole.0;
        self.pass_turns(whole.1);
        rounds.min(before(whole.0))
    }
}

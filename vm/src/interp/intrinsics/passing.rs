//! Passing over rounds of a loop: control stays where a round begins, with the locals as so many rounds would have left
//! them.
//!
//! A long loop does not fit between two samples or turns of threads as a whole. As many rounds are passed over as do
//! fit, and the round into which something falls runs as bytecodes.

use super::effect::{Advice, Effect, EffectPlace, Piece};
use super::known;
use super::loops::{LOOPS, Loop, Rounds, Varied};
use super::table::INTRINSICS;
use crate::classes::Method;
use crate::heap::array_bytes;
use crate::ids::MethodId;
use crate::interp::insn::watch;
use crate::interp::translate::{MARGIN, Scan};
use crate::vm::Vm;

/// Bytecodes that are skipped at once, at most: then a request to stop is noticed.
const MOST: i64 = 4_000_000;

impl Vm {
    /// The bytecodes, by number, at which rounds of the method's loops begin that can be passed over.
    pub(in crate::interp) fn passed_in(&mut self, id: MethodId, scan: &Scan) -> Vec<(u16, u32)> {
        if !self.runs_intrinsics() {
            return Vec::new();
        }
        let rows = self.rows_of(id, LOOPS, |l: &Loop| l.method);
        // A hash is taken of the few bodies for which there are rows.
        if rows.is_empty() {
            return Vec::new();
        }
        let Some((.., hash)) = known::body_of(self, id) else {
            return Vec::new();
        };
        let begin = |row: usize| {
            let body = LOOPS[row].bodies.iter().find(|b| b.0 == hash)?;
            Some((scan.number(body.1)?, row))
        };
        let begins = rows.into_iter().filter_map(begin);
        begins
            .map(|(number, row)| {
                self.code.intrinsics.loops.push((id, row));
                (number, self.code.intrinsics.loops.len() as u32 - 1)
            })
            .collect()
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
            if self.code.intrinsics.learning.is_none() {
                self.learn_end(number);
            }
        }
        self.regs().ip = r.ip.wrapping_add(watch::BYTES);
        true
    }
    /// Passes over rounds; the ticks lack `begun` bytecodes here. Whether there may be more.
    fn pass(&mut self, number: u32, begun: i64) -> bool {
        let r = *self.regs();
        let (method, index) = self.code.intrinsics.loops[number as usize];
        let row = &LOOPS[index];
        // SAFETY: `cs` is the top frame, of the method with the loop, which is translated. Its locals are from
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
        let node = if self.profiling() { node } else { 0 };
        let place = |key: u64| EffectPlace {
            method,
            round: Some(number),
            piece: Piece::Whole,
            key,
            node,
        };
        let done = match row.rounds {
            Rounds::Alike {
                prepare,
                run,
                allocates,
                more,
            } => {
                let mut next = prepare(self, locals);
                let allocates = allocates.filter(|_| next.is_some());
                let bytes = allocates.map_or(0, |of| array_bytes(of(self, locals), 0));
                let mut done = 0;
                while let Some((key, rounds)) = next.filter(|n| n.1 > 0) {
                    let effect = match self.code.intrinsics.effects.advice(place(key), code) {
                        Advice::Known(effect) => effect,
                        Advice::Learn if done == 0 => {
                            self.learn(place(key), row.arrivals, bytes);
                            return false;
                        }
                        _ => break,
                    };
                    // a round in which the heap is collected runs as bytecodes
                    let wanted = rounds.min(self.quick_allocations(bytes));
                    let passed = self.passable(&effect, wanted, begun);
                    effect.count(passed as u64);
                    self.regs().ticks += effect.cost * passed;
                    done += passed as usize;
                    if passed as usize != rounds || self.regs().ticks - r.ticks >= MOST {
                        break;
                    }
                    next = more.and_then(|more| more(self, locals, done));
                }
                if done > 0 {
                    run(self, locals, done);
                }
                done as u64
            }
            Rounds::Varied(start) => {
                let Some(mut rounds) = start(self, locals) else {
                    return false;
                };
                let at = place(0);
                let done = self.pass_varied(&mut *rounds, at, row.arrivals, code, begun);
                if done > 0 {
                    rounds.finish(self, locals);
                }
                done
            }
        };
        self.code.intrinsics.done[INTRINSICS.len() + index] += done;
        done > 0
    }
    /// Takes as many rounds as come before the end of the slice and anything that can be seen, or the one into which the
    /// slice's end falls. How many.
    fn pass_varied(
        &mut self,
        rounds: &mut dyn Varied,
        at: EffectPlace,
        arrivals: u32,
        code: usize,
        begun: i64,
    ) -> u64 {
        let ticks = self.regs().ticks;
        let Some(seen) = self.first_seen() else {
            return 0;
        };
        let seen = seen.saturating_sub(1 + begun + ticks);
        let room = seen.min(self.slice_end.saturating_sub(1 + ticks)).min(MOST);
        let mut known = self.code.intrinsics.effects.take_out(at, code);
        let (mut cost, mut done, mut key) = rounds.take_all(None, room, &mut known);
        let mut learn = None;
        while let Some(next) = key {
            if let Some(effect) = known.effect(next) {
                // it does not fit
                if done == 0 && self.passable(effect, 1, begun) == 1 {
                    rounds.take();
                    cost = effect.cost;
                    known.take(next, 1);
                    done = 1;
                }
                break;
            }
            let at = EffectPlace { key: next, ..at };
            match self.code.intrinsics.effects.advice(at, code) {
                Advice::Known(effect) if known.add(next, effect.clone()) => {}
                Advice::Learn if done == 0 => {
                    learn = Some(at);
                    break;
                }
                _ => break,
            }
            let more = rounds.take_all(key, room - cost, &mut known);
            (cost, done, key) = (cost + more.0, done + more.1, more.2);
        }
        known.count();
        self.code.intrinsics.effects.put_back(known);
        if let Some(at) = learn {
            self.learn(at, arrivals, 0);
        }
        self.regs().ticks += cost;
        done
    }
    /// How many of these rounds have ended before anything observable. Slices that end in them are passed
    /// over.
    fn passable(&mut self, effect: &Effect, rounds: usize, begun: i64) -> i64 {
        let (ticks, cost) = (self.regs().ticks, effect.cost.max(1));
        let Some(seen) = self.first_seen() else {
            return 0;
        };
        let most = MOST.min(seen.saturating_sub(1 + begun + ticks)).max(0) / cost;
        let rounds = most.min(i64::try_from(rounds).unwrap_or(i64::MAX));
        // in as many rounds the slice does not end
        let before = |slice_end: i64| slice_end.saturating_sub(1 + ticks).max(0) / cost;
        let within = rounds * cost + MARGIN;
        if rounds <= before(self.slice_end) || !self.nobody_wants_a_turn(within) {
            return rounds.min(before(self.slice_end));
        }
        let most_turns = self.turns_to_pass();
        // the slice that ends next, slices that have ended, and the same with none of them ending in the round after
        let (mut slice_end, mut turns) = (self.slice_end, 0);
        let mut whole = (slice_end, turns);
        let mut round = before(slice_end);
        if round < rounds
            && most_turns > 0
            && let Some(look) = effect.look(slice_end - ticks - round * cost)
        {
            let begins =
                |round: i64, look: usize| ticks + round * cost + i64::from(effect.looks[look]);
            turns = 1;
            slice_end = begins(round, look) + self.slice_of(self.cur);
            let next = before(slice_end);
            if next > round {
                whole = (slice_end, turns);
            }
            round = next;
            // all slices that follow are as long
            let slice = self.slice_of(self.cur);
            let known = effect.turns(slice);
            let mut at = effect.look(slice_end - ticks - round * cost);
            while let Some(look) = at.filter(|_| round < rounds && turns < most_turns) {
                turns += 1;
                slice_end = begins(round, look) + slice;
                let (more, next) = match known.and_then(|ends| ends[look]) {
                    Some((more, look)) => (more.into(), Some(look as usize)),
                    None => {
                        let next = before(slice_end);
                        (next - round, effect.look(slice_end - ticks - next * cost))
                    }
                };
                if more > 0 {
                    whole = (slice_end, turns);
                }
                (round, at) = (round + more, next);
            }
        }
        if round >= rounds {
            whole = (slice_end, turns);
        }
        self.slice_end = whole.0;
        self.pass_turns(whole.1);
        rounds.min(before(whole.0))
    }
}

//! Methods that run as a whole although their data decides branches: they are built from pieces.
//!
//! The pieces are what comes before the rounds of a loop, each round, and what comes after: the last round and the rest. Each
//! piece has few kinds, and rjvm learns the counts of each kind by itself. Rust code does the work, and finds by it which kinds
//! follow each other. The method counts the sum of its pieces.

use super::effect::{Advice, Effect, EffectPlace, Piece, RoundEffects};
use super::loops::LOOPS;
use super::montgomery;
use crate::classes::Method;
use crate::ids::{MethodId, Ref};
use crate::vm::Vm;
use smallvec::SmallVec;

/// A method built from pieces. Its loop is a row of [`LOOPS`].
pub(super) struct Pieced {
    /// Class, name and descriptor.
    pub method: [&'static str; 3],
    /// The bytecode at which rounds begin.
    pub begins: u16,
    /// Does the work for these argument slots on copies. None if bytecodes do it.
    pub prepare: fn(&Vm, &[u64]) -> Option<Pieces>,
    /// For these locals where a round begins: the key of all that follows, if it is the last round.
    pub last: fn(&Vm, &[u64]) -> Option<u64>,
}

/// What an execution consists of, and leaves behind.
pub(super) struct Pieces {
    /// The key of what comes before the rounds.
    pub begin: u64,
    /// The keys of the rounds before the last one.
    pub rounds: SmallVec<[u32; 64]>,
    /// The key of what comes after them.
    pub end: u64,
    /// What the array becomes that the method fills and returns: its least significant elements first, two in each.
    pub target: Ref,
    pub out: Vec<u64>,
}

/// All of them.
pub(super) static PIECED: &[Pieced] = &[
    Pieced {
        method: ["java/math/BigInteger", "montReduce", "([I[III)[I"],
        begins: 9,
        prepare: montgomery::for_reduction,
        last: montgomery::last_of_reduction,
    },
    Pieced {
        method: ["java/math/BigInteger", "implSquareToLen", "([II[II)[I"],
        begins: 86,
        prepare: montgomery::for_square,
        last: montgomery::last_of_square,
    },
];

/// What the pieces of an execution count.
struct Assembled<'a> {
    begin: &'a Effect,
    rounds: &'a RoundEffects,
    keys: &'a [u32],
    end: &'a Effect,
}

impl Assembled<'_> {
    fn all(&self) -> impl Iterator<Item = &Effect> {
        let rounds = self.keys.iter();
        let rounds = rounds.filter_map(|&key| self.rounds.effect(key.into()));
        let ends = [self.begin].into_iter().chain(rounds);
        ends.chain([self.end])
    }
    fn cost(&self) -> i64 {
        self.all().map(|e| e.cost).sum()
    }
    /// See [`Effect::look_at`].
    fn look_at(&self, ticks: i64) -> Option<i64> {
        let mut begun = 0;
        for effect in self.all() {
            // no look of a piece comes after its last bytecode
            if begun + effect.cost >= ticks
                && let Some(look) = effect.look_at(ticks - begun)
            {
                return Some(begun + look);
            }
            begun += effect.cost;
        }
        None
    }
}

impl Vm {
    /// The number of the loop whose rounds are pieces of this method.
    fn pieced_loop(&self, method: MethodId, row: &Pieced) -> Option<u32> {
        let is_it = |&(id, index): &(MethodId, usize)| {
            let l = &LOOPS[index];
            id == method && l.bodies.iter().any(|b| b.1 == row.begins)
        };
        let number = self.code.intrinsics.loops.iter().rposition(is_it)?;
        u32::try_from(number).ok()
    }
    /// A method built from pieces has been entered: does its work if all pieces are known. How many rounds it had.
    pub(super) fn enter_pieced(
        &mut self,
        row: &Pieced,
        method: MethodId,
        node: usize,
        args: &[u64],
    ) -> Option<u64> {
        let pieces = (row.prepare)(self, args)?;
        let number = self.pieced_loop(method, row)?;
        let code = self.regs().ip as usize;
        let at = |piece: Piece, key: u64| EffectPlace {
            method,
            round: (piece != Piece::End).then_some(number),
            piece,
            key,
            node,
        };
        let begin_at = at(Piece::Begin, pieces.begin);
        let begin = match self.code.intrinsics.effects.advice(begin_at, code) {
            Advice::Known(effect) => effect,
            Advice::Learn => {
                self.learn(begin_at, 1, 0);
                return None;
            }
            Advice::Leave => return None,
        };
        let end = at(Piece::End, pieces.end);
        let Advice::Known(end) = self.code.intrinsics.effects.advice(end, code) else {
            return None;
        };
        let effects = &mut self.code.intrinsics.effects;
        let mut rounds = effects.take_out(at(Piece::Whole, 0), code);
        let mut known = true;
        for &key in &pieces.rounds {
            let key = key.into();
            if rounds.effect(key).is_none() {
                known = match effects.advice(at(Piece::Whole, key), code) {
                    Advice::Known(effect) => rounds.add(key, effect),
                    _ => false,
                };
                if !known {
                    break;
                }
            }
        }
        let fits = known.then(|| {
            let all = Assembled {
                begin: &begin,
                rounds: &rounds,
                keys: &pieces.rounds,
                end: &end,
            };
            let cost = all.cost();
            self.passes(cost, |ticks| all.look_at(ticks))
                .map(|slice_end| (cost, slice_end))
        });
        let fits = fits.flatten();
        if fits.is_some() {
            for &key in &pieces.rounds {
                rounds.take(key.into());
            }
            rounds.count();
        }
        self.code.intrinsics.effects.put_back(rounds);
        let (cost, slice_end) = fits?;
        montgomery::write_limbs(&mut self.heap, pieces.target, &pieces.out);
        begin.count(1);
        end.count(1);
        let result = pieces.target.0.into();
        self.leave_intrinsic(end.leave, cost, result, slice_end);
        Some(pieces.rounds.len() as u64)
    }
    /// A round begins, and runs as bytecodes: learns what comes after the rounds, if it is the last one.
    pub(super) fn learn_end(&mut self, number: u32) {
        let (method, index) = self.code.intrinsics.loops[number as usize];
        let l = &LOOPS[index];
        let is_it = |p: &&Pieced| p.method == l.method && l.bodies.iter().any(|b| b.1 == p.begins);
        let Some(row) = PIECED.iter().find(is_it) else {
            return;
        };
        let r = *self.regs();
        // SAFETY: `cs` is the top frame, of the method with the loop, which is translated. Its locals are from
        // `fp` on; where a round begins, all of them do.
        let (m, node, locals) = unsafe {
            let m: &Method = &*(*r.cs).method;
            let locals = m.code().map_or(0, |c| usize::from(c.attr().max_locals));
            let locals = std::slice::from_raw_parts(r.fp, locals);
            (m, (*r.cs).node as usize, locals)
        };
        if m.id != method || !self.is_intrinsic(method) {
            return;
        }
        let code = m.translated().map_or(0, |x| x.start() as usize);
        let Some(key) = (row.last)(self, locals) else {
            return;
        };
        let at = EffectPlace {
            method,
            round: None,
            piece: Piece::End,
            key,
            node: if self.profiling() { node } else { 0 },
        };
        if let Advice::Learn = self.code.intrinsics.effects.advice(at, code) {
            self.learn(at, 1, 0);
        }
    }
}

//! Methods that run as a whole although their data decides branches: they are built from pieces.
//!
//! The pieces are what comes before the rounds of a loop, each round, and what comes after: the last round and the rest. Each
//! piece has few kinds, and rjvm learns the counts of each kind by itself. Rust code does the work, and finds by it which kinds
//! follow each other. The method counts the sum of its pieces.

use super::effect::{Advice, Effect, EffectPlace, Piece};
use super::loops::LOOPS;
use super::montgomery::{self, Carries};
use super::rounds::{RoundEffects, key_of};
use crate::classes::Method;
use crate::ids::{MethodId, Ref};
use crate::vm::Vm;
use std::cell::Cell;

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
    /// The rounds before the last one: how long their rows are, and whether each of them carries. That is their key.
    pub rows: RowLengths,
    pub carries: Carries,
    /// The key of what comes after them.
    pub end: u64,
    /// What the array becomes that the method fills and returns: its least significant elements first, two in each.
    pub target: Ref,
    pub out: Vec<u64>,
}

/// The elements in the row of each round.
#[derive(Clone, Copy)]
pub(super) enum RowLengths {
    /// All have so many.
    Equal(usize),
    /// The first one has one less than so many, each that follows one less than the one before.
    Falling(usize),
}

impl Pieces {
    /// The key of a round.
    fn key(&self, round: usize) -> u64 {
        let row = match self.rows {
            RowLengths::Equal(len) => len,
            RowLengths::Falling(len) => len - 1 - round,
        };
        key_of(row, self.carries[round])
    }
    /// The keys of all rounds.
    fn keys(&self) -> impl Iterator<Item = u64> {
        (0..self.carries.len()).map(|round| self.key(round))
    }
    /// What can be a key of a round, in the order of rows: the first and the last one.
    fn range(&self) -> [u64; 2] {
        let rows = match self.rows {
            RowLengths::Equal(len) => [len, len],
            RowLengths::Falling(len) => [len - self.carries.len(), len - 1],
        };
        [key_of(rows[0], false), key_of(rows[1], true)]
    }
    /// The sums of the coordinates of all rounds.
    fn sums(&self) -> [i64; 3] {
        let n = self.carries.len();
        let rows = match self.rows {
            RowLengths::Equal(len) => n * len,
            // from the last one to the first one
            RowLengths::Falling(len) => n * (2 * len - 1 - n) / 2,
        };
        let carries = self.carries.iter().filter(|&&c| c).count();
        [n, rows, carries].map(|sum| sum as i64)
    }
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

/// The effects of an execution's pieces.
struct Assembled<'a> {
    begin: &'a Effect,
    rounds: &'a RoundEffects,
    pieces: &'a Pieces,
    end: &'a Effect,
    /// The piece with the last look that was found, and the bytecodes before that piece.
    last: Cell<(usize, i64)>,
}

impl Assembled<'_> {
    /// See [`Effect::look_at`]. The ticks are no less than the last time.
    fn look_at(&self, ticks: i64) -> Option<i64> {
        let rounds = self.pieces.carries.len();
        let (first, mut begun) = self.last.get();
        for piece in first..rounds + 2 {
            let effect = match piece.checked_sub(1) {
                None => self.begin,
                Some(round) if round < rounds => self.rounds.effect(self.pieces.key(round))?,
                Some(_) => self.end,
            };
            // no look of a piece comes after its last bytecode
            if begun + effect.cost >= ticks
                && let Some(look) = effect.look_at(ticks - begun)
            {
                self.last.set((piece, begun));
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
        let mut rounds = self
            .code
            .intrinsics
            .effects
            .take_out(at(Piece::Whole, 0), code);
        let mut end_of = |vm: &mut Vm, piece, key| match rounds.end(piece, key) {
            Some(effect) => Advice::Known(effect),
            None => {
                let advice = vm.code.intrinsics.effects.advice(at(piece, key), code);
                if let Advice::Known(effect) = &advice {
                    rounds.add_end(piece, key, effect.clone());
                }
                advice
            }
        };
        let begin = end_of(self, Piece::Begin, pieces.begin);
        let end = end_of(self, Piece::End, pieces.end);
        let effects = &mut self.code.intrinsics.effects;
        let (begin, end) = match (begin, end) {
            (Advice::Known(begin), Advice::Known(end)) => (begin, end),
            (begin, _) => {
                effects.put_back(rounds);
                if let Advice::Learn = begin {
                    self.learn(at(Piece::Begin, pieces.begin), 1, 0);
                }
                return None;
            }
        };
        let sums = rounds.on_plane(pieces.range()).then(|| pieces.sums());
        let cost = match sums {
            Some(sums) => Some(rounds.cost_on_plane(sums)),
            None => pieces.keys().try_fold(0, |cost, key| {
                if rounds.effect(key).is_none()
                    && let Advice::Known(effect) = effects.advice(at(Piece::Whole, key), code)
                {
                    rounds.add(key, effect);
                }
                Some(cost + rounds.effect(key)?.cost)
            }),
        };
        let cost = cost.map(|cost| begin.cost + cost + end.cost);
        let fits = cost.and_then(|cost| {
            let all = Assembled {
                begin: &begin,
                rounds: &rounds,
                pieces: &pieces,
                end: &end,
                last: Cell::new((0, 0)),
            };
            Some((cost, self.passes(cost, |ticks| all.look_at(ticks))?))
        });
        if fits.is_some() {
            match sums {
                Some(sums) => rounds.count_on_plane(sums),
                None => {
                    pieces.keys().for_each(|key| rounds.take(key, 1));
                    rounds.count();
                }
            }
        }
        self.code.intrinsics.effects.put_back(rounds);
        let (cost, slice_end) = fits?;
        montgomery::write_limbs(&mut self.heap, pieces.target, &pieces.out);
        begin.count(1);
        end.count(1);
        let result = pieces.target.0.into();
        self.leave_intrinsic(end.leave, cost, result, slice_end);
        Some(pieces.carries.len() as u64)
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

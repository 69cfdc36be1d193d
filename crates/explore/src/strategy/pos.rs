//! Partial order sampling (Yuan, Yang, Gu, CAV 2018): random priorities of operations, drawn again for those that race with the one
//! that was performed, so that every order of two racing operations has its chance at every point.

use super::{Choice, Spinning, Start, Strategy, Values};
use crate::{Op, OpKind, Random, ThreadNo, dependent};

/// Partial order sampling.
#[derive(Clone, Debug, Default)]
pub struct Pos {
    random: Random,
    values: Values,
    /// By thread: its pending operation when it was given a priority, and that.
    pending: Vec<Option<(Op, u64)>>,
    spinning: Spinning,
    /// Threads that spin: what they do next has the lowest priority.
    low: Vec<ThreadNo>,
    /// How often a priority was the lowest one. The thread that was lowered first continues first: two threads that spin in turn
    /// would otherwise keep the one of them waiting whose turn it is.
    lowered: u64,
    /// By thread: how often it has given way, or its time was over, since it was one of these.
    given: Vec<u32>,
}

/// The lowest priorities are below this one; random ones hardly ever are.
const LOW: u64 = 1 << 32;

/// So often may a thread sleep, yield or wait for a time before others go first: who does that in a loop waits for them.
const TURNS: u32 = 10;

impl Strategy for Pos {
    fn begin(&mut self, start: &Start) {
        self.random = Random::new(start.seed, start.number);
        self.values = Values::begin(&mut self.random);
        self.pending.clear();
        self.spinning = Spinning::default();
        self.low.clear();
        self.lowered = 0;
        self.given.clear();
    }

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        if choice.candidates.len() < 2 {
            // what has no rival now has a new priority when it has one
            return 0;
        }
        // what depends on nothing may as well be first
        let local = |c: &crate::Candidate| c.op.kind.is_local();
        if let Some(current) = choice.current.filter(|&i| local(&choice.candidates[i])) {
            return current;
        }
        if let Some(first) = choice.candidates.iter().position(local) {
            return first;
        }
        let mut best = (0, 0);
        for (i, candidate) in choice.candidates.iter().enumerate() {
            let index = candidate.thread.index();
            if self.pending.len() <= index {
                self.pending.resize(index + 1, None);
            }
            let priority = match self.pending[index] {
                Some((op, priority)) if op == candidate.op => priority,
                _ => {
                    let low = self.low.iter().position(|&t| t == candidate.thread);
                    if let Some(i) = low {
                        self.low.swap_remove(i);
                    }
                    // a thread spins until another one changes what it looks for
                    let is_low = low.is_some() || self.spinning.is_spinning(candidate.thread);
                    self.lowered += u64::from(is_low);
                    let drawn = match is_low {
                        true => LOW.saturating_sub(self.lowered),
                        false => self.random.bits(),
                    };
                    self.pending[index] = Some((candidate.op, drawn));
                    drawn
                }
            };
            if i == 0 || priority > best.1 {
                best = (i, priority);
            }
        }
        let chosen = &choice.candidates[best.0];
        for candidate in choice.candidates {
            if dependent(chosen, candidate) {
                self.pending[candidate.thread.index()] = None;
            }
        }
        best.0
    }

    fn choose_value(&mut self, n: usize) -> usize {
        self.values.choose(&mut self.random, n)
    }

    fn executed(&mut self, thread: ThreadNo, op: Op, changed: bool) {
        let mut spins = self.spinning.spins(thread, op, changed);
        if op.kind.gives_way() || op.kind == OpKind::Timeout {
            let i = thread.index();
            if self.given.len() <= i {
                self.given.resize(i + 1, 0);
            }
            self.given[i] = (self.given[i] + 1) % TURNS;
            spins |= self.given[i] == 0;
        }
        if spins && !self.low.contains(&thread) {
            self.low.push(thread);
        }
    }
}

//! Round robin: each thread runs for a number of points, then the next thread does.

use super::{Choice, Spinning, Start, Strategy, Values};
use crate::{Op, OpKind, Random, ThreadNo};

/// Round robin in the order of the threads' numbers. Quanta are `mean` points long on average, and at least one: each is drawn from
/// 1 to 2 · `mean` − 1, or else all schedules would be the same.
#[derive(Clone, Debug)]
pub struct Quanta {
    mean: u64,
    random: Random,
    values: Values,
    /// Points left of the quantum.
    left: u64,
    last: Option<ThreadNo>,
    spinning: Spinning,
}

impl Quanta {
    /// Quanta of so many points on average.
    pub fn new(mean: u64) -> Quanta {
        Quanta {
            mean: mean.max(1),
            random: Random::default(),
            values: Values::default(),
            left: 0,
            last: None,
            spinning: Spinning::default(),
        }
    }
}

impl Strategy for Quanta {
    fn begin(&mut self, start: &Start) {
        *self = Quanta::new(self.mean);
        self.random = Random::new(start.seed, start.number);
        self.values = Values::begin(&mut self.random);
    }

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        let goes_on = choice.current.filter(|&i| {
            let current = choice.candidates[i];
            self.left > 0 && self.last == Some(current.thread) && !current.op.kind.gives_way()
        });
        let chosen = goes_on.unwrap_or_else(|| {
            self.left = 1 + self.random.below(2 * self.mean - 1);
            // the next by number, and round; a timeout, which is passing time, when the others have had theirs
            let after = |c: &&crate::Candidate| self.last.is_none_or(|last| c.thread > last);
            let ready = |c: &&crate::Candidate| c.op.kind != OpKind::Timeout;
            let all = || choice.candidates.iter();
            let next = (all().find(after))
                .or_else(|| all().find(ready))
                .unwrap_or(&choice.candidates[0]);
            choice.index_of(next.thread).unwrap_or(0)
        });
        self.left = self.left.saturating_sub(1);
        self.last = Some(choice.candidates[chosen].thread);
        chosen
    }

    fn choose_value(&mut self, n: usize) -> usize {
        self.values.choose(&mut self.random, n)
    }

    fn executed(&mut self, thread: ThreadNo, op: Op, changed: bool) {
        if self.spinning.spins(thread, op, changed) && self.last == Some(thread) {
            self.left = 0;
        }
    }
}

//! Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010): random priorities of threads,
//! and a few random points at which the running thread's becomes the lowest.

use super::{Choice, Spinning, Start, Strategy, Values};
use crate::{Op, Random, ThreadNo};

/// PCT of a depth: finds a failure that needs `depth` orders between operations with a probability of at least
/// 1 / (n · k^(depth − 1)) in each schedule of n threads and k choices.
#[derive(Clone, Debug)]
pub struct Pct {
    depth: u32,
    random: Random,
    values: Values,
    /// By thread, in the order of creation. Those drawn are above [`DRAWN`], those that were lowered below.
    priorities: Vec<u64>,
    /// The choices at which the priority of the thread that would continue is lowered, the next one last.
    changes: Vec<u64>,
    /// Choices between two threads or more so far.
    choices: u64,
    /// The next priority that is lower than all others.
    lowest: u64,
    spinning: Spinning,
}

/// Priorities that are drawn are not below.
const DRAWN: u64 = 1 << 62;

/// The longest schedule assumed where the length is not known, as a power of two.
const UNKNOWN_LENGTH: u64 = 14;

impl Pct {
    /// PCT of that depth; depth 1 has no change points, only random priorities.
    pub fn new(depth: u32) -> Pct {
        Pct {
            depth: depth.max(1),
            random: Random::default(),
            values: Values::default(),
            priorities: Vec::new(),
            changes: Vec::new(),
            choices: 0,
            lowest: DRAWN,
            spinning: Spinning::default(),
        }
    }

    fn priority(&mut self, thread: ThreadNo) -> u64 {
        while self.priorities.len() <= thread.index() {
            self.priorities.push(DRAWN + self.random.below(DRAWN));
        }
        self.priorities[thread.index()]
    }

    fn lower(&mut self, thread: ThreadNo) {
        self.priority(thread);
        self.lowest -= 1;
        self.priorities[thread.index()] = self.lowest;
    }

    /// The candidate with the highest priority; equal ones by number.
    fn highest(&mut self, choice: &Choice<'_>) -> usize {
        let mut best = (0, 0);
        for (i, candidate) in choice.candidates.iter().enumerate() {
            let priority = self.priority(candidate.thread);
            if i == 0 || priority > best.1 {
                best = (i, priority);
            }
        }
        best.0
    }
}

impl Strategy for Pct {
    fn begin(&mut self, start: &Start) {
        *self = Pct::new(self.depth);
        self.random = Random::new(start.seed, start.number);
        self.values = Values::begin(&mut self.random);
        let length = match start.length {
            // all magnitudes alike, so that short and long programs have their points where something is going on
            0 => 4 << self.random.below(UNKNOWN_LENGTH - 1),
            known => known,
        };
        for _ in 1..self.depth {
            self.changes.push(self.random.below(length));
        }
        self.changes.sort_unstable_by(|a, b| b.cmp(a));
    }

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        if choice.candidates.len() < 2 {
            return 0;
        }
        let now = self.choices;
        self.choices += 1;
        while self.changes.last().is_some_and(|&at| at <= now) {
            self.changes.pop();
            let next = self.highest(choice);
            self.lower(choice.candidates[next].thread);
        }
        self.highest(choice)
    }

    fn choose_value(&mut self, n: usize) -> usize {
        self.values.choose(&mut self.random, n)
    }

    fn executed(&mut self, thread: ThreadNo, op: Op, changed: bool) {
        if self.spinning.gives_way(thread, op, changed) {
            self.lower(thread);
        }
    }
}

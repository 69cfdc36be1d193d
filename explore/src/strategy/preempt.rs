//! A few preemptions: a thread runs until it can't, but for a number of places where another one goes on.

use super::{Choice, Spinning, Start, Strategy, Values};
use crate::{Op, OpKind, Random, ThreadNo};

/// Threads run until they are blocked; then, and at `most` places, drawn from all choices of the schedule, one of the others goes on, each as
/// likely. Most failures need two or fewer of these places, however many threads there are (Musuvathi and Qadeer, PLDI 2007): one that needs
/// the place is found with a probability of about 1 / (n · k) in each schedule of n threads and k choices.
#[derive(Clone, Debug)]
pub struct Preempt {
    most: u32,
    random: Random,
    values: Values,
    /// The choices at which another thread goes on, the next one last.
    places: Vec<u64>,
    /// Choices between two threads or more so far.
    choices: u64,
    spinning: Spinning,
    /// The thread that gives way.
    away: Option<ThreadNo>,
}

/// The longest schedule assumed where the length is not known, as a power of two.
const UNKNOWN_LENGTH: u64 = 10;

impl Preempt {
    /// At most so many places.
    pub fn new(most: u32) -> Preempt {
        Preempt {
            most,
            random: Random::default(),
            values: Values::default(),
            places: Vec::new(),
            choices: 0,
            spinning: Spinning::default(),
            away: None,
        }
    }
}

impl Strategy for Preempt {
    fn begin(&mut self, start: &Start) {
        *self = Preempt::new(self.most);
        self.random = Random::new(start.seed, start.number);
        self.values = Values::begin(&mut self.random);
        let length = match start.length {
            0 => 4 << self.random.below(UNKNOWN_LENGTH),
            known => known,
        };
        for _ in 0..self.most {
            self.places.push(self.random.below(length));
        }
        self.places.sort_unstable_by(|a, b| b.cmp(a));
    }

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        let all = choice.candidates;
        if all.len() < 2 {
            return 0;
        }
        let now = self.choices;
        self.choices += 1;
        let mut goes_on = choice.current.filter(|&i| {
            let c = all[i];
            !c.op.kind.gives_way() && c.op.kind != OpKind::Timeout && self.away != Some(c.thread)
        });
        while self.places.last().is_some_and(|&at| at <= now) {
            self.places.pop();
            goes_on = None;
        }
        self.away = None;
        if let Some(current) = goes_on {
            return current;
        }
        let others = (0..all.len()).filter(|&i| choice.current != Some(i));
        // time passes as seldom as a thread is switched
        let mut ready: Vec<usize> = others.clone().collect();
        if self.random.below(4) > 0 {
            ready.retain(|&i| all[i].op.kind != OpKind::Timeout);
        }
        if ready.is_empty() {
            ready = others.collect();
        }
        ready[self.random.index(ready.len())]
    }

    fn choose_value(&mut self, n: usize) -> usize {
        self.values.choose(&mut self.random, n)
    }

    fn executed(&mut self, thread: ThreadNo, op: Op) {
        if self.spinning.gives_way(thread, op) {
            self.away = Some(thread);
        }
    }
}

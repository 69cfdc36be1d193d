//! The uniform random walk.

use super::{Choice, Start, Strategy, Values};
use crate::Random;

/// At each point one of the candidates, each as likely as the others.
#[derive(Clone, Debug, Default)]
pub struct RandomWalk {
    random: Random,
    values: Values,
}

impl Strategy for RandomWalk {
    fn begin(&mut self, start: &Start) {
        self.random = Random::new(start.seed, start.number);
        self.values = Values::begin(&mut self.random);
    }

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        match choice.candidates.len() {
            1 => 0,
            n => self.random.index(n),
        }
    }

    fn choose_value(&mut self, n: usize) -> usize {
        self.values.choose(&mut self.random, n)
    }
}

//! Partial order sampling and PCT in turns.

use super::{Choice, Start, Strategy, pct::Pct, pos::Pos};
use crate::{Op, ThreadNo};

/// PCT of depth 3 in every third schedule, partial order sampling in the others: the one finds what needs a thread to run far
/// ahead of others, loading classes for instance, the other what a few operations must meet for.
#[derive(Clone, Debug)]
pub struct Mixed {
    pos: Pos,
    pct: Pct,
    /// It is PCT's turn.
    pct_is_on: bool,
}

impl Default for Mixed {
    fn default() -> Mixed {
        Mixed {
            pos: Pos::default(),
            pct: Pct::new(3),
            pct_is_on: false,
        }
    }
}

impl Mixed {
    fn on(&mut self) -> &mut dyn Strategy {
        match self.pct_is_on {
            true => &mut self.pct,
            false => &mut self.pos,
        }
    }
}

impl Strategy for Mixed {
    fn begin(&mut self, start: &Start) {
        self.pct_is_on = start.number % 3 == 2;
        self.on().begin(start);
    }

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        self.on().choose(choice)
    }

    fn choose_value(&mut self, n: usize) -> usize {
        self.on().choose_value(n)
    }

    fn executed(&mut self, thread: ThreadNo, op: Op) {
        self.on().executed(thread, op);
    }
}

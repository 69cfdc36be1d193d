//! Partial order sampling, PCT and a few preemptions in turns.

use super::{Choice, Start, Strategy, pct::Pct, pos::Pos, preempt::Preempt};
use crate::{Op, ThreadNo};

/// Partial order sampling in every second schedule; in the others, in turns, PCT of depth 3 and one to three preemptions. The
/// first finds failures for which a few operations must meet, the second failures that need a thread to run far ahead of others,
/// loading classes for instance, the last rare events among many threads.
pub struct Mixed {
    on: Box<dyn Strategy>,
}

impl Default for Mixed {
    fn default() -> Mixed {
        Mixed {
            on: Box::<Pos>::default(),
        }
    }
}

impl Strategy for Mixed {
    fn begin(&mut self, start: &Start) {
        let round = start.number / 4;
        self.on = match start.number % 4 {
            0 | 2 => Box::<Pos>::default(),
            1 => Box::new(Pct::new(3)),
            _ => Box::new(Preempt::new(1 + (round % 3) as u32)),
        };
        self.on.begin(start);
    }

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        self.on.choose(choice)
    }

    fn choose_value(&mut self, n: usize) -> usize {
        self.on.choose_value(n)
    }

    fn started(&mut self, thread: ThreadNo, kind: u32) {
        self.on.started(thread, kind);
    }

    fn executed(&mut self, thread: ThreadNo, op: Op, changed: bool) {
        self.on.executed(thread, op, changed);
    }
}

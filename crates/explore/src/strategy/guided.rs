//! A given beginning of a schedule, and any other strategy from there.

use super::{Choice, Start, Strategy};
use crate::{Op, ThreadNo};
use std::collections::VecDeque;

/// One choice that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The thread that went on.
    Run(ThreadNo),
    /// Which of the permitted stores a read saw, the newest being 0.
    Value(usize),
}

/// The place where a run did not offer the choice it was to take: the decisions were made with another program or VM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// How many decisions had been followed.
    pub after: usize,
    /// The one that could not be.
    pub wanted: Decision,
}

/// Follows decisions, one for each choice between several threads or values, then another strategy, which is notified only of
/// later operations.
pub struct Guided {
    decisions: VecDeque<Decision>,
    followed: usize,
    /// Whether the operation that is performed was chosen by a decision.
    guiding: bool,
    divergence: Option<Divergence>,
    then: Box<dyn Strategy>,
}

impl Guided {
    /// First `decisions`, then `then`.
    pub fn new(decisions: impl IntoIterator<Item = Decision>, then: Box<dyn Strategy>) -> Guided {
        Guided {
            decisions: decisions.into_iter().collect(),
            followed: 0,
            guiding: false,
            divergence: None,
            then,
        }
    }

    /// The first decision that could not be followed; the rest is left to the other strategy.
    pub fn divergence(&self) -> Option<Divergence> {
        self.divergence
    }

    /// How many decisions are left.
    pub fn left(&self) -> usize {
        self.decisions.len()
    }

    fn diverged(&mut self, wanted: Decision) {
        self.divergence = Some(Divergence {
            after: self.followed,
            wanted,
        });
        self.decisions.clear();
    }
}

impl Strategy for Guided {
    fn begin(&mut self, start: &Start) {
        self.then.begin(start);
    }

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        if choice.candidates.len() == 1 && !self.decisions.is_empty() {
            return 0;
        }
        let Some(wanted) = self.decisions.pop_front() else {
            return self.then.choose(choice);
        };
        if let Decision::Run(thread) = wanted
            && let Some(index) = choice.index_of(thread)
        {
            self.followed += 1;
            self.guiding = true;
            return index;
        }
        self.diverged(wanted);
        self.then.choose(choice)
    }

    fn choose_value(&mut self, n: usize) -> usize {
        if n == 1 {
            return 0;
        }
        let Some(wanted) = self.decisions.pop_front() else {
            return self.then.choose_value(n);
        };
        if let Decision::Value(k) = wanted
            && k < n
        {
            self.followed += 1;
            self.guiding = true;
            return k;
        }
        self.diverged(wanted);
        self.then.choose_value(n)
    }

    fn executed(&mut self, thread: ThreadNo, op: Op, changed: bool) {
        let guided = std::mem::take(&mut self.guiding);
        if self.decisions.is_empty() && !guided {
            self.then.executed(thread, op, changed);
        }
    }

    fn redundant(&self) -> bool {
        self.decisions.is_empty() && self.then.redundant()
    }
}

//! A schedule as the few places where it is not what would have been done anyway: what minimising changes.

use super::{Choice, Start, Strategy};
use crate::{Op, ThreadNo};
use std::collections::{BTreeMap, BTreeSet};

/// A place where another thread goes on than by default. Places are counted along one thread: leaving out a switch elsewhere
/// moves them little.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Switch {
    /// The thread that ran.
    pub from: ThreadNo,
    /// How many operations it had performed.
    pub after: u64,
    /// The thread that goes on.
    pub to: ThreadNo,
}

/// Follows switches, and else [`Choice::default`]. A switch to a thread that can't go on is passed over.
#[derive(Clone, Debug, Default)]
pub struct Follow {
    /// By the thread that ran and its count. Several of one place are taken one after the other, since the thread may be back
    /// before it has done anything.
    switches: BTreeMap<(ThreadNo, u64), Vec<ThreadNo>>,
    /// Reads that see another than the newest store: by the number of the read among those that had a choice.
    values: BTreeMap<u64, usize>,
    reads: u64,
    performed: Vec<u64>,
    last: Option<ThreadNo>,
    taken: BTreeSet<Switch>,
}

impl Follow {
    /// Follows these switches; `values` tells which store is seen (0 is the newest) by the reads that had a choice, by their
    /// number, for those that see an old one.
    pub fn new(
        switches: impl IntoIterator<Item = Switch>,
        values: impl IntoIterator<Item = (u64, usize)>,
    ) -> Follow {
        let mut follow = Follow::default();
        for s in switches {
            let places = follow.switches.entry((s.from, s.after)).or_default();
            places.push(s.to);
        }
        // the first one is popped first
        follow.switches.values_mut().for_each(|to| to.reverse());
        follow.values = values.into_iter().collect();
        follow
    }

    /// The switches that were taken.
    pub fn taken(&self) -> &BTreeSet<Switch> {
        &self.taken
    }

    fn count(&self, thread: ThreadNo) -> u64 {
        self.performed.get(thread.index()).copied().unwrap_or(0)
    }
}

impl Strategy for Follow {
    fn begin(&mut self, _: &Start) {}

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        let default = choice.default();
        let from = self.last.unwrap_or(choice.candidates[default].thread);
        let after = self.count(from);
        let wanted = self.switches.get_mut(&(from, after)).and_then(Vec::pop);
        let chosen = match wanted.and_then(|to| Some((to, choice.index_of(to)?))) {
            Some((to, index)) => {
                self.taken.insert(Switch { from, after, to });
                index
            }
            None => default,
        };
        self.last = Some(choice.candidates[chosen].thread);
        chosen
    }

    fn choose_value(&mut self, n: usize) -> usize {
        let number = self.reads;
        self.reads += 1;
        let wanted = self.values.get(&number).copied();
        wanted.filter(|&k| k < n).unwrap_or(0)
    }

    fn executed(&mut self, thread: ThreadNo, _: Op) {
        if self.performed.len() <= thread.index() {
            self.performed.resize(thread.index() + 1, 0);
        }
        self.performed[thread.index()] += 1;
        self.last = Some(thread);
    }
}

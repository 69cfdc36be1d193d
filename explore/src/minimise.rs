//! The smallest schedule that fails: fewest places where another thread goes on, or an older store is seen, than by default.

use crate::ThreadNo;
use crate::strategy::follow::{Deviations, OldValue, Switch};
use crate::trace::Trace;
use std::collections::{BTreeSet, HashSet};

/// A schedule that was made smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimised {
    /// Where it is not what would have been done by default.
    pub deviations: Deviations,
    /// Its run.
    pub trace: Trace,
    /// How many runs were made.
    pub runs: usize,
}

/// Makes the schedule of a run that failed smaller. `fails` runs a candidate, and gives its trace if it fails in the same way;
/// it is called at most `budget` times. `None` if the schedule does not fail when it is run again.
///
/// First parts of the deviations are left out, halves to begin with (delta debugging: Zeller and Hildebrandt, 2002), then pairs of
/// them, then threads change their roles and switches are moved along their threads if that makes another one needless; last, the newest stores that do are looked for.
pub fn minimise(
    trace: &Trace,
    budget: usize,
    fails: impl FnMut(&Deviations) -> Option<Trace>,
) -> Option<Minimised> {
    let mut search = Search {
        fails,
        budget,
        runs: 0,
        tried: HashSet::new(),
        best: Deviations::of(trace),
        trace: trace.clone(),
    };
    let first = search.best.clone();
    if !search.accept(&first, |_, _| true) {
        return None;
    }
    // without any of them it may fail as well
    search.shrinks(&Deviations::default());
    search.leave_out_parts();
    loop {
        let before = search.best.len();
        search.leave_out_pairs();
        search.change_roles();
        search.move_switches();
        search.older_stores();
        if search.best.len() == before {
            break;
        }
    }
    search.newer_stores();
    Some(Minimised {
        deviations: search.best,
        trace: search.trace,
        runs: search.runs,
    })
}

struct Search<F> {
    fails: F,
    budget: usize,
    runs: usize,
    /// What was run before.
    tried: HashSet<Deviations>,
    best: Deviations,
    trace: Trace,
}

impl<F: FnMut(&Deviations) -> Option<Trace>> Search<F> {
    /// Runs a candidate; takes what it came to if it fails and that is better.
    fn accept(
        &mut self,
        candidate: &Deviations,
        better: impl Fn(&Deviations, &Deviations) -> bool,
    ) -> bool {
        if self.runs >= self.budget || !self.tried.insert(candidate.clone()) {
            return false;
        }
        self.runs += 1;
        let Some(trace) = (self.fails)(candidate) else {
            return false;
        };
        // what was passed over is not in it any more
        let found = Deviations::of(&trace);
        let better = better(&found, &self.best);
        if better {
            self.tried.insert(found.clone());
            self.best = found;
            self.trace = trace;
        }
        better
    }

    fn shrinks(&mut self, candidate: &Deviations) -> bool {
        self.accept(candidate, |found, best| found.len() < best.len())
    }

    fn leave_out_parts(&mut self) {
        let mut size = self.best.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            let mut shrunk = false;
            while at < self.best.len() {
                let candidate = without(&self.best, |i| (at..at + size).contains(&i));
                match self.shrinks(&candidate) {
                    true => shrunk = true,
                    false => at += size,
                }
            }
            if size == 1 && !shrunk {
                break;
            }
            // once more with single ones if one was left out: others may have become needless
            size = if size == 1 { 1 } else { size.div_ceil(2) };
            if self.runs >= self.budget {
                break;
            }
        }
    }

    fn leave_out_pairs(&mut self) {
        let mut first = 0;
        while first < self.best.len() {
            let pairs = first + 1..self.best.len();
            let shrunk = pairs.into_iter().any(|second| {
                let candidate = without(&self.best, |i| i == first || i == second);
                self.shrinks(&candidate)
            });
            if !shrunk {
                first += 1;
            }
            if self.runs >= self.budget {
                break;
            }
        }
    }

    /// Lets two threads change their roles: threads that do the same are told apart by which of them is the default.
    fn change_roles(&mut self) {
        let threads = self.trace.steps.iter().map(|s| s.thread());
        let threads: Vec<ThreadNo> = threads.collect::<BTreeSet<_>>().into_iter().collect();
        for (i, &a) in threads.iter().enumerate() {
            for &b in &threads[i + 1..] {
                let role = |t: ThreadNo| match t {
                    t if t == a => b,
                    t if t == b => a,
                    t => t,
                };
                let mut candidate = self.best.clone();
                for switch in &mut candidate.switches {
                    switch.from = role(switch.from);
                    switch.to = role(switch.to);
                }
                for value in &mut candidate.values {
                    value.thread = role(value.thread);
                }
                self.shrinks(&candidate);
                if self.runs >= self.budget {
                    return;
                }
            }
        }
    }

    fn move_switches(&mut self) {
        let mut at = 0;
        while at < self.best.switches.len() && self.runs < self.budget {
            if !self.move_switch(at) {
                at += 1;
            }
        }
    }

    /// Moves one switch, or sends it to another thread, so that others become needless.
    fn move_switch(&mut self, at: usize) -> bool {
        let Switch { from, after, to } = self.best.switches[at];
        let mut candidates = Vec::new();
        for distance in [1, 2, 3, 4, 6, 8, 12, 16] {
            candidates.extend([after.checked_sub(distance), after.checked_add(distance)]);
        }
        let moved = candidates.into_iter().flatten();
        let moved = moved.map(|after| Switch { from, after, to });
        let threads = self.trace.steps.iter().map(|s| s.thread());
        let mut others: Vec<_> = threads.filter(|&t| t != to && t != from).collect();
        others.sort();
        others.dedup();
        let sent = others.into_iter().map(|to| Switch { from, after, to });
        let all: Vec<Switch> = moved.chain(sent).collect();
        all.into_iter().any(|switch| {
            let mut moved = self.best.clone();
            moved.switches[at] = switch;
            if self.shrinks(&moved) {
                return true;
            }
            // another one may be in the way of what is now possible
            let mut others = (0..moved.len()).filter(|&other| other != at);
            others.any(|other| self.shrinks(&without(&moved, |i| i == other)))
        })
    }

    /// Leaves out a switch before which a variable had been stored to less often.
    fn older_stores(&mut self) {
        let mut value = 0;
        while value < self.best.values.len() && self.runs < self.budget {
            let switches = 0..self.best.switches.len();
            let mut tries = switches.flat_map(|switch| [(switch, 1), (switch, 2)]);
            let shrunk = tries.any(|(switch, older)| {
                let mut candidate = without(&self.best, |i| i == switch);
                candidate.values[value].choice += older;
                self.shrinks(&candidate)
            });
            if !shrunk {
                value += 1;
            }
        }
    }

    /// Lets reads see the newest old store that makes the run fail.
    fn newer_stores(&mut self) {
        let mut at = 0;
        while let Some(&OldValue { choice, .. }) = self.best.values.get(at) {
            for newer in 1..choice {
                let mut candidate = self.best.clone();
                candidate.values[at].choice = newer;
                let sum = |d: &Deviations| d.values.iter().map(|v| v.choice).sum::<usize>();
                let better = |found: &Deviations, best: &Deviations| {
                    found.len() <= best.len() && sum(found) < sum(best)
                };
                if self.accept(&candidate, better) {
                    break;
                }
            }
            at += 1;
        }
    }
}

/// Deviations without some of them: switches are counted first, then values.
fn without(all: &Deviations, out: impl Fn(usize) -> bool) -> Deviations {
    let switches = all.switches.iter().enumerate();
    let values = all.values.iter().enumerate();
    let offset = all.switches.len();
    Deviations {
        switches: switches
            .filter(|&(i, _)| !out(i))
            .map(|(_, s)| *s)
            .collect(),
        values: values
            .filter(|&(i, _)| !out(i + offset))
            .map(|(_, v)| *v)
            .collect(),
    }
}

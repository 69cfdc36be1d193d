//! A schedule as the few places where it is not what would have been done anyway: what minimising changes.

use super::inertia::Inertia;
use super::{Choice, Start, Strategy};
use crate::trace::Trace;
use crate::{Op, ThreadNo};
use std::collections::BTreeMap;

/// A place where another thread goes on than by default ([`Inertia`]). Places are counted along one thread: leaving out
/// a switch elsewhere moves them little.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Switch {
    /// The thread that ran.
    pub from: ThreadNo,
    /// How many operations it had performed.
    pub after: u64,
    /// The thread that goes on.
    pub to: ThreadNo,
}

/// An operation that sees another than the newest store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OldValue {
    /// The thread that reads.
    pub thread: ThreadNo,
    /// How many operations it had performed before.
    pub after: u64,
    /// Which of the choices of stores within the operation it is.
    pub number: u64,
    /// Which store is seen; 0 is the newest.
    pub choice: usize,
}

/// All places where a schedule is not what would have been done by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Deviations {
    /// In the order of the run they were taken from.
    pub switches: Vec<Switch>,
    /// Likewise.
    pub values: Vec<OldValue>,
}

impl Deviations {
    /// Those of a run.
    pub fn of(trace: &Trace) -> Deviations {
        let mut deviations = Deviations::default();
        let mut place = Position::default();
        let mut inertia = Inertia::default();
        for (i, step) in trace.steps.iter().enumerate() {
            let choice = Choice {
                candidates: &step.candidates,
                current: step.current,
                step: i as u64,
            };
            let default = inertia.choose(&choice);
            if step.chosen != default {
                let from = place.last.unwrap_or(step.candidates[default].thread);
                deviations.switches.push(Switch {
                    from,
                    after: place.count(from),
                    to: step.thread(),
                });
            }
            for (number, &(choice, _)) in step.values.iter().enumerate() {
                if choice > 0 {
                    deviations.values.push(OldValue {
                        thread: step.thread(),
                        after: place.count(step.thread()),
                        number: number as u64,
                        choice,
                    });
                }
            }
            place.executed(step.thread());
            inertia.executed(step.thread(), step.op);
        }
        deviations
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.switches.len() + self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Where a run is, by the operations that each thread has performed.
#[derive(Clone, Debug, Default)]
struct Position {
    performed: Vec<u64>,
    last: Option<ThreadNo>,
}

impl Position {
    fn count(&self, thread: ThreadNo) -> u64 {
        self.performed.get(thread.index()).copied().unwrap_or(0)
    }

    fn executed(&mut self, thread: ThreadNo) {
        if self.performed.len() <= thread.index() {
            self.performed.resize(thread.index() + 1, 0);
        }
        self.performed[thread.index()] += 1;
        self.last = Some(thread);
    }
}

/// Follows deviations, and else does what is done by default. A switch to a thread that can't go on is passed over, and so is a store
/// that can't be seen.
#[derive(Clone, Debug, Default)]
pub struct Follow {
    switches: BTreeMap<(ThreadNo, u64), ThreadNo>,
    values: BTreeMap<(ThreadNo, u64, u64), usize>,
    position: Position,
    inertia: Inertia,
    /// The thread that goes on, and how many choices of stores its operation has had.
    running: Option<(ThreadNo, u64)>,
}

impl Follow {
    /// Follows these.
    pub fn new(deviations: &Deviations) -> Follow {
        let switches = deviations.switches.iter();
        let values = deviations.values.iter();
        Follow {
            switches: switches.map(|s| ((s.from, s.after), s.to)).collect(),
            values: values
                .map(|v| ((v.thread, v.after, v.number), v.choice))
                .collect(),
            ..Follow::default()
        }
    }
}

impl Strategy for Follow {
    fn begin(&mut self, _: &Start) {}

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        let default = self.inertia.choose(choice);
        let from = self.position.last;
        let from = from.unwrap_or(choice.candidates[default].thread);
        let wanted = self.switches.get(&(from, self.position.count(from)));
        let chosen = wanted.and_then(|&to| choice.index_of(to));
        let chosen = chosen.unwrap_or(default);
        self.running = Some((choice.candidates[chosen].thread, 0));
        chosen
    }

    fn choose_value(&mut self, n: usize) -> usize {
        // who did not have to be chosen is the one that ran before
        let begun = self.running.or(self.position.last.map(|t| (t, 0)));
        let Some((thread, number)) = begun else {
            return 0;
        };
        self.running = Some((thread, number + 1));
        let key = (thread, self.position.count(thread), number);
        let wanted = self.values.get(&key).copied();
        wanted.filter(|&k| k < n).unwrap_or(0)
    }

    fn executed(&mut self, thread: ThreadNo, op: Op) {
        self.position.executed(thread);
        self.inertia.executed(thread, op);
        self.running = None;
    }
}

//! Exhaustive exploration: all runs that differ in the order of two dependent operations, or in a value that the memory model permits,
//! and as few others as possible. Source-DPOR with sleep sets (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014), over the traces of finished
//! runs, several of which may be under way.
//!
//! In each finished run, two dependent steps of different threads that could have come in the other order are a race; where the first
//! of them was chosen, a thread is noted that leads to the other order. A run that begins there sleeps on the threads that were
//! tried there before, until something happens that depends on what they would have done. With a bound of preemptions no thread
//! sleeps: an earlier attempt may have ended at the bound.

mod causality;

use crate::strategy::inertia::Inertia;
use crate::strategy::{Choice, Start, Strategy};
use crate::trace::{Step, Trace};
use crate::{Candidate, Decision, Guided, Op, ThreadNo, dependent};
use causality::Causality;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The limits of an exploration.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Leaves out runs with more preemptions than this: interruptions of a thread that could continue and does not yield.
    pub preemptions: Option<u32>,
    /// Other choices are looked for among the first so many choices of a run only.
    pub depth: Option<usize>,
}

/// Plans runs until all have been.
#[derive(Debug, Default)]
pub struct Dpor {
    limits: Limits,
    nodes: Vec<Option<Node>>,
    free: Vec<usize>,
    /// Nodes at which something is to be tried, the deepest first.
    ready: BTreeSet<(Reverse<usize>, usize)>,
    begun: bool,
    under_way: usize,
    statistics: Statistics,
}

/// How far the exploration has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Runs that came to their end.
    pub complete: u64,
    /// Runs that were left off because they would have repeated an earlier run.
    pub redundant: u64,
    /// Runs that did not offer the choices that an earlier one had.
    pub diverged: u64,
    /// Whether the limits have left out anything.
    pub limited: bool,
}

/// A run to be made.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The choices that it begins with.
    pub decisions: Vec<Decision>,
    /// What need not be tried after them, until something depends on it.
    pub sleep: Vec<Candidate>,
    /// The choice that the last decision was made at.
    node: Option<usize>,
}

impl Plan {
    /// What makes the run.
    pub fn strategy(&self) -> Guided {
        let rest = AwakeThreads {
            sleep: self.sleep.clone(),
            inertia: Inertia::default(),
            redundant: false,
        };
        Guided::new(self.decisions.iter().copied(), Box::new(rest))
    }
}

/// A choice in the tree of all runs.
#[derive(Debug)]
struct Node {
    parent: Option<usize>,
    /// How many choices there were before.
    depth: usize,
    /// The step of a run that it belongs to.
    step: usize,
    /// Preemptions before.
    preemptions: u32,
    kind: Kind,
    /// What leads on from it: which of the decisions is on the path that a plan continues is known to the node below.
    taken: Decision,
    sleep: Vec<Candidate>,
    /// Nodes below it and runs that began at it.
    live: usize,
}

#[derive(Debug)]
enum Kind {
    Threads {
        candidates: Vec<Candidate>,
        current: Option<usize>,
        /// In the order in which they were tried.
        tried: Vec<Candidate>,
        /// To be tried.
        pending: SmallVec<[ThreadNo; 2]>,
    },
    Values {
        n: usize,
        pending: Vec<usize>,
    },
}

impl Node {
    fn is_pending(&self) -> bool {
        match &self.kind {
            Kind::Threads { pending, .. } => !pending.is_empty(),
            Kind::Values { pending, .. } => !pending.is_empty(),
        }
    }

    /// How many preemptions there are when that thread runs.
    fn preemptions_with(&self, thread: ThreadNo) -> u32 {
        let Kind::Threads {
            candidates,
            current,
            ..
        } = &self.kind
        else {
            return self.preemptions;
        };
        let preempts = current
            .is_some_and(|c| candidates[c].thread != thread && !candidates[c].op.kind.gives_way());
        self.preemptions + u32::from(preempts)
    }
}

impl Dpor {
    /// Explores within limits.
    pub fn new(limits: Limits) -> Dpor {
        Dpor {
            limits,
            ..Dpor::default()
        }
    }

    /// How far it has come.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Whether all runs have been made.
    pub fn is_exhausted(&self) -> bool {
        self.begun && self.under_way == 0 && self.ready.is_empty()
    }

    /// The next run; `None` if there is none before one of those that are under way has come back. The plan depends only on the
    /// order in which runs come back.
    pub fn plan(&mut self) -> Option<Plan> {
        if !self.begun {
            self.begun = true;
            self.under_way = 1;
            return Some(Plan {
                decisions: Vec::new(),
                sleep: Vec::new(),
                node: None,
            });
        }
        while let Some(&(_, id)) = self.ready.first() {
            if let Some((decision, sleep)) = self.take(id) {
                self.node_mut(id).live += 1;
                self.under_way += 1;
                let mut decisions = self.decisions_to(id);
                decisions.push(decision);
                return Some(Plan {
                    decisions,
                    sleep,
                    node: Some(id),
                });
            }
            self.release(id);
        }
        None
    }

    /// A run has come back; its trace is the whole run, the decisions of the plan included.
    pub fn finished(&mut self, plan: Plan, trace: &Trace) {
        self.under_way -= 1;
        match trace.redundant {
            true => self.statistics.redundant += 1,
            false => self.statistics.complete += 1,
        }
        self.statistics.limited |= trace.cut;
        let from = self.nodes_to(plan.node);
        if self.follows(&plan, &from, trace) {
            let below = self.extend(&plan, from, trace);
            self.look_for_races(&plan, &below, trace);
            if let Some(&last) = below.last() {
                self.release(last);
            }
        } else {
            self.statistics.diverged += 1;
        }
        if let Some(id) = plan.node {
            self.node_mut(id).live -= 1;
            self.release(id);
        }
    }

    /// A run has been lost, and is not made again.
    pub fn lost(&mut self, plan: Plan) {
        self.under_way -= 1;
        self.statistics.limited = true;
        if let Some(id) = plan.node {
            self.node_mut(id).live -= 1;
            self.release(id);
        }
    }

    fn node(&self, id: usize) -> &Node {
        self.nodes[id].as_ref().expect("a node that is there")
    }

    fn node_mut(&mut self, id: usize) -> &mut Node {
        self.nodes[id].as_mut().expect("a node that is there")
    }

    /// The nodes down to one, that included.
    fn nodes_to(&self, mut id: Option<usize>) -> Vec<usize> {
        let mut path = Vec::new();
        while let Some(i) = id {
            path.push(i);
            id = self.node(i).parent;
        }
        path.reverse();
        path
    }

    /// The decisions that lead to a node.
    fn decisions_to(&self, id: usize) -> Vec<Decision> {
        let mut decisions = Vec::new();
        let mut below = self.node(id);
        while let Some(parent) = below.parent {
            decisions.push(below.taken);
            below = self.node(parent);
        }
        decisions.reverse();
        decisions
    }

    /// Takes the next choice to try at a node, and the threads that sleep after it; `None` if none needs to be tried.
    fn take(&mut self, id: usize) -> Option<(Decision, Vec<Candidate>)> {
        let node = self.nodes[id].as_mut().expect("a node that is ready");
        let taken = match &mut node.kind {
            Kind::Values { pending, .. } => {
                let value = pending.pop().map(Decision::Value);
                value.map(|v| (v, node.sleep.clone()))
            }
            Kind::Threads {
                candidates,
                tried,
                pending,
                ..
            } => {
                let thread = pending.pop();
                let next = candidates.iter().find(|c| Some(c.thread) == thread);
                let asleep = |c: &Candidate| node.sleep.iter().any(|s| s.thread == c.thread);
                let bounded = self.limits.preemptions.is_some();
                next.copied().filter(|c| !asleep(c)).map(|next| {
                    let others = node.sleep.iter().chain(tried.iter());
                    let others = others.filter(|s| !bounded && !dependent(s, &next));
                    let sleep = others.copied().collect();
                    tried.push(next);
                    (Decision::Run(next.thread), sleep)
                })
            }
        };
        if !node.is_pending() {
            let depth = Reverse(node.depth);
            self.ready.remove(&(depth, id));
        }
        taken
    }

    /// Forgets a node below which nothing is left to be done, and those above it in the same way.
    fn release(&mut self, mut id: usize) {
        loop {
            let Some(node) = &self.nodes[id] else { return };
            if node.live > 0 || node.is_pending() {
                return;
            }
            let parent = node.parent;
            self.nodes[id] = None;
            self.free.push(id);
            let Some(parent) = parent else { return };
            self.node_mut(parent).live -= 1;
            id = parent;
        }
    }

    /// Whether the run had the choices of the nodes above.
    fn follows(&self, plan: &Plan, path: &[usize], trace: &Trace) -> bool {
        let decisions = trace.decisions();
        decisions.starts_with(&plan.decisions)
            && path.iter().all(|&id| {
                let node = self.node(id);
                let step = trace.steps.get(node.step);
                match &node.kind {
                    Kind::Threads { candidates, .. } => {
                        step.is_some_and(|s| s.candidates == *candidates)
                    }
                    Kind::Values { n, .. } => {
                        step.is_some_and(|s| s.values.iter().any(|&(_, of)| of == *n))
                    }
                }
            })
    }

    /// Adds the choices of a run after those of its plan; all its nodes.
    fn extend(&mut self, plan: &Plan, mut path: Vec<usize>, trace: &Trace) -> Vec<usize> {
        let known = path.len();
        let mut sleep = plan.sleep.clone();
        let mut number = 0;
        for (index, step) in trace.steps.iter().enumerate() {
            let before = number;
            if step.candidates.len() > 1 {
                if number >= known {
                    let kind = Kind::Threads {
                        candidates: step.candidates.clone(),
                        current: step.current,
                        tried: vec![step.candidates[step.chosen]],
                        pending: SmallVec::new(),
                    };
                    self.push(&mut path, trace, index, kind, &sleep);
                }
                number += 1;
            }
            // what sleeps is notified of after the plan's last decision
            if before >= known {
                sleep.retain(|s| !dependent(s, &step.event()));
            }
            for &(_, n) in &step.values {
                if number >= known {
                    let kind = Kind::Values {
                        n,
                        pending: (1..n).rev().collect(),
                    };
                    self.push(&mut path, trace, index, kind, &sleep);
                }
                number += 1;
            }
        }
        path
    }

    fn push(
        &mut self,
        path: &mut Vec<usize>,
        trace: &Trace,
        step: usize,
        kind: Kind,
        sleep: &[Candidate],
    ) {
        if self.limits.depth.is_some_and(|d| path.len() >= d) {
            self.statistics.limited = true;
            return;
        }
        let parent = path.last().copied();
        let (taken, preemptions) = match parent {
            None => (Decision::Value(0), 0),
            Some(above) => {
                self.node_mut(above).live += 1;
                let above = self.node(above);
                let taken = self.decision(path, trace);
                let preemptions = match taken {
                    Decision::Run(thread) => above.preemptions_with(thread),
                    Decision::Value(_) => above.preemptions,
                };
                (taken, preemptions)
            }
        };
        let node = Node {
            parent,
            depth: path.len(),
            step,
            preemptions,
            kind,
            taken,
            sleep: sleep.to_vec(),
            live: 0,
        };
        let pending = node.is_pending();
        let id = self.free.pop().unwrap_or(self.nodes.len());
        match self.nodes.get_mut(id) {
            Some(place) => *place = Some(node),
            None => self.nodes.push(Some(node)),
        }
        if pending {
            self.ready.insert((Reverse(path.len()), id));
        }
        path.push(id);
    }

    /// What the run did at the last node of a path.
    fn decision(&self, path: &[usize], trace: &Trace) -> Decision {
        let last = path[path.len() - 1];
        let node = self.node(last);
        let step = &trace.steps[node.step];
        match node.kind {
            Kind::Threads { .. } => Decision::Run(step.thread()),
            Kind::Values { .. } => {
                let same = |&&id: &&usize| {
                    let other = self.node(id);
                    other.step == node.step && matches!(other.kind, Kind::Values { .. })
                };
                let before = path.iter().rev().skip(1).take_while(same).count();
                Decision::Value(step.values[before].0)
            }
        }
    }

    /// Notes at the choices of a run what leads to another order of its steps.
    fn look_for_races(&mut self, plan: &Plan, path: &[usize], trace: &Trace) {
        let branch = plan.node.map_or(0, |id| self.node(id).step);
        let mut causality = Causality::default();
        let mut races = Vec::new();
        for index in 0..trace.steps.len() {
            let of_step = causality.add(&trace.steps);
            // those before were found in the run that this one branches off from
            if index >= branch {
                races.extend(of_step);
            }
        }
        if !trace.redundant && !trace.cut {
            for &left in &trace.left {
                races.extend(causality.would_add(&trace.steps, left));
            }
        }
        for race in races {
            let at = path.binary_search_by_key(&(race.step, false), |&id| {
                let node = self.node(id);
                (node.step, matches!(node.kind, Kind::Values { .. }))
            });
            if let Ok(at) = at {
                self.note(path, at, &race.initials, &trace.steps);
            } else if trace.steps[race.step].candidates.len() > 1 {
                self.statistics.limited = true;
            }
        }
    }

    fn note(&mut self, path: &[usize], at: usize, initials: &[ThreadNo], steps: &[Step]) {
        if self.limits.preemptions.is_some() {
            return self.note_bounded(path, at, initials, steps);
        }
        let node = self.node(path[at]);
        let Kind::Threads {
            candidates,
            tried,
            pending,
            ..
        } = &node.kind
        else {
            return;
        };
        let covered = |t: &ThreadNo| {
            let has = |list: &[Candidate]| list.iter().any(|c| c.thread == *t);
            pending.contains(t) || has(tried) || has(&node.sleep)
        };
        if initials.iter().any(covered) {
            return;
        }
        let can = |t: &&ThreadNo| candidates.iter().any(|c| c.thread == **t);
        if let Some(&thread) = initials.iter().find(can) {
            self.try_at(path[at], thread);
        }
    }

    /// With a bound, one thread does not represent another: what it leads to may take more preemptions. And where the thread that
    /// is interrupted began to run, a different thread may continue at no cost (Coons, Musuvathi, McKinley, OOPSLA 2013).
    fn note_bounded(&mut self, path: &[usize], at: usize, initials: &[ThreadNo], steps: &[Step]) {
        let running = steps[self.node(path[at]).step].thread();
        let began = (0..at).rev().take_while(|&i| {
            let step = self.node(path[i]).step;
            let next = self.node(path[i + 1]).step;
            steps[step..next].iter().all(|s| s.thread() == running)
        });
        let began = began.last();
        for &thread in initials {
            self.try_at(path[at], thread);
            if let Some(began) = began {
                self.try_at(path[began], thread);
            }
        }
    }

    /// Notes that a thread is to be tried at a node, if the limits permit it.
    fn try_at(&mut self, id: usize, thread: ThreadNo) {
        let node = self.node(id);
        if let Some(most) = self.limits.preemptions
            && node.preemptions_with(thread) > most
        {
            self.statistics.limited = true;
            return;
        }
        let depth = Reverse(node.depth);
        let Kind::Threads {
            candidates,
            tried,
            pending,
            ..
        } = &mut self.node_mut(id).kind
        else {
            return;
        };
        let is = |c: &Candidate| c.thread == thread;
        if candidates.iter().any(is) && !tried.iter().any(is) && !pending.contains(&thread) {
            pending.push(thread);
            self.ready.insert((depth, id));
        }
    }
}

/// Continues with threads that are not asleep.
struct AwakeThreads {
    sleep: Vec<Candidate>,
    inertia: Inertia,
    redundant: bool,
}

impl Strategy for AwakeThreads {
    fn begin(&mut self, _: &Start) {}

    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        let asleep = |thread: ThreadNo| self.sleep.iter().any(|s| s.thread == thread);
        let mut all = choice.candidates.iter().map(|c| c.thread);
        // what those who look again and again wait for comes from one that sleeps, if from anyone: such runs are found elsewhere
        let stays = |thread: ThreadNo| asleep(thread) || self.inertia.is_spinning(thread);
        self.redundant |= all.clone().any(asleep) && all.all(stays);
        self.inertia.next(choice, |thread| !asleep(thread))
    }

    fn choose_value(&mut self, _: usize) -> usize {
        0
    }

    fn executed(&mut self, thread: ThreadNo, op: Op, changed: bool) {
        let event = Candidate::new(thread, op);
        self.sleep.retain(|s| !dependent(s, &event));
        self.inertia.executed(thread, op, changed);
    }

    fn redundant(&self) -> bool {
        self.redundant
    }
}

//! The search for bottlenecks along the call graph, by instruments that are placed where the search has come to and
//! removed when they have told enough (Fig. 1 of the paper on JUDI and JBolt): from the root to callees, methods that use
//! more than a threshold are bottlenecks, become the *focus*, and their callees the *frontier*, which alone is timed.
//!
//! A bottleneck that is called from many places, none of which is one itself, is not found so. Methods that are called
//! very often are *deep starters* (section 4): all methods on the ways from the focus to one are timed as well.
//!
//! Whoever runs the program tells the [`Search`] of entries, exits and moments, and does what it is [`Order`]ed to.

mod graph;
mod report;
#[cfg(test)]
mod tests;

pub use graph::Graph;
pub use report::{Told, dot, html, json, text};

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// How is searched.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    /// Thousandths of what is used that make a method a bottleneck.
    pub threshold: u64,
    /// Whether methods that are called often are looked for as well.
    pub hybrid: bool,
    /// Thousandths of all calls that make a method a deep starter.
    pub starters: u64,
    /// Deep starters that are followed at one time; none: no limit.
    pub limit_deep_starters: Option<usize>,
    /// Late instruments at one time: of methods that are on a stack already. None: no limit.
    pub limit_late: Option<usize>,
    /// What has to be used by all before a method is a bottleneck, in the metric's unit.
    pub observe: u64,
    /// Bytecodes after which a method that is below the threshold is given up.
    pub patience: u64,
}

/// What is to be done to the program's instruments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Time calls of the method, callees included.
    Time(u32),
    /// No longer.
    Untime(u32),
}

/// A moment of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Now {
    /// Bytecodes of all threads.
    pub bytecodes: u64,
    /// What all threads have used of what is searched for.
    pub used: u64,
}

/// How a bottleneck was come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Via {
    /// From its caller, which is one.
    Callgraph,
    /// On the way to a deep starter.
    Starter,
}

/// A bottleneck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bottleneck {
    /// Its number.
    pub method: u32,
    /// Thousandths of what was used while it was timed.
    pub permille: u64,
    /// What it used, and all, while it was timed.
    pub used: (u64, u64),
    /// Bytecodes of the run when it was found.
    pub found: u64,
    /// Bytecodes for which it was timed.
    pub timed: u64,
    /// A call was under way when its instrument came: it has used more.
    pub lower_bound: bool,
    /// How it was come to.
    pub via: Via,
    /// No method that it calls is a bottleneck.
    pub leaf: bool,
}

/// What a method is to the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It was seen, no more.
    Seen,
    /// It is timed.
    Frontier(Timing),
    /// It waits for a late instrument.
    Waiting(Via),
    /// It is a bottleneck.
    Focus,
    /// It was timed, and is none. It is timed again after some time, each time a longer one.
    Rejected { until: u64, times: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Timing {
    since: Now,
    used: u64,
    calls: u64,
    open: u64,
    late: bool,
    via: Via,
    rejected: u32,
}

/// What the search itself has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Effort {
    /// Timers that were placed.
    pub timers: u64,
    /// The most at a time.
    pub most: u64,
    /// Those of them that were late.
    pub late: u64,
    /// How often timers were come to: calls that ended.
    pub timed: u64,
    /// How often counters were come to.
    pub counted: u64,
    /// Methods that counters were in.
    pub counters: u64,
    /// Deep starters that were followed.
    pub starters: u64,
}

/// A search under way.
#[derive(Debug)]
pub struct Search {
    settings: Settings,
    graph: Graph,
    states: BTreeMap<u32, State>,
    found: Vec<Bottleneck>,
    /// Starters that are followed, with the methods on their ways.
    followed: BTreeMap<u32, BTreeSet<u32>>,
    started: BTreeSet<u32>,
    effort: Effort,
    orders: Vec<Order>,
    begun: Now,
}

impl Search {
    /// One that begins now at the root of the call graph, which is the first focus.
    pub fn new(settings: Settings, root: u32, begun: Now) -> Search {
        Search {
            settings,
            graph: Graph::new(root),
            states: BTreeMap::from([(root, State::Focus)]),
            found: Vec::new(),
            followed: BTreeMap::new(),
            started: BTreeSet::new(),
            effort: Effort::default(),
            orders: Vec::new(),
            begun,
        }
    }
    /// The call graph as far as it is known.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
    /// What it has found, in the order of discovery.
    pub fn found(&self) -> &[Bottleneck] {
        &self.found
    }
    /// What it has done.
    pub fn effort(&self) -> Effort {
        Effort {
            counters: self.graph.methods() as u64,
            ..self.effort
        }
    }
    /// What is to be done now.
    pub fn orders(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.orders)
    }
    /// A method has been entered so many times from that caller since its counter was asked last.
    pub fn called(&mut self, method: u32, caller: Option<u32>, times: u64, now: Now) {
        self.effort.counted += 1;
        self.graph.add(caller, method, times);
        self.states.entry(method).or_insert(State::Seen);
        let in_focus = caller.is_some_and(|c| self.states.get(&c) == Some(&State::Focus));
        if in_focus {
            // it is being entered, so this is no late instrument
            self.time(method, Via::Callgraph, now, false);
        }
    }
    /// Calls that were not counted, by estimate.
    pub fn missed(&mut self, calls: &[(u32, u64)]) {
        for &(method, times) in calls {
            self.graph.add(None, method, times);
        }
    }
    /// The outermost call of a timed method has ended; `late` if it had begun before it was timed.
    pub fn timed(&mut self, method: u32, used: u64, late: bool) {
        self.effort.timed += 1;
        if let Some(State::Frontier(t)) = self.states.get_mut(&method) {
            t.used += used;
            t.calls += 1;
            t.late |= late;
        }
    }
    /// A moment to decide. `open` is what calls of timed methods that are under way have used since they were timed, with
    /// whether they had begun before; `stacks` are the methods on the stacks of threads, the outermost first.
    pub fn moment(&mut self, now: Now, open: &BTreeMap<u32, (u64, bool)>, stacks: &[Vec<u32>]) {
        let frontier: Vec<(u32, Timing)> = self
            .states
            .iter()
            .filter_map(|(&m, s)| match s {
                State::Frontier(t) => Some((m, *t)),
                _ => None,
            })
            .collect();
        for (method, mut t) in frontier {
            let (under_way, late) = open.get(&method).copied().unwrap_or_default();
            t.open = under_way;
            let window = now.used.saturating_sub(t.since.used);
            let used = t.used + t.open;
            let least = window.saturating_mul(self.settings.threshold);
            let over = used.saturating_mul(1000) >= least;
            // a timer begins with a call, so few of them say too much
            let enough = t.calls >= 3 || under_way.saturating_mul(1000) >= least;
            // what is true of a short time late in the run is a phase, no bottleneck
            let observe = self
                .settings
                .observe
                .max(now.used.saturating_sub(self.begun.used) / 20);
            let waited = now.bytecodes.saturating_sub(t.since.bytecodes);
            if window >= observe && over && enough && used > 0 {
                self.orders.push(Order::Untime(method));
                self.states.insert(method, State::Focus);
                self.found.push(Bottleneck {
                    method,
                    permille: crate::claim::permille(used, window).min(1000),
                    used: (used, window),
                    found: now.bytecodes,
                    timed: waited,
                    lower_bound: t.late || late,
                    via: t.via,
                    leaf: true,
                });
                for callee in self.graph.callees(method) {
                    self.consider(callee, Via::Callgraph, now, stacks);
                }
            } else if waited >= self.settings.patience && !over {
                self.orders.push(Order::Untime(method));
                let times = t.rejected + 1;
                let until = now.bytecodes + (self.settings.patience << times.min(20));
                self.states.insert(method, State::Rejected { until, times });
            }
        }
        self.again(now, stacks);
        if self.settings.hybrid {
            self.follow(now, stacks);
        }
        self.admit_late(now, stacks);
        let timed = self
            .states
            .values()
            .filter(|s| matches!(s, State::Frontier(_)));
        self.effort.most = self.effort.most.max(timed.count() as u64);
    }
    /// Methods that were rejected some time ago are timed again, if a bottleneck calls them.
    fn again(&mut self, now: Now, stacks: &[Vec<u32>]) {
        let due = |s: &State| matches!(s, State::Rejected { until, .. } if *until <= now.bytecodes);
        let due: Vec<u32> = self
            .states
            .iter()
            .filter(|s| due(s.1))
            .map(|s| *s.0)
            .collect();
        for method in due {
            let focus = |c: &u32| self.states.get(c) == Some(&State::Focus);
            if self.graph.callers(method).iter().any(focus) {
                self.consider(method, Via::Callgraph, now, stacks);
            }
        }
    }
    /// Follows methods that are called very often.
    fn follow(&mut self, now: Now, stacks: &[Vec<u32>]) {
        let states = &self.states;
        let undecided =
            |m: &u32| matches!(states.get(m), Some(State::Frontier(_) | State::Waiting(_)));
        self.followed.retain(|_, way| way.iter().any(&undecided));
        let all = self.graph.calls().max(1);
        let often =
            |m: &(u32, u64)| m.1.saturating_mul(1000) >= all.saturating_mul(self.settings.starters);
        let starters: Vec<(u32, u64)> = self.graph.by_calls().into_iter().filter(often).collect();
        for (starter, _) in starters {
            let full = self
                .settings
                .limit_deep_starters
                .is_some_and(|most| self.followed.len() >= most);
            if full
                || self.started.contains(&starter)
                || self.states.get(&starter) == Some(&State::Focus)
            {
                continue;
            }
            let focus: BTreeSet<u32> = self
                .states
                .iter()
                .filter(|s| *s.1 == State::Focus)
                .map(|s| *s.0)
                .collect();
            let way = self.graph.between(&focus, starter);
            if way.is_empty() {
                continue;
            }
            self.started.insert(starter);
            self.effort.starters += 1;
            for &method in &way {
                self.consider(method, Via::Starter, now, stacks);
            }
            self.followed.insert(starter, way);
        }
    }
    /// Times a method, or has it wait for a late instrument if it is on a stack.
    fn consider(&mut self, method: u32, via: Via, now: Now, stacks: &[Vec<u32>]) {
        let on_stack = stacks.iter().any(|s| s.contains(&method));
        match self.states.get(&method) {
            Some(State::Focus | State::Frontier(_) | State::Waiting(_)) => {}
            Some(State::Rejected { until, .. })
                if via == Via::Callgraph && *until > now.bytecodes => {}
            // without late instruments it is timed when it is entered again
            _ if on_stack && self.settings.limit_late == Some(0) => {}
            _ if on_stack => {
                self.states.insert(method, State::Waiting(via));
            }
            _ => self.time(method, via, now, false),
        }
    }
    /// Late instruments, as many as there may be: those deepest on the stacks first.
    fn admit_late(&mut self, now: Now, stacks: &[Vec<u32>]) {
        let depth = |m: u32| {
            stacks
                .iter()
                .filter_map(|s| s.iter().rposition(|&f| f == m))
                .max()
        };
        let mut waiting: Vec<(Option<usize>, u32, Via)> = Vec::new();
        for (&m, s) in &self.states {
            if let State::Waiting(via) = s {
                waiting.push((depth(m), m, *via));
            }
        }
        waiting.sort_by_key(|w| (std::cmp::Reverse(w.0), w.1));
        let late = |s: &&State| matches!(s, State::Frontier(t) if t.late);
        let mut there = self.states.values().filter(late).count();
        for (depth, method, via) in waiting {
            if depth.is_none() {
                // it has returned meanwhile
                self.states.insert(method, State::Seen);
                self.time(method, via, now, false);
            } else if self.settings.limit_late.is_none_or(|most| there < most) {
                self.states.insert(method, State::Seen);
                self.time(method, via, now, true);
                there += 1;
            }
        }
    }
    fn time(&mut self, method: u32, via: Via, now: Now, late: bool) {
        let rejected = match self.states.get(&method) {
            Some(State::Focus | State::Frontier(_) | State::Waiting(_)) => return,
            Some(State::Rejected { until, .. })
                if via == Via::Callgraph && *until > now.bytecodes =>
            {
                return;
            }
            Some(State::Rejected { times, .. }) => *times,
            _ => 0,
        };
        let timing = Timing {
            since: now,
            used: 0,
            calls: 0,
            open: 0,
            late,
            via,
            rejected,
        };
        self.states.insert(method, State::Frontier(timing));
        self.effort.timers += 1;
        self.effort.late += u64::from(late);
        self.orders.push(Order::Time(method));
    }
    /// The run is over: bottlenecks, those that call no other one first, the severest of these first.
    pub fn finish(&self) -> Vec<Bottleneck> {
        let methods: BTreeSet<u32> = self.found.iter().map(|b| b.method).collect();
        let mut all = self.found.clone();
        for b in &mut all {
            let calls_one = |c: &u32| *c != b.method && methods.contains(c);
            b.leaf = !self.graph.callees(b.method).iter().any(calls_one);
        }
        all.sort_by(|a, b| {
            (b.leaf, b.permille, b.found)
                .cmp(&(a.leaf, a.permille, a.found))
                .then(a.method.cmp(&b.method))
        });
        all
    }
    /// What a method is at the end, in a word.
    pub fn word(&self, method: u32) -> &'static str {
        match self.states.get(&method) {
            Some(State::Focus) => "bottleneck",
            Some(State::Frontier(_)) => "timed",
            Some(State::Waiting(_)) => "waits",
            Some(State::Rejected { .. }) => "rejected",
            Some(State::Seen) | None => "seen",
        }
    }
}

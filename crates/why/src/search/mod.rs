//! The search for bottlenecks along the call graph, by instruments that are placed where the search has come to and
//! removed when they have reported enough (Fig. 1 of the paper on JUDI and JBolt): from the root to callees, methods that use
//! more than a threshold are bottlenecks, become the *focus*, and their callees the *frontier*, which alone is timed.
//!
//! A bottleneck that is called from many places, none of which is one itself, is not found so. Methods that are called
//! very often are *deep starters* (section 4): all methods on the ways from the focus to one are timed as well.
//!
//! The code that runs the program notifies the [`Search`] of entries, exits and moments, and carries out its [`Order`]s.

mod account;
mod graph;
mod report;
mod state;
#[cfg(test)]
mod tests;

pub use graph::{CallerPaths, Graph};
pub use report::{RunFacts, dot, html, json, text};

use account::{Account, over};
use serde::Serialize;
use state::{State, Timing, Watch};
use std::collections::{BTreeMap, BTreeSet};

/// How is searched.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    /// The share of the used amount, in thousandths, that makes a method a bottleneck.
    pub threshold: u64,
    /// Whether methods that are called often are looked for as well.
    pub hybrid: bool,
    /// Thousandths of all calls that make a method a deep starter.
    pub starters: u64,
    /// Deep starters that are followed at one time; none: no limit.
    pub limit_deep_starters: Option<usize>,
    /// Late instruments at one time: of methods that are on a stack already. None: no limit.
    pub limit_late: Option<usize>,
    /// The amount that all must use before a method is a bottleneck, in the metric's unit.
    pub observe: u64,
    /// Bytecodes after which a method that is below the threshold is abandoned.
    pub patience: u64,
}

/// A change to the program's instruments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Time calls of the method, callees included.
    Time(u32),
    /// No longer.
    Untime(u32),
    /// Report of the next call of each method that this one calls.
    Notify(u32),
}

/// A moment of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Bytecodes of all threads.
    pub bytecodes: u64,
    /// The amount of the metric that all threads have used.
    pub used: u64,
}

/// What a timer has reported since it was placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Calls that have ended, recursion once.
    pub calls: u64,
    /// What they have used, callees included.
    pub used: u64,
    /// What calls that are under way have used so far.
    pub open: u64,
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
    /// Its share of the amount used while it was timed, in thousandths, when it was found.
    pub permille: u64,
    /// Thousandths of the whole run, known at the end.
    pub share: u64,
    /// By that it is a bottleneck.
    pub stays: bool,
    /// If not: bytecodes of the run until which it was.
    pub until: u64,
    /// What it used, and all, until it was found.
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

/// Bytecodes from call to call of a bottleneck whose timer costs so little that it stays.
const RARE: u64 = 20_000;
/// Calls that say enough of a method that is called often.
const MANY: u64 = 10_000;
/// Calls that say enough of one that uses less than half of the threshold.
const SOME: u64 = 1_000;
/// One in N of the run so far: a smaller part counts as a phase.
const PHASE: u64 = 100;
/// The part of the time for which a bottleneck is looked at again.
const LOOK: u64 = 20;

/// What the search itself has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Effort {
    /// Timers that were placed.
    pub timers: u64,
    /// The most at a time.
    pub most: u64,
    /// Those of them that were late.
    pub late: u64,
    /// Timers that were placed to look at bottlenecks again.
    pub again: u64,
    /// How often timers were come to: calls that ended.
    pub timed: u64,
    /// How often counters were come to.
    pub counted: u64,
    /// How often they notified of a caller.
    #[serde(rename = "told")]
    pub reported: u64,
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
    /// Those of them that wait for a late instrument.
    waiting: BTreeSet<u32>,
    /// Bytecodes of the run at which a bottleneck is looked at again, or a method that was rejected is timed again.
    next: u64,
    accounts: BTreeMap<u32, Account>,
    /// What all had used when methods were first called.
    first: BTreeMap<u32, u64>,
    found: Vec<Bottleneck>,
    /// Methods that are called often enough.
    starters: Vec<u32>,
    /// Starters that are followed, with the methods on their ways.
    followed: BTreeMap<u32, BTreeSet<u32>>,
    started: BTreeSet<u32>,
    effort: Effort,
    orders: Vec<Order>,
    begun: Moment,
    end: Moment,
}

impl Search {
    /// One that begins now at the root of the call graph, which is the first focus.
    pub fn new(settings: Settings, root: u32, begun: Moment) -> Search {
        let watch = Watch {
            timing: None,
            next: u64::MAX,
            gap: 0,
        };
        Search {
            settings,
            graph: Graph::new(root),
            states: BTreeMap::from([(root, State::Focus(watch))]),
            waiting: BTreeSet::new(),
            next: u64::MAX,
            accounts: BTreeMap::new(),
            first: BTreeMap::new(),
            found: Vec::new(),
            starters: Vec::new(),
            followed: BTreeMap::new(),
            started: BTreeSet::new(),
            effort: Effort::default(),
            orders: Vec::new(),
            begun,
            end: begun,
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
            counted: self.graph.calls(),
            ..self.effort
        }
    }
    /// The orders to carry out now.
    pub fn orders(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.orders)
    }
    fn set(&mut self, method: u32, state: State) {
        match state {
            State::Waiting(_) => _ = self.waiting.insert(method),
            _ => _ = self.waiting.remove(&method),
        }
        match state {
            State::Rejected { until, .. } => self.next = self.next.min(until),
            State::Focus(Watch {
                timing: None, next, ..
            }) => self.next = self.next.min(next),
            _ => {}
        }
        self.states.insert(method, state);
    }
    fn in_focus(&self, m: u32) -> bool {
        matches!(self.states.get(&m), Some(State::Focus(_)))
    }
    /// A method is called: for the first time, or again after [`Order::Notify`]. `on_stack`: an earlier call of the method is
    /// under way.
    pub fn called(&mut self, method: u32, caller: Option<u32>, on_stack: bool, now: Moment) {
        self.effort.reported += 1;
        self.graph.add(caller, method);
        self.first.entry(method).or_insert(now.used);
        self.states.entry(method).or_insert(State::Seen);
        if caller.is_some_and(|c| self.in_focus(c)) {
            // this very call is timed, whatever late instruments there are
            self.time(method, Via::Callgraph, now, on_stack);
        }
    }
    /// Counters have been read: methods, and how often they have been entered since the last time.
    pub fn counted(&mut self, calls: impl IntoIterator<Item = (u32, u64)>) {
        calls.into_iter().for_each(|(m, n)| self.graph.count(m, n));
        let all = u128::from(self.graph.calls().max(1));
        let least = all * u128::from(self.settings.starters);
        let often = |m: &(u32, u64)| u128::from(m.1) * 1000 >= least;
        let most = self.graph.by_calls().into_iter().take_while(often);
        self.starters = most.map(|m| m.0).collect();
    }
    /// A moment to decide. `timers` are what the timers say that are, `stacks` the methods on the stacks of threads, the outermost
    /// first.
    pub fn moment(&mut self, now: Moment, timers: &BTreeMap<u32, Reading>, stacks: &[Vec<u32>]) {
        let timed: Vec<(u32, State)> = timers
            .keys()
            .filter_map(|m| Some((*m, *self.states.get(m)?)))
            .collect();
        for (method, state) in timed {
            let reading = timers.get(&method).copied().unwrap_or_default();
            match state {
                State::Frontier(t) => self.decide(method, t, reading, now, stacks),
                State::Focus(watch) => self.look(method, watch, reading, now),
                _ => {}
            }
        }
        if self.next <= now.bytecodes {
            self.look_again(now);
            self.again(now, stacks);
            self.next = self.next_time(now);
        }
        if self.settings.hybrid {
            self.follow(now, stacks);
        }
        self.admit_late(now, timers, stacks);
        let more = self.orders.iter().map(|o| match o {
            Order::Time(_) => 1,
            Order::Untime(_) => -1,
            Order::Notify(_) => 0,
        });
        let there = timers.len() as i64 + more.sum::<i64>();
        self.effort.most = self.effort.most.max(there.max(0) as u64);
    }
    /// Whether a timed method is a bottleneck, or none, or it is not known yet.
    fn decide(&mut self, method: u32, t: Timing, r: Reading, now: Moment, stacks: &[Vec<u32>]) {
        let (calls, used) = t.window(r);
        let window = now.used.saturating_sub(t.since.used);
        let threshold = self.settings.threshold;
        let is_over = over(used, window, threshold);
        // a timer begins with a call, so few of them say too much
        let enough = calls >= 3 || over(r.open, window, threshold);
        // what is true of a short time late in the run is a phase, no bottleneck
        let observe = match calls {
            MANY.. => self.settings.observe,
            _ => {
                let all = now.used.saturating_sub(self.begun.used);
                self.settings.observe.max(all / PHASE)
            }
        };
        let waited = now.bytecodes.saturating_sub(t.since.bytecodes);
        let little = calls >= SOME
            && window >= self.settings.observe
            && !over(used.saturating_mul(2), window, threshold);
        if window >= observe && is_over && enough {
            self.window_ends(method, t, used, now);
            self.found.push(Bottleneck {
                method,
                permille: crate::claim::permille(used, window).min(1000),
                share: 0,
                stays: true,
                until: 0,
                used: (used, window),
                found: now.bytecodes,
                timed: waited,
                lower_bound: t.late,
                via: t.via,
                leaf: true,
            });
            let rare = calls.saturating_mul(RARE) <= waited;
            if !rare {
                self.orders.push(Order::Untime(method));
                self.effort.timed += r.calls;
            }
            let gap = self.settings.patience;
            let watch = Watch {
                timing: rare.then(|| t.again(now, r)),
                next: now.bytecodes + gap,
                gap,
            };
            self.set(method, State::Focus(watch));
            self.orders.push(Order::Notify(method));
            for callee in self.graph.callees(method) {
                self.consider(callee, Via::Callgraph, now, stacks);
            }
        } else if little || waited >= self.settings.patience && !is_over {
            self.window_ends(method, t, used, now);
            self.orders.push(Order::Untime(method));
            self.effort.timed += r.calls;
            let times = t.rejected + 1;
            let until = now.bytecodes + (self.settings.patience << times.min(20));
            self.set(method, State::Rejected { until, times });
        }
    }
    fn window_ends(&mut self, method: u32, t: Timing, used: u64, now: Moment) {
        let Some(account) = self.accounts.get_mut(&method) else {
            return;
        };
        account.add(t.since, now, used);
        let used = account.used(now, self.graph.calls_of(method));
        let all = now.used.saturating_sub(self.begun.used);
        if over(used, all, self.settings.threshold) {
            account.note(now);
        }
    }
    /// A bottleneck that is timed: its timer stays if it costs little, otherwise until it has said enough.
    fn look(&mut self, method: u32, watch: Watch, r: Reading, now: Moment) {
        let Some(t) = watch.timing else { return };
        let (calls, used) = t.window(r);
        let window = now.used.saturating_sub(t.since.used);
        let waited = now.bytecodes.saturating_sub(t.since.bytecodes);
        let long = calls >= MANY || waited >= watch.gap / LOOK;
        if window < self.settings.observe || !long {
            return;
        }
        let mut watch = watch;
        self.window_ends(method, t, used, now);
        if calls.saturating_mul(RARE) <= waited {
            watch.timing = Some(t.again(now, r));
        } else {
            self.orders.push(Order::Untime(method));
            self.effort.timed += r.calls;
            watch.timing = None;
            watch.next = now.bytecodes + watch.gap;
            watch.gap += watch.gap / 2;
        }
        self.set(method, State::Focus(watch));
    }
    /// Bottlenecks are timed again, at times that grow apart.
    fn look_again(&mut self, now: Moment) {
        let mut placed = 0;
        for (&method, state) in &mut self.states {
            let State::Focus(watch) = state else { continue };
            if watch.timing.is_none() && watch.next <= now.bytecodes {
                watch.timing = Some(Timing {
                    since: now,
                    base: (0, 0),
                    late: false,
                    via: Via::Callgraph,
                    rejected: 0,
                });
                self.orders.push(Order::Time(method));
                placed += 1;
            }
        }
        self.effort.again += placed;
    }
    /// The run has ended.
    pub fn end(&mut self, now: Moment, timers: &BTreeMap<u32, Reading>) {
        self.end = now;
        for (&method, &r) in timers {
            let timing = match self.states.get(&method) {
                Some(State::Frontier(t)) => *t,
                Some(State::Focus(Watch {
                    timing: Some(t), ..
                })) => *t,
                _ => continue,
            };
            self.effort.timed += r.calls;
            // one that has just been placed has nothing to report
            if now.used.saturating_sub(timing.since.used) >= self.settings.observe {
                self.window_ends(method, timing, timing.window(r).1, now);
            }
        }
    }
    /// When there is something to be timed again.
    fn next_time(&self, now: Moment) -> u64 {
        let times = self.states.values().filter_map(|s| match *s {
            State::Rejected { until, .. } => Some(until),
            State::Focus(Watch {
                timing: None, next, ..
            }) => Some(next),
            _ => None,
        });
        // what is due, and not called by a bottleneck yet, is looked at again with the next one
        times
            .filter(|&t| t > now.bytecodes)
            .min()
            .unwrap_or(u64::MAX)
    }
    /// Methods that were rejected some time ago are timed again, if a bottleneck calls them.
    fn again(&mut self, now: Moment, stacks: &[Vec<u32>]) {
        let due = |s: &State| matches!(s, State::Rejected { until, .. } if *until <= now.bytecodes);
        let due: Vec<u32> = self
            .states
            .iter()
            .filter(|s| due(s.1))
            .map(|s| *s.0)
            .collect();
        for method in due {
            let callers = self.graph.callers(method);
            if callers.iter().any(|&c| self.in_focus(c)) {
                self.consider(method, Via::Callgraph, now, stacks);
            }
        }
    }
    /// Follows methods that are called very often.
    fn follow(&mut self, now: Moment, stacks: &[Vec<u32>]) {
        let states = &self.states;
        let undecided =
            |m: &u32| matches!(states.get(m), Some(State::Frontier(_) | State::Waiting(_)));
        self.followed.retain(|_, way| way.iter().any(&undecided));
        for starter in self.starters.clone() {
            let full = self
                .settings
                .limit_deep_starters
                .is_some_and(|most| self.followed.len() >= most);
            if full || self.started.contains(&starter) || self.in_focus(starter) {
                continue;
            }
            let focus: BTreeSet<u32> = self
                .states
                .iter()
                .filter(|s| matches!(s.1, State::Focus(_)))
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
    fn consider(&mut self, method: u32, via: Via, now: Moment, stacks: &[Vec<u32>]) {
        let on_stack = stacks.iter().any(|s| s.contains(&method));
        match self.states.get(&method) {
            Some(State::Focus(_) | State::Frontier(_) | State::Waiting(_)) => {}
            Some(State::Rejected { until, .. })
                if via == Via::Callgraph && *until > now.bytecodes => {}
            // without late instruments it is timed when it is entered again
            _ if on_stack && self.settings.limit_late == Some(0) => {
                let callers = self.graph.callers(method).into_iter();
                let focus = callers.filter(|&c| self.in_focus(c));
                let orders: Vec<Order> = focus.map(Order::Notify).collect();
                self.orders.extend(orders);
            }
            _ if on_stack => {
                self.set(method, State::Waiting(via));
            }
            _ => self.time(method, via, now, false),
        }
    }
    /// Late instruments, as many as there may be: those deepest on the stacks first.
    fn admit_late(&mut self, now: Moment, timers: &BTreeMap<u32, Reading>, stacks: &[Vec<u32>]) {
        if self.waiting.is_empty() {
            return;
        }
        let depth = |m: u32| {
            stacks
                .iter()
                .filter_map(|s| s.iter().rposition(|&f| f == m))
                .max()
        };
        let mut waiting: Vec<(Option<usize>, u32, Via)> = Vec::new();
        for &m in &self.waiting {
            if let Some(State::Waiting(via)) = self.states.get(&m) {
                waiting.push((depth(m), m, *via));
            }
        }
        waiting.sort_by_key(|w| (std::cmp::Reverse(w.0), w.1));
        // when the call that was under way has ended, it is a timer like others
        let late = |(m, r): &(&u32, &Reading)| {
            r.calls == 0 && matches!(self.states.get(m), Some(State::Frontier(t)) if t.late)
        };
        let mut there = timers.iter().filter(late).count();
        for (depth, method, via) in waiting {
            if depth.is_none() {
                // it has returned meanwhile
                self.set(method, State::Seen);
                self.time(method, via, now, false);
            } else if self.settings.limit_late.is_none_or(|most| there < most) {
                self.set(method, State::Seen);
                self.time(method, via, now, true);
                there += 1;
            }
        }
    }
    fn time(&mut self, method: u32, via: Via, now: Moment, late: bool) {
        let rejected = match self.states.get(&method) {
            Some(State::Focus(_) | State::Frontier(_)) => return,
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
            base: (0, 0),
            late,
            via,
            rejected,
        };
        let first = self.first.get(&method).copied().unwrap_or(now.used);
        let entered = self.graph.calls_of(method);
        self.accounts
            .entry(method)
            .or_insert_with(|| Account::new(now, first, entered));
        self.set(method, State::Frontier(timing));
        self.effort.timers += 1;
        self.effort.late += u64::from(late);
        self.orders.push(Order::Time(method));
    }
    /// The run has ended: bottlenecks, those first that still are some at its end; of these those that call no other one, and
    /// the severest of these.
    pub fn finish(&self) -> Vec<Bottleneck> {
        let mut all = self.found.clone();
        for b in &mut all {
            if let Some(account) = self.accounts.get(&b.method) {
                let used = account.used(self.end, self.graph.calls_of(b.method));
                let of = self.end.used.saturating_sub(self.begun.used);
                b.share = crate::claim::permille(used, of).min(1000);
                b.stays = over(used, of, self.settings.threshold);
                b.until = account.until().max(b.found);
            }
        }
        let stay: BTreeSet<u32> = all.iter().filter(|b| b.stays).map(|b| b.method).collect();
        for b in &mut all {
            let calls_one = |c: &u32| *c != b.method && stay.contains(c);
            b.leaf = !self.graph.callees(b.method).iter().any(calls_one);
        }
        all.sort_by(|a, b| {
            (b.stays, b.leaf, b.share, b.found)
                .cmp(&(a.stays, a.leaf, a.share, a.found))
                .then(a.method.cmp(&b.method))
        });
        all
    }
    /// The verdict on a method at the end, in a word.
    pub fn word(&self, method: u32) -> &'static str {
        match self.states.get(&method) {
            Some(State::Focus(_)) => "bottleneck",
            Some(State::Frontier(_)) => "timed",
            Some(State::Waiting(_)) => "waits",
            Some(State::Rejected { .. }) => "rejected",
            Some(State::Seen) | None => "seen",
        }
    }
}

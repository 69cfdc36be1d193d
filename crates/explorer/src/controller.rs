//! Decides a schedule in the process that runs it: by a strategy, or as a schedule says.

use crate::fair::Fair;
use crate::guide::{ChoiceKey, Guide, default, is_meant, key};
use crate::memory::{WeakMemory, is_weak};
use crate::races::Races;
use crate::sharing::{Sharing, Sites};
use crate::shown::{name_of, shown, task_of};
use rjvm_explore::result::Outcome;
use rjvm_explore::schedule::{Action, Line, Schedule};
use rjvm_explore::trace::Trace;
use rjvm_explore::{Candidate, Choice, Mode, Op, OpKind, Place, Strategy, ThreadNo};
use rjvm_vm::threads::control::{ChoicePoint, Offer, Step};
use rjvm_vm::{ClassId, Vm};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

/// Which operations are scheduling points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SchedulingPoints {
    /// Monitors, volatile and atomic variables, threads, parking.
    Sync,
    /// And accesses to all variables, where others could notice them.
    #[default]
    Memory,
    /// And all other accesses to memory.
    All,
}

impl fmt::Display for SchedulingPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SchedulingPoints::Sync => "sync",
            SchedulingPoints::Memory => "memory",
            SchedulingPoints::All => "all",
        })
    }
}

/// How often a thread may be woken for no reason, which no machine does again and again.
const WAKES: u32 = 2;

/// After this many accesses that no other thread could notice, a thread lets others run.
const LONG: u32 = 10_000;

/// Whether it depends on what other threads touch whether they could notice it.
fn is_touch(kind: OpKind) -> bool {
    kind.access().is_some() || matches!(kind, OpKind::Enter | OpKind::InitBegin)
}

/// Whether a thread has checked if another thread has ended, which was not so.
fn is_look(step: &Step) -> bool {
    matches!(step.op.kind, OpKind::Join(_)) && step.value != 0
}

/// An operation, to be shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TraceStep {
    /// The thread.
    pub thread: u32,
    /// What it does, as a word.
    pub op: String,
    /// To what: a field, an element, a monitor, a thread.
    pub place: String,
    /// The value read or written, as text.
    pub value: String,
    /// The frames it is done in, the innermost first: `Class.method`, file, line.
    pub frames: Vec<(String, String, u32)>,
    /// Bytecodes executed by all threads before it.
    pub at: u64,
}

/// Operations that are shown: the last ones.
const SHOWN: usize = 20_000;

/// Called when the first thread is about to be started; whether the program continues.
pub type StartCallback = Box<dyn FnOnce(&mut Vm) -> bool + Send>;

/// Decides, and notes what happens.
pub struct Explorer {
    pub(crate) begins: Option<StartCallback>,
    guide: Guide,
    points: SchedulingPoints,
    /// Where accesses could be noticed, from earlier schedules.
    sites: Arc<Sites>,
    /// From this one.
    pub sharing: Sharing,
    /// Choices that were not the default.
    pub lines: Vec<Line>,
    /// Their places in their threads; none of a choice that is made by itself, because a thread spins or the end is near.
    pub keys: Vec<Option<ChoiceKey>>,
    /// Which thread runs while a thread spins, or the end is near.
    fair: Fair,
    /// Choices between several threads.
    pub choices: u64,
    steps: u64,
    /// Hash of the operations of each thread.
    pub path: u64,
    /// What threads have to do, by the order in which it was first seen.
    kinds: Vec<ClassId>,
    /// Names of the threads that have done something.
    pub names: BTreeMap<u32, String>,
    /// The first exception that came out of a thread.
    pub uncaught: Option<Outcome>,
    /// Data races, if they are looked for.
    pub races: Option<Races>,
    /// The memory model, if reads may find other stores than the newest.
    pub weak: Option<WeakMemory>,
    /// The operations, if they are to be shown.
    pub trace: Option<VecDeque<TraceStep>>,
    /// The replay did not find what its schedule says.
    parted: Option<String>,
    /// By thread, whether the access that is under way is worth showing.
    visible: Vec<bool>,
    /// By thread, accesses that no other could notice, since the last one that counted as if it could.
    unseen: Vec<u32>,
    /// Monitors that threads have entered visibly.
    inside: BTreeSet<(ThreadNo, Place)>,
    /// The time of a wait has ended only when nothing else can continue.
    pub late: bool,
    /// Threads may be woken for no reason.
    pub spurious: bool,
    /// By thread, how often it has been.
    woken: Vec<u32>,
    /// What random numbers are made from when the first thread is started.
    pub(crate) random: u64,
    /// Who was chosen for what that it has not done yet.
    chosen: Option<Candidate>,
    /// The rest of the schedule would only repeat a different schedule.
    pub redundant: bool,
    now: i64,
}

impl Explorer {
    /// A schedule that begins.
    pub fn new(
        guide: Guide,
        points: SchedulingPoints,
        sites: Arc<Sites>,
        traced: bool,
    ) -> Explorer {
        Explorer {
            begins: None,
            guide,
            points,
            sites,
            sharing: Sharing::default(),
            lines: Vec::new(),
            keys: Vec::new(),
            fair: Fair::default(),
            choices: 0,
            steps: 0,
            path: 0,
            kinds: Vec::new(),
            names: BTreeMap::new(),
            races: None,
            weak: None,
            uncaught: None,
            trace: traced.then(VecDeque::new),
            parted: None,
            visible: Vec::new(),
            unseen: Vec::new(),
            inside: BTreeSet::new(),
            late: false,
            spurious: false,
            woken: Vec::new(),
            random: 0,
            chosen: None,
            redundant: false,
            now: 0,
        }
    }
    /// A program that has no other threads yet. `begins` is called when it is about to get one, and decides then how it
    /// continues.
    pub fn before(points: SchedulingPoints, jmm: bool, begins: StartCallback) -> Explorer {
        Explorer {
            begins: Some(begins),
            weak: jmm.then(WeakMemory::default),
            points,
            ..Explorer::default()
        }
    }
    /// A schedule that was noted.
    pub fn replay(schedule: &Schedule) -> Explorer {
        let guide = Guide::Replay(schedule.lines.clone().into());
        let weak = is_weak(schedule).then(WeakMemory::default);
        Explorer {
            weak,
            spurious: schedule.header.spurious,
            random: schedule.header.random,
            ..Explorer::new(guide, SchedulingPoints::default(), Arc::default(), false)
        }
    }
    /// What this schedule has found out about where accesses could be noticed.
    pub fn new_sites(&self) -> Vec<u64> {
        self.sharing
            .found
            .difference(&self.sites)
            .copied()
            .collect()
    }
    /// How the run has not been what it was to replay.
    pub fn parting(&mut self) -> Option<String> {
        self.parted.take().or(match self.left() {
            0 => None,
            n => Some(format!(
                "it ended before the last {n} lines of the schedule"
            )),
        })
    }
    /// How much is left of a schedule to be replayed.
    fn left(&self) -> usize {
        match &self.guide {
            Guide::Free(_) | Guide::Planned(_) | Guide::Loose(_) => 0,
            Guide::Replay(lines) => lines.len(),
        }
    }
    /// The thread chosen last has not done its operation: it threw.
    fn settle(&mut self) {
        if let Some(c) = self.chosen.take()
            && let Some(strategy) = self.guide.strategy()
        {
            strategy.executed(c.thread, c.op, false);
        }
    }
    /// What came of a plan; `left` is what threads would have done that were blocked.
    pub fn came_of_plan(&mut self, left: Vec<Candidate>) -> Option<Trace> {
        self.settle();
        let nothing = Guide::Replay(VecDeque::new());
        match std::mem::replace(&mut self.guide, nothing) {
            Guide::Planned(recorder) => Some(recorder.into_parts(left).0),
            _ => None,
        }
    }
    fn is_next(lines: &VecDeque<Line>, moment: ChoicePoint) -> bool {
        lines
            .front()
            .is_some_and(|l| (l.at, l.nth) == (moment.executed as u64, moment.nth))
    }
    /// This many bytecodes may be executed from here on: where half of them have been, every thread has its turn, so that only a
    /// schedule that does not end then either counts as endless.
    pub fn may_execute(&mut self, now: u64, most: u64, seed: [u64; 2]) {
        self.fair = Fair::new(now, most, seed);
    }
    fn note(&mut self, moment: ChoicePoint, action: Action) {
        self.lines.push(Line {
            at: moment.executed as u64,
            nth: moment.nth,
            action,
        });
        self.keys.push((!self.fair.decides()).then(|| key(moment)));
    }
    fn visible(&mut self, step: &Step, now: i64) -> bool {
        if !is_touch(step.op.kind) {
            return true;
        }
        let noticed = self.sharing.touch(step, now) || self.sites.contains(&step.site);
        match self.points {
            SchedulingPoints::Sync => !step.op.kind.access().is_some_and(Mode::is_plain),
            SchedulingPoints::Memory => noticed || self.is_long_unseen(step.thread),
            SchedulingPoints::All => true,
        }
    }
    /// A thread that looks again and again for a value that another thread has not written yet must let that thread run.
    fn is_long_unseen(&mut self, t: ThreadNo) -> bool {
        let i = t.index();
        if self.unseen.len() <= i {
            self.unseen.resize(i + 1, 0);
        }
        self.unseen[i] = (self.unseen[i] + 1) % LONG;
        self.unseen[i] == 0
    }
    pub(crate) fn is_point(&mut self, step: &Step, moment: ChoicePoint) -> bool {
        self.now = moment.executed;
        let visible = self.visible(step, moment.executed);
        let i = step.thread.index();
        if self.visible.len() <= i {
            self.visible.resize(i + 1, false);
        }
        self.visible[i] = visible;
        match &self.guide {
            Guide::Free(_) | Guide::Planned(_) => visible,
            Guide::Replay(lines) => Self::is_next(lines, moment),
            Guide::Loose(left) => {
                self.fair.decides_at(moment.executed) && visible || left.contains_key(&key(moment))
            }
        }
    }
    /// The candidate that the strategy chooses. If time is to pass last: one whose time is not over only if there is no other, and
    /// then the one whose time has ended first. Where the end is near time passes anyway: a thread may be waiting for it in a
    /// loop.
    fn chosen(&mut self, all: &Choice<'_>, offer: &Offer<'_>) -> usize {
        let early = |i: usize| offer.deadlines[i].filter(|&d| d > offer.now);
        let n = all.candidates.len();
        if !self.late || self.fair.decides() || (0..n).all(|i| early(i).is_none()) {
            return self.requested(all);
        }
        let mut offered: Vec<usize> = (0..n).filter(|&i| early(i).is_none()).collect();
        if offered.is_empty() {
            offered.extend((0..n).min_by_key(|&i| early(i)));
        }
        let candidates: Vec<Candidate> = offered.iter().map(|&i| all.candidates[i]).collect();
        let at = |current| offered.iter().position(|&i| i == current);
        let choice = Choice {
            candidates: &candidates,
            current: all.current.and_then(at),
            step: all.step,
        };
        offered[self.requested(&choice)]
    }
    fn requested(&mut self, choice: &Choice<'_>) -> usize {
        match &mut self.guide {
            _ if choice.candidates.len() == 1 => 0,
            guide if guide.is_fair_at_last() && self.fair.decides() => {
                self.fair.choose(choice, self.now)
            }
            Guide::Planned(recorder) => {
                let chosen = recorder.choose(choice);
                self.redundant = recorder.redundant();
                chosen
            }
            guide => guide.strategy().map_or(0, |s| s.choose(choice)),
        }
    }
    pub(crate) fn choose(&mut self, offer: Offer<'_>) -> usize {
        let choice = Choice {
            candidates: offer.candidates,
            current: offer.current,
            step: self.steps,
        };
        let default = default(&choice);
        self.steps += 1;
        self.choices += 1;
        self.now = offer.moment.executed;
        self.settle();
        let is_fair = self.guide.is_fair_at_last() && self.fair.decides_at(offer.moment.executed);
        let chosen = match &mut self.guide {
            _ if is_fair => self.chosen(&choice, &offer),
            Guide::Free(_) | Guide::Planned(_) => self.chosen(&choice, &offer),
            Guide::Replay(lines) if Self::is_next(lines, offer.moment) => {
                let line = lines.pop_front().expect("it is the next");
                match (offer.candidates.iter()).position(|c| is_meant(line.action, c)) {
                    Some(i) => i,
                    None => {
                        let message = format!(
                            "at {} the schedule has \"{}\", which is not possible there",
                            line.at, line.action
                        );
                        self.parted.get_or_insert(message);
                        default
                    }
                }
            }
            Guide::Replay(_) => default,
            Guide::Loose(left) => {
                let action = left
                    .get_mut(&key(offer.moment))
                    .and_then(VecDeque::pop_front);
                let possible = |a| offer.candidates.iter().position(|c| is_meant(a, c));
                action.and_then(possible).unwrap_or(default)
            }
        };
        let c = offer.candidates[chosen];
        self.chosen = Some(c);
        if chosen != default {
            let action = match c.op.kind {
                OpKind::Timeout => Action::Timeout(c.thread),
                _ => Action::Run(c.thread),
            };
            self.note(offer.moment, action);
        }
        chosen
    }
    pub(crate) fn may_wake(&mut self, t: ThreadNo) -> bool {
        self.spurious && self.woken.get(t.index()).is_none_or(|&n| n < WAKES)
    }
    /// Which of `n`, where a schedule says 0 if it says nothing.
    pub(crate) fn number(
        &mut self,
        n: usize,
        moment: ChoicePoint,
        action: fn(u32) -> Action,
    ) -> usize {
        if n < 2 {
            return 0;
        }
        let of = |a: Action| match a {
            Action::Read(k) | Action::Notify(k) if a == action(k) => Some(k as usize),
            _ => None,
        };
        let chosen = match &mut self.guide {
            Guide::Free(strategy) => strategy.choose_value(n),
            Guide::Planned(recorder) => recorder.choose_value(n),
            Guide::Replay(lines) => {
                let next = lines.front().filter(|_| Self::is_next(lines, moment));
                let message = next.and_then(|l| of(l.action));
                if message.is_some() {
                    lines.pop_front();
                }
                message.unwrap_or(0)
            }
            Guide::Loose(left) => {
                let action = left.get_mut(&key(moment)).and_then(VecDeque::pop_front);
                action.and_then(of).unwrap_or(0)
            }
        };
        let chosen = chosen.min(n - 1);
        if chosen > 0 {
            self.note(moment, action(chosen as u32));
        }
        chosen
    }
    pub(crate) fn reads(&mut self, vm: &mut Vm, step: &Step, moment: ChoicePoint) -> Option<u64> {
        let mut weak = self.weak.take()?;
        let found = weak.read(vm, step, &mut |n| self.number(n, moment, Action::Read));
        if weak.is_stuck(step.thread) {
            vm.limit_bytecodes(0);
        }
        self.weak = Some(weak);
        found
    }
    pub(crate) fn writes(&mut self, vm: &mut Vm, step: &Step, moment: Option<ChoicePoint>) -> bool {
        let Some(mut weak) = self.weak.take() else {
            return false;
        };
        let stays = weak.write(vm, step, &mut |n| match moment {
            Some(moment) => self.number(n, moment, Action::Read),
            None => 0,
        });
        self.weak = Some(weak);
        stays
    }
    pub(crate) fn fails(&mut self, step: &Step, moment: ChoicePoint) -> bool {
        let Some(mut weak) = self.weak.take() else {
            return false;
        };
        let fails = weak.fails(step.thread, &mut |n| self.number(n, moment, Action::Read));
        self.weak = Some(weak);
        fails
    }
    /// Whether an operation is reported: if others could notice it. Leaving a monitor is reported if entering it was.
    fn is_reported(&mut self, t: ThreadNo, op: Op, visible: bool) -> bool {
        let monitor = (t, op.place);
        match op.kind {
            OpKind::Enter if visible => {
                self.inside.insert(monitor);
                true
            }
            OpKind::Resume => {
                self.inside.insert(monitor);
                true
            }
            OpKind::InitBegin if visible => {
                self.inside.insert(monitor);
                true
            }
            OpKind::Exit | OpKind::InitEnd => self.inside.remove(&monitor),
            OpKind::InitUse => visible,
            kind => visible || !is_touch(kind),
        }
    }
    /// Reports the strategy what kind of thread was started.
    fn report_kind(&mut self, vm: &Vm, child: ThreadNo) {
        let Some(strategy) = self.guide.strategy() else {
            return;
        };
        let Some(task) = task_of(vm, child) else {
            return;
        };
        let known = self.kinds.iter().position(|&k| k == task);
        let kind = known.unwrap_or_else(|| {
            self.kinds.push(task);
            self.kinds.len() - 1
        });
        strategy.started(child, kind as u32 + 1);
    }
    pub(crate) fn done(&mut self, vm: &mut Vm, step: &Step) {
        let (t, op) = (step.thread, step.op);
        if let Some(weak) = self.weak.as_mut().filter(|_| !is_look(step)) {
            weak.done(vm, step);
        }
        // a thread that has ended has no name any more
        (self.names.entry(t.0)).or_insert_with(|| name_of(vm, t));
        if let Some(races) = self.races.as_mut().filter(|_| !is_look(step)) {
            races.done(vm, step, self.weak.as_mut().map(WeakMemory::order));
        }
        if op.kind == OpKind::Freeze {
            return;
        }
        match op.kind {
            OpKind::Start(child) => {
                self.sharing.started(t, child, self.now);
                self.report_kind(vm, child);
            }
            // one that goes on after it was parked or has slept enters no monitor
            OpKind::Enter | OpKind::Resume if op.place != Place::NONE => {
                self.sharing.entered(t, op.place);
            }
            OpKind::Exit | OpKind::Wait => self.sharing.left(t, op.place),
            OpKind::Timeout if step.update => {
                if self.woken.len() <= t.index() {
                    self.woken.resize(t.index() + 1, 0);
                }
                self.woken[t.index()] += 1;
            }
            _ => {}
        }
        let visible = self.visible.get_mut(t.index()).map(std::mem::take);
        let mut visible = visible == Some(true);
        if op.kind == OpKind::InitUse {
            // no point, but what makes one of where the class was initialized; and what comes of a wait for that
            let waited = self
                .chosen
                .is_some_and(|c| (c.thread, c.op.kind) == (t, OpKind::InitBegin));
            visible = self.sharing.touch(step, self.now) || waited;
        }
        if !self.is_reported(t, op, visible) {
            return;
        }
        self.chosen.take_if(|c| c.thread == t);
        let changed = step.value != step.old;
        if let Some(strategy) = self.guide.strategy() {
            strategy.executed(t, op, changed);
        }
        self.fair.executed(t, op, changed);
        let goes_on = matches!(op.kind, OpKind::Begin | OpKind::Resume) && op.place == Place::NONE;
        if goes_on || is_look(step) {
            return;
        }
        let word = u64::from(t.0) << 32 ^ op.place.0.rotate_left(17) ^ step.site;
        self.path = (self.path.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if self.uncaught.is_some() {
            // what comes after the failure explains nothing
            return;
        }
        if let Some(trace) = &mut self.trace {
            let shown = shown(vm, step, self.now as u64);
            if trace.len() == SHOWN {
                trace.pop_front();
            }
            trace.push_back(shown);
        }
    }
}

impl Default for Explorer {
    /// The default thread runs.
    fn default() -> Explorer {
        let nobody = Guide::Replay(VecDeque::new());
        Explorer::new(nobody, SchedulingPoints::default(), Arc::default(), false)
    }
}

//! Where two runs diverge: the first bytecode after which they differ.
//!
//! Runs stop at marks, so many bytecodes apart, and take a number there for what they are compared [`ComparisonMode`]. Between the last
//! mark at which both were alike and the first at which they were not, both are run again with marks that lie closer, in
//! the end at each bytecode: three runs of each in all. That finds the place if each run is repeatable up to there. Runs of one
//! program are before the first answer from outside that is not the same every time.

use crate::run_error::RunError;
use rjvm_vm::Vm;
use rjvm_vm::inspect::{InspectLimits, VmState};
use rjvm_vm::interp::fingerprint::Fingerprint;
use std::sync::{Arc, Mutex, MutexGuard};

/// Bytecodes between two marks at first.
const COARSE: i64 = 1 << 16;
/// Of these marks, so many are at the stacks only before one is at all objects.
const QUICK: usize = 63;
/// Marks between two marks of the step before.
const FINER: i64 = 1 << 11;
/// How often a place that has moved is looked for again.
const ATTEMPTS: usize = 6;

/// What can be run, in two ways or several times over.
pub trait Runs {
    /// Runs a side ([`Probe::side`]) for each of the probes, from its beginning, in a VM in which the probe is installed before
    /// the first bytecode: one after the other in this order, or together. An error ends the comparison.
    fn run(&mut self, probes: &[Probe]) -> Result<(), RunError>;
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// Bytecodes it executed.
    pub executed: i64,
    /// Its exit code.
    pub code: i32,
    fingerprint: u64,
}

/// The states of a run.
#[derive(Clone, Default, Debug)]
pub struct RunStates {
    /// At its `main`, if bytecodes are counted from there.
    pub begin: Option<VmState>,
    /// At its marks.
    pub marks: Vec<VmState>,
}

/// What a run has shown at its marks.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    marks: Vec<u64>,
    standing: Vec<String>,
    shown: RunStates,
    /// It was stopped behind its last mark.
    stopped: bool,
    /// Its end, if it came that far.
    pub end: Option<End>,
}

impl Trace {
    /// Whether both have shown the same.
    pub fn is_like(&self, other: &Trace) -> bool {
        self.differs(other).is_none()
    }
    /// The running thread's stack at the last mark.
    pub fn standing_last(&self) -> Option<String> {
        self.standing.last().cloned()
    }
    /// The first mark at which two traces differ. The end counts as one.
    fn differs(&self, other: &Trace) -> Option<usize> {
        let both = self.marks.len().min(other.marks.len());
        let mark = (0..both).find(|&i| self.marks[i] != other.marks[i]);
        mark.or_else(|| {
            let same = self.end == other.end || other.stopped;
            (!same || self.marks.len() != other.marks.len()).then_some(both)
        })
    }
}

/// Where the marks are.
#[derive(Clone, Copy, Debug)]
struct MarkPlan {
    first: i64,
    step: i64,
    last: i64,
    quick: usize,
    /// The VM is shown at each mark.
    shows: bool,
}

impl MarkPlan {
    const ALL: MarkPlan = MarkPlan {
        first: COARSE,
        step: COARSE,
        last: i64::MAX,
        quick: QUICK,
        shows: false,
    };
    /// Marks from `alike`, up to `unlike` bytecodes.
    fn closer(alike: i64, unlike: i64) -> MarkPlan {
        MarkPlan {
            first: alike.max(1),
            step: ((unlike - alike) / FINER).max(1),
            last: unlike,
            quick: 0,
            shows: false,
        }
    }
    /// What a VM shows at a mark.
    fn take(&self, by: ComparisonMode, mark: usize, vm: &mut Vm) -> u64 {
        let of = match by {
            // a path is known from one block on only: single bytecodes are compared by place
            ComparisonMode::Path { .. } if self.step == 1 => return vm.place_hash(),
            ComparisonMode::Path { .. } => return vm.path(),
            ComparisonMode::Execution => Fingerprint::Execution,
            ComparisonMode::Counted => {
                let of = match (mark + 1).is_multiple_of(self.quick + 1) {
                    true => Fingerprint::ValuesAndObjects,
                    false => Fingerprint::Values,
                };
                return vm.fingerprint(of).rotate_left(1) ^ vm.contexts_fingerprint();
            }
            ComparisonMode::State if (mark + 1).is_multiple_of(self.quick + 1) => {
                Fingerprint::State
            }
            ComparisonMode::State => Fingerprint::Stacks,
        };
        vm.fingerprint(of)
    }
    /// The last mark before this one that reports the whole state.
    fn whole(&self, mark: usize) -> Option<usize> {
        let marks = self.quick + 1;
        (mark / marks * marks).checked_sub(1)
    }
    /// Bytecodes executed at a mark.
    fn at(&self, mark: usize) -> i64 {
        self.first
            .saturating_add(self.step * mark as i64)
            .min(self.last)
    }
}

/// What two runs are compared by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComparisonMode {
    /// What they execute: each thread the same bytecodes, in the same turns.
    Execution,
    /// That and every value: two runs diverge at the first bytecode whose result differs.
    State,
    /// That, and the counts of each calling context.
    Counted,
    /// Which thread executes which bytecode of which method ([`Vm::path`]), by their names, in two ways of running: both
    /// can be run together, each up to where they diverge.
    Path {
        /// From the first bytecode on; else from that of `main`, which is the only place the VM looks out for.
        whole: bool,
    },
}

impl ComparisonMode {
    fn is_path(self) -> bool {
        matches!(self, ComparisonMode::Path { .. })
    }
}

/// Two runs that are compared.
struct RunPair {
    by: ComparisonMode,
    plan: MarkPlan,
    traces: [Trace; 2],
    /// They have parted: both stop.
    over: bool,
}

/// What watches a run.
#[derive(Clone)]
pub struct Probe {
    pair: Arc<Mutex<RunPair>>,
    side: usize,
    /// Bytecodes before those that are counted; none: it has not begun.
    base: Arc<Mutex<Option<i64>>>,
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(|e| e.into_inner())
}

impl Probe {
    fn pair(by: ComparisonMode, plan: MarkPlan, traces: [Trace; 2]) -> [Probe; 2] {
        let pair = Arc::new(Mutex::new(RunPair {
            by,
            plan,
            traces,
            over: false,
        }));
        let side = |side| Probe {
            pair: pair.clone(),
            side,
            base: Arc::default(),
        };
        [side(0), side(1)]
    }
    /// Which of the two runs it is for.
    pub fn side(&self) -> usize {
        self.side
    }
    /// Whether the VM has to be one that can be inspected.
    pub fn inspects(&self) -> bool {
        locked(&self.pair).plan.shows
    }
    /// The run has failed: the other one stops.
    pub fn failed(&self) {
        locked(&self.pair).over = true;
    }
    /// To be called before the VM executes anything.
    pub fn install(&self, vm: &mut Vm) {
        let (by, first) = {
            let pair = locked(&self.pair);
            (pair.by, pair.plan.first)
        };
        if !matches!(by, ComparisonMode::Path { whole: false }) {
            *locked(&self.base) = Some(0);
            vm.set_fuel(Some(first));
        }
        let probe = self.clone();
        vm.on_stop(Box::new(move |vm, reached| {
            if !reached.places.is_empty() {
                *locked(&probe.base) = Some(vm.bytecodes());
                vm.restart_path();
                probe.begin(vm);
                vm.set_fuel(Some(first));
                return true;
            }
            let more = probe.mark(vm);
            if more.is_some() {
                vm.set_fuel(more);
            }
            more.is_some()
        }));
    }
    /// To be called when the program has ended, with its exit code.
    pub fn ended(&self, vm: &mut Vm, code: i32) {
        let by = locked(&self.pair).by;
        let base = *locked(&self.base);
        let executed = base.map_or(0, |base| vm.bytecodes() - base);
        let end = End {
            executed,
            // how it ends is not part of its path
            code: if matches!(by, ComparisonMode::Path { .. }) {
                0
            } else {
                code
            },
            fingerprint: MarkPlan::ALL.take(by, QUICK, vm),
        };
        locked(&self.pair).traces[self.side].end = Some(end);
    }
    /// The bytecodes that are counted begin here.
    fn begin(&self, vm: &mut Vm) {
        if self.inspects() {
            let state = vm.inspect(&InspectLimits::default());
            locked(&self.pair).traces[self.side].shown.begin = Some(state);
        }
    }
    /// Bytecodes until the next mark.
    fn mark(&self, vm: &mut Vm) -> Option<i64> {
        let (by, plan, i) = {
            let pair = locked(&self.pair);
            (pair.by, pair.plan, pair.traces[self.side].marks.len())
        };
        // the other run goes on meanwhile
        let mark = plan.take(by, i, vm);
        let state = plan.shows.then(|| vm.inspect(&InspectLimits::default()));
        let standing = plan.step == 1 && !matches!(by, ComparisonMode::Path { .. });
        let standing = standing.then(|| vm.standing());
        let mut pair = locked(&self.pair);
        let trace = &mut pair.traces[self.side];
        trace.marks.push(mark);
        trace.shown.marks.extend(state);
        trace.standing.extend(standing);
        let other = &pair.traces[1 - self.side];
        pair.over |= match other.marks.get(i) {
            Some(of_other) => *of_other != mark,
            None => other.end.is_some(),
        };
        if pair.over {
            None
        } else if plan.at(i) < plan.last {
            Some(plan.at(i + 1) - plan.at(i))
        } else if self.side == 0
            && !matches!(by, ComparisonMode::Path { .. } | ComparisonMode::Counted)
        {
            // what the first run does after the marks, the second may find done
            Some(i64::MAX >> 2)
        } else {
            pair.traces[self.side].stopped = true;
            None
        }
    }
}

/// Where two runs diverge.
#[derive(Clone, Debug)]
pub struct DivergencePoint {
    /// They are alike after so many bytecodes.
    pub alike: i64,
    /// And unlike after so many: one more, unless the place moved when it was looked for.
    pub unlike: i64,
    /// Where both are before they diverge.
    pub before: Option<String>,
    /// Where each is afterwards; `None`: it has ended.
    pub after: [Option<String>; 2],
    /// How each ended, if it came that far.
    pub ends: [Option<End>; 2],
}

/// Runs the first side with marks all along.
pub fn trace(runs: &mut dyn Runs, by: ComparisonMode) -> Result<Trace, RunError> {
    let probes = Probe::pair(by, MarkPlan::ALL, Default::default());
    runs.run(&probes[..1])?;
    Ok(std::mem::take(&mut locked(&probes[0].pair).traces[0]))
}

/// Runs the second side, too, up to where it differs from what the first one has shown: the bytecodes after which they were
/// alike, and unlike.
pub fn second(
    runs: &mut dyn Runs,
    by: ComparisonMode,
    shown: &Trace,
) -> Result<Option<(i64, i64)>, RunError> {
    let plan = MarkPlan::ALL;
    let probes = Probe::pair(by, plan, [shown.clone(), Trace::default()]);
    runs.run(&probes[1..])?;
    let [first, second] = std::mem::take(&mut locked(&probes[0].pair).traces);
    Ok(first.differs(&second).map(|mark| {
        let alike = plan.whole(mark).map_or(0, |i| plan.at(i));
        (alike, unlike(&plan, mark, [&first, &second]))
    }))
}

/// The bytecodes after which two traces differ at that mark, or by their ends.
fn unlike(plan: &MarkPlan, mark: usize, [first, second]: [&Trace; 2]) -> i64 {
    match (first.marks.get(mark), second.marks.get(mark)) {
        (Some(_), Some(_)) => plan.at(mark),
        _ => {
            let ends = [first.end, second.end].into_iter().flatten();
            ends.map(|e| e.executed).max().unwrap_or(plan.at(mark))
        }
    }
}

/// Runs both sides with a single stop, after `n` bytecodes.
pub fn at(runs: &mut dyn Runs, by: ComparisonMode, n: i64) -> Result<[Trace; 2], RunError> {
    let plan = MarkPlan {
        first: n.max(1),
        step: 1,
        last: n,
        quick: 0,
        shows: false,
    };
    both(runs, by, plan)
}

/// What both sides show.
fn both(runs: &mut dyn Runs, by: ComparisonMode, plan: MarkPlan) -> Result<[Trace; 2], RunError> {
    let probes = Probe::pair(by, plan, Default::default());
    runs.run(&probes)?;
    Ok(std::mem::take(&mut locked(&probes[0].pair).traces))
}

/// What both sides are like around the `n`th bytecode: before it, if there is one before it, and after it, as far as
/// they come.
pub fn states(runs: &mut dyn Runs, by: ComparisonMode, n: i64) -> Result<[RunStates; 2], RunError> {
    let plan = MarkPlan {
        first: (n - 1).max(1),
        step: 1,
        last: n,
        quick: 0,
        shows: true,
    };
    Ok(both(runs, by, plan)?.map(|t| t.shown))
}

/// What a comparison comes to.
pub enum ComparisonResult {
    /// They are the same up to their end, or up to where they were compared.
    Same(i64),
    /// They part.
    Parted(DivergencePoint),
}

/// Runs both sides, the first of which may have been run already; where they diverge. `last`: the bytecode up to which they
/// are compared.
pub fn compare(
    runs: &mut dyn Runs,
    by: ComparisonMode,
    shown: Option<&Trace>,
    last: i64,
) -> Result<ComparisonResult, RunError> {
    let mut plan = MarkPlan {
        last,
        ..MarkPlan::ALL
    };
    plan.first = plan.first.min(last);
    let [mut first, mut second] = match shown {
        None => both(runs, by, plan)?,
        Some(shown) => {
            let probes = Probe::pair(by, plan, [shown.clone(), Trace::default()]);
            runs.run(&probes[1..])?;
            std::mem::take(&mut locked(&probes[0].pair).traces)
        }
    };
    let Some(mut mark) = first.differs(&second) else {
        let marked = first.marks.len().checked_sub(1).map_or(0, |i| plan.at(i));
        return Ok(ComparisonResult::Same(
            first.end.map_or(marked, |e| e.executed),
        ));
    };
    let mut attempts = 0;
    let mut late = false;
    loop {
        let unlike = unlike(&plan, mark, [&first, &second]);
        let alike = plan.whole(mark).map_or(0, |i| plan.at(i));
        let standing = |t: &Trace, i: usize| t.standing.get(i).cloned();
        let parting = DivergencePoint {
            alike,
            unlike,
            before: mark.checked_sub(1).and_then(|i| standing(&first, i)),
            after: [standing(&first, mark), standing(&second, mark)],
            ends: [first.end, second.end],
        };
        if plan.step == 1 || alike >= unlike {
            return Ok(ComparisonResult::Parted(parting));
        }
        // the first mark is one at which they were alike, to see that they still are
        plan = MarkPlan::closer(alike, unlike);
        [first, second] = both(runs, by, plan)?;
        loop {
            match first.differs(&second) {
                // a path is known a block late: places may have parted before the mark at which paths were alike
                Some(0) if plan.first > 1 && plan.step == 1 && by.is_path() && !late => {
                    late = true;
                    plan.last = plan.first;
                    plan.first = (plan.first - FINER).max(1);
                }
                // they diverge earlier than last time
                Some(0) if plan.first > 1 && attempts < ATTEMPTS => {
                    plan = MarkPlan::closer(0, plan.first)
                }
                // or later, or by chance not at all
                None if attempts < ATTEMPTS => {}
                None => return Ok(ComparisonResult::Parted(parting)),
                Some(found) => {
                    mark = found;
                    break;
                }
            }
            attempts += 1;
            [first, second] = both(runs, by, plan)?;
        }
    }
}

impl std::fmt::Display for DivergencePoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.unlike > self.alike + 1 {
            return writeln!(
                f,
                "between bytecodes {} and {}; a second run did not diverge there, so the exact place is unknown",
                self.alike, self.unlike
            );
        }
        writeln!(f, "at bytecode {}", self.unlike)?;
        if let Some(before) = &self.before {
            write!(f, "before it, both runs are in {before}")?;
        }
        let [first, second] = &self.after;
        if let (Some(first), Some(second)) = (first, second)
            && first == second
        {
            return write!(
                f,
                "after it, values (or counts of other threads) differ, in {first}"
            );
        }
        for (name, (after, end)) in ["first", "second"]
            .iter()
            .zip(self.after.iter().zip(self.ends))
        {
            match (after, end) {
                (Some(after), _) => write!(f, "after it, the {name} is in {after}")?,
                (None, Some(end)) => writeln!(
                    f,
                    "the {name} ends after {} bytecodes with exit code {}",
                    end.executed, end.code
                )?,
                (None, None) => {}
            }
        }
        Ok(())
    }
}

//! Where two runs of one program part: the first bytecode after which their states differ.
//!
//! Each run stops at marks, so many bytecodes apart, and takes a fingerprint of its state ([`Vm::fingerprint`]). Between the last
//! mark at which two runs were alike and the first at which they were not, both are run again with marks that lie closer, in
//! the end at each bytecode. That finds the place if each run is repeatable up to there, as runs are before the first answer
//! from outside that is not the same every time.

use rjvm_vm::Vm;
use rjvm_vm::interp::fingerprint::Fingerprint;
use std::sync::{Arc, Mutex, MutexGuard};

/// Bytecodes between two marks at first.
const COARSE: i64 = 1 << 16;
/// Of these marks, so many are at the stacks only before one is at all objects.
const QUICK: usize = 63;
/// Marks between two marks of the step before.
const FINER: i64 = 1 << 11;
/// How often a place that has moved is looked for anew.
const ATTEMPTS: usize = 6;

/// Something that can be run, in two or more ways or several times over.
pub trait Runs {
    /// Runs it for the `side`th time, from its beginning, in a VM in which `probe` is installed before the first bytecode.
    /// The exit code; `None` if the probe has stopped it. An error ends the comparison.
    fn run(&mut self, side: usize, probe: &Probe) -> Result<Option<i32>, String>;
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

/// What a run has shown at its marks.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    marks: Vec<u64>,
    standing: Vec<String>,
    /// It was stopped behind its last mark.
    stopped: bool,
    /// Its end, if it came that far.
    pub end: Option<End>,
}

impl Trace {
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
struct Plan {
    first: i64,
    step: i64,
    last: i64,
    quick: usize,
}

impl Plan {
    const ALL: Plan = Plan {
        first: COARSE,
        step: COARSE,
        last: i64::MAX,
        quick: QUICK,
    };
    /// Marks from `alike`, up to `unlike` bytecodes.
    fn closer(alike: i64, unlike: i64) -> Plan {
        Plan {
            first: alike.max(1),
            step: ((unlike - alike) / FINER).max(1),
            last: unlike,
            quick: 0,
        }
    }
    /// What a mark is made of.
    fn of(&self, by: By, mark: usize) -> Fingerprint {
        match by {
            By::Execution => Fingerprint::Execution,
            By::State if (mark + 1).is_multiple_of(self.quick + 1) => Fingerprint::State,
            By::State => Fingerprint::Stacks,
        }
    }
    /// The last mark before this one that tells of the whole state.
    fn whole(&self, mark: usize) -> Option<usize> {
        let marks = self.quick + 1;
        (mark / marks * marks).checked_sub(1)
    }
    /// Bytecodes executed at a mark.
    fn at(&self, mark: usize) -> i64 {
        self.first + self.step * mark as i64
    }
}

/// What two runs are compared by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// What they execute: each thread the same bytecodes, in the same turns.
    Execution,
    /// That and every value: two runs part at the first bytecode whose result differs.
    State,
}

struct Recording {
    by: By,
    plan: Plan,
    trace: Trace,
    /// What another run has shown: this one stops where it differs.
    against: Option<Arc<Trace>>,
}

/// What watches a run.
#[derive(Clone)]
pub struct Probe(Arc<Mutex<Recording>>);

impl Probe {
    fn new(by: By, plan: Plan, against: Option<Arc<Trace>>) -> Probe {
        Probe(Arc::new(Mutex::new(Recording {
            by,
            plan,
            trace: Trace::default(),
            against,
        })))
    }
    fn recording(&self) -> MutexGuard<'_, Recording> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// To be called before the VM executes anything.
    pub fn install(&self, vm: &mut Vm) {
        let probe = self.clone();
        vm.set_fuel(Some(self.recording().plan.first));
        vm.on_stop(Box::new(move |vm, _| {
            let more = probe.mark(vm);
            if more.is_some() {
                vm.set_fuel(more);
            }
            more.is_some()
        }));
    }
    /// To be called when the program has ended, with its exit code.
    pub fn ended(&self, vm: &mut Vm, code: i32) {
        let mut r = self.recording();
        let fingerprint = vm.fingerprint(Plan::ALL.of(r.by, QUICK));
        r.trace.end = Some(End {
            executed: vm.bytecodes(),
            code,
            fingerprint,
        });
    }
    /// Bytecodes until the next mark.
    fn mark(&self, vm: &mut Vm) -> Option<i64> {
        let mut r = self.recording();
        let i = r.trace.marks.len();
        let mark = vm.fingerprint(r.plan.of(r.by, i));
        r.trace.marks.push(mark);
        if r.plan.step == 1 {
            r.trace.standing.push(vm.standing());
        }
        let parted = r
            .against
            .as_ref()
            .is_some_and(|other| other.marks.get(i) != Some(&mark));
        let over = r.plan.at(i) >= r.plan.last;
        match &r.against {
            _ if parted => None,
            _ if !over => Some(r.plan.step),
            Some(_) => {
                r.trace.stopped = true;
                None
            }
            // what the first run does after the marks, the second may find done
            None => Some(i64::MAX >> 2),
        }
    }
    fn trace(&self) -> Trace {
        std::mem::take(&mut self.recording().trace)
    }
}

/// Where two runs part.
#[derive(Clone, Debug)]
pub struct Parting {
    /// They are alike after so many bytecodes.
    pub alike: i64,
    /// And unlike after so many: one more, unless the place moved when it was looked for.
    pub unlike: i64,
    /// Where both are before they part.
    pub before: Option<String>,
    /// Where each is afterwards; `None`: it has ended.
    pub after: [Option<String>; 2],
    /// How each ended, if it came that far.
    pub ends: [Option<End>; 2],
}

/// Runs one side with marks all along.
pub fn trace(runs: &mut dyn Runs, by: By, side: usize) -> Result<Trace, String> {
    run(runs, by, side, Plan::ALL, None)
}

fn run(
    runs: &mut dyn Runs,
    by: By,
    side: usize,
    plan: Plan,
    against: Option<Arc<Trace>>,
) -> Result<Trace, String> {
    let probe = Probe::new(by, plan, against);
    runs.run(side, &probe)?;
    Ok(probe.trace())
}

/// Runs `b` beside what `a` has shown; where they part.
pub fn compare(
    runs: &mut dyn Runs,
    by: By,
    a: usize,
    b: usize,
    shown: &Trace,
) -> Result<Option<Parting>, String> {
    let mut first = Arc::new(shown.clone());
    let mut plan = Plan::ALL;
    let mut second = run(runs, by, b, plan, Some(first.clone()))?;
    let Some(mut mark) = first.differs(&second) else {
        return Ok(None);
    };
    let mut attempts = 0;
    loop {
        let unlike = match (first.marks.get(mark), second.marks.get(mark)) {
            (Some(_), Some(_)) => plan.at(mark),
            _ => {
                let ends = [first.end, second.end].into_iter().flatten();
                ends.map(|e| e.executed).max().unwrap_or(plan.at(mark))
            }
        };
        let alike = plan.whole(mark).map_or(0, |i| plan.at(i));
        let standing = |t: &Trace, i: usize| t.standing.get(i).cloned();
        let parting = Parting {
            alike,
            unlike,
            before: mark.checked_sub(1).and_then(|i| standing(&first, i)),
            after: [standing(&first, mark), standing(&second, mark)],
            ends: [first.end, second.end],
        };
        if plan.step == 1 || alike >= unlike {
            return Ok(Some(parting));
        }
        // the first mark is one at which they were alike, to see that they still are
        plan = Plan::closer(alike, unlike);
        first = Arc::new(run(runs, by, a, plan, None)?);
        second = run(runs, by, b, plan, Some(first.clone()))?;
        loop {
            match first.differs(&second) {
                // they part earlier than last time
                Some(0) if plan.first > 1 && attempts < ATTEMPTS => {
                    plan = Plan::closer(0, plan.first)
                }
                // or later, or by chance not at all
                None if attempts < ATTEMPTS => {}
                None => return Ok(Some(parting)),
                Some(found) => {
                    mark = found;
                    break;
                }
            }
            attempts += 1;
            first = Arc::new(run(runs, by, a, plan, None)?);
            second = run(runs, by, b, plan, Some(first.clone()))?;
        }
    }
}

impl std::fmt::Display for Parting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.unlike > self.alike + 1 {
            return writeln!(
                f,
                "between bytecodes {} and {}; when they were run again, they did not part there, so that the place is not known",
                self.alike, self.unlike
            );
        }
        writeln!(f, "at bytecode {}", self.unlike)?;
        if let Some(before) = &self.before {
            write!(f, "before it, both are in {before}")?;
        }
        let [first, second] = &self.after;
        if let (Some(first), Some(second)) = (first, second)
            && first == second
        {
            return write!(
                f,
                "after it, values differ (or counts of other threads), in {first}"
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

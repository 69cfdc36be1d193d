//! An exploration: from the VM at the beginning of `main`, a process for each schedule, on all processors.
//!
//! A schedule is a function of the seed, its number, and the findings of the first schedules (where threads meet, how long
//! schedules are). So that these do not depend on which process is faster, they are combined between
//! *rounds* of schedules only, whose sizes are fixed. So that it does not depend on which part of the schedules is run here, the
//! first ones are always run, until a round has found nothing new.

use super::oracle;
use super::page;
use super::process::{self, Capture, Output};
use super::schedule_result::ScheduleResult;
use super::settings::ExploreSettings;
use rjvm_explore::dpor::{Dpor, Plan};
use rjvm_explore::report;
use rjvm_explore::result::{Exploration, FailingSchedule, KEPT, Outcome, Summary};
use rjvm_explore::schedule::{Action, Header, Line, Schedule};
use rjvm_explore::trace::{Recorder, Trace};
use rjvm_explore::{Method, Minimiser, Start, Strategy};
use rjvm_explorer::{
    ChoiceKey, Explorer, Guide, Races, SharedExplorer, Sites, WeakMemory, new_numbers,
};
use rjvm_profiler::export::Sources;
use rjvm_vm::Vm;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

mod batch;

/// Schedules of a round, at most; the first ones are smaller, so that their findings are soon used.
const ROUND: u64 = 64;

/// Schedules, of the first ones, that report which methods of the class library they run: these are translated before the next
/// processes begin.
const SCOUTS: u64 = 8;

/// Schedules, of the first ones, that others can learn from, at most.
const LESSONS: u64 = 1024;

/// Runs that may be made to find out what a failure needs.
const ATTEMPTS: usize = 600;

/// So many bytecodes, as fuel.
fn fuel(bytecodes: u64) -> i64 {
    i64::try_from(bytecodes).unwrap_or(i64::MAX)
}

/// The task of a process.
enum Task {
    /// A schedule of the strategy.
    Number(u64),
    /// One that was planned.
    Planned(Plan),
    /// A schedule that was noted; whether its operations are to be reported.
    Replay(Vec<Line>, bool),
    /// The rest of a schedule, and its number.
    Loose(Vec<(ChoiceKey, Action)>, u64),
}

/// A schedule that failed.
#[derive(Clone, Debug)]
pub struct FailedSchedule {
    /// Its number; the first is 0.
    pub number: u64,
    /// What it reported.
    pub data: ScheduleResult,
    /// Choices that were not the default, before those were left out that the failure does not need.
    pub choices: usize,
    /// Those that are left.
    pub needed: usize,
    /// No more of them can be left out: it was not the time that ended that.
    pub is_shortest: bool,
    /// It fails in the same way when it is run again.
    pub repeats: bool,
}

/// Reports failures when they are found, before anything else is done about them.
pub type FailureCallback = Box<dyn FnMut(&Summary) -> io::Result<()> + Send>;

/// Explores.
pub struct Session {
    /// The settings of the exploration.
    pub settings: ExploreSettings,
    sites: Arc<Sites>,
    /// Choices of the longest schedule so far.
    length: u64,
    /// The findings of schedules are used for later ones.
    learns: bool,
    prepared: BTreeSet<[String; 3]>,
    first_output: Option<Vec<u8>>,
    /// What the oracle has said of outputs.
    verdicts: BTreeMap<Vec<u8>, Outcome>,
    /// The results.
    pub found: Summary,
    /// Failures of different kinds, in the order of their numbers.
    pub failures: Vec<FailedSchedule>,
    /// A schedule has failed, be it one of another part.
    failed: bool,
    /// How long it took.
    pub took: Duration,
    /// Why it could not continue.
    pub problem: Option<io::Error>,
    /// Reports each kind of failure when it is found.
    pub announce: Option<FailureCallback>,
}

/// There is no time to look for the lines of sources.
#[derive(Debug)]
struct NoSources;

impl Sources for NoSources {
    fn text(&self, _: &str) -> Option<String> {
        None
    }
}

/// Where the processes begin.
struct StartPoint<'a> {
    control: &'a SharedExplorer,
    capture: &'a Capture,
}

/// Which thread runs next: see [`Session::explore`].
pub enum Role {
    /// All schedules have been run.
    Parent,
    /// A schedule is to be run in this process.
    Child(ScheduleRun),
}

/// A schedule that runs in a separate process.
pub struct ScheduleRun {
    explorer: SharedExplorer,
    data: File,
    /// It reports which methods it has translated.
    scouts: bool,
    /// What its random numbers are made from.
    random: u64,
    /// The number of the schedule; for the rest of a schedule, the greatest number.
    number: u64,
}

impl Session {
    /// An exploration that begins.
    pub fn new(settings: ExploreSettings, exploration: Exploration) -> Session {
        Session {
            found: Summary::new(exploration, settings.shard),
            settings,
            sites: Arc::default(),
            length: 0,
            learns: true,
            prepared: BTreeSet::new(),
            first_output: None,
            verdicts: BTreeMap::new(),
            failures: Vec::new(),
            failed: false,
            took: Duration::ZERO,
            problem: None,
            announce: None,
        }
    }
    /// Runs all schedules, from a VM whose first thread is about to start a second thread. It returns in each of the processes.
    pub fn explore(&mut self, vm: &mut Vm, control: &SharedExplorer, capture: &Capture) -> Role {
        let began = Instant::now();
        let role = self.rounds(vm, began, &StartPoint { control, capture });
        self.took = began.elapsed();
        match role {
            Ok(role) => role,
            Err(e) => {
                self.problem = Some(e);
                Role::Parent
            }
        }
    }
    fn rounds(&mut self, vm: &mut Vm, began: Instant, place: &StartPoint) -> io::Result<Role> {
        process::alone()?;
        process::can_be_ended();
        let run = match self.settings.method {
            Method::Exhaustive => self.plan_all(began, place)?,
            _ => self.sample(vm, began, place)?,
        };
        if let Some(run) = run {
            return Ok(Role::Child(run));
        }
        for i in 0..self.failures.len() {
            if let Some(run) = self.explain(began, place, i)? {
                return Ok(Role::Child(run));
            }
        }
        Ok(Role::Parent)
    }
    /// Whether the time has ended, or a failure enough.
    fn ends(&self, began: Instant) -> bool {
        let over = self.settings.time.is_some_and(|t| began.elapsed() >= t);
        over || self.is_over()
    }
    /// Runs schedules until none is left that differs. Where a schedule finds that threads meet at a place of the code that was no
    /// point so far, all is planned again.
    fn plan_all(&mut self, began: Instant, place: &StartPoint) -> io::Result<Option<ScheduleRun>> {
        let mut dpor = Dpor::new(self.settings.limits);
        let mut number = 0;
        while number < self.settings.iterations && !self.ends(began) {
            let most = ROUND.min(self.settings.iterations - number);
            let plans: Vec<Plan> = (0..most).map_while(|_| dpor.plan()).collect();
            if plans.is_empty() {
                self.found.exhausted = !dpor.statistics().limited;
                break;
            }
            let tasks = (number..).zip(plans.iter().cloned().map(Task::Planned));
            let results = match self.run_all(place, tasks.collect(), None)? {
                Err(run) => return Ok(Some(run)),
                Ok(results) => results,
            };
            let (known, failures) = (self.sites.len(), self.failures.len());
            for (plan, (n, data)) in plans.into_iter().zip(results) {
                match Trace::from_bytes(&data.plan) {
                    Ok(trace) => dpor.finished(plan, &trace),
                    // its process has died
                    Err(_) => dpor.lost(plan),
                }
                number = n + 1;
                if !data.redundant {
                    self.take(n, data);
                }
            }
            self.announce(place, failures)?;
            if self.sites.len() > known {
                dpor = Dpor::new(self.settings.limits);
            }
        }
        Ok(None)
    }
    /// Runs the schedules of a strategy.
    fn sample(
        &mut self,
        vm: &mut Vm,
        began: Instant,
        place: &StartPoint,
    ) -> io::Result<Option<ScheduleRun>> {
        let (mut next, mut size) = (0, 1);
        while next < self.settings.iterations && !self.ends(began) {
            let end = (next + size).min(self.settings.iterations);
            let shard = self.settings.shard;
            let (known, failures) = (self.sites.len(), self.failures.len());
            let numbers = (next..end).filter(|&n| self.learns || shard.has(n));
            let tasks = numbers.map(|n| (n, Task::Number(n))).collect();
            let results = match self.run_all(place, tasks, None)? {
                Err(run) => return Ok(Some(run)),
                Ok(results) => results,
            };
            for (number, data) in results {
                if self.is_over() {
                    break;
                }
                for method in &data.methods {
                    if self.prepared.insert(method.clone()) {
                        vm.prepare_method(method);
                    }
                }
                self.take(number, data);
            }
            self.announce(place, failures)?;
            next = end;
            self.learns &= next < LESSONS && (size < ROUND || self.sites.len() > known);
            size = match self.learns {
                true => next.min(ROUND),
                false => ROUND * u64::from(shard.count()),
            };
        }
        Ok(None)
    }
    /// A failure is enough, and there is one.
    fn is_over(&self) -> bool {
        self.failed && !self.settings.keep_going
    }
    /// Makes a schedule that failed as short as it can be, or as the time permits, and traces it step by step.
    fn explain(
        &mut self,
        began: Instant,
        place: &StartPoint,
        i: usize,
    ) -> io::Result<Option<ScheduleRun>> {
        let failure = &self.failures[i];
        let (kind, number) = (failure.data.outcome.signature(), failure.number);
        let mut shortest = failure.data.clone();
        let mut minimiser = Minimiser::new(shortest.decisions(), ATTEMPTS);
        let mut is_shortest = true;
        let until = self.settings.time.map(|time| began + time);
        loop {
            if until.is_some_and(|end| Instant::now() >= end) {
                is_shortest = false;
                break;
            }
            let tried = minimiser.next(self.settings.jobs);
            if tried.is_empty() {
                break;
            }
            let tasks = (0..).zip(tried.into_iter().map(|t| Task::Loose(t, number)));
            let tasks: Vec<(u64, Task)> = tasks.collect();
            let wanted = tasks.len();
            let results = match self.run_all(place, tasks, until)? {
                Err(run) => return Ok(Some(run)),
                Ok(results) => results,
            };
            if results.len() < wanted {
                is_shortest = false;
                break;
            }
            let failed = |t: &ScheduleResult| t.outcome.signature() == kind;
            let lists = results.values().map(|t| failed(t).then(|| t.decisions()));
            minimiser.came(lists);
            let shorter = |t: &ScheduleResult| failed(t) && t.decisions() == minimiser.best();
            if shortest.decisions().len() > minimiser.best().len() {
                let found = results.into_values().find(shorter);
                shortest = found.expect("it is one of them");
            }
        }
        let tasks = vec![(number, Task::Replay(shortest.lines.clone(), true))];
        let results = match self.run_all(place, tasks, None)? {
            Err(run) => return Ok(Some(run)),
            Ok(results) => results,
        };
        let failure = &mut self.failures[i];
        failure.needed = shortest.decisions().len();
        failure.is_shortest = is_shortest;
        for data in results.into_values() {
            failure.repeats = data.outcome.signature() == kind && data.parted.is_none();
            if failure.repeats {
                failure.data = data;
            }
        }
        Ok(None)
    }
    /// In the process of a schedule.
    fn begin(&mut self, place: &StartPoint, n: u64, task: Task, data: File) -> ScheduleRun {
        let scouts = matches!(task, Task::Number(n) if n < SCOUTS);
        let number = match task {
            Task::Number(n) => n,
            _ => u64::MAX,
        };
        let random = match &task {
            Task::Planned(_) => 0,
            &Task::Loose(_, of) => self.settings.random_of(of),
            Task::Number(_) | Task::Replay(..) => self.settings.random_of(n),
        };
        let (guide, traced) = match task {
            Task::Number(number) => {
                let mut strategy = self
                    .settings
                    .method
                    .strategy()
                    .expect("schedules that are planned are not begun by number");
                strategy.begin(&Start {
                    seed: self.settings.seed,
                    number,
                    length: self.length,
                });
                (Guide::Free(strategy), false)
            }
            Task::Planned(plan) => {
                let mut recorder = Recorder::new(plan.strategy());
                recorder.begin(&Start::default());
                (Guide::Planned(Box::new(recorder)), false)
            }
            Task::Replay(lines, traced) => (Guide::Replay(lines.into()), traced),
            Task::Loose(left, _) => {
                let mut by_key = BTreeMap::<_, VecDeque<_>>::new();
                for (key, action) in left {
                    by_key.entry(key).or_default().push_back(action);
                }
                (Guide::Loose(by_key), false)
            }
        };
        let mut explorer = Explorer::new(guide, self.settings.points, self.sites.clone(), traced);
        explorer.late = self.settings.late;
        explorer.spurious = self.settings.spurious;
        explorer.races = self.settings.races.then(Races::default);
        explorer.weak = self.settings.jmm.then(WeakMemory::default);
        place.control.with(|e| *e = explorer);
        ScheduleRun {
            explorer: place.control.clone(),
            data,
            scouts,
            number,
            random,
        }
    }
    /// The program has ended without ever starting a thread: there was one schedule, this one.
    pub fn alone(
        &mut self,
        vm: &mut Vm,
        control: &SharedExplorer,
        outcome: Outcome,
        printed: Output,
    ) {
        let mut data = ScheduleResult::of(vm, control, outcome);
        data.printed = printed;
        if !data.outcome.is_failure() {
            match self.judge(&data.printed.output) {
                Ok(outcome) => data.outcome = outcome,
                Err(e) => self.problem = Some(e),
            }
        }
        self.take(0, data);
        self.found.exhausted = true;
    }
    /// Shows the failures, with the lines of the program's sources.
    pub fn show(&mut self, sources: &dyn Sources) {
        for (signature, shown) in self.shown(sources) {
            self.found.show(&signature, shown);
        }
    }
    fn shown(&self, sources: &dyn Sources) -> Vec<(String, FailingSchedule)> {
        let e = &self.found.exploration;
        let name = e.program.rsplit(['/', '.']).next().unwrap_or(&e.program);
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_$".contains(c);
        let name: String = name.replace("::", "-");
        let name: String = name.chars().filter(|&c| plain(c)).collect();
        let mut all = Vec::new();
        for f in &self.failures {
            let file = format!("{name}-{}.schedule", f.number);
            let schedule = Schedule {
                header: Header {
                    arguments: e.arguments.clone(),
                    seed: e.seed,
                    number: f.number,
                    strategy: e.strategy.clone(),
                    points: e.points.clone(),
                    memory: e.memory.clone(),
                    random: self.settings.random_of(f.number),
                    spurious: e.spurious,
                    jdk: e.jdk.clone(),
                    digest: e.digest.clone(),
                    test: match self.settings.test {
                        Some(_) => e.program.clone(),
                        None => String::new(),
                    },
                    failed: self.settings.test.clone().unwrap_or_default(),
                    failure: f.data.outcome.headline(),
                },
                lines: f.data.lines.clone(),
                end: Some(f.data.bytecodes),
            };
            let replay = format!("rjvm --replay={file}");
            let shown = FailingSchedule {
                failure: page::failure(f, &self.settings, replay, sources),
                schedule: schedule.to_string(),
                file,
            };
            all.push((f.data.outcome.signature(), shown));
        }
        all
    }
    /// The outcome of a schedule that ended well, by its output.
    fn judge(&mut self, printed: &[u8]) -> io::Result<Outcome> {
        let first = self.first_output.get_or_insert_with(|| printed.to_vec());
        if self.settings.same_output && *first != printed {
            let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
            return Ok(Outcome::Output {
                other: 0,
                expected: text(first),
                got: text(printed),
            });
        }
        let Some(oracle) = &self.settings.oracle else {
            return Ok(Outcome::Ok);
        };
        if let Some(verdict) = self.verdicts.get(printed) {
            return Ok(verdict.clone());
        }
        let verdict = oracle::ask(oracle, printed)?;
        self.verdicts.insert(printed.to_vec(), verdict.clone());
        Ok(verdict)
    }
    /// Takes the report of a schedule: whether it is a failure of another kind than those before.
    fn take(&mut self, number: u64, mut data: ScheduleResult) -> bool {
        if self.learns {
            self.length = self.length.max(data.choices);
            Arc::make_mut(&mut self.sites).extend(&data.sites);
        }
        self.failed |= data.outcome.is_failure();
        if !self.settings.shard.has(number) {
            return false;
        }
        let found = &mut self.found;
        let mut races = std::mem::take(&mut data.races);
        races.iter_mut().for_each(|r| r.number = number);
        if !self.settings.all_races {
            let library = races.extract_if(.., |r| r.is_in(page::is_library));
            found.library_races.extend(library.map(|r| r.lines()));
        }
        found.add_races(races);
        found.threads = found.threads.max(data.threads);
        found.took(data.path);
        found.add_output(number, &data.printed.output);
        let new = found.add(number, &data.outcome, data.choices, data.bytecodes);
        if new && self.failures.len() < KEPT {
            self.failures.push(FailedSchedule {
                number,
                choices: data.decisions().len(),
                needed: data.decisions().len(),
                is_shortest: false,
                data,
                repeats: false,
            });
            return true;
        }
        false
    }
    /// Writes the schedules of failures that have just been found, and reports them.
    fn announce(&mut self, place: &StartPoint, known: usize) -> io::Result<()> {
        if self.failures.len() == known {
            return Ok(());
        }
        let shown = self.shown(&NoSources);
        let mut text = String::new();
        let mut found = self.found.clone();
        for (i, (signature, shown)) in shown.into_iter().enumerate() {
            if i >= known {
                std::fs::write(&shown.file, &shown.schedule)?;
                text += &report::announced(&self.failures[i].data.outcome, &shown);
            }
            found.show(&signature, shown);
        }
        if let Some(announce) = &mut self.announce {
            place.capture.say(&text)?;
            announce(&found)?;
        }
        Ok(())
    }
}

impl ScheduleRun {
    /// The schedule continues from here, in this process.
    pub fn begins(&self, vm: &mut Vm, settings: &ExploreSettings) {
        let most = settings.max_bytecodes;
        let (now, seed) = (vm.bytecodes_under_control(), [settings.seed, self.number]);
        self.explorer.with(|e| e.may_execute(now, most, seed));
        vm.limit_bytecodes(fuel(most));
        new_numbers(vm, self.random);
    }
    /// The program has ended, in this way: reports the other process, and ends this one.
    pub fn finish(mut self, vm: &mut Vm, outcome: Outcome) -> ! {
        let mut data = ScheduleResult::of(vm, &self.explorer, outcome);
        if self.scouts {
            data.methods = vm.translated_methods();
        }
        // if it cannot be reported, the other process sees that nothing was
        let _ = self.data.write_all(&data.write());
        process::leave()
    }
}

//! The instruments of a search in a VM: counters at the entries of methods, which tell callers, timers around the methods of the
//! frontier, and moments between bytecodes at which the search decides.

use super::Asked;
use hashbrown::HashMap;
use rjvm_vm::events::{Event, EventSet, Seen, Subscriber};
use rjvm_vm::instruments::{Classes, Frame, Hit, InstrumentId, Kind, Methods, Point, Spec};
use rjvm_vm::{MethodId, ThreadId, Vm};
use rjvm_why::search::{Now, Order, Search};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Entries of a method that are counted between two renewals of its counter.
const COUNTED: u64 = 256;
/// Moments between two renewals of counters.
const RENEWAL: u64 = 20;
/// Frames of the class library between a method of the program and the one of it that called it.
const BETWEEN: usize = 64;

/// What bottlenecks use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Bytecodes executed.
    Bytecodes,
    /// Bytes allocated.
    Allocations,
    /// Bytecodes that others execute while a thread waits for a lock.
    Contention,
    /// Nanoseconds.
    Wall,
}

impl Metric {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Bytecodes => "bytecodes",
            Metric::Allocations => "bytes allocated",
            Metric::Contention => "bytecodes waited for",
            Metric::Wall => "nanoseconds",
        }
    }
}

/// What threads have lost to locks.
#[derive(Default)]
struct Lost {
    /// By thread.
    lost: BTreeMap<ThreadId, u64>,
    /// Bytecodes of all, and of its own, when a thread began to wait.
    waits: BTreeMap<ThreadId, (i64, i64)>,
}

#[derive(Clone, Default)]
struct Waits(Arc<Mutex<Lost>>);

impl Waits {
    fn lost(&self) -> MutexGuard<'_, Lost> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscriber for Waits {
    fn events(&self) -> EventSet {
        EventSet::MONITOR_CONTENDED_ENTER
            | EventSet::MONITOR_CONTENDED_ENTERED
            | EventSet::PARK
            | EventSet::PARKED
    }
    fn event(&mut self, seen: &mut Seen<'_>, event: Event<'_>) {
        let Some(t) = seen.thread() else { return };
        let now = (seen.bytecodes(), seen.executed());
        let mut lost = self.lost();
        match event {
            // who is parked for nothing waits for work
            Event::Park { blocker, .. } if blocker.is_null() => {}
            Event::MonitorContendedEnter { .. } | Event::Park { .. } => {
                lost.waits.insert(t, now);
            }
            _ => {
                if let Some(then) = lost.waits.remove(&t) {
                    let others = (now.0 - then.0) - (now.1 - then.1);
                    *lost.lost.entry(t).or_default() += others.max(0) as u64;
                }
            }
        }
    }
}

/// A call of a timed method that is under way.
struct Open {
    from: u64,
    late: bool,
    /// Frames of the method.
    frames: u64,
}

/// A counter at a method's entry.
struct Counter {
    id: Option<InstrumentId>,
    since: u64,
    hits: u64,
}

/// A search and its instruments.
struct State {
    search: Option<Search>,
    metric: Metric,
    library: bool,
    settings: rjvm_why::search::Settings,
    interval: i64,
    names: BTreeMap<u32, String>,
    /// Whether methods are searched.
    searched: HashMap<u32, bool>,
    timers: BTreeMap<u32, InstrumentId>,
    open: BTreeMap<(ThreadId, u32), Open>,
    counters: BTreeMap<u32, Counter>,
    moments: u64,
    waits: Waits,
    begun: u64,
}

/// A handle on a search under way.
#[derive(Clone)]
pub struct Placed(Arc<Mutex<State>>);

/// What instruments are placed with: a VM that stands, or one that tells a hit.
trait Place {
    fn place(&mut self, spec: Spec) -> InstrumentId;
    fn remove(&mut self, id: InstrumentId);
}

impl Place for Vm {
    fn place(&mut self, spec: Spec) -> InstrumentId {
        self.place_instrument(spec)
    }
    fn remove(&mut self, id: InstrumentId) {
        let _ = self.remove_instrument(id);
    }
}

impl Place for Hit<'_> {
    fn place(&mut self, spec: Spec) -> InstrumentId {
        Hit::place(self, spec)
    }
    fn remove(&mut self, id: InstrumentId) {
        Hit::remove(self, id);
    }
}

impl Placed {
    /// Begins: methods of classes that are loaded from now on have counters.
    pub fn start(vm: &mut Vm, asked: &Asked) -> Placed {
        let waits = Waits::default();
        if asked.metric == Metric::Contention {
            vm.subscribe(Box::new(waits.clone()));
        }
        let placed = Placed(Arc::new(Mutex::new(State {
            search: None,
            metric: asked.metric,
            library: asked.library,
            settings: asked.settings.clone(),
            interval: asked.interval,
            names: BTreeMap::new(),
            searched: HashMap::new(),
            timers: BTreeMap::new(),
            open: BTreeMap::new(),
            counters: BTreeMap::new(),
            moments: 0,
            waits,
            begun: 0,
        })));
        let of_classes = placed.clone();
        let defined = move |hit: &mut Hit<'_>| {
            let Some(class) = hit.class().map(|c| c.id()) else {
                return;
            };
            let methods = hit.vm().class(class).methods.clone();
            for m in methods {
                of_classes.add(hit, m);
            }
        };
        let all = Classes::of(|_| true);
        vm.place_instrument(Spec::tell(Point::Class(all), defined));
        let moments = placed.clone();
        vm.set_fuel(Some(asked.interval));
        vm.on_stop(Box::new(move |vm, _| {
            moments.moment(vm);
            let interval = moments.state().interval;
            vm.set_fuel(Some(interval));
            true
        }));
        placed
    }
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// What was found, if the program has begun.
    pub fn with<T>(
        &self,
        vm: &mut Vm,
        f: impl FnOnce(&Search, &BTreeMap<u32, String>, u64) -> T,
    ) -> Option<T> {
        vm.set_fuel(None);
        let all = vm.bytecodes().max(0) as u64;
        let state = self.state();
        let search = state.search.as_ref()?;
        Some(f(search, &state.names, all - state.begun))
    }
    /// A method that may be called from now on.
    fn add(&self, hit: &mut Hit<'_>, m: MethodId) {
        let view = hit.view_of(m);
        let (class, name) = (view.class().name(), view.name().to_owned());
        let method = hit.vm().method(m);
        if method.is_native() || method.is_abstract() {
            return;
        }
        let hidden = hit.vm().class(method.class).hidden;
        let mut state = self.state();
        let searched = state.library || rjvm_profiler::is_application(&class, hidden);
        state.searched.insert(m.0, searched);
        if !searched {
            return;
        }
        state.names.insert(m.0, format!("{class}.{name}"));
        let now = hit.bytecodes().max(0) as u64;
        let id = self.counter(hit, m);
        state.counters.insert(
            m.0,
            Counter {
                id: Some(id),
                since: now,
                hits: 0,
            },
        );
    }
    fn counter(&self, place: &mut dyn Place, m: MethodId) -> InstrumentId {
        let placed = self.clone();
        let entered = move |hit: &mut Hit<'_>| placed.entered(hit);
        place.place(Spec::tell(Point::Entry(Methods::One(m)), entered))
    }
    /// A method is entered that has a counter.
    fn entered(&self, hit: &mut Hit<'_>) {
        let Some(m) = hit.method() else { return };
        let state = &mut *self.state();
        let mut frames: Vec<Frame> = Vec::new();
        hit.stack(BETWEEN, &mut frames);
        let searched = |f: &&Frame| state.searched.get(&f.method.0) == Some(&true);
        let caller = frames.iter().skip(1).find(searched).map(|f| f.method.0);
        let bytecodes = hit.bytecodes().max(0) as u64;
        let wall = state.wall(hit);
        let used = state.used_by_all(hit.vm(), bytecodes, wall);
        let now = Now {
            bytecodes: bytecodes - state.begun.min(bytecodes),
            used,
        };
        let is_initializer = |name: &String| name.ends_with(".<clinit>");
        match &mut state.search {
            // its class is initialized before the program's first method
            None if state.names.get(&m.0).is_some_and(is_initializer) => return,
            None => {
                // the first method of the program is its root
                state.begun = bytecodes;
                let begun = Now { bytecodes: 0, used };
                state.search = Some(Search::new(state.settings.clone(), m.0, begun));
            }
            Some(search) => {
                let root = search.graph().root();
                if m.0 != root {
                    search.called(m.0, Some(caller.unwrap_or(root)), 1, now);
                }
            }
        }
        self.obey(state, hit, Some(m));
        if let Some(counter) = state.counters.get_mut(&m.0) {
            counter.hits += 1;
            if counter.hits >= COUNTED
                && let Some(id) = counter.id.take()
            {
                // calls beyond are as many as there were until now, in the time that follows
                counter.since = (bytecodes - counter.since).max(1);
                hit.remove(id);
            }
        }
    }
    /// Does what the search has ordered. `entered` is the method whose entry it is, if it is one.
    fn obey(&self, state: &mut State, hit: &mut Hit<'_>, entered: Option<MethodId>) {
        let orders = state
            .search
            .as_mut()
            .map(Search::orders)
            .unwrap_or_default();
        for order in orders {
            match order {
                Order::Time(m) => {
                    let id = self.timer(hit, MethodId(m));
                    state.timers.insert(m, id);
                    if entered == Some(MethodId(m)) {
                        let mut frames = Vec::new();
                        hit.stack(usize::MAX, &mut frames);
                        let t = hit.thread();
                        let wall = state.wall(hit);
                        let from = state.used_by(hit.vm(), t, hit.executed(), wall);
                        let frames = frames.iter().filter(|f| f.method.0 == m).count() as u64;
                        state.open.insert(
                            (t, m),
                            Open {
                                from,
                                late: frames > 1,
                                frames,
                            },
                        );
                    }
                }
                Order::Untime(m) => state.untime(hit, m),
            }
        }
    }
    fn timer(&self, place: &mut dyn Place, m: MethodId) -> InstrumentId {
        let placed = self.clone();
        let passed = move |hit: &mut Hit<'_>| placed.passed(hit);
        place.place(Spec::tell(Point::Around(Methods::One(m)), passed))
    }
    /// A timed method is entered or left.
    fn passed(&self, hit: &mut Hit<'_>) {
        let Some(m) = hit.method() else { return };
        let state = &mut *self.state();
        let t = hit.thread();
        let wall = state.wall(hit);
        let now = state.used_by(hit.vm(), t, hit.executed(), wall);
        let key = (t, m.0);
        match (hit.kind(), state.open.get_mut(&key)) {
            (Kind::Entry, Some(open)) => open.frames += 1,
            (Kind::Entry, None) => {
                let open = Open {
                    from: now,
                    late: false,
                    frames: 1,
                };
                state.open.insert(key, open);
            }
            (_, Some(open)) if open.frames > 1 => open.frames -= 1,
            (_, Some(open)) => {
                let (used, late) = (now.saturating_sub(open.from), open.late);
                state.open.remove(&key);
                if let Some(search) = &mut state.search {
                    search.timed(m.0, used, late);
                }
            }
            (_, None) => {}
        }
    }
    /// The search decides, while the VM stands between two bytecodes.
    fn moment(&self, vm: &mut Vm) {
        let state = &mut *self.state();
        let bytecodes = vm.bytecodes_now().max(0) as u64;
        if state.search.is_none() {
            return;
        }
        let threads = vm.all_threads().len() as u32;
        let stacks: Vec<(ThreadId, Vec<u32>)> = (0..threads)
            .map(|t| {
                let frames = vm.stack_of(ThreadId(t));
                let searched = |m: &u32| state.searched.get(m) == Some(&true);
                (
                    ThreadId(t),
                    frames.iter().map(|f| f.method).filter(searched).collect(),
                )
            })
            .collect();
        let used: Vec<u64> = (0..threads)
            .map(|t| {
                let executed = vm.executed(ThreadId(t));
                let wall = vm.uptime();
                state.used_by(vm, ThreadId(t), executed, wall)
            })
            .collect();
        let wall = vm.uptime();
        let all = state.used_by_all(vm, bytecodes, wall);
        state.renew(self, vm, bytecodes);
        let mut open: BTreeMap<u32, (u64, bool)> = BTreeMap::new();
        for (&(t, m), o) in &state.open {
            let sum = open.entry(m).or_default();
            sum.0 += used[t.0 as usize].saturating_sub(o.from);
            sum.1 |= o.late;
        }
        let now = Now {
            bytecodes: bytecodes - state.begun,
            used: all,
        };
        let methods: Vec<Vec<u32>> = stacks.iter().map(|s| s.1.clone()).collect();
        let Some(search) = &mut state.search else {
            return;
        };
        search.moment(now, &open, &methods);
        for order in search.orders() {
            match order {
                Order::Time(m) => {
                    let id = self.timer(vm, MethodId(m));
                    state.timers.insert(m, id);
                    // calls that are under way count from here
                    for (t, stack) in &stacks {
                        let frames = stack.iter().filter(|&&f| f == m).count() as u64;
                        if frames > 0 {
                            let from = used[t.0 as usize];
                            state.open.insert(
                                (*t, m),
                                Open {
                                    from,
                                    late: true,
                                    frames,
                                },
                            );
                        }
                    }
                }
                Order::Untime(m) => state.untime(vm, m),
            }
        }
    }
}

impl State {
    /// What a thread has used so far.
    fn used_by(&self, vm: &Vm, t: ThreadId, executed: i64, wall: i64) -> u64 {
        match self.metric {
            Metric::Bytecodes => executed.max(0) as u64,
            Metric::Allocations => vm.bytes_allocated_by(t),
            Metric::Contention => self.waits.lost().lost.get(&t).copied().unwrap_or(0),
            Metric::Wall => wall.max(0) as u64,
        }
    }
    /// What all threads have used so far.
    fn used_by_all(&self, vm: &Vm, bytecodes: u64, wall: i64) -> u64 {
        match self.metric {
            Metric::Bytecodes => bytecodes,
            Metric::Wall => wall.max(0) as u64,
            _ => {
                let threads = vm.all_threads().len() as u32;
                (0..threads)
                    .map(|t| self.used_by(vm, ThreadId(t), 0, 0))
                    .sum()
            }
        }
    }
    /// The clock, if it matters.
    fn wall(&self, hit: &mut Hit<'_>) -> i64 {
        match self.metric {
            Metric::Wall => hit.wall(),
            _ => 0,
        }
    }
    fn untime(&mut self, place: &mut dyn Place, m: u32) {
        if let Some(id) = self.timers.remove(&m) {
            place.remove(id);
        }
        self.open.retain(|key, _| key.1 != m);
    }
    /// Places counters again that were full, and adds what they have missed.
    fn renew(&mut self, placed: &Placed, vm: &mut Vm, bytecodes: u64) {
        self.moments += 1;
        if !self.moments.is_multiple_of(RENEWAL) {
            return;
        }
        let period = RENEWAL * self.interval as u64;
        let mut missed = Vec::new();
        for (&m, counter) in &mut self.counters {
            if counter.id.is_none() {
                // it took `since` bytecodes to be full
                let all =
                    u128::from(COUNTED) * u128::from(period) / u128::from(counter.since.max(1));
                missed.push((m, (all as u64).saturating_sub(COUNTED)));
                counter.id = Some(placed.counter(vm, MethodId(m)));
            }
            (counter.since, counter.hits) = (bytecodes, 0);
        }
        if let Some(search) = &mut self.search {
            search.missed(&missed);
        }
    }
}

//! The instruments of a search in a VM: one that counts calls and reports who calls whom, timers around the methods of the frontier,
//! and moments between bytecodes at which the search decides.

use super::waits::LockWaits;
use crate::launcher::settings::search::{SearchMetric, SearchSettings};
use rjvm_vm::instruments::{Elapsed, Hit, InstrumentId, MethodFilter, Spec};
use rjvm_vm::{MethodId, ThreadId, Vm};
use rjvm_why::search::{Moment, Order, Reading, Search};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A moment to decide comes after this part of all bytecodes so far, if that is more than the interval.
const MOMENTS: i64 = 400;
/// Counters are read when there are so many hundredths more bytecodes than the last time.
const COUNTED: u64 = 102;

/// A search and its instruments.
struct SearchState {
    search: Option<Search>,
    requested: SearchSettings,
    names: BTreeMap<u32, String>,
    timers: BTreeMap<u32, InstrumentId>,
    counter: Option<InstrumentId>,
    /// By pair of caller and callee: calls that the search has seen.
    counted: Vec<u64>,
    /// Bytecodes at which counters are read next.
    count_at: u64,
    /// Calls before the program has begun.
    before: Vec<(Option<u32>, u32)>,
    waits: LockWaits,
    begun: u64,
}

/// A handle on a search under way.
#[derive(Clone)]
pub struct Placed(Arc<Mutex<SearchState>>);

impl Placed {
    /// Begins: methods of classes that are loaded from now on are counted.
    pub fn start(vm: &mut Vm, requested: &SearchSettings) -> Placed {
        let waits = LockWaits::default();
        if requested.metric == SearchMetric::Contention {
            vm.observe(Box::new(waits.clone()));
        }
        let placed = Placed(Arc::new(Mutex::new(SearchState {
            search: None,
            requested: requested.clone(),
            names: BTreeMap::new(),
            timers: BTreeMap::new(),
            counter: None,
            counted: Vec::new(),
            count_at: 0,
            before: Vec::new(),
            waits,
            begun: 0,
        })));
        let library = requested.library;
        let searched = MethodFilter::of(move |m| {
            let class = m.class();
            !m.is_native()
                && (library || rjvm_profiler::is_application(&class.name(), class.is_hidden()))
        });
        let of_calls = placed.clone();
        let called = move |hit: &mut Hit<'_>| of_calls.called(hit);
        placed.state().counter = Some(vm.place_instrument(Spec::calls(searched, called)));
        let moments = placed.clone();
        let interval = requested.interval;
        vm.set_fuel(Some(interval));
        vm.on_stop(Box::new(move |vm, _| {
            moments.moment(vm);
            let all = vm.bytecodes_now();
            vm.set_fuel(Some(interval.max(all / MOMENTS)));
            true
        }));
        placed
    }
    fn state(&self) -> MutexGuard<'_, SearchState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Makes `f` of the findings, if the program has begun.
    pub fn with<T>(
        &self,
        vm: &mut Vm,
        f: impl FnOnce(&Search, &BTreeMap<u32, String>, u64) -> T,
    ) -> Option<T> {
        vm.set_fuel(None);
        let state = &mut *self.state();
        let now = state.now(vm);
        let readings = state.readings(vm);
        state.count(vm);
        let search = state.search.as_mut()?;
        search.end(now, &readings);
        Some(f(search, &state.names, now.bytecodes))
    }
    /// A method is entered, by a caller that has not called it before.
    fn called(&self, hit: &mut Hit<'_>) {
        let Some(m) = hit.method() else { return };
        let caller = hit.caller_counted().map(|c| c.0);
        let state = &mut *self.state();
        // its number may have been that of a method that is gone
        let view = hit.view_of(m);
        let name = format!(
            "{}.{}{}",
            view.class().name(),
            view.name(),
            view.descriptor()
        );
        state.names.insert(m.0, name);
        let bytecodes = hit.bytecodes().max(0) as u64;
        let wall = match state.requested.metric {
            SearchMetric::Wall => hit.wall(),
            _ => 0,
        };
        let used = state.used_by_all(hit.vm(), bytecodes, wall);
        let now = Moment {
            bytecodes: bytecodes.saturating_sub(state.begun),
            used,
        };
        let Some(search) = &mut state.search else {
            let library = state.requested.library;
            let begins = |n: &String| match library {
                // the library's own are called before
                true => n.ends_with(".main([Ljava/lang/String;)V"),
                false => !n.ends_with(".<clinit>()V") && caller.is_none(),
            };
            if !state.names.get(&m.0).is_some_and(begins) {
                // its class is initialized before the program's first method
                state.before.push((caller, m.0));
                return;
            }
            // the first method of the program is its root
            state.begun = bytecodes;
            let mut search = Search::new(
                state.requested.settings.clone(),
                m.0,
                Moment { bytecodes: 0, used },
            );
            for (caller, m) in std::mem::take(&mut state.before) {
                search.called(m, caller, false, now);
            }
            state.search = Some(search);
            return;
        };
        let root = search.graph().root();
        if m.0 == root {
            return;
        }
        let mut frames = Vec::new();
        hit.stack(usize::MAX, &mut frames);
        let on_stack = frames.iter().skip(1).any(|f| f.method == m);
        search.called(m.0, Some(caller.unwrap_or(root)), on_stack, now);
        for order in search.orders() {
            if let Order::Time(m) = order {
                state.place(m, |spec| hit.place(spec));
            }
        }
    }
    /// The search decides, while the VM is between two bytecodes.
    fn moment(&self, vm: &mut Vm) {
        let state = &mut *self.state();
        let Some(counter) = state.counter.filter(|_| state.search.is_some()) else {
            return;
        };
        let threads = vm.all_threads().len() as u32;
        let mut stacks: Vec<Vec<u32>> = Vec::new();
        for t in (0..threads).map(ThreadId) {
            let frames = vm.stack_of(t);
            let methods = frames.iter().map(|f| f.method);
            stacks.push(
                methods
                    .filter(|&m| vm.is_instrumented_by(counter, MethodId(m)))
                    .collect(),
            );
        }
        let now = state.now(vm);
        let readings = state.readings(vm);
        if now.bytecodes >= state.count_at {
            state.count_at = now.bytecodes * COUNTED / 100;
            state.count(vm);
        }
        let Some(search) = &mut state.search else {
            return;
        };
        search.moment(now, &readings, &stacks);
        for order in search.orders() {
            match order {
                Order::Time(m) => state.place(m, |spec| vm.place_instrument(spec)),
                Order::Untime(m) => {
                    state.waits.untime(m);
                    if let Some(id) = state.timers.remove(&m) {
                        let _ = vm.remove_instrument(id);
                    }
                }
                Order::Notify(m) => vm.notify_calls_of(counter, MethodId(m)),
            }
        }
    }
}

impl SearchState {
    fn place(&mut self, m: u32, place: impl FnOnce(Spec) -> InstrumentId) {
        match self.requested.metric {
            // events report waits, with the stack
            SearchMetric::Contention => self.waits.time(m),
            metric => {
                let clocks = metric == SearchMetric::Wall;
                let id = place(Spec::time(MethodFilter::One(MethodId(m)), clocks));
                self.timers.insert(m, id);
            }
        }
    }
    /// What the timers say.
    fn readings(&self, vm: &mut Vm) -> BTreeMap<u32, Reading> {
        let metric = self.requested.metric;
        if metric == SearchMetric::Contention {
            return self.waits.readings();
        }
        let of = |e: &Elapsed| match metric {
            SearchMetric::Allocations => e.allocated,
            SearchMetric::Wall => e.wall.max(0) as u64,
            _ => e.bytecodes.max(0) as u64,
        };
        let mut all = BTreeMap::new();
        for (&m, &id) in &self.timers {
            let timed = vm.instrument_reading(id).unwrap_or_default().timed;
            let ended = Elapsed {
                bytecodes: timed.bytecodes,
                allocated: timed.allocated,
                wall: timed.wall,
                ..Elapsed::default()
            };
            let under_way = vm.instrument_under_way(id);
            let reading = Reading {
                calls: timed.calls,
                used: of(&ended),
                open: under_way.iter().map(|u| of(&u.1)).sum(),
            };
            all.insert(m, reading);
        }
        all
    }
    /// Reads the counters.
    fn count(&mut self, vm: &Vm) {
        let (Some(search), Some(counter)) = (&mut self.search, self.counter) else {
            return;
        };
        let pairs = vm.calls_counted(counter);
        self.counted.resize(pairs.len(), 0);
        let calls = pairs.iter().zip(&mut self.counted).map(|(pair, known)| {
            let more = pair.times - std::mem::replace(known, pair.times);
            (pair.callee.0, more)
        });
        search.counted(calls.filter(|c| c.1 > 0));
    }
    /// This moment, between two bytecodes.
    fn now(&self, vm: &mut Vm) -> Moment {
        let bytecodes = vm.bytecodes_now().max(0) as u64;
        let wall = match self.requested.metric {
            SearchMetric::Wall => vm.uptime(),
            _ => 0,
        };
        Moment {
            bytecodes: bytecodes.saturating_sub(self.begun),
            used: self.used_by_all(vm, bytecodes, wall),
        }
    }
    /// What all threads have used so far.
    fn used_by_all(&self, vm: &Vm, bytecodes: u64, wall: i64) -> u64 {
        let threads = vm.all_threads().len() as u32;
        match self.requested.metric {
            SearchMetric::Bytecodes => bytecodes,
            SearchMetric::Wall => wall.max(0) as u64,
            SearchMetric::Contention => self.waits.lost(),
            SearchMetric::Allocations => {
                let threads = (0..threads).map(ThreadId);
                threads.map(|t| vm.bytes_allocated_by(t)).sum()
            }
        }
    }
}

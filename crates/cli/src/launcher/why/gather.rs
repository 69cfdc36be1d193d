//! Gathers the data of `rjvm why` from a VM: its calling contexts at the end of each window of the run, and events of locks,
//! collections and classes meanwhile.

use super::copies::Copies;
use crate::locks::{LockProfiler, WaitKind as LockKind};
use hashbrown::HashMap;
use rjvm_classfile::opcodes::{self as o, Insn as Decoded, Operand, insns};
use rjvm_classfile::{ClassFile, CodeAttribute};
use rjvm_profiler::cct::{NO_SITE, UPCALL};
use rjvm_profiler::is_application;
use rjvm_run::profile;
use rjvm_vm::events::{Event, EventSet, EventView, Observer};
use rjvm_vm::jdk::outside::{self, OutsideAction};
use rjvm_vm::{MethodId, Vm};
use rjvm_why::Collector;
use rjvm_why::collector::{Sums, Totals};
use rjvm_why::recording::{Context, Insn, Kind, Loaded, Method, Recording, Wait, Waited};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytecodes of the first windows.
const WINDOW: u64 = 1 << 16;
/// Thousandths of the run below which the code of a method of the program is not looked at.
const SHOWN: u64 = 3;

/// The data from events.
#[derive(Default)]
struct EventData {
    totals: Totals,
    classes: Vec<Loaded>,
}

#[derive(Clone, Default)]
struct WhyListener(Arc<Mutex<EventData>>);

impl WhyListener {
    fn reported(&self) -> MutexGuard<'_, EventData> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for WhyListener {
    fn events(&self) -> EventSet {
        EventSet::COLLECTIONS | EventSet::CLASSES | EventSet::VM
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        match event {
            Event::CollectionEnded(c) => {
                let totals = &mut self.reported().totals;
                totals.collections += 1;
                totals.before += c.before as u64;
                totals.after += c.after as u64;
            }
            Event::ClassLoaded(c) => {
                let at = seen.bytecodes() as u64;
                let class = seen.class(c);
                if class.cf.is_none() {
                    return;
                }
                let name = class.dotted();
                let app = is_application(&name, class.hidden);
                self.reported().classes.push(Loaded { name, at, app });
            }
            // what came before is no part of the program
            Event::Initialized => *self.reported() = EventData::default(),
            _ => {}
        }
    }
}

/// Contexts by who called them, method and call site.
type ContextIds = HashMap<(u32, u32, u32), u32>;

/// The caller of a root: the thread's number follows as its call site.
const ROOT: u32 = u32::MAX;

/// Data gathered while the program runs.
struct WhyData {
    windows: Collector,
    known: ContextIds,
    /// The VM's number of each context's method.
    methods: Vec<u32>,
}

/// A handle on it.
#[derive(Clone)]
pub struct Gatherer {
    state: Arc<Mutex<WhyData>>,
    listener: WhyListener,
    locks: LockProfiler,
    copies: Copies,
}

impl Gatherer {
    /// Begins to gather.
    pub fn start(vm: &mut Vm) -> Gatherer {
        let gatherer = Gatherer {
            state: Arc::new(Mutex::new(WhyData {
                windows: Collector::new(WINDOW),
                known: ContextIds::new(),
                methods: Vec::new(),
            })),
            listener: WhyListener::default(),
            locks: LockProfiler::new(true),
            copies: Copies::watch(vm),
        };
        vm.observe(Box::new(gatherer.locks.clone()));
        vm.observe(Box::new(gatherer.listener.clone()));
        gatherer
    }
    /// The program is about to begin: the first window does.
    pub fn begin(&self, vm: &mut Vm) {
        vm.set_fuel(Some(WINDOW as i64));
        let gatherer = self.clone();
        vm.on_stop(Box::new(move |vm, _| {
            let length = gatherer.window(vm, false);
            vm.set_fuel(Some(length as i64));
            true
        }));
    }
    fn state(&self) -> MutexGuard<'_, WhyData> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Ends a window, optionally with a look at `all` contexts: a native method may allocate without any bytecode; how long the
    /// next one is.
    fn window(&self, vm: &mut Vm, all: bool) -> u64 {
        vm.flush_open_frames();
        let mut totals = self.listener.reported().totals;
        totals.lost = self
            .locks
            .with(|locks| locks.rows().values().map(|l| l.others).sum());
        let state = &mut *self.state();
        let mut end = 0;
        let mut path: Vec<u32> = Vec::new();
        for (thread, walks) in vm.contexts(false) {
            for mut walk in walks {
                while let Some(visit) = walk.next() {
                    path.truncate(visit.depth);
                    let parent = path.last().copied();
                    let key = (
                        parent.unwrap_or(ROOT),
                        visit.method,
                        if parent.is_some() {
                            visit.site
                        } else {
                            thread.0
                        },
                    );
                    let id = match state.known.get(&key) {
                        Some(&id) => id,
                        None => {
                            let id = state.windows.add(Context {
                                parent,
                                method: visit.method,
                                site: (visit.site != NO_SITE && visit.site != UPCALL)
                                    .then_some(visit.site),
                                thread: thread.0,
                            });
                            state.known.insert(key, id);
                            state.methods.push(visit.method);
                            id
                        }
                    };
                    if parent.is_none() {
                        end += visit.inclusive.max(0) as u64;
                    }
                    let (objects, bytes) = vm.allocations(&visit);
                    let sums = Sums {
                        inclusive: visit.inclusive.max(0) as u64,
                        calls: visit.invocations,
                        objects,
                        bytes,
                    };
                    path.push(id);
                    // what is below has done nothing either
                    if !state.windows.record(id, sums) && !all {
                        walk.pass_over(&visit);
                    }
                }
            }
        }
        state.windows.end(end, totals)
    }
    /// The program has ended: returns the recording.
    pub fn finish(self, vm: &mut Vm, program: String, virtual_clock: bool) -> Recording {
        vm.set_fuel(None);
        vm.release_kept_contexts();
        self.window(vm, true);
        let waits = self.locks.with(|locks| {
            locks.finish(vm);
            locks.rows().iter().map(wait).collect()
        });
        let mut state = self.state();
        let (mut contexts, windows) = std::mem::take(&mut state.windows).finish();
        let (methods, numbers) = methods(vm, &state.methods);
        for c in &mut contexts {
            c.method = numbers[&c.method];
        }
        let threads = vm.all_threads().len() as u32;
        let threads = (0..threads)
            .map(|t| vm.thread_name(rjvm_vm::ThreadId(t)))
            .collect();
        let mut run = Recording {
            program,
            methods,
            contexts,
            threads,
            windows,
            waits,
            copied: self.copies.rows(&numbers),
            classes: std::mem::take(&mut self.listener.reported().classes),
            folded: vm.folded_contexts().contexts,
            virtual_clock,
        };
        add_code(vm, &mut run, &numbers);
        run
    }
}

fn wait((key, lost): (&crate::locks::LockKey, &crate::locks::WaitTotals)) -> Wait {
    // what is no lock is waited for by whoever has nothing to do
    let is_lock = [
        "ReentrantLock$",
        "ReentrantReadWriteLock$",
        "Semaphore$",
        "StampedLock",
    ];
    let is_lock = is_lock.iter().any(|l| key.lock.contains(l));
    Wait {
        why: match key.kind {
            LockKind::Monitor => Waited::Monitor,
            LockKind::Park if is_lock => Waited::Lock,
            LockKind::Park => Waited::Park,
            LockKind::Wait => Waited::Wait,
            LockKind::Sleep => Waited::Sleep,
        },
        lock: key.lock.clone(),
        site: key.site.clone(),
        holder: key.holder.clone(),
        times: lost.times,
        others: lost.others,
        most: lost.most,
        nanos: lost.nanos,
        timed_out: lost.timed_out,
    }
}

/// The methods of contexts, those of one name as one, and their numbers by those that the VM has for them.
fn methods(vm: &Vm, used: &[u32]) -> (Vec<Method>, BTreeMap<u32, u32>) {
    let mut numbers = BTreeMap::new();
    let mut by_name: BTreeMap<(String, String, String), u32> = BTreeMap::new();
    let mut methods: Vec<Method> = Vec::new();
    for &id in used {
        if numbers.contains_key(&id) {
            continue;
        }
        let info = match id {
            rjvm_profiler::cct::TRUNCATED => rjvm_profiler::MethodInfo::truncated(),
            id => profile::method(vm, id),
        };
        let key = (
            info.class.clone(),
            info.name.clone(),
            info.descriptor.clone(),
        );
        let number = *by_name.entry(key).or_insert_with(|| {
            let source = info.source.as_ref();
            let row = outside::outside(&info.class, &info.name).filter(|_| info.native);
            let outside = row.map(|row| requested(row.does));
            methods.push(Method {
                file: source.map_or(String::new(), |s| s.file_name().into()),
                lines: source.map_or(Vec::new(), |s| {
                    s.lines()
                        .iter()
                        .map(|&(bci, line)| (bci.into(), line.into()))
                        .collect()
                }),
                class: info.class,
                name: info.name,
                descriptor: info.descriptor,
                native: info.native,
                outside,
                app: info.app,
                code: Vec::new(),
            });
            methods.len() as u32 - 1
        });
        numbers.insert(id, number);
    }
    (methods, numbers)
}

/// What a native asks of the operating system.
fn requested(does: OutsideAction) -> &'static str {
    match does {
        OutsideAction::Open | OutsideAction::Close => "open",
        OutsideAction::Read => "read",
        OutsideAction::Write => "write",
        OutsideAction::Connect | OutsideAction::Accept => "connect",
        OutsideAction::Seek => "seek",
        OutsideAction::Sync => "sync",
        OutsideAction::Stat => "stat",
        OutsideAction::Directory => "directory",
    }
}

/// Adds bytecodes with their counts to methods that matter.
fn add_code(vm: &Vm, run: &mut Recording, numbers: &BTreeMap<u32, u32>) {
    let all: u64 = run.windows.last().map_or(0, |w| w.end);
    let mut with_callees: Vec<u64> = vec![0; run.methods.len()];
    for d in run.windows.iter().flat_map(|w| &w.deltas) {
        with_callees[run.contexts[d.context as usize].method as usize] += d.inclusive;
    }
    let matters = |m: usize| run.methods[m].app && with_callees[m] >= all / 1000 * SHOWN;
    let matters: Vec<bool> = (0..run.methods.len()).map(matters).collect();
    let mut counts: Vec<BTreeMap<u16, u64>> = vec![BTreeMap::new(); run.methods.len()];
    let (executions, mut executed) = (vm.executions(), Vec::new());
    for visit in vm
        .contexts(false)
        .into_iter()
        .flat_map(|(_, walks)| walks)
        .flatten()
    {
        let Some(&m) = numbers.get(&visit.method).filter(|&&m| matters[m as usize]) else {
            continue;
        };
        executed.clear();
        executions.add(&visit, &mut executed);
        for &(bci, n) in &executed {
            *counts[m as usize].entry(bci).or_default() += n;
        }
    }
    for (&id, &m) in numbers {
        let method = &mut run.methods[m as usize];
        if matters[m as usize]
            && method.code.is_empty()
            && id != rjvm_profiler::cct::TRUNCATED
            && vm.retired_method(MethodId(id)).is_none()
            && let Some(code) = vm.method(MethodId(id)).code()
        {
            method.code = instructions(code.cf, code.attr(), &counts[m as usize]);
        }
    }
}

fn instructions(class: &ClassFile, code: &CodeAttribute, counts: &BTreeMap<u16, u64>) -> Vec<Insn> {
    let insn = |insn: Decoded<'_>| Insn {
        bci: insn.pc as u32,
        executed: counts.get(&(insn.pc as u16)).copied().unwrap_or(0),
        kind: kind(class, &insn),
    };
    insns(&code.code).map_while(|i| i.ok().map(insn)).collect()
}

fn kind(class: &ClassFile, insn: &Decoded<'_>) -> Kind {
    let name = |index: u16| {
        let name = class.constant_pool.class_name(index).unwrap_or("?");
        name.replace('/', ".")
    };
    match (insn.opcode, &insn.operand) {
        (_, Operand::Branch(target)) => Kind::Branch((*target).max(0) as u32),
        (o::NEW, Operand::Constant(c)) => Kind::New(name(*c)),
        (o::ANEWARRAY, Operand::Constant(c)) => Kind::New(format!("{}[]", name(*c))),
        (_, Operand::MultiArray { index, .. }) => Kind::New(name(*index)),
        (_, Operand::ArrayType(t)) => {
            Kind::New(format!("{}[]", o::array_type_name(*t).unwrap_or("?")))
        }
        (o::INVOKEVIRTUAL, _) | (_, Operand::Interface { .. }) => Kind::Virtual,
        (o::ATHROW, _) => Kind::Throw,
        _ => Kind::Other,
    }
}

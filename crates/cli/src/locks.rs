//! What threads lose to each other, by lock, place and holder: an observer of monitors, waits and parking, a
//! table of the events that it has received, and the same as a profile.

use rjvm_profiler::cct::NO_SITE;
use rjvm_profiler::samples::{Frame, Recorder};
use rjvm_profiler::summary::grouped;
use rjvm_profiler::{MethodInfo, Profile, TreeError};
use rjvm_run::profile;
use rjvm_vm::events::{Event, EventSet, EventView, Observer};
use rjvm_vm::{MethodId, Ref, ThreadId, Vm};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// What its profile counts: the bytecodes that other threads executed while one did not continue.
const UNIT: &str = "bytecodes of others";

/// Why a thread did not continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WaitKind {
    /// Another thread had entered the monitor.
    Monitor,
    /// `LockSupport.park`, for a lock of `java.util.concurrent` as a rule.
    Park,
    /// `Object.wait`.
    Wait,
    /// `Thread.sleep`.
    Sleep,
}

impl WaitKind {
    const ALL: [WaitKind; 4] = [
        WaitKind::Monitor,
        WaitKind::Park,
        WaitKind::Wait,
        WaitKind::Sleep,
    ];

    fn title(self) -> &'static str {
        match self {
            WaitKind::Monitor => "Blocked by monitors",
            WaitKind::Park => "Parked",
            WaitKind::Wait => "Waited to be notified",
            WaitKind::Sleep => "Slept",
        }
    }
    /// The lock in a profile, as a method of its class.
    fn frame(self) -> &'static str {
        match self {
            WaitKind::Monitor => "[monitor]",
            _ => "[park]",
        }
    }
}

/// Which lock, where, and who had it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockKey {
    /// Why.
    pub kind: WaitKind,
    /// Class of the lock; `-` without one.
    pub lock: String,
    /// Where the thread was, as a stack trace shows it.
    pub site: String,
    /// Name of the thread that had the lock, and where that was; empty if there was none.
    pub holder: String,
}

/// How often, and for how long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitTotals {
    /// How often.
    pub times: u64,
    /// Bytecodes that other threads executed meanwhile.
    pub others: u64,
    /// The most of them at a time.
    pub most: u64,
    /// Nanoseconds by the VM's clock.
    pub nanos: u64,
    /// How often no thread ended it, but a time limit or an interrupt.
    pub timed_out: u64,
    /// How often it is not over.
    pub open: u64,
}

/// A thread that does not continue.
struct Begun {
    key: LockKey,
    stack: Vec<Frame>,
    /// Bytecodes of all threads, and of this one, then.
    all: i64,
    own: i64,
    at: i64,
}

/// The work lost so far.
#[derive(Default)]
pub struct Locks {
    rows: BTreeMap<LockKey, WaitTotals>,
    begun: BTreeMap<ThreadId, Begun>,
    recorder: Recorder,
    timed: bool,
    /// The methods of the profile, by the numbers they have there.
    methods: Vec<Named>,
    numbers: BTreeMap<Named, u32>,
}

/// A method of the profile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    /// One of the VM's.
    Method(u32),
    /// The entry for locks of a class.
    Lock(WaitKind, String),
}

/// A handle on the results while the VM has the observer.
#[derive(Clone, Default)]
pub struct LockProfiler(Arc<Mutex<Locks>>);

impl LockProfiler {
    /// One that reads the VM's clock, or does not: a recording has each look at it.
    pub fn new(timed: bool) -> LockProfiler {
        LockProfiler(Arc::new(Mutex::new(Locks {
            timed,
            ..Locks::default()
        })))
    }
    /// Makes `f` of the work lost so far.
    pub fn with<T>(&self, f: impl FnOnce(&mut Locks) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Observer for LockProfiler {
    fn events(&self) -> EventSet {
        EventSet::LOCKS.without(EventSet::MONITOR_CONTENDED_EXIT)
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        self.with(|locks| match event {
            Event::MonitorContendedEnter { object, .. } => {
                locks.begin(seen, WaitKind::Monitor, object);
            }
            Event::Park { blocker, .. } => locks.begin(seen, WaitKind::Park, blocker),
            Event::MonitorWait { object, .. } if object.is_null() => {
                locks.begin(seen, WaitKind::Sleep, object);
            }
            Event::MonitorWait { object, .. } => locks.begin(seen, WaitKind::Wait, object),
            Event::MonitorContendedEntered { .. } => locks.end(seen, false),
            Event::MonitorWaited { timed_out, .. } | Event::Parked { timed_out, .. } => {
                locks.end(seen, timed_out);
            }
            _ => {}
        });
    }
}

/// Whether a frame only does the waiting: who called it is of interest.
fn is_plumbing(class: &str) -> bool {
    matches!(
        class,
        "java.lang.Object"
            | "java.lang.Thread"
            | "java.lang.VirtualThread"
            | "jdk.internal.misc.Unsafe"
            | "jdk.internal.misc.VirtualThreads"
            | "jdk.internal.vm.Continuation"
    ) || class.starts_with("java.lang.System$")
        || class.starts_with("java.util.concurrent.locks.")
}

/// Where a stack is, without what only waits.
fn place(seen: &EventView<'_>, stack: &[Frame], skip: bool) -> String {
    let is_shown = |f: &&Frame| {
        let class = seen.method(MethodId(f.method)).class;
        !skip || !is_plumbing(&seen.class(class).dotted())
    };
    let frame = stack.iter().rev().find(is_shown).or(stack.last());
    frame.map_or("-".into(), |f| {
        let bci = i32::try_from(f.bci).unwrap_or(-1);
        seen.frame_line(MethodId(f.method), bci)
    })
}

impl Locks {
    fn begin(&mut self, seen: &mut EventView<'_>, kind: WaitKind, object: Ref) {
        let Some(t) = seen.thread() else {
            return;
        };
        let stack = seen.stack();
        let holder = match seen.waits_for(t).1 {
            Some(holder) => {
                let at = seen.stack_of(holder);
                let name = seen.thread_name(holder);
                format!("\"{name}\" in {}", place(seen, &at, false))
            }
            None => String::new(),
        };
        let lock = match object.is_null() {
            true => "-".to_string(),
            false => seen.class(seen.class_of(object)).dotted(),
        };
        let key = LockKey {
            kind,
            site: place(seen, &stack, kind != WaitKind::Monitor),
            lock,
            holder,
        };
        let begun = Begun {
            key,
            stack,
            all: seen.bytecodes(),
            own: seen.executed(),
            at: if self.timed { seen.uptime() } else { 0 },
        };
        let name = seen.thread_name(t);
        self.recorder.name_thread(t.0.into(), &name);
        self.begun.insert(t, begun);
    }
    fn end(&mut self, seen: &mut EventView<'_>, timed_out: bool) {
        let Some((t, begun)) = seen
            .thread()
            .and_then(|t| Some((t, self.begun.remove(&t)?)))
        else {
            return;
        };
        let others = (seen.bytecodes() - begun.all) - (seen.executed() - begun.own);
        let now = if self.timed { seen.uptime() } else { 0 };
        let nanos = (now - begun.at).max(0) as u64;
        self.add(t, begun, others.max(0) as u64, nanos, |lost| {
            lost.timed_out += u64::from(timed_out);
        });
    }
    fn add(
        &mut self,
        t: ThreadId,
        begun: Begun,
        others: u64,
        nanos: u64,
        note: impl FnOnce(&mut WaitTotals),
    ) {
        let Begun { key, stack, .. } = begun;
        // a thread that waits to be notified has lost nothing to a lock
        if key.kind == WaitKind::Monitor || key.kind == WaitKind::Park && key.lock != "-" {
            let lock = Frame {
                method: self.number(Named::Lock(key.kind, key.lock.clone())),
                bci: NO_SITE,
                upcall: false,
            };
            let stack = stack.into_iter().map(|f| Frame {
                method: self.number(Named::Method(f.method)),
                ..f
            });
            let stack: Vec<Frame> = stack.chain([lock]).collect();
            // a tree of 4294967294 contexts takes no more
            let _ = self.recorder.sample(t.0.into(), stack, others);
        }
        let lost = self.rows.entry(key).or_default();
        lost.times += 1;
        lost.others += others;
        lost.most = lost.most.max(others);
        lost.nanos += nanos;
        note(lost);
    }
    fn number(&mut self, named: Named) -> u32 {
        if let Some(&known) = self.numbers.get(&named) {
            return known;
        }
        let new = self.methods.len() as u32;
        self.methods.push(named.clone());
        self.numbers.insert(named, new);
        new
    }
    /// The program has ended: a thread that still waits has lost all work up to here.
    pub fn finish(&mut self, vm: &mut Vm) {
        let all = vm.bytecodes();
        let now = if self.timed { vm.uptime() } else { 0 };
        for (t, begun) in std::mem::take(&mut self.begun) {
            let others = (all - begun.all).max(0) as u64;
            let nanos = (now - begun.at).max(0) as u64;
            self.add(t, begun, others, nanos, |lost| lost.open += 1);
        }
    }
    /// Whether times are known.
    pub fn is_timed(&self) -> bool {
        self.timed
    }
    /// The lost work, by lock, place and holder.
    pub fn rows(&self) -> &BTreeMap<LockKey, WaitTotals> {
        &self.rows
    }
    /// The same as a profile: stacks of threads that a lock has held up, the lock's class on top, each with
    /// the bytecodes that others executed meanwhile.
    pub fn profile(&self, vm: &Vm) -> Result<Profile, TreeError> {
        let mut profile = self
            .recorder
            .profile(|id| match &self.methods[id as usize] {
                Named::Method(id) => profile::method(vm, *id),
                Named::Lock(kind, class) => {
                    MethodInfo::new(&class.replace('.', "/"), kind.frame(), "()V", false, false)
                }
            })?;
        profile.set_unit(UNIT);
        Ok(profile)
    }
    /// The table as text; with `times`, those of the VM's clock, which are the same in each run only if the clock is virtual.
    pub fn table(&self, times: bool) -> String {
        let mut out = String::new();
        for kind in WaitKind::ALL {
            let rows: Vec<(&LockKey, &WaitTotals)> =
                self.rows.iter().filter(|r| r.0.kind == kind).collect();
            if rows.is_empty() {
                continue;
            }
            let mut classes: BTreeMap<&str, WaitTotals> = BTreeMap::new();
            for (key, lost) in &rows {
                let sum = classes.entry(&key.lock).or_default();
                sum.times += lost.times;
                sum.others += lost.others;
                sum.most = sum.most.max(lost.most);
                sum.nanos += lost.nanos;
                sum.timed_out += lost.timed_out;
                sum.open += lost.open;
            }
            let mut classes: Vec<(&str, WaitTotals)> = classes.into_iter().collect();
            classes.sort_by_key(|c| std::cmp::Reverse((c.1.others, c.1.times)));
            let _ = writeln!(out, "{}", kind.title());
            let time = if times { "          ms" } else { "" };
            let _ = writeln!(
                out,
                "     times  bytecodes of others       longest{time}  lock, place, holder"
            );
            for (class, sum) in classes {
                line(&mut out, &sum, times, class);
                let mut of_class: Vec<_> = rows.iter().filter(|r| r.0.lock == class).collect();
                of_class.sort_by_key(|r| std::cmp::Reverse((r.1.others, r.1.times)));
                for (key, lost) in of_class {
                    let held = match key.holder.is_empty() {
                        true => String::new(),
                        false => format!(", held by {}", key.holder),
                    };
                    line(&mut out, lost, times, &format!("  at {}{held}", key.site));
                }
            }
            out.push('\n');
        }
        if out.is_empty() {
            out.push_str("No thread waited for another thread.\n");
        }
        out
    }
}

fn line(out: &mut String, lost: &WaitTotals, times: bool, what: &str) {
    let _ = write!(
        out,
        "{:>10}  {:>19}  {:>12}",
        grouped(lost.times),
        grouped(lost.others),
        grouped(lost.most)
    );
    if times {
        let _ = write!(out, "  {:>10.3}", lost.nanos as f64 / 1e6);
    }
    let _ = write!(out, "  {what}");
    if lost.timed_out > 0 {
        let _ = write!(out, " ({} timed out)", grouped(lost.timed_out));
    }
    if lost.open > 0 {
        let _ = write!(out, " ({} not over)", grouped(lost.open));
    }
    out.push('\n');
}

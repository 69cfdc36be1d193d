//! From the VM's events to those of a recording.

use super::recorder::{Recorder, RecordingState};
use rjvm_jfr::{Id, Kind, Pool, Value};
use rjvm_profiler::samples::Frame;
use rjvm_vm::events::{Collection, Event, EventSet, EventView, Observer};
use rjvm_vm::{ClassId, Ref, ThreadId};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes that a thread allocates from one sample of that to the next.
const ALLOCATED: u64 = 512 << 10;

/// A shared recording.
#[derive(Clone)]
pub struct SharedRecorder(Arc<Mutex<Recorder>>);

impl SharedRecorder {
    /// Shares it.
    pub fn new(recorder: Recorder) -> SharedRecorder {
        SharedRecorder(Arc::new(Mutex::new(recorder)))
    }
    /// The recording, for a moment.
    pub fn lock(&self) -> MutexGuard<'_, Recorder> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread that does not continue.
struct PendingWait {
    since: i64,
    stack: Vec<Frame>,
    /// Class and address of what it waits for.
    object: Option<(ClassId, i64)>,
    /// Its owner, and the chunk in which the owner is a constant.
    owner: (Id, u64),
    timeout: Option<i64>,
}

/// Events that have begun and not ended.
#[derive(Default)]
pub struct PendingEvents {
    waits: BTreeMap<ThreadId, PendingWait>,
    /// Bytes that threads have allocated since their last samples.
    allocated: BTreeMap<ThreadId, u64>,
    /// When the collection that is under way began.
    collection: i64,
    /// Threads without an object yet, and when they began.
    nameless: Vec<ThreadId>,
}

/// Listens to the VM for a recording.
pub struct JfrListener {
    /// The recording.
    pub recorder: SharedRecorder,
    /// What it wants at first.
    pub wants: EventSet,
}

impl Observer for JfrListener {
    fn events(&self) -> EventSet {
        self.wants
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let mut recorder = self.recorder.lock();
        let r = &mut *recorder;
        if r.state == RecordingState::Stopped {
            seen.want(EventSet::NONE);
            r.finish();
            return;
        }
        if let Event::Allocated { bytes, .. } = event
            && !r.allocates(seen, bytes as u64)
        {
            return;
        }
        if matches!(event, Event::ProfileBegins(_) | Event::Reached(_)) {
            seen.call_after(r.settings.distance);
        }
        // caches have to follow, whether the event is recorded or not
        let now = r.time(seen);
        if r.arrive(now) {
            r.event(seen, event);
        }
        match event {
            Event::ClassUnloaded(_) => r.facts.unloaded(),
            Event::ThreadEnded(t) => {
                r.facts.ended(t);
                r.open.waits.remove(&t);
                r.open.allocated.remove(&t);
            }
            _ => {}
        }
        r.turn_over();
    }
}

fn millis(nanos: Option<i64>) -> Value<'static> {
    Value::Long(nanos.unwrap_or(0) / 1_000_000)
}

impl Recorder {
    /// The running thread has allocated; whether that is a sample.
    fn allocates(&mut self, seen: &EventView<'_>, bytes: u64) -> bool {
        let Some(t) = seen.thread() else {
            return false;
        };
        let sum = self.open.allocated.entry(t).or_default();
        *sum += bytes;
        *sum >= ALLOCATED
    }
    fn thread(&mut self, seen: &mut EventView<'_>, thread: Option<ThreadId>) -> Id {
        match thread {
            Some(t) => self.facts.thread(&mut self.chunk, seen, t),
            None => Id::NONE,
        }
    }
    fn stack(&mut self, seen: &mut EventView<'_>, kind: Kind, stack: &[Frame]) -> Id {
        match self.settings.has_stack(kind) {
            true => {
                let depth = self.common.depth;
                self.facts.stack(&mut self.chunk, seen, stack, depth)
            }
            false => Id::NONE,
        }
    }
    /// The running thread, and where it is.
    fn here(&mut self, seen: &mut EventView<'_>, kind: Kind) -> (Id, Id) {
        let stack = match self.settings.has_stack(kind) {
            true => seen.stack(),
            false => Vec::new(),
        };
        let running = seen.thread();
        (self.thread(seen, running), self.stack(seen, kind, &stack))
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        match event {
            Event::Initialized => {
                self.facts.forget_threads();
                for t in std::mem::take(&mut self.open.nameless) {
                    self.started(seen, t);
                }
            }
            Event::Ended if self.settings.has(Kind::Shutdown) => {
                let values = [Value::Text(Some("The program has ended"))];
                let who = self.here(seen, Kind::Shutdown);
                self.chunk.event(Kind::Shutdown, self.now, 0, who, &values);
            }
            // the first thread has no object, and no name, until the class library has started
            Event::ThreadStarted(t) if seen.thread_object(t).is_null() => {
                self.open.nameless.push(t);
            }
            Event::ThreadStarted(t) => self.started(seen, t),
            Event::ThreadEnded(t) if self.settings.has(Kind::ThreadEnd) => {
                let t = self.thread(seen, Some(t));
                let values = [Value::Constant(t)];
                let who = (t, Id::NONE);
                self.chunk.event(Kind::ThreadEnd, self.now, 0, who, &values);
            }
            Event::ClassLoaded(class) => self.loaded(seen, class),
            Event::ClassUnloaded(class) if self.settings.has(Kind::ClassUnload) => {
                let (class, loader) = self.facts.dead_class(&mut self.chunk, seen, class);
                let values = [Value::Constant(class), Value::Constant(loader)];
                let who = (Id::NONE, Id::NONE);
                self.chunk
                    .event(Kind::ClassUnload, self.now, 0, who, &values);
            }
            Event::CollectionStarted => self.open.collection = self.now,
            Event::CollectionEnded(c) => self.collected(seen, &c),
            Event::Reached(at) if !self.sampled => self.sampled(seen, at.thread, at.stack),
            Event::Sampled(sample) => self.sampled(seen, sample.thread, sample.stack),
            Event::Allocated { object, .. } => self.allocated(seen, object),
            event => self.waiting(seen, event),
        }
    }
    fn started(&mut self, seen: &mut EventView<'_>, t: ThreadId) {
        // the VM has used it for itself
        if !self.settings.has(Kind::ThreadStart) || seen.thread_object(t).is_null() {
            return;
        }
        let (parent, stack) = self.here(seen, Kind::ThreadStart);
        let values = [self.thread(seen, Some(t)), parent].map(Value::Constant);
        let who = (parent, stack);
        self.chunk
            .event(Kind::ThreadStart, self.now, 0, who, &values);
    }
    fn loaded(&mut self, seen: &mut EventView<'_>, class: ClassId) {
        let id = self.facts.class(&mut self.chunk, seen, class);
        let loader = seen.class(class).loader;
        let loader = self.facts.loader(&mut self.chunk, seen, loader);
        let values = [id, loader, loader].map(Value::Constant);
        for (kind, fields) in [(Kind::ClassDefine, 2), (Kind::ClassLoad, 3)] {
            if self.settings.takes(kind, 0) {
                let who = self.here(seen, kind);
                self.chunk.event(kind, self.now, 0, who, &values[..fields]);
            }
        }
    }
    fn collected(&mut self, seen: &mut EventView<'_>, c: &Collection<'_>) {
        let (begin, number) = (self.open.collection, Value::Int(c.number as i32));
        let lasted = self.now - begin;
        let nobody = (Id::NONE, Id::NONE);
        for (when, at, used) in [
            ("Before GC", begin, c.before),
            ("After GC", self.now, c.after),
        ] {
            if self.settings.has(Kind::HeapSummary) {
                let when = self.chunk.text(Pool::When, when);
                let capacity = c.capacity as i64;
                let space = Value::Space(0, capacity, capacity);
                let used = Value::Long(used as i64);
                let values = [number, Value::Constant(when), space, used];
                self.chunk.event(Kind::HeapSummary, at, 0, nobody, &values);
            }
        }
        // in HotSpot's words, those of its serial collector
        let full = c.kind == "Full";
        let name = if full { "SerialOld" } else { "DefNew" };
        let name = self.chunk.text(Pool::Collector, name);
        let cause = self.chunk.text(Pool::Cause, c.cause);
        let values = [
            number,
            Value::Constant(name),
            Value::Constant(cause),
            Value::Long(lasted),
            Value::Long(lasted),
        ];
        if self.settings.takes(Kind::Collection, lasted) {
            self.chunk
                .event(Kind::Collection, begin, lasted, nobody, &values);
        }
        let (kind, values) = match full {
            true => (Kind::OldCollection, &[number][..]),
            false => (Kind::YoungCollection, &[number, Value::Int(1)][..]),
        };
        if self.settings.takes(kind, lasted) {
            self.chunk.event(kind, begin, lasted, nobody, values);
        }
        if c.cause == "System.gc()" && self.settings.takes(Kind::SystemCollection, lasted) {
            let who = self.here(seen, Kind::SystemCollection);
            let values = [Value::Bool(false)];
            let kind = Kind::SystemCollection;
            self.chunk.event(kind, begin, lasted, who, &values);
        }
    }
    fn sampled(&mut self, seen: &mut EventView<'_>, thread: ThreadId, stack: &[Frame]) {
        if !self.settings.has(Kind::ExecutionSample) {
            return;
        }
        let thread = self.thread(seen, Some(thread));
        let stack = self.stack(seen, Kind::ExecutionSample, stack);
        let state = self.chunk.text(Pool::ThreadState, "STATE_RUNNABLE");
        let values = [thread, stack, state].map(Value::Constant);
        self.plain(Kind::ExecutionSample, &values);
        let bytecodes = seen.bytecodes();
        self.plain(Kind::BytecodeCount, &[Value::Long(bytecodes)]);
    }
    fn allocated(&mut self, seen: &mut EventView<'_>, object: Ref) {
        let Some(t) = seen.thread() else {
            return;
        };
        let weight = self.open.allocated.insert(t, 0).unwrap_or(0);
        let class = seen.class_of(object);
        let class = self.facts.class(&mut self.chunk, seen, class);
        let who = self.here(seen, Kind::AllocationSample);
        let values = [Value::Constant(class), Value::Long(weight as i64)];
        self.chunk
            .event(Kind::AllocationSample, self.now, 0, who, &values);
    }
    fn waiting(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        match event {
            Event::MonitorContendedEnter { object, owner } => {
                self.waits(seen, Kind::MonitorEnter, object, owner, None);
            }
            Event::MonitorWait { object, timeout } => {
                let kind = match object.is_null() {
                    true => Kind::ThreadSleep,
                    false => Kind::MonitorWait,
                };
                self.waits(seen, kind, object, None, timeout);
            }
            Event::Park { blocker, timeout } => {
                self.waits(seen, Kind::ThreadPark, blocker, None, timeout);
            }
            Event::MonitorContendedEntered { .. } => self.goes_on(seen, Kind::MonitorEnter, false),
            Event::MonitorWaited { object, timed_out } => {
                let kind = match object.is_null() {
                    true => Kind::ThreadSleep,
                    false => Kind::MonitorWait,
                };
                self.goes_on(seen, kind, timed_out);
            }
            Event::Parked { timed_out, .. } => self.goes_on(seen, Kind::ThreadPark, timed_out),
            _ => {}
        }
    }
    fn waits(
        &mut self,
        seen: &mut EventView<'_>,
        kind: Kind,
        object: Ref,
        owner: Option<ThreadId>,
        timeout: Option<i64>,
    ) {
        let Some(t) = seen.thread().filter(|_| self.settings.has(kind)) else {
            return;
        };
        let object = object.non_null();
        let object = object.map(|o| (seen.class_of(o), (o.slot() * 8) as i64));
        let stack = match self.settings.has_stack(kind) {
            true => seen.stack(),
            false => Vec::new(),
        };
        let owner = self.thread(seen, owner);
        let waits = PendingWait {
            since: self.now,
            stack,
            object,
            owner: (owner, self.chunks),
            timeout,
        };
        self.open.waits.insert(t, waits);
    }
    fn goes_on(&mut self, seen: &mut EventView<'_>, kind: Kind, timed_out: bool) {
        let Some(t) = seen.thread() else {
            return;
        };
        let Some(w) = self.open.waits.remove(&t) else {
            return;
        };
        let lasted = self.now - w.since;
        if !self.settings.takes(kind, lasted) {
            return;
        }
        let thread = self.thread(seen, Some(t));
        let stack = self.stack(seen, kind, &w.stack);
        let (class, address) = match w.object {
            Some((class, address)) => (self.facts.class(&mut self.chunk, seen, class), address),
            None => (Id::NONE, 0),
        };
        // what readers show as nothing
        const NONE: i64 = i64::MIN;
        let (class, address) = (Value::Constant(class), Value::Long(address));
        let mut fields = Vec::new();
        match kind {
            Kind::ThreadSleep => fields.push(millis(w.timeout)),
            Kind::MonitorEnter => {
                let (owner, chunk) = w.owner;
                let owner = if chunk == self.chunks {
                    owner
                } else {
                    Id::NONE
                };
                fields.extend([class, Value::Constant(owner), address]);
            }
            Kind::MonitorWait => {
                let notifier = Value::Constant(Id::NONE);
                let timed_out = Value::Bool(timed_out);
                fields.extend([class, notifier, millis(w.timeout), timed_out, address]);
            }
            _ => {
                let timeout = Value::Long(w.timeout.unwrap_or(NONE));
                fields.extend([class, timeout, Value::Long(NONE), address]);
            }
        }
        self.chunk
            .event(kind, w.since, lasted, (thread, stack), &fields);
    }
}

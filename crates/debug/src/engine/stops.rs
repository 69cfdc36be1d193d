//! Where the VM has stopped: notes become reports, and the front end decides which threads continue.

use super::filters::{Subject, matches};
use super::objects::{NULL, ObjectId};
use super::raw::{About, Raw, RawSubject, descriptor};
use super::types::{Depth, Event, Filter, Happened, Location, Policy, Request, Shown, What};
use super::world::{Frontend, Served, Shared, World};
use rjvm_vm::debug::{CallRequest, Debugger, StepAction, StepAt};
use rjvm_vm::{ClassId, MethodId, Ref, ThreadId, Value, Vm};

/// A front end, as the VM calls it.
pub struct Front {
    shared: Shared,
    front: Box<dyn Frontend>,
}

impl Front {
    pub(super) fn new(shared: Shared, front: Box<dyn Frontend>) -> Front {
        Front { shared, front }
    }
}

impl Debugger for Front {
    fn stopped(&mut self, vm: &mut Vm) {
        let mut engine = self.shared.lock();
        let mut world = World {
            vm,
            engine: &mut engine,
        };
        world.take_raw();
        loop {
            world.settle_threads();
            for ended in world.vm.calls_ended() {
                world.call_over(ended.number);
                self.front.call_ended(&mut world, &ended);
                let cell = match ended.result {
                    Ok((b'L' | b'[', cell)) => cell as u32,
                    Ok(_) => continue,
                    Err(cell) => cell,
                };
                world.vm.heap_mut().free_cell(cell);
            }
            if let Some(happened) = world.next_report() {
                world.suspend_for(&happened);
                self.front.report(&mut world, &happened);
                continue;
            }
            if world.report_early_returns() {
                continue;
            }
            if let Some(code) = world.engine.exit {
                world.vm.end_with(code);
                break;
            }
            // what is held back is not to be passed by
            let held = world.engine.held && !world.engine.waiting.is_empty();
            let waits = world.engine.attached && (held || world.all_suspended());
            if self.front.serve(&mut world, waits) == Served::Nothing && !waits {
                break;
            }
        }
        world.arm_steps();
        world.return_early();
    }
    fn step(&mut self, vm: &mut Vm, at: StepAt) -> StepAction {
        let mut engine = self.shared.lock();
        let found = engine
            .steps
            .iter()
            .find(|(_, s)| s.thread == at.thread && s.armed && s.depth == Depth::Into);
        let Some(id) = found.map(|(id, _)| *id) else {
            return StepAction::Leave;
        };
        let class = vm.method(at.method).class;
        let request = engine.requests.iter().find(|r| r.id == id);
        let permitted =
            request.is_some_and(|r| r.filters.iter().all(|f| f.permits_class(vm, class)));
        let Some(step) = engine.steps.get_mut(&id) else {
            return StepAction::Leave;
        };
        let next = step.follow(vm, at, permitted);
        if next == StepAction::Stop {
            engine.raw.push(Raw::Hit {
                request: id,
                thread: at.thread,
                executed: -1,
                at: Location {
                    method: at.method,
                    bci: Some(at.bci),
                },
                this: None,
                subject: RawSubject::Step,
            });
        }
        next
    }
}

impl World<'_> {
    /// Makes reports of the notes.
    pub(super) fn take_raw(&mut self) {
        self.name_threads();
        let mut sets: Vec<((Option<ThreadId>, i64, bool), Happened)> = Vec::new();
        for raw in std::mem::take(&mut self.engine.raw) {
            let (key, happened) = match raw {
                Raw::Hit {
                    request,
                    thread,
                    executed,
                    at,
                    this,
                    subject,
                } => {
                    let merges = matches!(subject, RawSubject::Step | RawSubject::None);
                    let this = match at.bci {
                        Some(_) => self.this_in(thread, at.method),
                        None => this,
                    };
                    let found = self.hit(request, (thread, at, this), subject);
                    ((Some(thread), executed, merges), found)
                }
                Raw::Event {
                    thread,
                    what,
                    about,
                } => ((thread, 0, false), self.event(thread, what, about)),
                Raw::Unloaded(descriptor, watched) => {
                    if let Some(n) = watched {
                        self.vm.forget_object(n);
                    }
                    let event = Event::ClassUnload(descriptor);
                    let found = self.requested(What::ClassUnload, &Subject::default(), event);
                    ((None, 0, false), found)
                }
                Raw::VmStart(t, policy) => {
                    let happened = self.happened(Some(t), policy, vec![(0, Event::VmStart)]);
                    ((Some(t), 0, false), Some(happened))
                }
                Raw::VmDeath => {
                    // whoever asks for it has it first; it comes to all others, too
                    let requested =
                        self.requested(What::VmDeath, &Subject::default(), Event::VmDeath);
                    let mut happened =
                        requested.unwrap_or_else(|| self.happened(None, Policy::None, Vec::new()));
                    happened.events.push((0, Event::VmDeath));
                    ((None, 0, false), Some(happened))
                }
            };
            let Some(happened) = happened else { continue };
            match sets.last_mut() {
                Some((last, set)) if key.2 && *last == key => {
                    set.policy = set.policy.max(happened.policy);
                    set.events.extend(happened.events);
                }
                // requests for the same other thing at the same place
                Some((last, set)) if key.1 != 0 && *last == key && same_kind(set, &happened) => {
                    set.policy = set.policy.max(happened.policy);
                    set.events.extend(happened.events);
                }
                _ => sets.push((key, happened)),
            }
        }
        for (_, mut set) in sets {
            self.add_breakpoints(&mut set);
            set.events.sort_by_key(|(_, e)| match e {
                Event::MethodEntry(_) => 0,
                Event::Step(_) => 1,
                _ => 2,
            });
            self.engine.waiting.push(set);
        }
    }
    fn happened(
        &mut self,
        thread: Option<ThreadId>,
        policy: Policy,
        events: Vec<(u32, Event)>,
    ) -> Happened {
        let thread_object = thread.map_or(NULL, |t| self.thread_object(t));
        Happened {
            policy,
            thread,
            thread_object,
            events,
        }
    }
    /// Breakpoints where a step has ended, or a method has been entered, belong to the same moment.
    fn add_breakpoints(&mut self, set: &mut Happened) {
        let at = set.events.iter().find_map(|(_, e)| match e {
            Event::Step(at) | Event::MethodEntry(at) => Some(*at),
            _ => None,
        });
        let (Some(at), Some(t)) = (at, set.thread) else {
            return;
        };
        if at.bci.is_none()
            || set
                .events
                .iter()
                .any(|(_, e)| matches!(e, Event::Breakpoint(_)))
        {
            return;
        }
        let here = |r: &Request| {
            let is = |f: &Filter| matches!(f, Filter::Location(l) if *l == at);
            r.what == What::Breakpoint && r.filters.iter().any(is)
        };
        let ids: Vec<u32> = self
            .engine
            .requests
            .iter()
            .filter(|r| here(r))
            .map(|r| r.id)
            .collect();
        if ids.is_empty() {
            return;
        }
        for id in ids {
            let this = self.this_in(t, at.method);
            if let Some(found) = self.hit(id, (t, at, this), RawSubject::None) {
                set.policy = set.policy.max(found.policy);
                set.events.extend(found.events);
            }
        }
        self.vm.note_reported(t);
    }
    /// The report for an instrument's hit, if the conditions of its request are fulfilled.
    fn hit(
        &mut self,
        id: u32,
        (t, at, this): (ThreadId, Location, Option<Ref>),
        raw: RawSubject,
    ) -> Option<Happened> {
        let i = self.engine.requests.iter().position(|r| r.id == id)?;
        let what = self.engine.requests[i].what;
        let class = self.vm.method(at.method).class;
        let mut subject = Subject {
            thread: Some(t),
            class: Some(class),
            at: Some(at),
            this,
            ..Subject::default()
        };
        let event = match (what, raw) {
            (What::Step(..), _) => {
                if let Some(step) = self.engine.steps.get_mut(&id) {
                    step.armed = false;
                }
                Event::Step(at)
            }
            (What::Breakpoint, _) => Event::Breakpoint(at),
            (What::MethodEntry, _) => Event::MethodEntry(Location {
                bci: at.bci.map(|_| 0),
                ..at
            }),
            (What::MethodExit(wanted), RawSubject::Value(letter, bits)) => {
                Event::MethodExit(at, wanted.then_some(Shown::Plain(letter, bits)))
            }
            (What::MethodExit(wanted), RawSubject::Object(watched)) => {
                let object = watched.map_or(NULL, |n| self.engine.objects.adopt(self.vm, n));
                Event::MethodExit(at, wanted.then_some(Shown::Object(object)))
            }
            (What::Exception, RawSubject::Exception(e)) => {
                let caught = self.vm.catcher(t, e).map(|(method, bci)| Location {
                    method,
                    bci: Some(bci),
                });
                subject.exception = Some((e, caught.is_some()));
                Event::Exception {
                    at,
                    exception: self.engine.objects.id(self.vm, e),
                    caught,
                }
            }
            (
                What::FieldAccess | What::FieldWrite,
                RawSubject::Field {
                    class,
                    name,
                    descriptor,
                    object,
                    value,
                },
            ) => {
                // one of null throws instead
                if object.is_some_and(Ref::is_null) {
                    return None;
                }
                let (holder, index) = self.field(at.method, &class, &name, &descriptor)?;
                subject.field = Some((holder, index));
                Event::Field {
                    at,
                    holder,
                    index,
                    object: object.map_or(NULL, |o| self.engine.objects.id(self.vm, o)),
                    value: value.map(|(letter, v)| match v {
                        Value::Ref(r) => Shown::Object(self.engine.objects.id(self.vm, r)),
                        v => Shown::Plain(letter, v.slot()),
                    }),
                }
            }
            _ => return None,
        };
        let (passes, last) = self.passes(i, &subject);
        if !passes {
            return None;
        }
        let policy = self.engine.requests[i].policy;
        if last {
            self.clear_requests(|r| r.id == id);
        }
        Some(self.happened(Some(t), policy, vec![(id, event)]))
    }
    /// The field that an instruction of a method names.
    fn field(
        &mut self,
        m: MethodId,
        class: &str,
        name: &str,
        desc: &str,
    ) -> Option<(ClassId, usize)> {
        let loader = self.vm.class(self.vm.method(m).class).loader;
        let symbols = self.vm.symbols();
        let (name, desc) = (symbols.find(name)?, symbols.find(desc)?);
        let internal = class.replace('.', "/");
        let env = self.vm.env();
        let found = env.find_loaded(loader, &internal);
        let named = found.or_else(|| {
            // the class with the request may be known to other loaders only
            let known = |r: &Request| {
                r.filters.iter().find_map(|f| match f {
                    Filter::Field { holder, .. } => Some(*holder),
                    _ => None,
                })
            };
            let mut all = self.engine.requests.iter().filter_map(known);
            all.find(|&c| *self.vm.class(c).name == *internal)
        })?;
        let (holder, index) = self.vm.env().find_field(named, name, desc)?;
        Some((holder, index as usize))
    }
    /// `this` of the top frame of a thread, if that is still one of the method it was in.
    fn this_in(&mut self, t: ThreadId, was: MethodId) -> Option<Ref> {
        let wants = self
            .engine
            .requests
            .iter()
            .any(|r| r.filters.iter().any(|f| matches!(f, Filter::Instance(_))));
        if !wants {
            return None;
        }
        let frames = self.vm.debug_frames(t);
        let top = frames.first().filter(|top| top.method == was)?;
        match (self.vm.method(top.method).is_static(), top.locals.first()) {
            (false, Some((b'A', Value::Ref(r)))) => r.non_null(),
            _ => None,
        }
    }
    /// The report for an event of the VM, if it is requested.
    fn event(&mut self, thread: Option<ThreadId>, what: What, about: About) -> Option<Happened> {
        let mut subject = Subject {
            thread,
            ..Subject::default()
        };
        let event = match about {
            About::Class(c) => {
                subject.class = Some(c);
                Event::ClassPrepare(c)
            }
            About::Thread(object) => {
                let object = object.map_or(NULL, |n| self.engine.objects.adopt(self.vm, n));
                let event = match what {
                    What::ThreadStart => Event::ThreadStart,
                    _ => Event::ThreadEnd,
                };
                subject.thread_object = self.engine.objects.get(self.vm, object);
                let mut found = self.requested(what, &subject, event)?;
                found.thread_object = object;
                return Some(found);
            }
            About::Monitor {
                object,
                at,
                timeout,
                timed_out,
            } => {
                let object = object.map_or(NULL, |n| self.engine.objects.adopt(self.vm, n));
                let at = at?;
                // the class of the object, for what waits; of the place for what enters
                let class = match what {
                    What::MonitorWait | What::MonitorWaited => self.class_of_object(object),
                    _ => Some(self.vm.method(at.method).class),
                };
                (subject.class, subject.at) = (class, Some(at));
                subject.this = match (what, at.bci) {
                    // the native method that waits is one of the object, wherever the thread has come to since
                    (What::MonitorWait | What::MonitorWaited, _) => {
                        self.engine.objects.get(self.vm, object)
                    }
                    (_, Some(_)) => self.this_in(thread?, at.method),
                    (_, None) => None,
                };
                Event::Monitor {
                    what,
                    at,
                    object,
                    timeout,
                    timed_out,
                }
            }
        };
        self.requested(what, &subject, event)
    }
    fn class_of_object(&mut self, object: ObjectId) -> Option<ClassId> {
        let r = self.engine.objects.get(self.vm, object)?;
        Some(self.vm.class_of(r))
    }
    /// The requests for something whose conditions are fulfilled.
    fn requested(&mut self, what: What, subject: &Subject, event: Event) -> Option<Happened> {
        let ids: Vec<u32> = {
            let all = self.engine.requests.iter();
            all.filter(|r| r.what == what).map(|r| r.id).collect()
        };
        let (mut events, mut policy) = (Vec::new(), Policy::None);
        for id in ids {
            let Some(i) = self.engine.requests.iter().position(|r| r.id == id) else {
                continue;
            };
            // there is no class any more, only its name
            if let Event::ClassUnload(d) = &event
                && !self.engine.requests[i].filters.iter().all(|f| names(f, d))
            {
                continue;
            }
            let (passes, last) = self.passes(i, subject);
            if passes {
                policy = policy.max(self.engine.requests[i].policy);
                events.push((id, event.clone()));
                if last {
                    self.clear_requests(|r| r.id == id);
                }
            }
        }
        (!events.is_empty()).then(|| self.happened(subject.thread, policy, events))
    }
    /// The next report: none while its thread is suspended, or reports are held.
    fn next_report(&mut self) -> Option<Happened> {
        if !self.engine.attached {
            let triggers = &self.engine.triggers;
            let of = |h: &Happened| h.events.iter().any(|e| triggers.contains(&e.0));
            self.engine.waiting.retain(of);
        }
        if self.engine.held {
            return None;
        }
        let ready = |w: &World<'_>, h: &Happened| match h.thread {
            Some(t) => w.suspend_count(t) == 0,
            None => !w.all_suspended(),
        };
        let first = self.engine.waiting.first()?;
        if !ready(self, first) {
            return None;
        }
        Some(self.engine.waiting.remove(0))
    }
    fn suspend_for(&mut self, happened: &Happened) {
        self.suspend_by(happened.policy, happened.thread);
    }
    /// Has a thread that an event has suspended make a call; its number. All others continue meanwhile, unless it is `alone`.
    pub fn call(&mut self, t: ThreadId, mut call: CallRequest, alone: bool) -> Option<u64> {
        if self.suspend_count(t) == 0 || !self.engine.at_event.contains(&t) {
            return None;
        }
        let number = self.engine.next_call;
        call.number = number;
        if !self.vm.ask_call(t, call) {
            return None;
        }
        self.engine.next_call += 1;
        self.engine.calls.insert(number, (t, alone));
        match alone {
            true => self.resume(t),
            false => self.resume_all(),
        }
        Some(number)
    }
    /// Whether a thread has a call under way.
    pub fn is_calling(&self, t: ThreadId) -> bool {
        self.engine.calls.values().any(|c| c.0 == t)
    }
    fn call_over(&mut self, number: u64) {
        let Some((t, alone)) = self.engine.calls.remove(&number) else {
            return;
        };
        match alone {
            true => self.suspend(t),
            false => self.suspend_all(),
        }
        self.engine.at_event.insert(t);
    }
}

/// Whether two reports are of the same kind of thing.
fn same_kind(a: &Happened, b: &Happened) -> bool {
    match (a.events.first(), b.events.first()) {
        (Some((_, a)), Some((_, b))) => std::mem::discriminant(a) == std::mem::discriminant(b),
        _ => false,
    }
}

/// Whether a condition permits a class that is only a descriptor any more.
fn names(f: &Filter, of: &str) -> bool {
    let name = of
        .trim_start_matches('L')
        .trim_end_matches(';')
        .replace('/', ".");
    match f {
        Filter::ClassMatch(p) => matches(&name, p),
        Filter::ClassExclude(p) => !matches(&name, p),
        _ => true,
    }
}

/// The descriptor of a class.
pub fn descriptor_of(vm: &Vm, c: ClassId) -> String {
    use rjvm_vm::classes::ClassKind;
    let class = vm.class(c);
    match class.kind {
        ClassKind::Primitive(letter) => char::from(letter).to_string(),
        _ => descriptor(&class.name),
    }
}

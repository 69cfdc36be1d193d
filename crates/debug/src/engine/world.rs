//! The state of the engine, and a stopped VM with it.

use super::objects::{ObjectId, Objects};
use super::raw::{About, Raw};
use super::step::Step;
use super::types::{Filter, Happened, Policy, Request, What};
use hashbrown::{HashMap, HashSet};
use rjvm_vm::debug::CallEnded;
use rjvm_vm::events::ObserverId;
use rjvm_vm::{ThreadId, Value, Vm};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a front end has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Served {
    /// It has seen to something.
    Something,
    /// There was nothing.
    Nothing,
}

/// What decides what a stopped VM does.
pub trait Frontend: Send {
    /// Something has happened.
    fn report(&mut self, world: &mut World<'_>, happened: &Happened);
    /// A call has ended that was asked for.
    fn call_ended(&mut self, world: &mut World<'_>, ended: &CallEnded);
    /// Sees to what somebody asks for. `waits`: nothing goes on otherwise, so it may wait for that.
    fn serve(&mut self, world: &mut World<'_>, waits: bool) -> Served;
}

/// The engine of a VM.
pub struct Engine {
    pub(super) observer: Option<ObserverId>,
    pub(crate) requests: Vec<Request>,
    pub(super) next_request: u32,
    pub(super) raw: Vec<Raw>,
    /// Threads that have begun without an object, which the host constructs later.
    pub(super) nameless: Vec<ThreadId>,
    pub(crate) objects: Objects,
    pub(super) counts: Counts,
    pub(super) steps: HashMap<u32, Step>,
    /// Threads that were suspended by an event, and have not gone on since.
    pub(crate) at_event: HashSet<ThreadId>,
    /// Threads that have a call under way, by its number, and whether all others went on for it.
    pub(super) calls: HashMap<u64, (ThreadId, bool)>,
    pub(super) next_call: u64,
    /// Reports wait.
    pub(crate) held: bool,
    pub(super) waiting: Vec<Happened>,
    /// How often each thread has gone on: by it, frames are known to be old.
    pub(super) generations: HashMap<ThreadId, u32>,
    /// The exit code that the front end wants.
    pub(crate) exit: Option<i32>,
    /// What threads return from their top frames when they go on.
    pub(super) early: HashMap<ThreadId, EarlyReturn>,
    /// Requests of the front end's own, which are reported though nobody is attached.
    pub(super) triggers: Vec<u32>,
    /// Somebody is attached.
    pub(super) attached: bool,
}

/// An engine, as its parts share it.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Engine>>);

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, Engine> {
        // what it protects is whole at any time
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    pub(super) fn try_lock(&self) -> Option<MutexGuard<'_, Engine>> {
        self.0.try_lock().ok()
    }
}

/// A stopped VM with its engine.
pub struct World<'a> {
    /// The VM.
    pub vm: &'a mut Vm,
    /// The engine.
    pub engine: &'a mut Engine,
}

/// A return that somebody has asked for.
pub(super) struct EarlyReturn {
    pub value: Value,
    /// The root cell of an object.
    pub cell: Option<u32>,
    /// Requests about exits of methods have been served.
    pub reported: bool,
}

/// How often each thread is suspended.
#[derive(Default)]
pub(super) struct Counts {
    pub of: HashMap<ThreadId, u32>,
    /// How often all are: so often are those that begin then.
    pub all: u32,
    /// How often threads are that have not begun, by their objects: so often they are when they begin.
    pub idle: HashMap<ObjectId, u32>,
    /// Living threads that have been looked at once: whether they begin suspended is settled.
    pub settled: HashSet<ThreadId>,
}

impl Shared {
    /// An engine that nothing has been asked of.
    pub(super) fn new() -> Shared {
        Shared(Arc::new(Mutex::new(Engine {
            observer: None,
            requests: Vec::new(),
            next_request: 1,
            raw: Vec::new(),
            nameless: Vec::new(),
            objects: Objects::default(),
            counts: Counts::default(),
            steps: HashMap::new(),
            at_event: HashSet::new(),
            calls: HashMap::new(),
            next_call: 1,
            held: false,
            waiting: Vec::new(),
            generations: HashMap::new(),
            exit: None,
            early: HashMap::new(),
            triggers: Vec::new(),
            attached: false,
        })))
    }
}

impl Shared {
    /// Reports that the VM has started, in this thread; with a policy, threads are suspended first.
    pub fn vm_starts(&self, vm: &mut Vm, thread: ThreadId, policy: Policy) {
        // the front end opens its ways, and perhaps waits for somebody
        vm.call_debugger();
        self.lock().raw.push(Raw::VmStart(thread, policy));
        vm.call_debugger();
        // whoever has asked for it by now learns that this thread has begun, too
        let object = vm.a_thread(thread).object.non_null();
        let start = Raw::Event {
            thread: Some(thread),
            what: What::ThreadStart,
            about: About::Thread(object.map(|r| vm.watch_object(r))),
        };
        self.lock().raw.push(start);
        vm.call_debugger();
    }
    /// Reports that the VM ends.
    pub fn vm_ends(&self, vm: &mut Vm) {
        self.lock().raw.push(Raw::VmDeath);
        vm.call_debugger();
    }
}

impl World<'_> {
    /// Somebody is attached from now on, or no longer: then none of the requests is left.
    pub fn attach(&mut self, attached: bool) {
        self.engine.attached = attached;
        self.vm.debugger_attached(attached);
        if !attached {
            self.clear_requests(|_| true);
            self.engine.held = false;
            self.engine.waiting.clear();
            self.engine.raw.clear();
            self.resume_everything();
            let mut objects = std::mem::take(&mut self.engine.objects);
            objects.clear(self.vm);
        }
    }
    /// Its events are reported though nobody is attached, until somebody is.
    pub fn trigger(&mut self, what: What, filters: Vec<Filter>) {
        if let Ok(id) = self.request(what, Policy::None, filters) {
            self.engine.triggers.push(id);
        }
    }
    /// No such request is pending any more.
    pub fn clear_triggers(&mut self) {
        let triggers = std::mem::take(&mut self.engine.triggers);
        self.clear_requests(|r| triggers.contains(&r.id));
    }
    /// Suspends what a policy says, for something that has happened in a thread.
    pub fn suspend_by(&mut self, policy: Policy, thread: Option<ThreadId>) {
        match (policy, thread) {
            (Policy::All, _) => self.suspend_all(),
            (Policy::Thread, Some(t)) if self.vm.a_thread(t).is_alive() => self.suspend(t),
            _ => return,
        }
        self.engine.at_event.extend(thread);
    }
    /// The VM ends with this code as soon as it goes on.
    pub fn exit(&mut self, code: i32) {
        self.engine.exit = Some(code);
    }
    /// The number of a thread's object; [`NULL`](super::NULL) if it has none.
    pub fn thread_object(&mut self, t: ThreadId) -> ObjectId {
        let object = self.vm.a_thread(t).object;
        self.engine.objects.id(self.vm, object)
    }
}

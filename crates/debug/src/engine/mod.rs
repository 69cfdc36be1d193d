//! The engine: what a debugger asks of a VM, in the VM's own terms.
//!
//! Requests are instruments and events of the VM ([`requests`]). Where one is hit ([`hits`]), the VM stops between two bytecodes. There
//! it lets the engine decide what is reported ([`stops`]), and the front end what becomes of the threads ([`suspend`]). While all of
//! them are suspended the VM stands still, so neither counts nor the schedule know that it has stopped.

mod filters;
mod hits;
mod objects;
mod requests;
mod steps;
mod stops;
mod suspend;

pub use filters::Filter;
pub use filters::source_file;
pub use objects::{NULL, ObjectId, Objects};
pub use requests::Refused;
pub use requests::{Depth, Request, Size, What};
pub use stops::{Front, Served, descriptor_of};
pub use suspend::Policy;

use hashbrown::{HashMap, HashSet};
use hits::{Hits, Raw};
use rjvm_vm::debug::CallEnded;
use rjvm_vm::events::SubscriberId;
use rjvm_vm::instruments::SharedListenerId;
use rjvm_vm::{ClassId, MethodId, ThreadId, Value, Vm};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use steps::Step;
use suspend::Counts;

/// Most requests that a front end may have at a time.
pub const MOST_REQUESTS: usize = 1 << 16;

/// A place in the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// The method.
    pub method: MethodId,
    /// Index of its bytecode; none in a native method.
    pub bci: Option<u16>,
}

/// A value that is reported.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shown {
    /// Of a primitive type, by the first letter of its descriptor; `V`: none.
    Plain(u8, u64),
    /// An object, or null.
    Object(ObjectId),
}

/// What has happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A step has come to its end here.
    Step(Location),
    /// A breakpoint.
    Breakpoint(Location),
    /// A method has been entered.
    MethodEntry(Location),
    /// A method returns, with this result if it is wanted.
    MethodExit(Location, Option<Shown>),
    /// An exception is thrown.
    Exception {
        /// Where.
        at: Location,
        /// The exception.
        exception: ObjectId,
        /// Where it is caught, if a method on the stack does so.
        caught: Option<Location>,
    },
    /// A class has been linked.
    ClassPrepare(ClassId),
    /// A class has been unloaded: its descriptor.
    ClassUnload(String),
    /// A field is read, or (with a value) written.
    Field {
        /// Where.
        at: Location,
        /// The class that declares it.
        holder: ClassId,
        /// Which of its fields.
        index: usize,
        /// Whose; null for a static one.
        object: ObjectId,
        /// What is written.
        value: Option<Shown>,
    },
    /// A thread begins.
    ThreadStart,
    /// A thread ends.
    ThreadEnd,
    /// Something happens to the monitor of an object.
    Monitor {
        /// What.
        what: What,
        /// Where.
        at: Location,
        /// The object.
        object: ObjectId,
        /// How long it waits at most, in milliseconds.
        timeout: i64,
        /// Whether the time was over.
        timed_out: bool,
    },
    /// The VM has started.
    VmStart,
    /// The VM ends.
    VmDeath,
}

/// Events that have happened at the same moment, in the order in which they are reported.
#[derive(Clone, PartialEq, Debug)]
pub struct Happened {
    /// Which threads are suspended.
    pub policy: Policy,
    /// The thread they have happened in.
    pub thread: Option<ThreadId>,
    /// The object of that thread, which may have ended meanwhile.
    pub thread_object: ObjectId,
    /// The requests (0: none, the VM's own) and what they asked for.
    pub events: Vec<(u32, Event)>,
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
    shared: Option<Shared>,
    listener: Option<SharedListenerId>,
    subscriber: Option<SubscriberId>,
    pub(crate) requests: Vec<Request>,
    next_request: u32,
    raw: Vec<Raw>,
    pub(crate) objects: Objects,
    counts: Counts,
    steps: HashMap<u32, Step>,
    /// Threads that were suspended by an event, and have not gone on since.
    pub(crate) at_event: HashSet<ThreadId>,
    /// Threads that have a call under way, by its number, and whether all others went on for it.
    calls: HashMap<u64, (ThreadId, bool)>,
    next_call: u64,
    /// Reports wait.
    pub(crate) held: bool,
    waiting: Vec<Happened>,
    /// How often each thread has gone on: by it, frames are known to be old.
    generations: HashMap<ThreadId, u32>,
    /// The exit code that the front end wants.
    pub(crate) exit: Option<i32>,
    /// What threads return from their top frames when they go on; objects are in root cells.
    early: HashMap<ThreadId, (Value, Option<u32>)>,
    /// Requests of the front end's own, which are reported though nobody is attached.
    triggers: Vec<u32>,
    /// Somebody is attached.
    attached: bool,
}

/// An engine, as its parts share it.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Engine>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Engine> {
        // what it protects is whole at any time
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn try_lock(&self) -> Option<MutexGuard<'_, Engine>> {
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

impl Engine {
    /// Gives a VM, whose options must be [`debuggable`](rjvm_vm::vm::Options::debuggable), an engine with a front end.
    pub fn install(vm: &mut Vm, front: Box<dyn Frontend>) -> Shared {
        assert!(vm.options().debuggable, "the VM is not made for a debugger");
        let shared = Shared(Arc::new(Mutex::new(Engine {
            shared: None,
            listener: None,
            subscriber: None,
            requests: Vec::new(),
            next_request: 1,
            raw: Vec::new(),
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
        })));
        let listener = vm.add_shared_listener(Box::new(Hits(shared.clone())));
        let subscriber = vm.subscribe(Box::new(Hits(shared.clone())));
        {
            let mut engine = shared.lock();
            engine.shared = Some(shared.clone());
            (engine.listener, engine.subscriber) = (Some(listener), Some(subscriber));
        }
        vm.set_debugger(Some(Box::new(Front::new(shared.clone(), front))));
        shared
    }
}

impl Shared {
    /// Reports that the VM has started, in this thread; with a policy, threads are suspended first.
    pub fn vm_starts(&self, vm: &mut Vm, thread: ThreadId, policy: Policy) {
        // the front end opens its ways, and perhaps waits for somebody
        vm.call_debugger();
        self.lock().raw.push(Raw::VmStart(thread, policy));
        vm.call_debugger();
    }
    /// Reports that the VM ends.
    pub fn vm_ends(&self, vm: &mut Vm) {
        self.lock().raw.push(Raw::VmDeath);
        vm.call_debugger();
    }
}

impl World<'_> {
    /// Somebody is attached from now on, or no longer: then nothing is left of what it has asked for.
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
    /// What this asks for is reported though nobody is attached, until somebody is.
    pub fn trigger(&mut self, what: What, filters: Vec<Filter>) {
        if let Ok(id) = self.request(what, Policy::None, filters) {
            self.engine.triggers.push(id);
        }
    }
    /// Nothing is asked for in that way any more.
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
    /// The number of a thread's object; [`NULL`] if it has none.
    pub fn thread_object(&mut self, t: ThreadId) -> ObjectId {
        let object = self.vm.a_thread(t).object;
        self.engine.objects.id(self.vm, object)
    }
}

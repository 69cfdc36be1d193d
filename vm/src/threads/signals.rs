//! Signals: a system thread that hands those that arrive to `jdk.internal.misc.Signal`, and SIGQUIT.

use super::Wait;
pub use super::arrived::{Signals, SystemStep};
use super::phase::Phase;
use crate::events::{Event, EventSet};
use crate::ids::{Ref, ThreadId};
use crate::jdk::{self, calls};
use crate::natives::Env;
use crate::throw::R;
use crate::vm::Vm;
pub use crate::vm::hooks::{RequestQueue, Snapshot};

/// Its effect is a thread dump.
const SIGQUIT: i32 = 3;
/// Its effect is a snapshot, if the host takes any.
const SIGUSR1: i32 = libc::SIGUSR1;
/// Handlers of the JDK's own: of `java.lang.Terminator`, and the system's two.
const OWN_HANDLERS: [&str; 2] = [
    "java/lang/Terminator$1",
    "jdk/internal/misc/Signal$NativeHandler",
];

/// Of the VM's own threads.
const SYSTEM_PRIORITY: i32 = 9;

impl Vm {
    /// Starts the thread "Signal Dispatcher". To be called once, when the main thread can construct
    /// objects; until then signals have the effect the host gives them.
    pub fn start_signal_dispatcher(&mut self) -> R<()> {
        let phase = Phase::Signals(SystemStep::Constructed);
        let t = self.spawn_system_thread("Signal Dispatcher", phase)?;
        self.sched.signals.dispatcher = Some(t);
        // refused by a host without signals: then none ever arrive
        let _ = self.host().watch_signal(SIGQUIT);
        if self.hooks.snapshot.is_some() {
            let _ = self.host().watch_signal(SIGUSR1);
        }
        Ok(())
    }
    /// Starts a daemon in the system's group, which constructs its `Thread` object first.
    pub(super) fn spawn_system_thread(&mut self, name: &str, phase: Phase) -> R<ThreadId> {
        let class = self.loaded.known.thread;
        let object = self.alloc_object(class)?;
        let name = self.new_string(name)?;
        let group = self.system_group();
        // the constructor inherits from the current thread, which is this one
        self.set_thread_group(object, group);
        self.set_thread_priority(object, SYSTEM_PRIORITY);
        self.set_daemon(object);
        let init = self.jdk_method(class, calls::thread::INIT);
        let args = [object, group, name].map(crate::Value::Ref);
        let t = self.spawn_thread(object, init, &args, self.options.stack_bytes)?;
        let thread = &mut self.threads[t.0 as usize];
        thread.phase = phase;
        (thread.in_main, thread.started_in_main) = (false, false);
        Ok(t)
    }
    /// The current thread, whose object is constructed, joins its group.
    pub(super) fn join_system_group(&mut self, then: Phase) {
        let cur = self.cur;
        let object = self.thread().object;
        // the constructor has reset the fields, or made the place for them
        self.set_daemon(object);
        if self.threads_have_holders() {
            self.set_thread_priority(object, SYSTEM_PRIORITY);
            // the class is there: its constructor has drawn a number
            let _ = self.number_own_thread(object);
        }
        let system = self.is_system(cur);
        self.thread().system = system;
        self.join_group(then);
    }
    /// The current thread joins its group, where groups know their threads.
    pub(super) fn join_group(&mut self, then: Phase) {
        let cur = self.cur;
        let thread = self.thread();
        thread.phase = then;
        let object = thread.object;
        let (method, args) = match self.has_method(calls::thread_group::ADD) {
            Some(add) => {
                let group = self.thread_group_of(object);
                let add = self.jdk_method(self.loaded.known.thread_group, add);
                (add, smallvec::smallvec![group.0 as u64, object.0 as u64])
            }
            // groups do not know their threads: nothing is left to do before the next phase
            None => {
                let nothing = self.jdk_method(self.loaded.known.object, calls::object::INIT);
                (nothing, smallvec::smallvec![object.0 as u64])
            }
        };
        let args: smallvec::SmallVec<[u64; 2]> = args;
        crate::interp::start_call(self, cur, method, &args);
        self.enqueue_first(cur);
    }
    /// Sets the action on SIGUSR1, between the turns of two threads. Call it before the signals' dispatcher starts.
    pub fn on_snapshot(&mut self, snapshot: Snapshot) {
        self.hooks.snapshot = Some(snapshot);
    }
    /// Sets the action on SIGQUIT after the threads have been dumped, between the turns of two threads.
    pub fn on_quit(&mut self, then: Snapshot) {
        self.hooks.at_quit = Some(then);
    }
    /// A snapshot is taken before the next turn of a thread, if the host takes any.
    pub fn want_snapshot(&mut self) {
        self.sched.signals.snapshot_wanted = true;
    }
    /// The program has ended: a snapshot that was requested in its last turn is taken now.
    pub fn take_last_snapshot(&mut self) {
        if std::mem::take(&mut self.sched.signals.snapshot_wanted) {
            self.take_snapshot();
        }
    }
    /// Opens a queue of requests: from when the signals' dispatcher runs, on.
    pub fn set_request_queue(&mut self, request_queue: Box<dyn RequestQueue>) {
        self.hooks.request_queue = Some(request_queue);
    }
    /// Notifies observers that the VM is between the turns of two threads.
    pub(super) fn show_turn(&mut self) {
        if self.wants(EventSet::TURNS) {
            self.emit(Event::Turn);
        }
    }
    /// The root of the thread groups: of the signals' dispatcher, if it runs, which is alive at each request from outside.
    pub(super) fn system_group(&mut self) -> Ref {
        let from = self.sched.signals.dispatcher.unwrap_or(self.cur);
        let object = self.threads[from.0 as usize].object;
        let mut group = self.thread_group_of(object);
        while let Some(parent) = self.get(group, jdk::thread_group::PARENT).non_null() {
            group = parent;
        }
        group
    }
    fn set_daemon(&mut self, object: Ref) {
        self.set_thread_daemon(object, true);
    }
    /// The dispatcher's bottom method has returned.
    pub(super) fn signal_step(&mut self, step: SystemStep, result: Result<crate::Value, Ref>) {
        let cur = self.cur;
        if let Err(exception) = result {
            let class = self.class(self.class_of(exception)).dotted();
            self.print_error(&format!(
                "Exception {class} occurred dispatching a signal\n"
            ));
        }
        match step {
            SystemStep::Constructed => self.join_system_group(Phase::Signals(SystemStep::Serve)),
            SystemStep::Serve => match self.sched.signals.queue.pop_front() {
                Some(n) => {
                    self.start_dispatch(cur, n);
                    self.enqueue(cur);
                }
                None => self.set_waiting(cur, Wait::Event("signals"), None),
            },
        }
    }
    fn start_dispatch(&mut self, t: ThreadId, number: i32) {
        let class = self.boot_class("jdk/internal/misc/Signal");
        let dispatch = self.jdk_method(class, calls::signal::DISPATCH);
        crate::interp::start_call(self, t, dispatch, &[number as u32 as u64]);
    }
    fn take_snapshot(&mut self) {
        self.with_hook(|h| &mut h.snapshot, |snapshot, vm| snapshot(vm));
    }
    /// While the debugger has the VM wait: carries out what tools request. In a recorded run and in its replay they wait, too.
    pub fn answer_tools(&mut self) {
        if self.sched.signals.dispatcher.is_some() && !self.host_counts {
            self.take_arrived();
        }
    }
    /// Takes the signals that have arrived from the host.
    pub(super) fn take_signals(&mut self) {
        let Some(t) = self.sched.signals.dispatcher else {
            return;
        };
        self.take_arrived();
        let idle = matches!(
            self.threads[t.0 as usize].state,
            super::ThreadState::Waiting {
                on: Wait::Event(_),
                ..
            }
        );
        if idle && let Some(n) = self.sched.signals.queue.pop_front() {
            self.start_dispatch(t, n);
            self.make_runnable(t, None);
        }
    }
    fn take_arrived(&mut self) {
        if std::mem::take(&mut self.sched.signals.snapshot_wanted) {
            self.take_snapshot();
        }
        while let Some(n) = self.host().take_signal() {
            if n == SIGQUIT {
                if self.with_hook(|h| &mut h.request_queue, |queue, vm| queue.poll(vm))
                    == Some(true)
                {
                    continue;
                }
                let dump = self.thread_dump(self.options.print_concurrent_locks);
                self.print_to(1, &dump);
                if self.hooks.at_quit.is_some() {
                    self.settle_heap();
                    self.with_hook(|h| &mut h.at_quit, |then, vm| then(vm));
                }
            } else if n == SIGUSR1 && self.hooks.snapshot.is_some() {
                self.take_snapshot();
            } else {
                if self.wants(EventSet::SIGNALS) {
                    self.emit(Event::Signal(n));
                }
                self.sched.signals.queue.push_back(n);
            }
        }
        let request_queue = self.hooks.request_queue.as_ref();
        if request_queue.is_some_and(|request_queue| request_queue.is_wanted()) {
            self.settle_heap();
            self.with_hook(|h| &mut h.request_queue, |queue, vm| queue.serve(vm));
        }
    }
    /// Whether the program has its own shutdown hooks or signal handlers: a signal would run them, and they may let its threads
    /// continue (a server that waits for its own end).
    pub(super) fn expects_signals(&mut self) -> bool {
        if self.sched.signals.dispatcher.is_none() {
            return false;
        }
        crate::classes::library::or_fault(self.has_hooks_or_handlers())
    }
    fn has_hooks_or_handlers(&self) -> R<bool> {
        if self.is_loaded(jdk::application_shutdown_hooks::CLASS) {
            let hooks = self.get_static(jdk::application_shutdown_hooks::HOOKS)?;
            if !hooks.is_null() && self.get(hooks, jdk::identity_hash_map::SIZE)? > 0 {
                return Ok(true);
            }
        }
        if !self.is_loaded(jdk::signal::CLASS) {
            return Ok(false);
        }
        let handlers = self.get_static(jdk::signal::HANDLERS)?;
        if handlers.is_null() {
            return Ok(false);
        }
        let table = self.get(handlers, jdk::hashtable::TABLE)?;
        for i in 0..self.heap.len(table) {
            let mut entry = self.heap.elem_ref(table, i);
            while !entry.is_null() {
                let handler = self.get(entry, jdk::hashtable_entry::VALUE)?;
                if !OWN_HANDLERS.contains(&&*self.name(self.class_of(handler))) {
                    return Ok(true);
                }
                entry = self.get(entry, jdk::hashtable_entry::NEXT)?;
            }
        }
        Ok(false)
    }
}

impl Env {
    /// Whether the program may not handle the signals that end it (`-Xrs`).
    pub fn reduces_signals(&self) -> bool {
        self.0.options.reduce_signals
    }
    /// The program handles a signal itself.
    pub fn gives_signal(&mut self, number: i32) {
        if number == SIGUSR1 {
            self.0.hooks.snapshot = None;
        }
    }
}

//! From a VM with its classes to a running class library, by the boot sequence of its JDK; and the calls a
//! host makes on its own thread.

mod lookup;
mod redefine;
mod sequence;

use crate::cancel::Halt;
use crate::events::{Event, EventSet};
use crate::fault::Fault;
use crate::ids::{ClassId, MethodId, Ref, ThreadId};
use crate::interp::Outcome;
use crate::jdk::{JdkMethod, calls};
use crate::threads::shutdown;
use crate::throw::{Cont, R, Throw};
use crate::value::Value;
use crate::vm::Vm;
use std::sync::Arc;

/// What a call on the host's thread came to, when it did not return a value.
#[derive(Debug)]
pub enum CallStop {
    /// It threw this exception.
    Threw(Ref),
    /// The VM ended with this exit code.
    Exit(i32),
    /// No thread can continue; the report.
    Deadlock(String),
    /// The bytecode limit is reached, or a place at which the VM is to stop ([`Vm::on_stop`]); [`Vm::resume`] continues.
    OutOfFuel,
    /// A request from outside has stopped the VM, or its time has ended; [`Vm::go_on`] continues.
    Halted(Halt),
    /// The VM is dead.
    Fault(Arc<Fault>),
}

/// Result of a call on the host's thread.
pub type CallResult = Result<Value, CallStop>;

impl Vm {
    /// Runs `f`, unless the VM is dead or it is its end.
    fn stopping<T>(
        &mut self,
        f: impl FnOnce(&mut Vm) -> Result<T, CallStop>,
    ) -> Result<T, CallStop> {
        self.guarded(f)
            .unwrap_or_else(|fault| Err(CallStop::Fault(fault)))
    }
    /// Drives the VM until the host's call has ended, handling idle times.
    fn drive(&mut self, mut o: Outcome) -> CallResult {
        loop {
            match o {
                Outcome::Returned(Ok(v)) => return Ok(v),
                Outcome::Returned(Err(e)) => return Err(CallStop::Threw(e)),
                Outcome::Exit(code) => return Err(CallStop::Exit(code)),
                Outcome::Deadlock(report) => return Err(CallStop::Deadlock(report)),
                Outcome::OutOfFuel => return Err(CallStop::OutOfFuel),
                Outcome::Halted(why) => return Err(CallStop::Halted(why)),
                Outcome::Fault(fault) => return Err(CallStop::Fault(fault)),
                Outcome::AllDone => return Ok(Value::Void),
                Outcome::Idle => {
                    o = self.resume();
                }
            }
        }
    }
    /// Calls a method on a thread the host owns, until it has returned.
    pub fn call_on(&mut self, t: ThreadId, method: MethodId, args: &[Value]) -> CallResult {
        let o = self.call(t, method, args);
        self.drive(o)
    }
    /// Runs a continuation on a thread the host owns, until it has returned.
    pub fn run_on(&mut self, t: ThreadId, cont: Cont) -> CallResult {
        let o = self.run_cont(t, cont);
        self.drive(o)
    }
    /// Continues after [`CallStop::OutOfFuel`] or [`CallStop::Halted`], or runs the other threads until none is left.
    pub fn go_on(&mut self) -> CallResult {
        let o = self.resume();
        self.drive(o)
    }
    /// Initializes a class on a thread the host owns.
    pub fn init_on(&mut self, t: ThreadId, c: ClassId) -> CallResult {
        let o = self.initialize_on(t, c);
        self.drive(o)
    }
    /// Links a class on a thread the host owns, without initializing it.
    pub fn link_on(&mut self, t: ThreadId, c: ClassId) -> CallResult {
        let o = self.link_class_on(t, c);
        self.drive(o)
    }
    /// Calls a static method of [`jdk::calls`](crate::jdk::calls), whose class is initialized first.
    pub fn call_jdk(&mut self, t: ThreadId, callee: JdkMethod, args: &[Value]) -> CallResult {
        self.call_static(t, callee.class, callee.name, callee.desc, args)
    }
    /// Calls a static method of a boot class; a missing one is thrown, see [`Vm::method_on`].
    pub fn call_static(
        &mut self,
        t: ThreadId,
        class: &str,
        name: &str,
        desc: &str,
        args: &[Value],
    ) -> CallResult {
        self.stopping(|vm| vm.call_boot_class(t, class, name, desc, args))
    }
    fn call_boot_class(
        &mut self,
        t: ThreadId,
        class: &str,
        name: &str,
        desc: &str,
        args: &[Value],
    ) -> CallResult {
        use crate::classes::InitState::Initialized;
        if let Some(m) = self.loaded_method(class, name, desc)
            && self.init_state(self.method(m).class) == Initialized
        {
            return self.call_on(t, m, args);
        }
        // loading and the initializer may have the arguments moved
        let mut args = args.to_vec();
        let objects = args.iter().filter_map(|v| match v {
            Value::Ref(r) => Some(*r),
            _ => None,
        });
        let objects: Vec<Ref> = objects.collect();
        let cells: Vec<u32> = objects.iter().map(|&r| self.heap.new_cell(r)).collect();
        let ready = self.method_on(t, class, name, desc).and_then(|m| {
            let c = self.method(m).class;
            self.init_on(t, c).map(|_| m)
        });
        let mut kept = cells.iter();
        for v in args.iter_mut().filter(|v| matches!(v, Value::Ref(_))) {
            *v = kept.next().map_or(*v, |&c| self.heap.cell(c).into());
        }
        for c in cells {
            self.heap.free_cell(c);
        }
        let m = ready?;
        self.call_on(t, m, &args)
    }
    /// Makes the first thread and brings the class library up. Returns the main thread, on which the host
    /// may make its calls.
    pub fn start_up(&mut self) -> Result<ThreadId, CallStop> {
        self.stopping(Vm::bring_up)
    }
    fn bring_up(&mut self) -> Result<ThreadId, CallStop> {
        if self.wants(EventSet::VM) {
            self.emit(Event::Started);
        }
        let main = self.run_sequence()?;
        if self.wants(EventSet::VM) {
            self.emit(Event::Initialized);
        }
        Ok(main)
    }
    /// Runs `method`, which is `main`, on the main thread: execution from here to its return, and of threads started meanwhile,
    /// is the scope `main` of profiles and samples.
    pub fn call_main(&mut self, t: ThreadId, method: MethodId, args: Ref) -> CallResult {
        self.stopping(|vm| {
            vm.main_begins(t, method);
            // a main without parameters is the host's own
            let takes = usize::from(vm.method(method).arg_slots > 0);
            let ended = vm.call_on(t, method, &[args.into()][..takes]);
            if !matches!(ended, Err(CallStop::OutOfFuel | CallStop::Halted(_))) {
                vm.main_is_over(t);
            }
            ended
        })
    }
    /// To be called before `method`, which is `main`, is called other than by [`Vm::call_main`].
    pub fn main_begins(&mut self, t: ThreadId, method: MethodId) {
        self.main_thread = Some((t, method));
        self.threads[t.0 as usize].in_main = true;
        if !self.options.sample_all {
            self.start_sampling(t);
            self.begin_profile(t);
        }
    }
    /// To be called when a [`Vm::call_main`] that ran out of fuel or was halted has ended.
    pub fn main_is_over(&mut self, t: ThreadId) {
        self.contained(|vm| {
            vm.threads[t.0 as usize].in_main = false;
            if !vm.options.sample_all {
                vm.stop_sampling(t);
                vm.end_profile(t);
            }
        });
    }
    /// From now on, what this thread of the host's executes is in the scope `main` of profiles and samples, as are
    /// the threads that are started meanwhile; or no longer. Nothing may be running.
    pub fn set_scope(&mut self, t: ThreadId, inside: bool) {
        self.contained(|vm| {
            let thread = &mut vm.threads[t.0 as usize];
            if thread.in_main == inside {
                return;
            }
            (thread.in_main, thread.scoped) = (inside, true);
            std::mem::swap(&mut thread.root, &mut thread.other_root);
            if vm.options.sample_all {
                return;
            }
            match inside {
                true => {
                    vm.start_sampling(t);
                    vm.begin_profile(t);
                }
                false => {
                    vm.stop_sampling(t);
                    vm.end_profile(t);
                }
            }
        });
    }
    /// Nanoseconds since the VM was made, by its clock.
    pub fn uptime(&mut self) -> i64 {
        self.clock_ns() - self.started
    }
    /// The same for an outside observer, whose question is not part of the run: no recording has it, and in a replay it is the
    /// last time that the program read.
    pub fn peek_uptime(&mut self) -> i64 {
        self.peek_clock_ns() - self.started
    }
    /// To be called by a host when its program has ended, shutdown hooks and all.
    pub fn notify_end(&mut self) {
        self.contained(|vm| {
            if vm.wants(EventSet::VM) {
                vm.emit(Event::Ended);
            }
            vm.dump_requested();
        });
    }
    /// What happens when only daemon threads are left: `DestroyJavaVM` runs the shutdown hooks.
    pub fn shut_down(&mut self) -> CallResult {
        let t = self.shutdown_thread()?;
        self.call_jdk(t, calls::shutdown::SHUTDOWN, &[])
    }
    /// The thread that runs the shutdown hooks: the one that waits for the others since `main` has ended, or a new one.
    ///
    /// # Errors
    /// Its constructor has no room, or the run is stopped.
    pub fn shutdown_thread(&mut self) -> Result<ThreadId, CallStop> {
        match self.take_shutdown_thread() {
            Some(t) => Ok(t),
            None => self.host_thread(shutdown::NAME, false, shutdown::PRIORITY),
        }
    }
    /// A thread with a `Thread` object on which the host makes its calls.
    pub fn host_thread(
        &mut self,
        name: &str,
        daemon: bool,
        priority: i32,
    ) -> Result<ThreadId, CallStop> {
        self.stopping(|vm| vm.make_host_thread(name, daemon, priority))
    }
    fn make_host_thread(
        &mut self,
        name: &str,
        daemon: bool,
        priority: i32,
    ) -> Result<ThreadId, CallStop> {
        let t = self
            .attach_thread(Ref::NULL, self.options.stack_bytes)
            .map_err(|_| CallStop::Exit(1))?;
        self.cur = t;
        let class = self.loaded.known.thread;
        let thread = self.with_room(|vm| vm.alloc_object(class))?;
        // the constructor inherits from the current thread, which is this one
        self.set_thread_priority(thread, priority);
        self.set_thread_object(t, thread);
        let name = self.with_room(|vm| vm.new_string(name))?;
        let init = self.jdk_method(class, calls::thread::INIT);
        let (thread, group) = (self.threads[t.0 as usize].object, self.main_group);
        let group = self.heap.cell(group);
        self.call_on(t, init, &[thread, group, name].map(Value::Ref))?;
        // not before: the constructor resets it
        let thread = self.threads[t.0 as usize].object;
        self.show_state(t);
        self.set_thread_daemon(thread, daemon);
        self.set_thread_priority(thread, priority);
        Ok(t)
    }
    /// Runs an allocation between calls, after a collection if the heap is full.
    fn with_room(&mut self, allocate: impl Fn(&mut Vm) -> R<Ref>) -> Result<Ref, CallStop> {
        loop {
            match allocate(self).map_err(|t| *t) {
                Ok(r) => return Ok(r),
                Err(Throw::Collect(bytes)) if self.collect(bytes, false) => {}
                Err(_) => return Err(CallStop::Exit(1)),
            }
        }
    }
}

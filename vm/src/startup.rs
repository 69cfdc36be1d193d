//! From a VM with its classes to a running class library: the first thread, `System.initPhase1` to
//! `initPhase3`; and the calls a host makes on its own thread.

use crate::fault::Fault;
use crate::ids::{ClassId, MethodId, Ref, ThreadId};
use crate::interp::Outcome;
use crate::throw::{R, Throw};
use crate::vm::Vm;
use std::sync::Arc;

/// What a call on the host's thread came to, when it did not return a value.
#[derive(Debug)]
pub enum Stop {
    /// It threw this exception.
    Threw(Ref),
    /// The VM ended with this exit code.
    Exit(i32),
    /// No thread can go on; the report.
    Deadlock(String),
    /// The bytecode limit is reached; [`Vm::resume`] goes on.
    OutOfFuel,
    /// The VM is dead.
    Fault(Arc<Fault>),
}

/// What the class library is that links without a fault at start-up.
const WELL_FORMED: &str = "the class library is well-formed";

/// Result of a call on the host's thread.
pub type Ended = Result<u64, Stop>;

impl Vm {
    /// Runs `f`, unless the VM is dead or it is its end.
    fn stopping<T>(&mut self, f: impl FnOnce(&mut Vm) -> Result<T, Stop>) -> Result<T, Stop> {
        self.guarded(f)
            .unwrap_or_else(|fault| Err(Stop::Fault(fault)))
    }
    /// Drives the VM until the host's call has ended, handling idle times.
    fn drive(&mut self, mut o: Outcome) -> Ended {
        loop {
            match o {
                Outcome::Returned(Ok(v)) => return Ok(v),
                Outcome::Returned(Err(e)) => return Err(Stop::Threw(e)),
                Outcome::Exit(code) => return Err(Stop::Exit(code)),
                Outcome::Deadlock(report) => return Err(Stop::Deadlock(report)),
                Outcome::OutOfFuel => return Err(Stop::OutOfFuel),
                Outcome::Fault(fault) => return Err(Stop::Fault(fault)),
                Outcome::AllDone => return Ok(0),
                Outcome::Idle => {
                    o = self.resume();
                }
            }
        }
    }
    /// Calls a method on a thread the host owns, until it has returned.
    pub fn call_on(&mut self, t: ThreadId, method: MethodId, args: &[u64]) -> Ended {
        let o = self.call(t, method, args);
        self.drive(o)
    }
    /// Goes on after [`Stop::OutOfFuel`], or runs the other threads until none is left.
    pub fn go_on(&mut self) -> Ended {
        let o = self.resume();
        self.drive(o)
    }
    /// Initializes a class on a thread the host owns.
    pub fn init_on(&mut self, t: ThreadId, c: ClassId) -> Ended {
        let o = self.initialize_on(t, c);
        self.drive(o)
    }
    /// Calls a static method of a boot class.
    pub fn call_static(
        &mut self,
        t: ThreadId,
        class: &str,
        name: &str,
        desc: &str,
        args: &[u64],
    ) -> Ended {
        self.stopping(|vm| vm.call_boot_class(t, class, name, desc, args))
    }
    fn call_boot_class(
        &mut self,
        t: ThreadId,
        class: &str,
        name: &str,
        desc: &str,
        args: &[u64],
    ) -> Ended {
        let c = self.boot_class(class);
        let m = self.method_named(c, name, desc);
        if self.init_state(c) == crate::classes::InitState::Initialized {
            return self.call_on(t, m, args);
        }
        // the initializer may have the arguments moved
        let mut args = args.to_vec();
        let mut cells = Vec::new();
        self.argument_roots(m, &mut args, &mut |r| cells.push(*r));
        let cells: Vec<u32> = cells.iter().map(|&r| self.heap.new_cell(r)).collect();
        let inited = self.init_on(t, c);
        let mut kept = cells.iter();
        let heap = &self.heap;
        self.argument_roots(m, &mut args, &mut |r| {
            *r = kept.next().map_or(*r, |&c| heap.cell(c));
        });
        for c in cells {
            self.heap.set_cell(c, Ref::NULL);
        }
        inited?;
        self.call_on(t, m, &args)
    }
    /// Creates an object and runs a constructor.
    fn construct(
        &mut self,
        t: ThreadId,
        c: ClassId,
        desc: &str,
        args: &[Ref],
    ) -> Result<u32, Stop> {
        self.init_on(t, c)?;
        let r = self.alloc_object(c).expect("a fresh heap has room");
        let cell = self.heap.new_cell(r);
        let init = self.method_named(c, "<init>", desc);
        let mut slots = vec![r.0 as u64];
        slots.extend(args.iter().map(|a| a.0 as u64));
        self.call_on(t, init, &slots)?;
        Ok(cell)
    }
    /// Makes the first thread and brings the class library up (JDK 17: `System.initPhase1`, 2, 3).
    /// Returns the main thread, on which the host may make its calls.
    pub fn start_up(&mut self) -> Result<ThreadId, Stop> {
        self.stopping(Vm::bring_up)
    }
    fn bring_up(&mut self) -> Result<ThreadId, Stop> {
        self.log_collector();
        let t = self
            .attach_thread(Ref::NULL, self.options.stack_bytes)
            .expect("memory for the first stack");
        self.cur = t;
        self.init_method_handle_offsets();
        let k = &self.known;
        let (string, class, system, group_class, thread_class) =
            (k.string, k.class, k.system, k.thread_group, k.thread);
        // linked, initialized and constructed in HotSpot's order: identity hashes depend on it
        for name in [
            "java/lang/VirtualMachineError",
            "java/lang/ref/Finalizer",
            "jdk/internal/misc/Unsafe",
            "java/lang/ClassLoader",
            "java/lang/StackStreamFactory$AbstractStackWalker",
        ] {
            let c = self.boot_class(name);
            self.link_class(c).expect(WELL_FORMED);
        }
        self.init_on(t, string)?;
        self.init_on(t, system)?;
        self.init_on(t, class)?;
        self.init_on(t, group_class)?;
        let system_group = self.construct(t, group_class, "()V", &[])?;
        let main = self.new_string("main").expect("a fresh heap has room");
        let g = self.heap.cell(system_group);
        let main_group = self.construct(
            t,
            group_class,
            "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
            &[g, main],
        )?;
        self.main_group = main_group;
        self.init_on(t, thread_class)?;
        let thread = self
            .alloc_object(thread_class)
            .expect("a fresh heap has room");
        self.set_int(thread, "priority:I", 5);
        self.set_thread_object(t, thread);
        let main = self.intern_str("main").expect("a fresh heap has room");
        let init = self.method_named(
            thread_class,
            "<init>",
            "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
        );
        let g = self.heap.cell(main_group);
        let thread = self.threads[t.0 as usize].object;
        self.call_on(t, init, &[thread.0 as u64, g.0 as u64, main.0 as u64])?;
        let group = self.heap.cell(main_group);
        let thread = self.threads[t.0 as usize].object;
        let add = self.method_named(group_class, "add", "(Ljava/lang/Thread;)V");
        self.call_on(t, add, &[group.0 as u64, thread.0 as u64])?;
        for name in [
            "java/lang/Module",
            "jdk/internal/misc/UnsafeConstants",
            "java/lang/reflect/Method",
            "java/lang/ref/Finalizer",
        ] {
            let c = self.boot_class(name);
            self.init_on(t, c)?;
        }
        // the finalizer's thread, which has just been made, begins with a look at this class
        let finalizer = ThreadId(self.threads.len() as u32 - 1);
        let watched = self.boot_class("jdk/internal/misc/VM");
        self.cur = finalizer;
        self.link_class(watched).expect(WELL_FORMED);
        self.cur = t;
        self.call_static(t, "java/lang/System", "initPhase1", "()V", &[])?;
        self.booted = true;
        for name in [
            "java/lang/OutOfMemoryError",
            "java/lang/NullPointerException",
            "java/lang/ClassCastException",
            "java/lang/ArrayStoreException",
            "java/lang/ArithmeticException",
            "java/lang/StackOverflowError",
            "java/lang/IllegalMonitorStateException",
            "java/lang/IllegalArgumentException",
            "java/lang/invoke/MethodHandle",
            "java/lang/invoke/ResolvedMethodName",
            "java/lang/invoke/MethodHandleNatives",
        ] {
            let c = self.boot_class(name);
            self.init_on(t, c)?;
        }
        let ok = self.call_static(t, "java/lang/System", "initPhase2", "(ZZ)I", &[0, 0])?;
        if ok as i32 != 0 {
            return Err(Stop::Exit(1));
        }
        self.call_static(t, "java/lang/System", "initPhase3", "()V", &[])?;
        Ok(t)
    }
    /// Runs `method`, which is `main`, on the main thread: what is executed from here to its return,
    /// and by threads started meanwhile, is the scope `main` of profiles and samples.
    pub fn call_main(&mut self, t: ThreadId, method: MethodId, args: Ref) -> Ended {
        self.stopping(|vm| {
            vm.main_thread = Some((t, method));
            vm.threads[t.0 as usize].in_main = true;
            if !vm.options.sample_all {
                vm.start_sampling(t);
                vm.start_agent(t);
            }
            let ended = vm.call_on(t, method, &[args.0 as u64]);
            if !matches!(ended, Err(Stop::OutOfFuel)) {
                vm.main_is_over(t);
            }
            ended
        })
    }
    /// To be called when a [`Vm::call_main`] that ran out of fuel has come to its end.
    pub fn main_is_over(&mut self, t: ThreadId) {
        self.contained(|vm| {
            vm.threads[t.0 as usize].in_main = false;
            if !vm.options.sample_all {
                vm.stop_sampling(t);
                vm.end_agent(t);
            }
        });
    }
    /// What happens when only daemon threads are left (`DestroyJavaVM`): a thread of that name runs
    /// the shutdown hooks.
    pub fn shut_down(&mut self) -> Ended {
        let t = self.host_thread("DestroyJavaVM", false, 5)?;
        self.call_static(t, "java/lang/Shutdown", "shutdown", "()V", &[])
    }
    /// A thread with a `Thread` object on which the host makes its calls.
    pub fn host_thread(
        &mut self,
        name: &str,
        daemon: bool,
        priority: i32,
    ) -> Result<ThreadId, Stop> {
        self.stopping(|vm| vm.make_host_thread(name, daemon, priority))
    }
    fn make_host_thread(
        &mut self,
        name: &str,
        daemon: bool,
        priority: i32,
    ) -> Result<ThreadId, Stop> {
        let t = self
            .attach_thread(Ref::NULL, self.options.stack_bytes)
            .map_err(|_| Stop::Exit(1))?;
        self.cur = t;
        let class = self.known.thread;
        let thread = self.with_room(|vm| vm.alloc_object(class))?;
        // the constructor inherits from the current thread, which is this one
        self.set_int(thread, "priority:I", priority);
        self.set_thread_object(t, thread);
        let name = self.with_room(|vm| vm.new_string(name))?;
        let init = self.method_named(
            class,
            "<init>",
            "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
        );
        let (thread, group) = (self.threads[t.0 as usize].object, self.main_group);
        let group = self.heap.cell(group);
        self.call_on(t, init, &[thread.0 as u64, group.0 as u64, name.0 as u64])?;
        // not before: the constructor resets it
        let thread = self.threads[t.0 as usize].object;
        let daemon_at = self.offset(class, "daemon:Z");
        self.heap.put::<u8>(thread, daemon_at, u8::from(daemon));
        Ok(t)
    }
    /// Runs an allocation between calls, after a collection if the heap is full.
    fn with_room(&mut self, allocate: impl Fn(&mut Vm) -> R<Ref>) -> Result<Ref, Stop> {
        loop {
            match allocate(self).map_err(|t| *t) {
                Ok(r) => return Ok(r),
                Err(Throw::Collect(bytes)) if self.collect(bytes, false) => {}
                Err(_) => return Err(Stop::Exit(1)),
            }
        }
    }
}

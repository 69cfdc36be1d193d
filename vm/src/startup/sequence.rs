//! The boot sequence: classes are linked, initialized and constructed in the order of HotSpot 17, on which identity hashes
//! depend. JDK 21 and 25 leave steps out; the order of their identity hashes has not been compared with HotSpot.

use super::Stop;
use crate::ids::{ClassId, Ref, ThreadId};
use crate::jdk::{Callee, calls};
use crate::value::Value;
use crate::vm::Vm;

/// What the class library is that links without a fault at start-up.
const WELL_FORMED: &str = "the class library is well-formed";

impl Vm {
    /// Creates an object and runs a constructor.
    fn construct(
        &mut self,
        t: ThreadId,
        c: ClassId,
        init: Callee,
        args: &[Ref],
    ) -> Result<u32, Stop> {
        self.init_on(t, c)?;
        let r = self.alloc_object(c).expect("a fresh heap has room");
        let cell = self.heap.new_cell(r);
        let init = self.jdk_method(c, init);
        let this_and_args: Vec<Value> = [r].iter().chain(args).map(|&r| r.into()).collect();
        self.call_on(t, init, &this_and_args)?;
        Ok(cell)
    }
    /// The first thread, then `System.initPhase1` to `initPhase3`.
    pub(super) fn run_sequence(&mut self) -> Result<ThreadId, Stop> {
        let t = self
            .attach_thread(Ref::NULL, self.options.stack_bytes)
            .expect("memory for the first stack");
        self.cur = t;
        self.init_method_handle_offsets();
        let k = &self.loaded.known;
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
        let system_group = self.construct(t, group_class, calls::thread_group::INIT_SYSTEM, &[])?;
        let main = self.new_string("main").expect("a fresh heap has room");
        let g = self.heap.cell(system_group);
        let main_group = self.construct(t, group_class, calls::thread_group::INIT, &[g, main])?;
        self.main_group = main_group;
        self.init_on(t, thread_class)?;
        let thread = self
            .alloc_object(thread_class)
            .expect("a fresh heap has room");
        self.set_thread_priority(thread, 5);
        self.set_thread_object(t, thread);
        let main = self.intern_str("main").expect("a fresh heap has room");
        let init = self.jdk_method(thread_class, calls::thread::INIT);
        let g = self.heap.cell(main_group);
        let thread = self.threads[t.0 as usize].object;
        self.call_on(t, init, &[thread, g, main].map(Value::Ref))?;
        self.show_state(t);
        for name in [
            "java/lang/Module",
            "jdk/internal/misc/UnsafeConstants",
            "java/lang/reflect/Method",
            "java/lang/ref/Finalizer",
        ] {
            let c = self.boot_class(name);
            self.init_on(t, c)?;
        }
        if !self.threads_have_holders() {
            // the finalizer's thread, which has just been made, begins with a look at this class
            let finalizer = ThreadId(self.threads.len() as u32 - 1);
            let watched = self.boot_class("jdk/internal/misc/VM");
            self.cur = finalizer;
            self.link_class(watched).expect(WELL_FORMED);
            self.cur = t;
        }
        self.call_jdk(t, calls::system::INIT_PHASE_1, &[])?;
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
        let ok = self.call_jdk(t, calls::system::INIT_PHASE_2, &[false.into(); 2])?;
        if ok.int() != 0 {
            return Err(Stop::Exit(1));
        }
        self.call_jdk(t, calls::system::INIT_PHASE_3, &[])?;
        // nothing is thrown: its class is initialized, or there is none
        let _ = self.number_later_threads();
        Ok(t)
    }
}

//! The boot sequence: classes are linked, initialized and constructed in the order of HotSpot 17, 21 and 25, on which
//! identity hashes depend.

use super::CallStop;
use crate::ids::{ClassId, Ref, ThreadId};
use crate::jdk::{JdkMethod, calls};
use crate::value::Value;
use crate::vm::Vm;

/// The class library, whose links at start-up do not fail.
const WELL_FORMED: &str = "the class library is well-formed";

/// A class, and the version since which HotSpot links or initializes it here.
type BootStep = (&'static str, u32);

/// Linked before anything is initialized.
const LINKED: [BootStep; 6] = [
    ("java/lang/VirtualMachineError", 17),
    ("java/lang/InternalError", 22),
    ("java/lang/ref/Finalizer", 17),
    ("jdk/internal/misc/Unsafe", 17),
    ("java/lang/ClassLoader", 17),
    ("java/lang/StackStreamFactory$AbstractStackWalker", 17),
];

/// Initialized once there is a thread.
const WITH_A_THREAD: [BootStep; 4] = [
    ("java/lang/Module", 17),
    ("jdk/internal/misc/UnsafeConstants", 17),
    ("java/lang/reflect/Method", 17),
    ("java/lang/ref/Finalizer", 17),
];

/// Initialized after `System.initPhase1`.
const AFTER_PHASE_1: [BootStep; 13] = [
    ("java/lang/OutOfMemoryError", 17),
    ("java/lang/NullPointerException", 17),
    ("java/lang/ClassCastException", 17),
    ("java/lang/ArrayStoreException", 17),
    ("java/lang/ArithmeticException", 17),
    ("java/lang/ArrayIndexOutOfBoundsException", 22),
    ("java/lang/StackOverflowError", 17),
    ("java/lang/IllegalMonitorStateException", 17),
    ("java/lang/IllegalArgumentException", 17),
    ("java/lang/invoke/MethodHandle", 17),
    ("java/lang/invoke/ResolvedMethodName", 17),
    ("java/lang/invoke/MemberName", 18),
    ("java/lang/invoke/MethodHandleNatives", 17),
];

/// Initialized after `System.initPhase3`.
const AFTER_PHASE_3: [BootStep; 1] = [("jdk/internal/vm/Continuation", 22)];

impl Vm {
    /// The classes of the steps that this JDK has.
    fn classes_of(&mut self, steps: &[BootStep]) -> Vec<ClassId> {
        let feature = self.feature();
        let here = steps.iter().filter(|(_, since)| *since <= feature);
        here.map(|(name, _)| self.boot_class(name)).collect()
    }
    /// Creates an object and runs a constructor.
    fn construct(
        &mut self,
        t: ThreadId,
        c: ClassId,
        init: JdkMethod,
        args: &[Ref],
    ) -> Result<u32, CallStop> {
        self.init_on(t, c)?;
        let r = self.alloc_object(c).expect("a fresh heap has room");
        let cell = self.heap.new_cell(r);
        let init = self.jdk_method(c, init);
        let this_and_args: Vec<Value> = [r].iter().chain(args).map(|&r| r.into()).collect();
        self.call_on(t, init, &this_and_args)?;
        Ok(cell)
    }
    /// The first thread, then `System.initPhase1` to `initPhase3`.
    pub(super) fn run_sequence(&mut self) -> Result<ThreadId, CallStop> {
        let t = self
            .attach_thread(Ref::NULL, self.options.stack_bytes)
            .expect("memory for the first stack");
        self.cur = t;
        self.init_method_handle_offsets();
        let k = &self.loaded.known;
        let (string, class, system, group_class, thread_class) =
            (k.string, k.class, k.system, k.thread_group, k.thread);
        // linked, initialized and constructed in HotSpot's order: identity hashes depend on it
        for c in self.classes_of(&LINKED) {
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
        for c in self.classes_of(&WITH_A_THREAD) {
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
        for c in self.classes_of(&AFTER_PHASE_1) {
            self.init_on(t, c)?;
        }
        let ok = self.call_jdk(t, calls::system::INIT_PHASE_2, &[false.into(); 2])?;
        if ok.int() != 0 {
            return Err(CallStop::Exit(1));
        }
        self.call_jdk(t, calls::system::INIT_PHASE_3, &[])?;
        for c in self.classes_of(&AFTER_PHASE_3) {
            self.init_on(t, c)?;
        }
        // nothing is thrown: its class is initialized, or there is none
        let _ = self.number_later_threads();
        Ok(t)
    }
}

//! What a native method sees of its VM.

use crate::cancel::Canceller;
use crate::classes::InitState;
use crate::classes::Method;
use crate::classes::load::DefineOptions;
use crate::heap::Heap;
use crate::heap::HeapMut;
use crate::heap::dump::Dumped;
use crate::heap::history::InUse;
use crate::heap::history::PastCollection;
use crate::host::CpuTime;
use crate::host::Errno;
use crate::host::Host;
use crate::ids::ClassId;
use crate::ids::LoaderId;
use crate::ids::MethodId;
use crate::ids::Ref;
use crate::ids::Sym;
use crate::ids::ThreadId;
use crate::interp::Context;
use crate::interp::NotSwitched;
use crate::jdk::ClassName;
use crate::jdk::FieldName;
use crate::jdk::InClass;
use crate::jdk::Instance;
use crate::jdk::Known;
use crate::jdk::Maybe;
use crate::modules::ModuleDef;
use crate::modules::ModuleError;
use crate::modules::ModuleIndex;
use crate::offheap::OffHeap;
use crate::services::FrameView;
use crate::symbols::Symbols;
use crate::threads::Contention;
use crate::threads::JavaThread;
use crate::threads::Wait;
use crate::threads::Wake;
use crate::threads::notices::Notice;
use crate::throw::ContFn;
use crate::throw::R;
use crate::throw::Throw;
use crate::vm::Extensions;
use crate::vm::Options;
use crate::vm::ProfileMode;
use crate::vm::Vm;
use rjvm_profiler::MethodInfo;
use rjvm_profiler::cct::Links;
use rjvm_profiler::cct::Visit;
use std::ops::ControlFlow;

/// What a native method sees of its VM.
#[repr(transparent)]
pub struct Env(pub(crate) Vm);

impl Env {
    /// The VM as its natives see it.
    #[inline(always)]
    pub(crate) fn of(vm: &mut Vm) -> &mut Env {
        // SAFETY: an `Env` is laid out as the `Vm` in it.
        unsafe { &mut *std::ptr::from_mut(vm).cast::<Env>() }
    }
    /// Loads classes on behalf of a class: its domain has to be allowed to see them.
    pub fn in_domain_of<T>(&mut self, c: ClassId, f: impl FnOnce(&mut Env) -> T) -> T {
        self.0.in_domain_of(c, |vm| f(Env::of(vm)))
    }
    /// Does long work in pieces: see [`Vm::in_pieces`].
    pub fn in_pieces(
        &mut self,
        n: usize,
        piece: usize,
        mut f: impl FnMut(&mut Env, usize, usize) -> R<()>,
    ) -> R<()> {
        self.0.in_pieces(n, piece, |vm, a, b| f(Env::of(vm), a, b))
    }
    /// Visits the Java frames of a thread from the top.
    pub fn walk_frames(
        &mut self,
        thread: ThreadId,
        mut visit: impl for<'a> FnMut(&mut Env, FrameView<'a>) -> ControlFlow<()>,
    ) {
        self.0.walk_frames(thread, |vm, f| visit(Env::of(vm), f))
    }
    /// [`Env::walk_frames`] with what most need.
    pub fn walk_stack(
        &mut self,
        thread: ThreadId,
        mut visit: impl FnMut(&mut Env, MethodId, i32) -> ControlFlow<()>,
    ) {
        self.0
            .walk_stack(thread, |vm, m, b| visit(Env::of(vm), m, b))
    }
    /// Heap, memory outside it, host and what tables of natives keep, at once.
    pub fn rooms(&mut self) -> crate::state::Rooms<'_> {
        self.0.rooms()
    }
}

/// Methods of the VM's that natives have too.
macro_rules! shared {
    ($( $(#[$at:meta])* fn $name:ident $([$($g:tt)*])? (& $(mut $(@$x:tt)?)? self $(, $p:ident : $t:ty)* $(,)?) $(-> $r:ty)?; )*) => {
        impl Env { $(
            $(#[$at])*
            #[inline(always)]
            pub fn $name $(<$($g)*>)? (& $(mut $($x)?)? self $(, $p: $t)*) $(-> $r)? {
                self.0.$name($($p),*)
            }
        )* }
    };
}

shared! {
    /// Whether the module object has been seen by `define_module`.
    fn module_is_defined(&mut self, object: Ref) -> bool;
    /// Enters a named module with its packages.
    fn define_module(&mut self, d: ModuleDef) -> Result<ModuleIndex, ModuleError>;
    /// The boot loader's unnamed module (`BootLoader.UNNAMED_MODULE`).
    fn set_boot_unnamed_module(&mut self, object: Ref);
    /// The module of a package of a loader: what stands in the `module` field of the mirrors of the package's classes.
    fn module_of_package(&mut self, loader: LoaderId, package: Sym) -> Ref;
    /// The module a class is in, as its mirror has it.
    fn module_of(&mut self, c: ClassId) -> Ref;
    /// Name and version of a named module.
    fn module_name(&mut self, object: Ref) -> Option<(String, Option<String>)>;
    /// The location the module was defined with.
    fn module_location(&mut self, object: Ref) -> Option<String>;
    /// Whether the (named) module contains the package.
    fn module_has_package(&mut self, object: Ref, package: Sym) -> bool;
    /// `from` reads `to` (null: all unnamed modules).
    fn add_reads(&mut self, from: Ref, to: Ref);
    /// `from` exports `package` to module `to` (null: to everyone).
    fn add_exports(&mut self, from: Ref, package: Sym, to: Ref);
    /// `from` exports `package` to all unnamed modules.
    fn add_exports_to_all_unnamed(&mut self, from: Ref, package: Sym);
    /// The Java method that called the native under way; `None` if the VM did.
    fn caller(&mut self) -> Option<MethodId>;
    /// Collects everything that can be collected, then goes on: a native calls this and, as with every `Throw`, runs again from its beginning; the second time it returns `Ok`.
    fn full_collection(&mut self) -> R<()>;
    /// Objects.
    fn heap(&self) -> &Heap;
    /// Objects, to be changed.
    fn heap_mut(&mut self) -> HeapMut<'_>;
    /// Memory that Java reaches by address.
    fn offheap(&self) -> &OffHeap;
    /// Memory that Java reaches by address, to be changed.
    fn offheap_mut(&mut self) -> &mut OffHeap;
    /// The outside world.
    fn host(&mut self) -> &mut dyn Host;
    /// What tables of natives keep, by names of their choosing.
    fn extensions(&mut self) -> &mut Extensions;
    /// Well-known classes.
    fn known(&self) -> &Known;
    /// What stops the VM from another OS thread.
    fn canceller(&mut self) -> Canceller;
    /// When it was made, by its clock.
    fn started(&self) -> i64;
    /// Threads that are alive, in the order in which they came up.
    fn live_threads(&self) -> impl ExactSizeIterator<Item = ThreadId>;
    /// Threads that there have been.
    fn threads_started(&self) -> u64;
    /// The most threads that were alive at once since this was last reset.
    fn peak_of_threads(&self) -> usize;
    /// Begins to look for the peak anew.
    fn reset_peak_of_threads(&mut self);
    /// Settings.
    fn options(&self) -> &Options;
    /// Switches `-XX:HeapDumpOnOutOfMemoryError` while the VM runs.
    fn set_heap_dump_on_oom(&mut self, on: bool);
    /// Sets `-XX:HeapDumpPath` while the VM runs.
    fn set_heap_dump_path(&mut self, path: Option<String>);
    /// Switches `-XX:ShowCodeDetailsInExceptionMessages` while the VM runs.
    fn set_null_pointer_messages(&mut self, on: bool);
    /// Names.
    fn symbols(&self) -> &Symbols;
    /// The symbol of a name, made if there is none.
    fn symbol(&mut self, name: &str) -> Sym;
    /// What the native under way keeps for the next time it runs; zeros when it has returned.
    fn native_state(&mut self) -> &mut [u64; 2];
    /// Objects that the native under way keeps for the next time it runs.
    fn native_refs(&mut self) -> &mut Vec<crate::ids::Ref>;
    /// The running thread's number.
    fn current(&self) -> ThreadId;
    /// A thread.
    fn a_thread(&self, t: ThreadId) -> &JavaThread;
    /// All threads there have been, by number.
    fn all_threads(&self) -> impl ExactSizeIterator<Item = &JavaThread>;
    /// All classes in order of creation.
    fn all_classes(&self) -> &[ClassId];
    /// A new `String` with these contents.
    fn new_string(&mut self, s: &str) -> R<Ref>;
    /// A new `String` from UTF-16 code units (stored as LATIN1 when all fit a byte).
    fn new_string_utf16(&mut self, s: &[u16]) -> R<Ref>;
    /// The UTF-16 contents of a `String`.
    fn string_utf16(&mut self, s: Ref) -> Vec<u16>;
    /// The contents of a `String`; unpaired surrogates become U+FFFD (for messages and names).
    fn string(&mut self, s: Ref) -> String;
    /// `String.intern` for contents.
    fn intern_utf16(&mut self, s: &[u16]) -> R<Ref>;
    /// `String.intern` of an object.
    fn intern(&mut self, s: Ref) -> R<Ref>;
    /// The interned `String` of a Rust string.
    fn intern_str(&mut self, s: &str) -> R<Ref>;
    /// A method.
    fn method(&self, m: MethodId) -> &Method;
    /// A class.
    fn class(&self, c: ClassId) -> &crate::classes::Class;
    /// The class of an object.
    fn class_of(&self, r: Ref) -> ClassId;
    /// The `java.lang.Class` object of a class.
    fn mirror(&self, c: ClassId) -> Ref;
    /// The class a `java.lang.Class` object stands for.
    fn of_mirror(&self, mirror: Ref) -> ClassId;
    /// The loader object's number (0 for `null`), given out at first sight.
    fn loader_id(&mut self, loader: Ref) -> LoaderId;
    /// The loader's object (`null` for the boot loader).
    fn loader_object(&self, l: LoaderId) -> Ref;
    /// Why the native that runs again was woken; `None` when it runs for the first time.
    fn take_wake(&mut self) -> Option<crate::threads::Wake>;
    /// The message for a null pointer found by the instruction at `bci`; `None` for instructions that find none, such as the call of the exception's own constructor.
    fn null_pointer_message(&self, m: MethodId, bci: i32) -> Option<String>;
    /// A class of the table, loaded if it has not been.
    fn jdk_class(&mut self, name: ClassName<false>) -> R<ClassId>;
    /// Whether an object (not null) is an instance of a class of the table, which need not be loaded.
    fn is_a(&self, r: Ref, name: ClassName<false>) -> bool;
    /// The field, if this JDK has it.
    fn has_field [F: FieldName](&self, f: Maybe<F>) -> Option<F>;
    /// Reads a field of an object.
    fn get [F: Instance](&self, r: Ref, f: F) -> F::Got;
    /// Writes a field of an object; as [`Env::get`].
    fn set [F: Instance](&mut self, r: Ref, f: F, v: F::Value) -> F::Done;
    /// Reads a static field; as [`Env::get`].
    fn get_static [F: InClass](&self, f: F) -> F::Got;
    /// Writes a static field; as [`Env::get`].
    fn set_static [F: InClass](&mut self, f: F, v: F::Value) -> F::Done;
    /// Begins or ends the log of collections that `MemoryMXBean.setVerbose` asks for.
    fn set_verbose_gc(&mut self, on: bool);
    /// Switches the log of loaded classes on the standard output.
    fn set_verbose_class(&mut self, on: bool);
    /// Whether collections are logged.
    fn verbose_gc(&self) -> bool;
    /// Whether loaded classes are logged.
    fn verbose_class(&self) -> bool;
    /// The host of the nest (JVMS 5.4.4); a class whose claim fails is its own host.
    fn nest_host(&mut self, c: ClassId) -> R<ClassId>;
    /// Whether the method descriptor `text` is a `Utf8` entry of a loaded class.
    fn is_descriptor_of_a_class(&mut self, text: &str) -> bool;
    /// Throws a new `error` without message, whose cause is a new `cause`.
    fn throw_wrapped(&mut self, error: &'static str, cause: &'static str, message: Option<String>) -> Box<Throw>;
    /// Writes a reference field or element of an object if it can hold `v`; otherwise, or if no reference stands there, `false`.
    fn put_reference(&mut self, r: Ref, off: usize, v: Ref) -> bool;
    /// Initializes a class (JVMS 5.5); an upcall with `Resume::Again` while its initializer has to run, `Block` while another thread runs it, NoClassDefFoundError when it failed before.
    fn ensure_initialized(&mut self, c: ClassId) -> R<()>;
    /// Where the initialization of a class stands.
    fn init_state(&self, c: ClassId) -> InitState;
    /// Links (verifies and prepares) a class, after its superclass and its superinterfaces.
    fn link_class(&mut self, c: ClassId) -> R<()>;
    /// A class that `loader` has been recorded as an initiating loader of; never runs code.
    fn find_loaded(&mut self, loader: LoaderId, name: &str) -> Option<ClassId>;
    /// Loads `name` (internal form; arrays too) with `loader`: boot classes at once, others by an upcall of `loadClass` with [`crate::throw::Resume::Again`].
    fn load_class(&mut self, loader: LoaderId, name: &str) -> R<ClassId>;
    /// [`Env::load_class`] for linking: a missing class is a NoClassDefFoundError.
    fn load_class_linked(&mut self, loader: LoaderId, name: &str) -> R<ClassId>;
    /// Defines a class from bytes.
    fn define_class(&mut self, loader: LoaderId, name: Option<&str>, bytes: &[u8], o: DefineOptions) -> R<ClassId>;
    /// The array class with components of class `elem`.
    fn array_of(&mut self, elem: ClassId) -> ClassId;
    /// The primitive type of a descriptor character (`V` included).
    fn primitive(&self, ch: u8) -> ClassId;
    /// Loads a boot class that must exist.
    fn boot_class(&mut self, name: &str) -> ClassId;
    /// A method of a (boot) class by name and descriptor; panics if absent.
    fn method_named(&mut self, c: ClassId, name: &str, desc: &str) -> MethodId;
    /// Whether `a` is `b`, or a subclass of it, or implements it, or (arrays) is assignable to it.
    fn is_subtype(&self, a: ClassId, b: ClassId) -> bool;
    /// Whether the object (not null) is an instance of `c`.
    fn instance_of(&self, r: crate::Ref, c: ClassId) -> bool;
    /// Looks a method up in `c`, its superclasses and then its superinterfaces (5.4.3.3, 5.4.3.4; no access check).
    fn find_method(&self, c: ClassId, name: Sym, desc: Sym) -> Option<MethodId>;
    /// The method that a virtual call of `m` on a receiver of class `c` selects (5.4.6): by vtable index or by interface look-up.
    fn select_method(&mut self, c: ClassId, m: MethodId) -> R<MethodId>;
    /// [`Env::select_method`] for invokevirtual: an interface method that the class named in the reference inherits without a usable default fails with other words.
    fn select_virtual(&mut self, c: ClassId, m: MethodId) -> R<MethodId>;
    /// Field look-up (5.4.3.2): in `c`, its superinterfaces, its superclass.
    fn find_field(&self, c: ClassId, name: Sym, desc: Sym) -> Option<(ClassId, u32)>;
    /// Classes loaded and unloaded since the VM was made, arrays left out.
    fn class_counts(&self) -> (u64, u64);
    /// Class, name, descriptor and place in the sources of a method, also of one whose class is unloaded.
    fn method_info(&self, m: MethodId) -> MethodInfo;
    /// `void p.C.m(int)` of a method.
    fn external_method(&self, m: MethodId) -> String;
    /// A class as messages name it: like `Class.getName`.
    fn external_class(&self, c: ClassId) -> String;
    /// Symbolic reference to a class at constant-pool index `i` of `c` (JVMS 5.4.3.1, access check included).
    fn resolve_class(&mut self, c: ClassId, i: u16) -> R<ClassId>;
    /// Field resolution in class `named` on behalf of `from` (`None`: no access check).
    fn resolve_field_in(&mut self, from: Option<ClassId>, named: ClassId, name: Sym, desc: Sym) -> R<(ClassId, u32)>;
    /// Method resolution for a method handle of a reference kind (table 5.4.3.5-A), which the method must suit.
    fn resolve_method_for_handle(&mut self, from: Option<ClassId>, named: ClassId, name: Sym, desc: Sym, ref_kind: i32) -> R<MethodId>;
    /// The context that the running thread is in.
    fn current_context(&self) -> Option<Context<'_>>;
    /// Bytecodes a thread has executed, the one it is at included if that has begun.
    fn executed(&mut self, t: ThreadId) -> i64;
    /// Bytecodes all threads together have executed, the one the running thread is at included.
    fn bytecodes_now(&mut self) -> i64;
    /// Runs `f` on every control frame's open context so that the tree is complete although frames are open.
    fn flush_open_frames(&mut self);
    /// All counts begin again from 0; contexts go, but for those of open frames.
    fn reset_contexts(&mut self);
    /// Objects and bytes allocated in a context itself.
    fn allocations(&self, visit: &Visit) -> (u64, u64);
    /// Where the child links of contexts are.
    fn links_of_contexts(&self) -> Links;
    /// The class of boxes for a primitive type, by its descriptor character.
    fn box_class(&self, t: u8) -> ClassId;
    /// A box object made without running code (as the VM boxes static arguments).
    fn box_value(&mut self, t: u8, v: u64) -> R<Ref>;
    /// The primitive in a box object, as a slot, with its descriptor character.
    fn unbox_value(&mut self, r: Ref) -> Option<(u8, u64)>;
    /// A `ResolvedMethodName` for a method.
    fn new_resolved_method_name(&mut self, m: MethodId) -> R<Ref>;
    /// The method that a `ResolvedMethodName` stands for, if it stands for one.
    fn resolved_method(&self, name: Ref) -> Option<MethodId>;
    /// The method that has the body numbered `body` (see [`Method::body`]) of method `id`.
    fn of_body(&self, id: MethodId, body: u16) -> MethodId;
    /// What is recorded of contexts now.
    fn recorded_contexts(&self) -> ProfileMode;
    /// What is recorded of contexts now, or was before, or would be by default.
    fn switchable_contexts(&self) -> ProfileMode;
    /// Records contexts from the next bytecode on, or no longer: between the turns of two threads, in a native, or where the VM has stopped.
    fn record_contexts(&mut self, mode: ProfileMode) -> Result<(), NotSwitched>;
    /// What a thread has lost to others so far.
    fn contention_of(&self, t: ThreadId) -> Contention;
    /// Whether it is measured how long threads are blocked and waiting.
    fn measures_contention(&self) -> bool;
    /// Measures that from now on, or no longer.
    fn measure_contention(&mut self, on: bool);
    /// Forgets how long a thread was blocked and waiting.
    fn reset_contention_times(&mut self, t: ThreadId);
    /// Whether there is one thread only, but for those of the class library.
    fn is_alone(&self) -> bool;
    /// The running thread is about to start another one, or a process.
    fn before_start(&mut self) -> R<()>;
    /// The running thread ends with an exception, or what it runs for a test: a control is told.
    fn tell_control(&mut self, exception: Ref);
    /// The object a thread waits for, and the thread that has it.
    fn waits_for(&mut self, t: ThreadId) -> (Ref, Option<ThreadId>);
    /// The threads in cycles that wait for each other; with `monitors_only`, for monitors.
    fn deadlocked_threads(&mut self, monitors_only: bool) -> Vec<ThreadId>;
    /// `Thread.start0`.
    fn thread_start(&mut self, object: Ref) -> R<()>;
    /// `Thread.stop0`: throws `throwable` into the thread.
    fn thread_stop(&mut self, object: Ref, throwable: Ref) -> R<()>;
    /// `Thread.suspend0`; `Block` when the current thread suspends itself.
    fn thread_suspend(&mut self, object: Ref) -> R<()>;
    /// `Thread.resume0`.
    fn thread_resume(&mut self, t: ThreadId);
    /// `Thread.sleep`; blocks and runs again, keeping its deadline in `native_state`.
    fn thread_sleep(&mut self, millis: i64) -> R<()>;
    /// `Unsafe.park`; blocks and runs again.
    fn thread_park(&mut self, absolute: bool, time: i64) -> R<()>;
    /// From now on, collections of this kind are told: each with a continuation of its own, which begins with `teller` among its references.
    fn begin_notices(&mut self, full: bool, teller: Ref, tell: ContFn) -> R<()>;
    /// Collections of this kind are told no longer.
    fn end_notices(&mut self, full: bool);
    /// What the continuation that runs tells of.
    fn notice(&self) -> Option<Notice>;
    /// Makes the current thread wait.
    fn block_on(&mut self, on: Wait, deadline: Option<i64>) -> Box<Throw>;
    /// Wakes a thread from a wait that `wake` can end; nothing happens when it is not in one.
    fn wake(&mut self, t: ThreadId, wake: Wake);
    /// `LockSupport.unpark`.
    fn unpark(&mut self, t: ThreadId);
    /// What `Thread.interrupt` does to a thread whose interrupted status has just been set: ends `park`, `sleep` and `wait`, and leaves a permit for the next `park`.
    fn interrupt(&mut self, t: ThreadId);
    /// `Thread.yield` for a native that runs again and then finds itself woken.
    fn yield_now(&mut self) -> Box<Throw>;
    /// Whether another thread could run now.
    fn others_runnable(&self) -> bool;
    /// The program handles a signal itself.
    fn gives_signal(&mut self, number: i32);
    /// The green thread of a `java.lang.Thread` that is alive; `None` for other objects, and for numbers that reflection has put into the field.
    fn thread_of(&mut self, object: Ref) -> Option<ThreadId>;
    /// `Thread.holdsLock` for the current thread.
    fn holds_lock(&self, r: Ref) -> bool;
    /// The native `Object.wait(long)`; blocks and runs again, keeping its step in `native_state`.
    fn object_wait(&mut self, r: Ref, millis: i64) -> R<()>;
    /// `Object.notify`.
    fn object_notify(&mut self, r: Ref) -> R<()>;
    /// `Object.notifyAll`.
    fn object_notify_all(&mut self, r: Ref) -> R<()>;
    /// Now, in nanoseconds of the clock all waits go by.
    fn clock_ns(&mut self) -> i64;
    /// Seconds and nanoseconds since 1970-01-01 UTC by the VM's clock.
    fn wall_clock(&mut self) -> (i64, u32);
    /// Processor time of the process, in nanoseconds: that of a virtual clock, else the host's (-1: not known).
    fn process_cpu_time(&mut self) -> i64;
    /// The deadline `nanos` from now.
    fn deadline_after(&mut self, nanos: i64) -> i64;
    /// Bytes allocated by all threads so far, each object once.
    fn bytes_allocated(&self) -> u64;
    /// Bytes a thread has allocated so far.
    fn bytes_allocated_by(&self, t: ThreadId) -> u64;
    /// Processor time a thread has used so far.
    fn cpu_time_of(&mut self, t: ThreadId) -> CpuTime;
    /// A zeroed instance of an instantiable class.
    fn alloc_object(&mut self, c: ClassId) -> R<Ref>;
    /// A zeroed array of this array class. `len` must not be negative (check first).
    fn alloc_array(&mut self, array_class: ClassId, len: usize) -> R<Ref>;
    /// A new array with components of class `elem`.
    fn new_array_of(&mut self, elem: ClassId, len: usize) -> R<Ref>;
    /// A new `byte[]`.
    fn new_byte_array(&mut self, len: usize) -> R<Ref>;
    /// Whether objects of class `c` are arrays of references (hot kind 2).
    fn is_array(&self, r: Ref) -> bool;
    /// `System.identityHashCode`.
    fn identity_hash(&mut self, r: Ref) -> i32;
    /// What is in use now.
    fn memory_in_use(&self) -> InUse;
    /// The most that was in use since the peak was last reset.
    fn memory_peak(&mut self) -> InUse;
    /// Makes what is in use now the peak of part `i` of [`InUse`].
    fn reset_memory_peak(&mut self, i: usize);
    /// The last collection, full or young, and nanoseconds that all of its kind have taken.
    fn past_collections(&self, full: bool) -> (Option<PastCollection>, i64);
    /// Bytes of the heap in use, garbage included.
    fn heap_used(&self) -> usize;
    /// Bytes the heap holds before it is collected as a whole (`Runtime.totalMemory`).
    fn heap_total(&self) -> usize;
    /// Most bytes the heap may hold (`Runtime.maxMemory`).
    fn heap_max(&self) -> usize;
    /// Number of collections so far: all, and full ones.
    fn collections(&self) -> (u64, u64);
    /// Takes that list, for the reference handler.
    fn take_pending_references(&mut self) -> Ref;
    /// Whether there are any.
    fn has_pending_references(&mut self) -> bool;
    /// Blocks the current thread until the list of pending references isn't empty.
    fn wait_for_pending_references(&mut self) -> R<()>;
    /// Writes a heap dump into a new file.
    fn dump_heap(&mut self, path: &[u8]) -> Result<Dumped, Errno>;
}

//! What a native method sees of its VM.
//!
//! Most of it are `impl Env` blocks in the rooms, next to what they need. Here is the rest: methods that the VM itself or
//! its host has, too, each a row of one table.

use crate::cancel::Canceller;
use crate::classes::class_files::DefineOptions;
use crate::classes::library::{InClass, Instance};
use crate::classes::{InitState, Method};
use crate::heap::dump::Dumped;
use crate::heap::history::PastCollection;
use crate::heap::pools::InUse;
use crate::heap::{Heap, HeapMut, SpaceSizes};
use crate::host::{Errno, Host};
use crate::ids::{ClassId, LoaderId, MethodId, Ref, Sym, ThreadId};
use crate::interp::{Context, NotSwitched};
use crate::jdk::{ClassName, FieldName, JdkMethod, KnownClasses, OptionalName};
use crate::symbols::Symbols;
use crate::threads::{Blocker, Contention, JavaThread, Wait, Wake};
use crate::throw::{R, Throw};
use crate::vm::{Env, Extensions, Options, ProfileMode};
use rjvm_profiler::MethodInfo;
use rjvm_profiler::cct::{ChildLinks, Visit};

/// Declares methods of [`Env`] that call those of the same name of [`Vm`](crate::Vm): a row is a doc comment and a signature, type parameters in
/// brackets.
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
    /// The module of a package of a loader: the value of the `module` field of the mirrors of the package's classes.
    fn module_of_package(&mut self, loader: LoaderId, package: Sym) -> Ref;
    /// The module a class is in, as its mirror has it.
    fn module_of(&mut self, c: ClassId) -> Ref;
    /// Name and version of a named module.
    fn module_name(&mut self, object: Ref) -> Option<(String, Option<String>)>;
    /// The Java method that called the native under way; `None` if the VM did.
    fn caller(&mut self) -> Option<MethodId>;
    /// Objects.
    fn heap(&self) -> &Heap;
    /// Objects, to be changed.
    fn heap_mut(&mut self) -> HeapMut<'_>;
    /// The outside world.
    fn host(&mut self) -> &mut dyn Host;
    /// What tables of natives keep, by names of their choosing.
    fn extensions(&mut self) -> &mut Extensions;
    /// Well-known classes.
    fn known(&self) -> &KnownClasses;
    /// What stops the VM from another OS thread.
    fn canceller(&mut self) -> Canceller;
    /// When it was made, by its clock.
    fn started(&self) -> i64;
    /// Threads that are alive, in the order in which they came up.
    fn live_threads(&self) -> impl ExactSizeIterator<Item = ThreadId>;
    /// Threads that there have been.
    fn threads_started(&self) -> u64;
    /// Settings.
    fn options(&self) -> &Options;
    /// The feature version of the JDK whose class library runs.
    fn feature(&self) -> u32;
    /// Names.
    fn symbols(&self) -> &Symbols;
    /// The symbol of a name, made if there is none.
    fn symbol(&mut self, name: &str) -> Sym;
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
    /// The class a `java.lang.Class` object represents.
    fn of_mirror(&self, mirror: Ref) -> ClassId;
    /// The loader object's number (0 for `null`), given out at first sight.
    fn loader_id(&mut self, loader: Ref) -> LoaderId;
    /// The loader's object (`null` for the boot loader).
    fn loader_object(&self, l: LoaderId) -> Ref;
    /// Whether a class of the table has been loaded.
    fn is_loaded(&self, name: ClassName<false>) -> bool;
    /// Whether an object (not null) is an instance of a class of the table, which need not be loaded.
    fn is_a(&self, r: Ref, name: ClassName<false>) -> bool;
    /// The field, if this JDK has it.
    fn has_field [F: FieldName](&self, f: OptionalName<F>) -> Option<F>;
    /// Reads a field of an object.
    fn get [F: Instance](&self, r: Ref, f: F) -> F::Got;
    /// Writes a field of an object; as [`Env::get`].
    fn set [F: Instance](&mut self, r: Ref, f: F, v: F::Value) -> F::Done;
    /// Reads a static field; as [`Env::get`].
    fn get_static [F: InClass](&self, f: F) -> F::Got;
    /// Writes a static field; as [`Env::get`].
    fn set_static [F: InClass](&mut self, f: F, v: F::Value) -> F::Done;
    /// The host of the nest (JVMS 5.4.4); a class whose claim fails is its own host.
    fn nest_host(&mut self, c: ClassId) -> R<ClassId>;
    /// Writes a reference field or element of an object if it can hold `v`; otherwise, or if no reference is there,
    /// `false`.
    fn put_reference(&mut self, r: Ref, off: usize, v: Ref) -> bool;
    /// Initializes a class (JVMS 5.5); an upcall with `Resume::Again` while its initializer has to run, `Block` while
    /// another thread runs it, NoClassDefFoundError when it failed before.
    fn ensure_initialized(&mut self, c: ClassId) -> R<()>;
    /// Where the initialization of a class is.
    fn init_state(&self, c: ClassId) -> InitState;
    /// Links (verifies and prepares) a class, after its superclass and its superinterfaces.
    fn link_class(&mut self, c: ClassId) -> R<()>;
    /// A class that `loader` has been recorded as an initiating loader of; never runs code.
    fn find_loaded(&mut self, loader: LoaderId, name: &str) -> Option<ClassId>;
    /// Loads `name` (internal form; arrays too) with `loader`: boot classes at once, others by an upcall of `loadClass`
    /// with [`crate::throw::Resume::Again`].
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
    /// The modifiers that a class was declared with: those of its `InnerClasses` row if it has one.
    fn declared_modifiers(&self, c: ClassId) -> u16;
    /// The method of a row of [`jdk::calls`](crate::jdk::calls) in its class, which is loaded.
    fn jdk_method(&mut self, c: ClassId, callee: JdkMethod) -> MethodId;
    /// The method, if this JDK has it.
    fn has_method(&self, callee: OptionalName<JdkMethod>) -> Option<JdkMethod>;
    /// Whether `a` is `b`, or a subclass of it, or implements it, or (arrays) is assignable to it.
    fn is_subtype(&self, a: ClassId, b: ClassId) -> bool;
    /// Whether the object (not null) is an instance of `c`.
    fn instance_of(&self, r: crate::Ref, c: ClassId) -> bool;
    /// A declared method.
    fn declared_method(&self, c: ClassId, name: Sym, desc: Sym) -> Option<MethodId>;
    /// Looks a method up in `c`, its superclasses and then its superinterfaces (5.4.3.3, 5.4.3.4; no access check).
    fn find_method(&self, c: ClassId, name: Sym, desc: Sym) -> Option<MethodId>;
    /// The method that a virtual call of `m` on a receiver of class `c` selects (5.4.6): by vtable index or by interface
    /// look-up.
    fn select_method(&mut self, c: ClassId, m: MethodId) -> R<MethodId>;
    /// [`Env::select_method`] for invokevirtual: an interface method that the class named in the reference inherits without
    /// a usable default fails with other words.
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
    /// All counts begin again from 0; contexts go, except for those of open frames.
    fn reset_contexts(&mut self);
    /// Objects and bytes allocated in a context itself.
    fn allocations(&self, visit: &Visit) -> (u64, u64);
    /// Where the child links of contexts are.
    fn links_of_contexts(&self) -> ChildLinks;
    /// The class of boxes for a primitive type, by its descriptor character.
    fn box_class(&self, t: u8) -> ClassId;
    /// A box object made without running code (as the VM boxes static arguments).
    fn box_value(&mut self, t: u8, v: u64) -> R<Ref>;
    /// The primitive in a box object, as a slot, with its descriptor character.
    fn unbox_value(&mut self, r: Ref) -> Option<(u8, u64)>;
    /// The method that a `ResolvedMethodName` represents, if it represents one.
    fn resolved_method(&self, name: Ref) -> Option<MethodId>;
    /// How contexts are recorded now.
    fn recorded_contexts(&self) -> ProfileMode;
    /// How contexts are recorded now, or were before, or would be by default.
    fn switchable_contexts(&self) -> ProfileMode;
    /// Records contexts from the next bytecode on, or no longer: between the turns of two threads, in a native, or where
    /// the VM has stopped.
    fn record_contexts(&mut self, mode: ProfileMode) -> Result<(), NotSwitched>;
    /// What a thread has lost to others so far.
    fn contention_of(&self, t: ThreadId) -> Contention;
    /// Whether there is one thread only, except for those of the class library.
    fn is_alone(&self) -> bool;
    /// The running thread is about to start another thread, or a process.
    fn before_start(&mut self) -> R<()>;
    /// The running thread, or the test that it runs, ends with an exception: notifies a control.
    fn notify_control(&mut self, exception: Ref);
    /// The object a thread waits for, and the thread that has it.
    fn waits_for(&mut self, t: ThreadId) -> (Ref, Option<ThreadId>);
    /// The object that a thread waits for, for the management interface: for a thread that waits to be notified, also the owner
    /// of the monitor.
    fn blocker_of(&mut self, t: ThreadId) -> Blocker;
    /// The same as `locked_monitors`, with the monitor that the thread has left for the length of `Object.wait`.
    fn locked_by_frames(&mut self, t: ThreadId) -> Vec<(usize, Ref)>;
    /// The objects whose monitors a thread has, with the number of the frame that has entered each, the top one being 0; the
    /// monitor entered last comes first.
    fn locked_monitors(&mut self, t: ThreadId) -> Vec<(usize, Ref)>;
    /// The synchronizers of `java.util.concurrent.locks` that have an owner, with that.
    fn owned_synchronizers(&mut self) -> Vec<(ThreadId, Ref)>;
    /// The threads in cycles of platform threads that wait for each other; with `monitors_only`, for monitors.
    fn reported_deadlocks(&mut self, monitors_only: bool) -> Vec<ThreadId>;
    /// Ends notices of collections of this kind.
    fn end_notices(&mut self, full: bool);
    /// Makes the current thread wait.
    fn block_on(&mut self, on: Wait, deadline: Option<i64>) -> Box<Throw>;
    /// Wakes a thread from a wait that `wake` can end; nothing happens when it is not in one.
    fn wake(&mut self, t: ThreadId, wake: Wake);
    /// Whether another thread could run now.
    fn others_runnable(&self) -> bool;
    /// The green thread of a `java.lang.Thread` that is alive; `None` for other objects, and for numbers that reflection
    /// has put into the field.
    fn thread_of(&mut self, object: Ref) -> Option<ThreadId>;
    /// `Thread.getName` of a thread.
    fn thread_name(&mut self, t: ThreadId) -> String;
    /// The `ThreadGroup` of a `Thread`.
    fn thread_group_of(&mut self, object: Ref) -> Ref;
    /// Class and name of a loader that is an object.
    fn loader_facts(&self, l: LoaderId) -> Option<(ClassId, Option<String>)>;
    /// The module of the JDK that a class comes from, if it does.
    fn system_module(&self, class: ClassId) -> Option<&str>;
    /// `Thread.holdsLock` for the current thread.
    fn holds_lock(&self, r: Ref) -> bool;
    /// `Object.notifyAll`.
    fn object_notify_all(&mut self, r: Ref) -> R<()>;
    /// Now, in nanoseconds of the clock all waits go by.
    fn clock_ns(&mut self) -> i64;
    /// Seconds and nanoseconds since 1970-01-01 UTC by the VM's clock.
    fn wall_clock(&mut self) -> (i64, u32);
    /// The deadline `nanos` from now.
    fn deadline_after(&mut self, nanos: i64) -> i64;
    /// Bytes allocated by all threads so far, each object once.
    fn bytes_allocated(&self) -> u64;
    /// Bytes a thread has allocated so far.
    fn bytes_allocated_by(&self, t: ThreadId) -> u64;
    /// A zeroed instance of an instantiable class.
    fn alloc_object(&mut self, c: ClassId) -> R<Ref>;
    /// A zeroed array of this array class. `len` must not be negative (check first).
    fn alloc_array(&mut self, array_class: ClassId, len: usize) -> R<Ref>;
    /// A new array with components of class `elem`.
    fn new_array_of(&mut self, elem: ClassId, len: usize) -> R<Ref>;
    /// A new `byte[]`.
    fn new_byte_array(&mut self, len: usize) -> R<Ref>;
    /// `System.identityHashCode`.
    fn identity_hash(&mut self, r: Ref) -> i32;
    /// Begins the identity hashes of the running thread, and of those that start from now on, again: those of a phase of the
    /// program are the same whatever was executed before.
    fn restart_identity_hashes(&mut self, phase: u32);
    /// The present usage.
    fn memory_in_use(&self) -> InUse;
    /// The last collection, full or young, and nanoseconds that all of its kind have taken.
    fn past_collections(&self, full: bool) -> (Option<PastCollection>, i64);
    /// Eden, survivors and old space.
    fn spaces_in_use(&self) -> [SpaceSizes; 3];
    /// Bytes of the heap in use, garbage included.
    fn heap_used(&self) -> usize;
    /// Most bytes the heap may hold (`Runtime.maxMemory`).
    fn heap_max(&self) -> usize;
    /// Number of collections so far: all, and full ones.
    fn collections(&self) -> (u64, u64);
    /// Writes a heap dump into a new file.
    fn dump_heap(&mut self, path: &[u8]) -> Result<Dumped, Errno>;
}

//! The virtual machine as a value, and the services it gives to natives.

pub(crate) mod code;
pub(crate) mod hooks;
pub(crate) mod limits;
pub(crate) mod loaded;
pub(crate) mod memory;
mod options;
pub(crate) mod profile;

use crate::classes::Method;
use crate::heap::Heap;
use crate::heap::hashes::{Hashes, Seeds};
use crate::heap::units::UnitId;
use crate::host::Host;
use crate::ids::{ClassId, LoaderId, MethodId, Ref, ThreadId};
use crate::interp::Hot;
use crate::jdk;
use crate::natives::Natives;
use crate::symbols::Symbols;
use crate::threads::JavaThread;
use hashbrown::HashMap;
pub use loaded::Loader;
pub use options::{Explored, IntrinsicsOff, Options, ProfileMode, TierCheck, TierFault, TierMode};

/// State private to one native table, by a name of its choosing.
pub type Extensions = HashMap<&'static str, Box<dyn std::any::Any + Send>>;

/// A virtual machine. All its state is in here; several may live in one process.
pub struct Vm {
    /// Memory.
    pub(crate) heap: Heap,
    /// The hot state in the heap this VM was made with.
    pub(crate) home: *mut Hot,
    /// Settings.
    pub(crate) options: Options,
    /// Names.
    pub(crate) syms: Symbols,
    /// Classes and methods that are loaded, their loaders, and their links.
    pub(crate) loaded: loaded::LoadedClasses,
    /// Translated code beside the methods' own.
    pub(crate) code: code::TranslatedCode,
    /// All threads by id, ended ones included whose numbers are not used again yet.
    #[allow(
        clippy::vec_box,
        reason = "threads that run must not move when others are added"
    )]
    pub(crate) threads: Vec<Box<JavaThread>>,
    /// The running thread.
    pub(crate) cur: ThreadId,
    /// Natives by class, name and descriptor.
    pub(crate) natives: Natives,
    /// The outside world.
    pub(crate) host: Box<dyn Host>,
    /// Whether the host is to be notified how many bytecodes have been executed.
    pub(crate) host_counts: bool,
    /// Interned strings: contents to object (kept by the collector).
    pub(crate) strings: crate::strings::StringTable,
    /// Inflated monitors.
    pub(crate) monitors: crate::threads::monitor::Monitors,
    /// Run queue and timers.
    pub(crate) sched: crate::threads::sched::Scheduler,
    /// Identity hashes for a host that runs no thread.
    pub(crate) hashes: Hashes,
    /// What the threads' identity hashes start from.
    pub(crate) hash_seeds: Seeds,
    /// Memory that it holds beside the parts with separate limits.
    pub(crate) held: crate::interp::HeldMemory,
    /// How calling contexts and samples are recorded.
    pub(crate) profile: profile::Profile,
    /// The thread group "main" (root cell), once it exists.
    pub(crate) main_group: u32,
    /// The thread and method of [`Vm::call_main`].
    pub(crate) main_thread: Option<(ThreadId, MethodId)>,
    /// Whether `initPhase1` has ended.
    pub(crate) booted: bool,
    /// Set when the VM is to end: the exit code.
    pub(crate) exit: Option<i32>,
    /// Memory reached by address.
    pub(crate) offheap: crate::offheap::OffHeap,
    /// The module graph.
    pub(crate) modules: crate::modules::Modules,
    /// A throw that a handler found and its slow path delivers.
    pub(crate) pending_throw: Option<Box<crate::Throw>>,
    /// The registers in `Hot` are those of the running thread.
    pub(crate) in_interpreter: bool,
    /// Something other than the end of the slice has to be looked at.
    pub(crate) attention: bool,
    /// `System.gc()` or an embedder asks for a collection at the next safepoint.
    pub(crate) gc_requested: bool,
    /// Ticks at which the running slice ends.
    pub(crate) slice_end: i64,
    /// Bytecodes that all threads have executed so far.
    pub(crate) bytecodes: i64,
    /// The limits of a run, and why it has stopped.
    pub(crate) limits: limits::RunLimits,
    /// Places where it stops.
    pub(crate) watching: crate::interp::StopPlaces,
    /// Result of the bottom method of the thread that has just left.
    pub(crate) thread_result: Option<Result<crate::Value, Ref>>,
    /// Objects and bytes the running instruction has allocated outside the interpreter.
    pub(crate) allocated: (u64, u64),
    /// The state of memory beside the heap itself.
    pub(crate) memory: memory::MemoryState,
    /// What threads have used.
    pub(crate) usage: crate::threads::Usage,
    /// How long threads are blocked and waiting is measured.
    pub(crate) measures_contention: bool,
    /// Who is notified of what happens.
    pub(crate) observers: crate::events::Observers,
    /// The reports to them, and by instruments.
    pub(crate) events: crate::events::Hub,
    /// Instruments.
    pub(crate) instruments: crate::instruments::Instruments,
    /// The logs of collections and classes.
    pub(crate) verbose: crate::events::Verbosity,
    /// The requests of a debugger.
    pub(crate) debugged: crate::interp::Debugged,
    /// What hosts do for it.
    pub(crate) hooks: hooks::Hooks,
    /// Why it is dead.
    pub(crate) fault: Option<std::sync::Arc<crate::fault::Fault>>,
    /// Where its time comes from.
    pub(crate) clock: Box<dyn crate::threads::clock::Clock>,
    /// Which thread runs next.
    pub(crate) schedule: Box<dyn crate::threads::schedule::Schedule>,
    /// That is the one the VM began with.
    pub(crate) plain_schedule: bool,
    /// Who decides the schedule instead, operation by operation.
    pub(crate) controlled: Option<Box<crate::threads::control::Controlled>>,
    /// What of it natives may begin.
    pub(crate) offered: Option<crate::threads::control::OfferedControl>,
    /// Points in bytecode.
    pub(crate) points: Vec<crate::interp::MemoryPoint>,
    /// When it was made, by its clock.
    pub(crate) started: i64,
    /// State private to one native table, by a name of its choosing.
    pub(crate) ext: Extensions,
}

/// The frames that are running belong to a heap that may be gone: there is nothing to return to.
#[cold]
#[inline(never)]
fn displaced() -> ! {
    eprintln!(
        "rjvm: a native or an agent has put another VM in the place of the one that called it"
    );
    std::process::abort()
}

// SAFETY: raw pointers in a Vm point into memory it owns; nothing is tied to an OS thread: what others
// put into it and what it shares with others is `Send` by itself, see below.
unsafe impl Send for Vm {}

const _: () = {
    const fn sent<T: Send>() {}
    sent::<(Box<dyn Host>, Natives, Box<dyn crate::events::Observer>)>();
    sent::<(
        Box<dyn crate::threads::clock::Clock>,
        Box<dyn crate::threads::schedule::Schedule>,
    )>();
    sent::<HashMap<&'static str, Box<dyn std::any::Any + Send>>>();
    sent::<(
        std::sync::Arc<rjvm_classfile::ClassFile>,
        crate::classpath::BootPath,
    )>();
    sent::<(Options, Symbols, crate::modules::Modules, Box<crate::Throw>)>();
    sent::<Option<rjvm_profiler::samples::Recorder>>();
    sent::<Option<hooks::TakeContexts>>();
};

impl Vm {
    /// The state shared with the interpreter.
    #[inline(always)]
    pub(crate) fn hot(&self) -> *mut Hot {
        self.heap.region.base().cast()
    }
    /// To be called when code from outside has had `&mut self` while the interpreter runs: it must not have put another VM or
    /// another heap in its place.
    #[inline(always)]
    pub(crate) fn is_still_at(&self, hot: *mut Hot) {
        if self.hot() != hot {
            displaced()
        }
    }
    /// What its natives see of it, for a host that calls functions of theirs: less than the host has.
    #[inline(always)]
    pub fn env(&mut self) -> &mut Env {
        Env::of(self)
    }
    /// Lets code of a host do something while the interpreter runs. Its references are checked, as between runs.
    pub(crate) fn as_host<T>(&mut self, f: impl FnOnce(&mut Vm) -> T) -> T {
        let inside = std::mem::replace(&mut self.heap.inside, false);
        let done = f(self);
        self.heap.inside = inside;
        done
    }
    /// The running thread.
    #[inline(always)]
    pub(crate) fn thread(&mut self) -> &mut JavaThread {
        &mut self.threads[self.cur.0 as usize]
    }
    /// A method.
    #[inline(always)]
    pub fn method(&self, m: MethodId) -> &Method {
        &self.loaded.methods[m.0 as usize]
    }
    /// A method, mutable.
    #[inline(always)]
    pub(crate) fn method_mut(&mut self, m: MethodId) -> &mut Method {
        &mut self.loaded.methods[m.0 as usize]
    }
    /// A class.
    #[inline(always)]
    pub fn class(&self, c: ClassId) -> &crate::classes::Class {
        self.heap.class(c)
    }
    /// The class of an object.
    #[inline(always)]
    pub fn class_of(&self, r: Ref) -> ClassId {
        self.heap.class_of(r)
    }
    /// Internal name of a class.
    pub fn name(&self, c: ClassId) -> std::sync::Arc<str> {
        self.class(c).name.clone()
    }
    /// The `java.lang.Class` object of a class.
    #[inline(always)]
    pub fn mirror(&self, c: ClassId) -> Ref {
        // SAFETY: a ClassId names an initialised hot block.
        unsafe { (*self.heap.hot(c)).mirror }
    }
    /// The class a `java.lang.Class` object represents.
    #[inline(always)]
    pub fn of_mirror(&self, mirror: Ref) -> ClassId {
        ClassId(
            self.heap
                .get::<u32>(mirror, crate::heap::layout::MIRROR_CLASS),
        )
    }
    /// The loader object's number (0 for `null`), given out at first sight.
    pub fn loader_id(&mut self, loader: Ref) -> LoaderId {
        if loader.is_null() {
            return LoaderId::BOOT;
        }
        // `ClassLoader` carries an injected int with its number plus 1
        let n = self.get(loader, jdk::class_loader::RJVM_LOADER) as u32;
        if n != 0 {
            return LoaderId(n);
        }
        let new = self.loaded.loaders.len() as u32;
        let id = LoaderId(self.loaded.linker.free_loaders.pop().unwrap_or(new));
        let unit = match self.is_builtin_loader(loader) {
            true => UnitId::PERMANENT,
            false => self.heap.gc.units.add(id, false),
        };
        self.loaded.last_loader += 1;
        let entry = Loader {
            serial: self.loaded.last_loader,
            cell: self.heap.new_cell_of(unit, loader),
            classes: HashMap::new(),
            packages: HashMap::new(),
        };
        match id.0 == new {
            true => self.loaded.loaders.push(entry),
            false => self.loaded.loaders[id.0 as usize] = entry,
        }
        self.set_number(loader, jdk::class_loader::RJVM_LOADER, id.0 as i32);
        id
    }
    /// Whether this is one of the loaders that the VM begins with.
    fn is_builtin_loader(&self, loader: Ref) -> bool {
        let k = self.class(self.class_of(loader));
        k.loader == LoaderId::BOOT && k.name.starts_with("jdk/internal/loader/ClassLoaders$")
    }
    /// The loader's object (`null` for the boot loader).
    pub fn loader_object(&self, l: LoaderId) -> Ref {
        if l == LoaderId::BOOT {
            Ref::NULL
        } else {
            self.heap.cell(self.loaded.loaders[l.0 as usize].cell)
        }
    }
    /// The class of a loader and its name, if it has one; none of the boot loader.
    pub fn loader_facts(&self, l: LoaderId) -> Option<(ClassId, Option<String>)> {
        let object = self.loader_object(l).non_null()?;
        let name = self.get(object, jdk::class_loader::NAME);
        let name = name.non_null().map(|name| self.string(name));
        Some((self.class_of(object), name))
    }
    /// The module of the JDK that a class comes from, if it does.
    pub fn system_module(&self, class: ClassId) -> Option<&str> {
        self.class(class).source.as_deref()?.strip_prefix("jrt:/")
    }
    /// `Class.name(descriptor)` of a method, for messages.
    pub fn method_name(&self, m: MethodId) -> String {
        let m = self.method(m);
        format!(
            "{}.{}{}",
            self.class(m.class).dotted(),
            self.syms.str(m.name),
            self.syms.str(m.desc)
        )
    }
}

/// What a native method sees of its VM, as `JNIEnv` is for natives of the Java Native Interface.
///
/// A native is called from within the interpreter, so it cannot do what a host can: run Java code (it asks for that by
/// [`Throw::Upcall`](crate::Throw::Upcall)), resume the VM, give it fuel, place instruments. An `Env` is made by the VM alone, and nothing leads from
/// it to the [`Vm`]:
///
/// ```compile_fail,E0308
/// fn native(env: &mut rjvm_vm::Env) -> &mut rjvm_vm::Vm {
///     env
/// }
/// ```
/// ```compile_fail,E0616
/// fn native(env: &mut rjvm_vm::Env) -> &mut rjvm_vm::Vm {
///     &mut env.0
/// }
/// ```
/// ```compile_fail,E0599
/// fn native(env: &mut rjvm_vm::Env) {
///     env.set_fuel(None);
/// }
/// ```
#[repr(transparent)]
pub struct Env(pub(crate) Vm);

impl Env {
    /// A VM as its natives see it.
    #[inline(always)]
    pub(crate) fn of(vm: &mut Vm) -> &mut Env {
        // SAFETY: an `Env` is a `Vm`, by its representation, and the borrow is handed on.
        unsafe { &mut *std::ptr::from_mut(vm).cast::<Env>() }
    }
}

impl Env {
    /// Why the native that runs again was woken; `None` when it runs for the first time.
    pub fn take_wake(&mut self) -> Option<crate::threads::Wake> {
        self.0.thread().wake.take()
    }
}

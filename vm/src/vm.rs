//! The virtual machine as a value, and the services it gives to natives.

use crate::classes::Method;
use crate::heap::Heap;
use crate::heap::hashes::{Hashes, Seeds};
use crate::heap::units::UnitId;
use crate::host::Host;
use crate::ids::{ClassId, LoaderId, MethodId, Ref, Sym, ThreadId};
use crate::interp::Hot;
use crate::jdk;
use crate::natives::{Env, Natives};
use crate::symbols::Symbols;
use crate::threads::JavaThread;
use hashbrown::HashMap;

/// Settings of a VM; see the launcher's flag table for their meaning on the command line.
#[derive(Clone, Debug)]
pub struct Options {
    /// Directory of the JDK.
    pub java_home: std::path::PathBuf,
    /// Heap limit in bytes (`-Xmx`).
    pub max_heap: usize,
    /// Stack of a Java thread in bytes (`-Xss`).
    pub stack_bytes: usize,
    /// System properties in the order given (`-Dk=v`, class path and the launcher's own).
    pub properties: Vec<(String, String)>,
    /// What the VM was given by whom it was made for, as a program and tools are shown it: nothing that the launcher adds.
    pub arguments: Vec<String>,
    /// Which of these are rjvm's own options: what Java code does must not depend on them.
    pub own_arguments: Vec<usize>,
    /// Collect at every allocation and poison freed memory.
    pub gc_stress: bool,
    /// Bytecodes a thread runs before the next runnable thread has its turn.
    pub quantum: i64,
    /// Picoseconds of a bytecode on a clock that is driven by executed bytecodes; `None`: the host's clock.
    pub virtual_clock: Option<u64>,
    /// Verify the JDK's own classes of the boot loader too (`-Xverify:all`).
    pub verify_boot: bool,
    /// Verify classes of other loaders, and those the boot loader has from elsewhere than the JDK (off with
    /// `-Xverify:none`).
    pub verify_app: bool,
    /// What is logged (`-verbose`, `-Xlog`).
    pub logs: Vec<crate::events::Log>,
    /// Record calling contexts.
    pub profile: ProfileMode,
    /// Bytes that recorded contexts may take; beyond that, the coldest are folded.
    pub profile_memory: usize,
    /// When contexts have taken that memory the VM stops with [`Halt::Limit`](crate::cancel::Halt::Limit), named
    /// `contexts`; they are folded only when it goes on.
    pub stops_at_contexts: bool,
    /// Bytes of samples, of names and of translated code: beyond that, the VM stops with
    /// [`Halt::Limit`](crate::cancel::Halt::Limit) at its next look. `None`: any number.
    pub max_samples: Option<usize>,
    /// See [`Options::max_samples`]: names of classes, members and types that were ever asked for and are not forgotten
    /// by a collection, messages of errors that are kept for entries of constant pools, and what a profile names of threads
    /// that have ended and of classes that are unloaded.
    pub max_names: Option<usize>,
    /// See [`Options::max_samples`].
    pub max_code: Option<usize>,
    /// Bytes that the verification or the translation of one method may take while it is under way. Beyond it:
    /// OutOfMemoryError.
    pub work_memory: usize,
    /// Sample at every that many bytecodes.
    pub sample_every: Option<u64>,
    /// Plus as many as a uniformly distributed number below this one says, new for each sample.
    pub sample_random: u64,
    /// Bytecodes of each thread, or of all together.
    pub sample_clock: crate::interp::SampleClock,
    /// Seed of identity hashes and other free choices.
    pub seed: u64,
    /// The seed was asked for: what the class library takes from the clock for a seed that a program
    /// leaves to it (`new Random()`) comes from there too.
    pub seeds_random: bool,
    /// What the class library's and the program's random numbers are made from instead of the seed, from some moment on.
    pub reseeded: Option<u64>,
    /// `-Xbootclasspath/a`
    pub boot_append: Vec<String>,
    /// `-ea`/`-da` in order: (enable, "" | ":Class" | "pkg...").
    pub assertions: Vec<(bool, String)>,
    /// HotSpot's names of the options among these that were asked for.
    pub given: Vec<String>,
    /// `-XX:+HeapDumpOnOutOfMemoryError`
    pub heap_dump_on_oom: bool,
    /// File or directory of that dump (`-XX:HeapDumpPath`).
    pub heap_dump_path: Option<String>,
    /// How much that dump is compressed, from 1 to 9; 0: not at all (`-XX:HeapDumpGzipLevel`).
    pub heap_dump_gzip: u32,
    /// `-XX:+ExitOnOutOfMemoryError`
    pub exit_on_oom: bool,
    /// `-esa`
    pub system_assertions: bool,
    /// Messages of NullPointerExceptions tell what was null
    /// (`-XX:-ShowCodeDetailsInExceptionMessages`: not).
    pub null_pointer_messages: bool,
    /// Thread dumps on SIGQUIT have the synchronizers that threads own (`-XX:+PrintConcurrentLocks`).
    pub print_concurrent_locks: bool,
    /// `--enable-preview`
    pub enable_preview: bool,
    /// The program may not handle the signals that end it (`-Xrs`).
    pub reduce_signals: bool,
    /// Most bytes of metadata (`-XX:MaxMetaspaceSize`).
    pub max_metaspace: Option<usize>,
    /// Bytes of metadata that ask for the first collection (`-XX:MetaspaceSize`).
    pub metaspace_size: usize,
    /// Most bytes of classes' blocks, a part of the metadata (`-XX:CompressedClassSpaceSize`).
    pub class_space: usize,
    /// Limit of direct buffers in bytes (`-XX:MaxDirectMemorySize`).
    pub max_direct_memory: Option<u64>,
    /// Most bytes outside the heap that the program may take: `Unsafe.allocateMemory`, direct buffers, mapped files
    /// (their length), compressors, and the stacks of its threads (all of them, though they take memory as they are
    /// used). `None`: as many as the machine has. Beyond it: OutOfMemoryError, as when the machine has none.
    pub max_off_heap: Option<usize>,
    /// Most Java threads alive at once, the class library's own included (four or five, and `main`). Beyond it
    /// `Thread.start` throws OutOfMemoryError.
    pub max_threads: Option<usize>,
    /// Count allocated objects and bytes in each calling context, if these are recorded.
    pub allocations: bool,
    /// What natives and the VM itself call is no part of their contexts, but a root beside `main`.
    pub upcalls_to_root: bool,
    /// Keep the bytes of all classes that are defined, for `--dump-classes`.
    pub keep_class_files: bool,
    /// Sample threads from their start, not only in the dynamic extent of `main`.
    pub sample_all: bool,
    /// Locals and operands can be read at every bytecode ([`Vm::inspect`]). What is executed and counted is the same,
    /// more slowly.
    pub inspectable: bool,
    /// Places where the VM stops.
    pub places: Vec<crate::interp::Place>,
    /// A hash of the path of all threads is kept ([`Vm::path`]).
    pub traces_path: bool,
    /// Methods for which there is Rust code run as that. What is executed and counted is the same, more slowly
    /// without.
    pub intrinsics: bool,
    /// The VM can come under control ([`Vm::set_control`]): there are points in its bytecode.
    pub explored: Option<Explored>,
}

/// What there is for a [`Control`](crate::threads::control::Control).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Explored {
    /// What reads find is the control's to say.
    pub memory: bool,
}

impl Options {
    /// What the launcher starts from: `java`'s defaults where it has any.
    pub fn new(java_home: impl Into<std::path::PathBuf>) -> Options {
        Options {
            java_home: java_home.into(),
            max_heap: 1 << 30,
            stack_bytes: 1 << 20,
            properties: Vec::new(),
            arguments: Vec::new(),
            own_arguments: Vec::new(),
            gc_stress: false,
            quantum: 100_000,
            virtual_clock: None,
            verify_boot: false,
            verify_app: true,
            logs: Vec::new(),
            profile: ProfileMode::Off,
            profile_memory: 4 << 30,
            stops_at_contexts: false,
            max_samples: None,
            max_names: None,
            max_code: None,
            work_memory: 1 << 30,
            sample_every: None,
            sample_random: 0,
            sample_clock: Default::default(),
            seed: 1,
            seeds_random: false,
            reseeded: None,
            boot_append: Vec::new(),
            assertions: Vec::new(),
            given: Vec::new(),
            heap_dump_on_oom: false,
            heap_dump_path: None,
            heap_dump_gzip: 0,
            exit_on_oom: false,
            system_assertions: false,
            null_pointer_messages: true,
            print_concurrent_locks: false,
            enable_preview: false,
            reduce_signals: false,
            max_metaspace: None,
            metaspace_size: 21 << 20,
            class_space: 1 << 30,
            max_direct_memory: None,
            max_off_heap: None,
            max_threads: None,
            allocations: false,
            upcalls_to_root: false,
            keep_class_files: false,
            sample_all: false,
            inspectable: false,
            places: Vec::new(),
            traces_path: false,
            intrinsics: true,
            explored: None,
        }
    }
}

/// What is recorded about calling contexts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProfileMode {
    /// Nothing.
    Off,
    /// A node per calling context, call sites merged (JP's method call tree).
    Exact,
    /// A node per calling context and call site (JP2's calling-context tree).
    CallSites,
    /// The same with a counter for every taken edge of the control flow in every node: executions of
    /// each basic block in its context.
    Blocks,
}

/// A class loader known to the VM.
#[derive(Default)]
pub struct Loader {
    /// Number in the order in which loaders came up; never used again.
    pub serial: u32,
    /// The `java.lang.ClassLoader` object, in a root cell (0 for the boot loader).
    pub cell: u32,
    /// Classes by name this loader is an initiating loader of (defined ones included).
    pub classes: HashMap<Sym, ClassId>,
    /// Packages defined to it so far with their module object (root cell; 0: unnamed or not yet known).
    pub packages: HashMap<Sym, u32>,
}

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
    /// All classes in order of creation.
    pub(crate) classes: Vec<ClassId>,
    /// All methods by number.
    pub(crate) methods: crate::classes::methods::Methods,
    /// Where numbered methods come from, as far as it was asked for.
    pub(crate) origins: crate::classes::numbered::Origins,
    /// Classes of one name that are not the same.
    pub(crate) variants: crate::classes::variants::Variants,
    /// Class loaders; 0 is the boot loader.
    pub(crate) loaders: Vec<Loader>,
    /// Where the boot loader finds classes.
    pub(crate) boot_path: Option<crate::classpath::BootPath>,
    /// Code that belongs to no method.
    pub(crate) stubs: crate::interp::Stubs,
    /// State of loading and linking.
    pub(crate) linker: crate::classes::Linker,
    /// Memory of translations.
    pub(crate) translator: crate::interp::Buffers,
    /// Well-known classes.
    pub(crate) known: jdk::Known,
    /// Primitive types in the order `Z B C S I J F D V`.
    pub(crate) primitives: [ClassId; 9],
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
    /// Whether the host is to be told how many bytecodes have been executed.
    pub(crate) host_counts: bool,
    /// Interned strings: contents to object (kept by the collector).
    pub(crate) strings: crate::strings::StringTable,
    /// Inflated monitors.
    pub(crate) monitors: crate::threads::monitor::Monitors,
    /// Run queue and timers.
    pub(crate) sched: crate::threads::sched::Scheduler,
    /// Method descriptors in the classes' constant pools.
    pub(crate) descriptors: crate::classes::descriptors::Descriptors,
    /// The JDK's class library, and where its known classes and fields are.
    pub(crate) library: crate::classes::library::Library,
    /// Identity hashes for a host that runs no thread.
    pub(crate) hashes: Hashes,
    /// What the threads' identity hashes start from.
    pub(crate) hash_seeds: Seeds,
    /// What it holds beside what has limits of its own.
    pub(crate) held: crate::interp::Held,
    /// Calling-context nodes.
    pub(crate) cct: rjvm_profiler::cct::Arena,
    /// The thread group "main" (root cell), once it exists.
    pub(crate) main_group: u32,
    /// The thread and method of [`Vm::call_main`].
    pub(crate) main_thread: Option<(ThreadId, MethodId)>,
    /// Whether `initPhase1` is over.
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
    /// Bytecodes that may still run (`None`: no limit). The VM stops when exactly that many have
    /// begun; the embedder may set it whenever the VM is not running.
    pub(crate) fuel: Option<i64>,
    /// Bytecodes that all threads have executed so far.
    pub(crate) bytecodes: i64,
    /// The fuel's end in ticks of the running thread.
    pub(crate) fuel_end: Option<i64>,
    /// The fuel's end has been reached.
    pub(crate) out_of_fuel: bool,
    /// Requests of other OS threads to stop.
    pub(crate) canceller: crate::cancel::Obeyed,
    /// Asks for a stop when the time is over, once there was a limit.
    pub(crate) watchdog: Option<crate::cancel::Watchdog>,
    /// Real time it may still run.
    pub(crate) wall_time: Option<std::time::Duration>,
    /// What it is stopping for.
    pub(crate) halted: Option<crate::cancel::Halt>,
    /// The slice that begins is the rest of the one that the fuel's end or a request cut short.
    pub(crate) resumed: bool,
    /// Places where it stops.
    pub(crate) watching: crate::interp::Watching,
    /// The thread that was stopped by the fuel's end, at a place or for a request.
    pub(crate) stopped: Option<ThreadId>,
    /// It was stopped where its references are known.
    pub(crate) stopped_safely: bool,
    /// Result of the bottom method of the thread that has just left.
    pub(crate) thread_result: Option<Result<crate::Value, Ref>>,
    /// A word of a method's code that stops there, and the handler it replaces.
    pub(crate) breakpoint: Option<crate::interp::Breakpoint>,
    /// The contexts that there are know where they were called.
    pub(crate) sites_recorded: bool,
    /// How often recording contexts was switched.
    pub(crate) switches: u64,
    /// Methods that have the bodies which were replaced.
    pub(crate) obsolete: crate::interp::Obsolete,
    /// Methods that run as Rust code.
    pub(crate) intrinsics: crate::interp::Intrinsics,
    /// How often a method's code was made: where code is may mean something else afterwards.
    pub(crate) code_age: u64,
    /// Translated code that goes when the interpreter is next entered.
    #[allow(
        clippy::vec_box,
        reason = "frames point at parts of it, so it stays where it is"
    )]
    pub(crate) discarded: Vec<Box<crate::interp::Translated>>,
    /// Handler that the stepping handler runs next.
    pub(crate) step_handler: Option<crate::interp::Handler>,
    /// Method types by descriptor (root cells): those all loaders agree on, and those a loader is using.
    pub(crate) method_types: HashMap<(Option<LoaderId>, Sym), u32>,
    /// Objects and bytes the running instruction has allocated outside the interpreter.
    pub(crate) allocated: (u64, u64),
    /// Allocations that are to fail.
    pub(crate) failing: Option<Box<crate::heap::failing::Failing>>,
    /// What is remembered of memory.
    pub(crate) history: crate::heap::history::History,
    /// What threads have used.
    pub(crate) usage: crate::threads::Usage,
    /// How long threads are blocked and waiting is measured.
    pub(crate) measures_contention: bool,
    /// Flow of control that no edge stands for (profiles of basic blocks).
    pub(crate) flow: crate::interp::blocks::Flow,
    /// Class files by the class defined from them, if they are kept.
    pub(crate) class_files: Vec<crate::classes::load::ClassFileOf>,
    /// Calls that remember a class which can be unloaded.
    pub(crate) call_caches: Vec<crate::interp::CallCache>,
    /// Classes unloaded so far, arrays left out.
    pub(crate) unloaded: u64,
    /// [`Loader::serial`] of the youngest loader.
    pub(crate) last_loader: u32,
    /// The clock of samples of all threads together.
    pub(crate) global_clock: crate::interp::GlobalClock,
    /// Recorder of samples. It has all of them after [`Vm::settle_samples`].
    pub(crate) samples: Option<rjvm_profiler::samples::Recorder>,
    /// Who is told of what happens.
    pub(crate) events: crate::events::Hub,
    /// Instruments.
    pub(crate) instruments: crate::instruments::Instruments,
    /// The logs of collections and classes on the standard output that the program has switched on.
    pub(crate) verbose: [Option<crate::events::SubscriberId>; 2],
    /// Samples that are not in `samples` yet.
    pub(crate) waiting: crate::interp::Waiting,
    /// OutOfMemoryErrors of the VM's own so far.
    pub(crate) out_of_memory_errors: u32,
    /// Errors for when there is no room for others, by class and message (root cells).
    pub(crate) last_errors: HashMap<(ClassId, Box<str>), u32>,
    /// Who takes contexts when there are many.
    pub(crate) take_contexts: Option<crate::interp::TakeContexts>,
    /// Why it is dead.
    pub(crate) fault: Option<std::sync::Arc<crate::fault::Fault>>,
    /// The heap has been dumped because it was full; that happens once.
    pub(crate) heap_dumped: bool,
    /// Which stacks have allocated what, if that is kept.
    pub(crate) sites: Option<crate::heap::sites::SharedSites>,
    /// Where its time comes from.
    pub(crate) clock: Box<dyn crate::threads::clock::Clock>,
    /// Which thread runs next.
    pub(crate) schedule: Box<dyn crate::threads::schedule::Schedule>,
    /// That is the one the VM began with.
    pub(crate) plain_schedule: bool,
    /// Who decides the schedule instead, operation by operation.
    pub(crate) controlled: Option<Box<crate::threads::control::Controlled>>,
    /// Who may be told to.
    pub(crate) offered: Option<crate::threads::control::Offered>,
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
    sent::<(Box<dyn Host>, Natives, Box<dyn crate::events::Subscriber>)>();
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
    sent::<Option<crate::interp::TakeContexts>>();
};

impl Vm {
    /// The state shared with the interpreter.
    #[inline(always)]
    pub(crate) fn hot(&self) -> *mut Hot {
        self.heap.region.base().cast()
    }
    /// To be called when code from outside has had `&mut self` while the interpreter runs: nobody may have put
    /// another VM or another heap in its place.
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
    /// Lets code of a host do something while the interpreter runs. What it hands over is looked at, as between runs.
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
        &self.methods[m.0 as usize]
    }
    /// A method, mutable.
    #[inline(always)]
    pub(crate) fn method_mut(&mut self, m: MethodId) -> &mut Method {
        &mut self.methods[m.0 as usize]
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
    /// The class a `java.lang.Class` object stands for.
    #[inline(always)]
    pub fn of_mirror(&self, mirror: Ref) -> ClassId {
        ClassId(self.heap.get::<u32>(mirror, crate::heap::gc::MIRROR_CLASS))
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
        let new = self.loaders.len() as u32;
        let id = LoaderId(self.linker.free_loaders.pop().unwrap_or(new));
        let unit = match self.is_builtin_loader(loader) {
            true => UnitId::PERMANENT,
            false => self.heap.gc.units.add(id, false),
        };
        self.last_loader += 1;
        let entry = Loader {
            serial: self.last_loader,
            cell: self.heap.new_cell_of(unit, loader),
            classes: HashMap::new(),
            packages: HashMap::new(),
        };
        match id.0 == new {
            true => self.loaders.push(entry),
            false => self.loaders[id.0 as usize] = entry,
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
            self.heap.cell(self.loaders[l.0 as usize].cell)
        }
    }
    /// The class of a loader and its name, if it has one; none of the boot loader.
    pub fn loader_facts(&self, l: LoaderId) -> Option<(ClassId, Option<String>)> {
        let object = self.loader_object(l).non_null()?;
        let name = self.get(object, jdk::class_loader::NAME);
        let name = name.non_null().map(|name| self.string(name));
        Some((self.class_of(object), name))
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

impl Env {
    /// Why the native that runs again was woken; `None` when it runs for the first time.
    pub fn take_wake(&mut self) -> Option<crate::threads::Wake> {
        self.0.thread().wake.take()
    }
}

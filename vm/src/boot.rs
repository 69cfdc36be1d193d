//! The birth of a VM: memory, boot path, the classes it cannot do without.

use crate::classes::places::Library;
use crate::classpath::{self, BootPath, FoundBy, Jdk, SystemModules};
use crate::fault::contain;
use crate::heap::Heap;
use crate::heap::hashes::{Hashes, Seeds};
use crate::heap::region::META_START;
use crate::host::Host;
use crate::ids::{ClassId, ThreadId};
use crate::interp::Hot;
use crate::jdk;
use crate::natives::Natives;
use crate::threads::clock::{BytecodeClock, Clock, HostClock};
use crate::threads::schedule::RoundRobin;
use crate::vm::code::TranslatedCode;
use crate::vm::limits::RunLimits;
use crate::vm::loaded::LoadedClasses;
use crate::vm::memory::MemoryState;
use crate::vm::profile::Profile;
use crate::vm::{Loader, Options, ProfileMode, Vm};
use hashbrown::HashMap;
use rjvm_profiler::cct::Arena;
use std::path::Path;
use std::sync::Arc;

/// Descriptor characters and names of the primitive types, in the order of [`Vm::primitives`].
const PRIMITIVES: [(u8, &str); 9] = [
    (b'Z', "boolean"),
    (b'B', "byte"),
    (b'C', "char"),
    (b'S', "short"),
    (b'I', "int"),
    (b'J', "long"),
    (b'F', "float"),
    (b'D', "double"),
    (b'V', "void"),
];

/// The name of a primitive type, or `void`, by its descriptor.
pub fn primitive_name(descriptor: u8) -> Option<&'static str> {
    let (_, name) = PRIMITIVES.iter().find(|(d, _)| *d == descriptor)?;
    Some(name)
}

/// Property of a `--patch-module` value, `module=path:path…`; a dot and a number follow.
pub const PATCHES: &str = "jdk.module.patch";

const _: () = assert!(size_of::<Hot>() <= META_START);

/// A JDK whose class library is open: read-only, so that any number of VMs on any threads share it.
#[derive(Clone, Debug)]
pub struct InstalledJdk {
    jdk: Jdk,
    modules: Arc<SystemModules>,
}

impl InstalledJdk {
    /// Opens the JDK in `home`.
    pub fn open(home: &Path) -> classpath::Result<InstalledJdk> {
        InstalledJdk::of(Jdk::open(home, FoundBy::Option)?.supported()?)
    }
    /// Opens the class library of a JDK that has been found.
    pub fn of(jdk: Jdk) -> classpath::Result<InstalledJdk> {
        let modules = Arc::new(SystemModules::open(&jdk)?);
        Ok(InstalledJdk { jdk, modules })
    }
    /// Those of these methods that ought to be in its class library and are not: a line each.
    pub fn lacks(&self, methods: &[crate::jdk::outside::OutsideRow]) -> Vec<String> {
        crate::jdk::check::missing_methods(&self.modules, methods, self.jdk.feature())
    }
    /// The JDK.
    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }
}

impl Vm {
    /// A VM with its well-known classes loaded; no thread and no Java code has run yet.
    /// The error is for people.
    pub fn new(options: Options, host: Box<dyn Host>, natives: Natives) -> Result<Box<Vm>, String> {
        let open = || InstalledJdk::open(&options.java_home).map_err(|e| e.to_string());
        let library = contain(open).unwrap_or_else(|panic| Err(panic.to_string()))?;
        Vm::with_library(options, &library, host, natives)
    }
    /// The same with a class library that is open already. `Options::java_home` is to be its home.
    pub fn with_library(
        options: Options,
        library: &InstalledJdk,
        host: Box<dyn Host>,
        natives: Natives,
    ) -> Result<Box<Vm>, String> {
        contain(|| Vm::created(options, library, host, natives))
            .unwrap_or_else(|panic| Err(panic.to_string()))
    }
    fn created(
        options: Options,
        library: &InstalledJdk,
        host: Box<dyn Host>,
        natives: Natives,
    ) -> Result<Box<Vm>, String> {
        let mut host = host;
        let mut clock: Box<dyn Clock> = match options.virtual_clock {
            Some(picoseconds) => Box::new(BytecodeClock::new(picoseconds)),
            None => Box::new(HostClock),
        };
        let started = clock.nano_time(&mut *host, 0);
        let schedule = Box::new(RoundRobin {
            quantum: options.quantum,
        });
        let heap = Heap::new(options.max_heap)
            .map_err(|e| format!("cannot reserve memory for the heap: {e}"))?;
        let jdk = &library.jdk;
        let mut path = BootPath::new(library.modules.clone());
        for p in &options.boot_append {
            path.append(p);
        }
        let patches = |key: &str| {
            key.strip_prefix(PATCHES)
                .is_some_and(|k| k.starts_with('.'))
        };
        for (_, spec) in options.properties.iter().filter(|(k, _)| patches(k)) {
            path.patch(spec);
        }
        let hash_seeds = Seeds::new(options.seed);
        // nothing asks for one before the first thread, whose sequence must be the generator's first
        let hashes = Hashes::new(hash_seeds.clone().draw());
        let mut natives = natives;
        natives.settle(jdk.feature());
        let home = heap.region.base().cast();
        let mut vm = Box::new(Vm {
            home,
            heap,
            syms: Default::default(),
            threads: Vec::new(),
            cur: ThreadId(0),
            natives,
            host_counts: host.counts_bytecodes(),
            host,
            strings: Default::default(),
            monitors: Default::default(),
            sched: Default::default(),
            hashes,
            hash_seeds,
            held: Default::default(),
            main_group: 0,
            main_thread: None,
            booted: false,
            exit: None,
            offheap: Default::default(),
            modules: Default::default(),
            pending_throw: None,
            in_interpreter: false,
            attention: false,
            gc_requested: false,
            slice_end: 0,
            bytecodes: 0,
            watching: Default::default(),
            thread_result: None,
            allocated: (0, 0),
            usage: Default::default(),
            measures_contention: false,
            limits: RunLimits {
                fuel: None,
                fuel_end: None,
                out_of_fuel: false,
                canceller: Default::default(),
                watchdog: None,
                wall_time: None,
                halted: None,
                resumed: false,
                stopped: None,
                stopped_safely: false,
                debugged: false,
                under_way: Default::default(),
            },
            profile: Profile {
                cct: {
                    let mut arena = Arena::with_budget(options.profile_memory);
                    // a process with several threads cannot be copied, as explorations and debuggers do
                    let alone =
                        options.explored.is_some() || options.inspectable || options.debuggable;
                    arena.take_pages_ahead(options.pages_ahead && !alone);
                    match options.profile {
                        ProfileMode::Blocks => arena.with_counters(),
                        _ => arena,
                    }
                },
                sites_recorded: !matches!(options.profile, ProfileMode::Off | ProfileMode::Exact),
                switches: 0,
                flow: Default::default(),
                samples: None,
                waiting: Default::default(),
                global_clock: Default::default(),
            },
            code: TranslatedCode {
                stubs: Default::default(),
                translator: Default::default(),
                obsolete: Default::default(),
                intrinsics: Default::default(),
                age: 0,
                discarded: Vec::new(),
                step_handler: None,
                breakpoint: None,
                tier: Default::default(),
                call_caches: Vec::new(),
            },
            loaded: LoadedClasses {
                classes: Vec::new(),
                methods: Default::default(),
                origins: Default::default(),
                variants: Default::default(),
                loaders: vec![Loader::default()],
                last_loader: 0,
                boot_path: Some(path),
                linker: Default::default(),
                agents: Default::default(),
                event_classes: Default::default(),
                known: Default::default(),
                library: Library::new(jdk),
                primitives: [ClassId::NONE; 9],
                descriptors: Default::default(),
                method_types: HashMap::new(),
                class_files: Vec::new(),
                defined: 0,
                unloaded: 0,
            },
            memory: MemoryState {
                history: Default::default(),
                failing: None,
                sites: None,
                heap_dumped: false,
                out_of_memory_errors: 0,
                last_errors: HashMap::new(),
            },
            debugged: Default::default(),
            hooks: Default::default(),
            clock,
            schedule,
            plain_schedule: true,
            controlled: None,
            offered: None,
            points: Vec::new(),
            observers: Default::default(),
            events: Default::default(),
            instruments: Default::default(),
            verbose: Default::default(),
            ext: HashMap::new(),
            fault: None,
            started,
            options,
        });
        vm.init_hot();
        vm.offheap.set_limit(vm.options.max_off_heap);
        if vm.host.native_access() {
            vm.offheap.expose();
        }
        vm.syms.set_most(vm.options.max_names);
        vm.set_metadata_threshold();
        for log in vm.options.logs.clone() {
            vm.add_log(log)?;
        }
        vm.load_known()?;
        Ok(vm)
    }
    /// The block at the region's base, for a VM in its final place. The allocation pointers stay
    /// null: the first allocation goes to the heap, which sets them.
    fn init_hot(&mut self) {
        self.heap.gc.stress = self.options.gc_stress;
        // SAFETY: `Hot` lies at the region's base.
        unsafe { (*self.hot()).requested = self.limits.canceller.flag() };
    }
    /// `java.lang.Class` first, since mirrors need its layout; then what the VM names.
    fn load_known(&mut self) -> Result<(), String> {
        self.loaded.known.class = self.load_early(jdk::class::CLASS)?;
        self.loaded.known.object = self.load_early(jdk::object::CLASS)?;
        self.loaded.known.cloneable = self.load_early(jdk::cloneable::CLASS)?;
        self.loaded.known.serializable = self.load_early(jdk::serializable::CLASS)?;
        for (i, (ch, name)) in PRIMITIVES.into_iter().enumerate() {
            self.loaded.primitives[i] = self.make_primitive(ch, name);
        }
        for &p in &self.loaded.primitives[..8].to_vec() {
            self.array_of(p);
        }
        self.loaded.known = self.load_early_classes()?;
        self.array_of(self.loaded.known.object);
        Ok(())
    }
}

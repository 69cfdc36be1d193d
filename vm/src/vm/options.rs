//! Settings of a VM.

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
    /// The logs (`-verbose`, `-Xlog`).
    pub logs: Vec<crate::events::Log>,
    /// Record calling contexts.
    pub profile: ProfileMode,
    /// Bytes that recorded contexts may take; beyond that, the coldest are folded.
    pub profile_memory: usize,
    /// When contexts have taken that memory the VM stops with [`Halt::Limit`](crate::cancel::Halt::Limit), named
    /// `contexts`; they are folded only when it continues.
    pub stops_at_contexts: bool,
    /// Another thread of the operating system may take memory for contexts before it is used; not in a VM that is explored,
    /// inspected or debugged. That changes no result.
    pub pages_ahead: bool,
    /// Bytes of samples, of names and of translated code: beyond that, the VM stops with
    /// [`Halt::Limit`](crate::cancel::Halt::Limit) at its next look. `None`: any number.
    pub max_samples: Option<usize>,
    /// See [`Options::max_samples`]: names of classes, members and types that were ever requested and are not forgotten
    /// by a collection, messages of errors that are stored for entries of constant pools, and what a profile names of threads
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
    /// The seed was requested: what the class library takes from the clock for a seed that a program
    /// leaves to it (`new Random()`) comes from there too.
    pub seeds_random: bool,
    /// What the class library's and the program's random numbers are made from instead of the seed, from some moment on.
    pub reseeded: Option<u64>,
    /// `-Xbootclasspath/a`
    pub boot_append: Vec<String>,
    /// `-ea`/`-da` in order: (enable, "" | ":Class" | "pkg...").
    pub assertions: Vec<(bool, String)>,
    /// HotSpot's names of the options among these that were requested.
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
    /// Messages of NullPointerExceptions name the null expression (`-XX:-ShowCodeDetailsInExceptionMessages`: not).
    pub null_pointer_messages: bool,
    /// Calls of JNI are checked (`-Xcheck:jni`).
    pub check_jni: bool,
    /// Thread dumps on SIGQUIT have the synchronizers that threads own (`-XX:+PrintConcurrentLocks`).
    pub print_concurrent_locks: bool,
    /// The program may start Java agents and add to the boot loader's class path, which reads files past its host
    /// (the launcher's programs may).
    pub java_agents: bool,
    /// Agents may be loaded while the program runs (`-XX:-EnableDynamicAgentLoading`: not).
    pub dynamic_agents: bool,
    /// Agents and debuggers may add methods to classes (`-XX:+AllowRedefinitionToAddDeleteMethods`).
    pub add_methods: bool,
    /// Objects are finalized (`--finalization=disabled`: not).
    pub finalization: bool,
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
    /// Calls by natives and by the VM itself are not part of their contexts, but a root beside `main`.
    pub upcalls_to_root: bool,
    /// Keep the bytes of all classes that are defined, for `--dump-classes`.
    pub keep_class_files: bool,
    /// Sample threads from their start, not only in the dynamic extent of `main`.
    pub sample_all: bool,
    /// Locals and operands can be read at every bytecode ([`Vm::inspect`](crate::Vm::inspect)). Execution and counts are the
    /// same, but slower.
    pub inspectable: bool,
    /// A debugger may attach ([`Vm::set_debugger`](crate::Vm::set_debugger)): locals and operands can be read, and every
    /// bytecode can be stopped at. Execution and counts are the same, but slower.
    pub debuggable: bool,
    /// Places where the VM stops.
    pub places: Vec<crate::interp::StopPlace>,
    /// A hash of the path of all threads is kept ([`Vm::path`](crate::Vm::path)).
    pub traces_path: bool,
    /// Methods for which there is Rust code run as that code. Without it, execution and counts are the same, but slower.
    pub intrinsics: bool,
    /// Those of them that run as bytecodes all the same.
    pub intrinsics_off: IntrinsicsOff,
    /// Which methods are compiled. Execution and counts are the same.
    pub tier: TierMode,
    /// The program sees "interpreted mode" in `java.vm.info`, otherwise "mixed mode". This is not part of `tier`: runs that rjvm
    /// interprets for its own reasons show the program the same as others. Both texts take the same bytes of the heap.
    pub interpreted_mode: bool,
    /// Bytes that compiled code may take. Beyond that, methods are interpreted.
    pub max_compiled: usize,
    /// Restricts and breaks compiled code, to look for faults of it.
    pub tier_check: Option<TierCheck>,
    /// The VM can come under control ([`Vm::set_control`](crate::Vm::set_control)): there are points in its bytecode.
    pub explored: Option<Explored>,
}

/// Settings for a [`Control`](crate::threads::control::Control).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Explored {
    /// The control decides the values that reads find.
    pub memory: bool,
}

impl Options {
    /// `java.vm.info`, in HotSpot's words.
    pub fn mode(&self) -> &'static str {
        match self.interpreted_mode {
            true => "interpreted mode",
            false => "mixed mode",
        }
    }

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
            pages_ahead: false,
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
            check_jni: false,
            print_concurrent_locks: false,
            java_agents: false,
            dynamic_agents: true,
            add_methods: false,
            finalization: true,
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
            debuggable: false,
            places: Vec::new(),
            traces_path: false,
            intrinsics: true,
            intrinsics_off: IntrinsicsOff::default(),
            tier: TierMode::Off,
            interpreted_mode: true,
            max_compiled: 64 << 20,
            tier_check: None,
            explored: None,
        }
    }
}

/// Which methods are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TierMode {
    /// None.
    #[default]
    Off,
    /// Those that execute many bytecodes.
    On,
    /// All, when they are first called: for tests.
    All,
}

/// A check of compiled code, or of those who look for its faults.
#[derive(Clone, Debug, Default)]
pub struct TierCheck {
    /// How many methods are compiled; the others are interpreted. `None`: any number.
    pub most: Option<u64>,
    /// How many methods have been compiled, and the last one.
    pub last: std::sync::Arc<std::sync::Mutex<(u64, String)>>,
    /// The compiled code of methods whose names begin like this is wrong.
    pub fault: Option<(TierFault, String)>,
}

/// A fault that compiled code is given, so that tests see that it is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TierFault {
    /// Exclusive or of integers gives another number.
    Value,
    /// Each taken branch counts one bytecode too many.
    Count,
}

/// The recording of calling contexts.
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

/// Intrinsics that are switched off, by the names that HotSpot has for them: of its options (`UseMD5Intrinsics`), or of single ones
/// (`_md5_implCompress`). Other names are without effect.
#[derive(Clone, Debug, Default)]
pub struct IntrinsicsOff(std::collections::BTreeSet<String>);

impl IntrinsicsOff {
    /// Switches those of that name on or off.
    pub fn switch(&mut self, name: &str, on: bool) {
        match on {
            true => self.0.remove(name),
            false => self.0.insert(name.to_owned()),
        };
    }
    /// Whether one that has these names is on.
    pub fn allow(&self, names: &[&str]) -> bool {
        self.0.is_empty() || !names.iter().any(|&n| self.0.contains(n))
    }
}

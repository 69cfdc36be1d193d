//! Making a VM.

use super::classes::Classes;
use super::engine::Engine;
use super::error::{Error, parted};
use super::exception;
use super::folder::Folder;
use super::host::{Functions, HostFunction};
use super::limits::Limits;
use super::probes::ProbeTexts;
use super::state::State;
use super::stdio::{self, Stdin, Stdio};
use super::vm::{InjectedFault, Reported, Vm};
use rjvm_hosts::faults::{Plan, Report};
use rjvm_hosts::recording::{ChunkSource, Header, RecordedSettings};
use rjvm_hosts::replay::{Replayer, Screen, own_screen};
use rjvm_hosts::{Grants, Limited, MemoryFiles};
use rjvm_jdk_stubs::os::StandardStreams;
use rjvm_profiler::samples::Recorder;
use rjvm_run::assembly::{Assembly, Fixed, NotMade};
use rjvm_run::tape::Tape;
use rjvm_vm::Vm as Core;
use rjvm_vm::cancel::Canceller;
use rjvm_vm::classpath::expand_wildcards;
use rjvm_vm::host::Host;
use rjvm_vm::jdk;
use rjvm_vm::startup::CallStop;
use rjvm_vm::vm::{Options, ProfileMode, TierMode};
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock, PoisonError};
use std::time::Duration;

/// The fewest bytes of a heap: the class library comes up in them, and HotSpot takes no fewer.
const LEAST_HEAP: usize = 2 << 20;

/// The detail recorded for each calling context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profiling {
    /// Nothing.
    Off,
    /// Calls and executed bytecodes of each calling context: the default.
    #[default]
    Exact,
    /// The same, with a context for each call site.
    CallSites,
    /// The same, and how often each bytecode was executed.
    Blocks,
}

/// One place of the class path.
enum Place {
    Path(PathBuf),
    Memory(Classes),
}

/// The settings of a new VM; see [`Engine::vm`].
pub struct VmBuilder {
    engine: Engine,
    options: Options,
    class_path: Vec<Place>,
    grants: Grants,
    limits: Limits,
    deterministic: bool,
    environment: Vec<(String, String)>,
    faults: Option<Plan>,
    record: Option<PathBuf>,
    replay: Option<PathBuf>,
    stdin: Stdin,
    stdout: Stdio,
    stderr: Stdio,
    functions: Functions,
    pub(super) probes: ProbeTexts,
}

/// Which methods of a VM are compiled ([`VmBuilder::tier`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Tier {
    /// None.
    #[default]
    Off,
    /// Those that execute many bytecodes, from the VM's first four million on.
    On,
    /// All, when they are first called: for tests of the VM.
    All,
}

impl Tier {
    fn mode(self) -> TierMode {
        match self {
            Tier::Off => TierMode::Off,
            Tier::On => TierMode::On,
            Tier::All => TierMode::All,
        }
    }
}

impl VmBuilder {
    pub(super) fn new(engine: Engine) -> VmBuilder {
        let options = Options {
            profile: ProfileMode::Exact,
            seeds_random: true,
            ..Options::new(engine.java_home())
        };
        VmBuilder {
            engine,
            options,
            class_path: Vec::new(),
            grants: Grants::none().exit(true),
            limits: Limits::default(),
            deterministic: true,
            environment: Vec::new(),
            faults: None,
            record: None,
            replay: None,
            stdin: Stdin::default(),
            stdout: Stdio::default(),
            stderr: Stdio::default(),
            functions: Functions::default(),
            probes: ProbeTexts::default(),
        }
    }
    fn set(mut self, set: impl FnOnce(&mut Options)) -> VmBuilder {
        set(&mut self.options);
        self
    }
    /// Limits the bytes of objects; by default 1 GiB. Beyond that, the program gets an `OutOfMemoryError`. The class
    /// library needs some of them: less than 2 MiB is an [`Error::Setup`].
    pub fn heap(mut self, bytes: usize) -> VmBuilder {
        self.limits.heap = bytes;
        self
    }
    /// Sets the bytes of each Java thread's stack; by default 1 MiB. Beyond that, the program gets a
    /// `StackOverflowError`.
    pub fn stack(mut self, bytes: usize) -> VmBuilder {
        self.limits.stack = bytes;
        self
    }
    /// Limits the bytes of class metadata; by default 512 MiB. Beyond that, the program gets an `OutOfMemoryError`.
    pub fn metaspace(mut self, bytes: usize) -> VmBuilder {
        self.limits.metaspace = Some(bytes);
        self
    }
    /// Limits the bytes outside the heap: direct buffers, `Unsafe.allocateMemory`, mapped files, compressors, the stacks
    /// of threads; by default 1 GiB. Beyond that, the program gets an `OutOfMemoryError`.
    pub fn off_heap(mut self, bytes: usize) -> VmBuilder {
        self.limits.off_heap = Some(bytes);
        self
    }
    /// The most Java threads alive at once, some five of the class library's own included; by default 4096. Beyond
    /// that, `Thread.start` throws an `OutOfMemoryError`.
    pub fn threads(mut self, most: usize) -> VmBuilder {
        self.limits.threads = Some(most);
        self
    }
    /// Limits all memory that the VM uses for its program to `bytes`, at least 64 MiB: see [`Limits::within`]. It sets
    /// all limits of memory, so call it before the methods that set single ones.
    pub fn memory(mut self, bytes: usize) -> VmBuilder {
        let within = Limits::within(bytes);
        self.limits = Limits {
            threads: self.limits.threads,
            open_files: self.limits.open_files,
            recording: self.limits.recording,
            wall_time: self.limits.wall_time,
            ..within
        };
        self
    }
    /// Limits the real time of all calls together; by default there is no limit. Beyond that, the call stops with
    /// [`Error::Limit`].
    pub fn wall_time(mut self, most: Duration) -> VmBuilder {
        self.limits.wall_time = Some(most);
        self
    }
    /// Limits the bytes of calling contexts; by default 512 MiB. Beyond that, the call stops with [`Error::Limit`]. You
    /// can read the profile; if you resume the call, the VM folds the coldest contexts.
    pub fn contexts(mut self, bytes: usize) -> VmBuilder {
        self.limits.contexts = bytes;
        self
    }
    /// Sets the seed of random values: identity hashes, `Math.random()`, `new Random()`. The default is 1.
    pub fn seed(self, seed: u64) -> VmBuilder {
        self.set(|o| o.seed = seed)
    }
    /// Gives the program access to resources outside its VM. By default it has none, except that it may end the VM
    /// (`System.exit`) and read the files of the JDK and of the class path.
    pub fn grants(mut self, grants: Grants) -> VmBuilder {
        self.grants = grants;
        self
    }
    /// Sets all limits of memory, threads, files and time at once.
    pub fn limits(mut self, limits: Limits) -> VmBuilder {
        self.limits = limits;
        self
    }
    /// Whether all that a program can observe follows from itself, its inputs and the seed: the default. Time is then
    /// driven by executed bytecodes; entropy, environment, user, machine, names of folders and times of files are fixed. If
    /// not, clock and entropy are those that are granted.
    pub fn deterministic(mut self, on: bool) -> VmBuilder {
        self.deterministic = on;
        self
    }
    /// Adds or replaces an environment variable of a deterministic VM.
    pub fn environment(mut self, name: impl Into<String>, value: impl Into<String>) -> VmBuilder {
        self.environment.push((name.into(), value.into()));
        self
    }
    /// Picoseconds that a bytecode takes on the clock of a deterministic VM; by default 1000.
    pub fn virtual_clock(self, picoseconds: u64) -> VmBuilder {
        self.set(|o| o.virtual_clock = Some(picoseconds))
    }
    /// Makes some requests to the outside, or allocations, fail. The plan and [`VmBuilder::seed`] determine which ones.
    /// Allocations count from the first call on, in [`Vm::run_main`] from `main` on. [`Vm::faults`] lists the failures.
    pub fn faults(mut self, plan: Plan) -> VmBuilder {
        self.faults = Some(plan);
        self
    }
    /// Records in this file all answers that the program gets from outside its VM, for [`VmBuilder::replay`]. The
    /// recording is complete when you call [`Vm::finish`] or drop the VM. If the process is killed earlier, you can
    /// replay the run up to that point.
    pub fn record(mut self, file: impl Into<PathBuf>) -> VmBuilder {
        self.record = Some(file.into());
        self
    }
    /// Builds a VM like the recorded one. The program gets its answers from the recording and reaches nothing else; its
    /// standard streams go to the targets of this builder. It repeats the recorded run exactly if you make the same
    /// calls. You may choose other contexts, samples and fuel.
    ///
    /// Class path, system properties, limits, seed, clock and quantum are those of the recording, grants, faults and
    /// standard input are not needed. Host functions are called again: they must be given, and answer as they did. A divergence
    /// from the recording is an [`Error::Replay`].
    pub fn replay(mut self, file: impl Into<PathBuf>) -> VmBuilder {
        self.replay = Some(file.into());
        self
    }
    /// Sets after how many bytecodes the next runnable thread runs; by default 100,000.
    pub fn quantum(self, bytecodes: u64) -> VmBuilder {
        self.set(|o| o.quantum = i64::try_from(bytecodes).unwrap_or(i64::MAX).max(1))
    }
    /// Selects the methods that the VM compiles to machine code; by default none. Results, counts, contexts, samples and
    /// the places of stops are the same. Compiled code needs x86-64 Linux and executable memory; elsewhere the VM
    /// interprets all methods. It takes at most [`Limits::compiled`] bytes.
    pub fn tier(self, tier: Tier) -> VmBuilder {
        self.set(|o| o.tier = tier.mode())
    }
    /// Adds folders and jars to the class path; `dir/*` adds all jars of a folder.
    pub fn class_path<P: AsRef<Path>>(mut self, places: impl IntoIterator<Item = P>) -> VmBuilder {
        let places = places.into_iter().flat_map(|p| {
            let expanded = expand_wildcards(p.as_ref());
            std::env::split_paths(&expanded).collect::<Vec<_>>()
        });
        self.class_path.extend(places.map(Place::Path));
        self
    }
    /// Adds classes in memory to the class path.
    pub fn classes(mut self, classes: Classes) -> VmBuilder {
        self.class_path.push(Place::Memory(classes));
        self
    }
    /// Sets a system property.
    pub fn property(self, key: impl Into<String>, value: impl Into<String>) -> VmBuilder {
        let (key, value) = (key.into(), value.into());
        self.set(|o| {
            o.arguments.push(format!("-D{key}={value}"));
            o.properties.push((key, value));
        })
    }
    /// Switches the assertions of the application's classes on or off (`-ea`); by default they are off.
    pub fn assertions(self, on: bool) -> VmBuilder {
        self.set(|o| o.assertions.push((on, String::new())))
    }
    /// Selects the detail recorded for calling contexts.
    pub fn profile(self, profiling: Profiling) -> VmBuilder {
        self.set(|o| {
            o.profile = match profiling {
                Profiling::Off => ProfileMode::Off,
                Profiling::Exact => ProfileMode::Exact,
                Profiling::CallSites => ProfileMode::CallSites,
                Profiling::Blocks => ProfileMode::Blocks,
            }
        })
    }
    /// Samples a thread's stack each time it has executed this number of bytecodes.
    pub fn sampling(self, bytecodes: u64) -> VmBuilder {
        self.set(|o| o.sample_every = Some(bytecodes.max(1)))
    }
    /// Whether to count allocated objects and bytes; by default the VM does not.
    pub fn allocations(self, counted: bool) -> VmBuilder {
        self.set(|o| o.allocations = counted)
    }
    /// Sets the target of the standard output; by default the VM captures it.
    pub fn stdout(mut self, to: Stdio) -> VmBuilder {
        self.stdout = to;
        self
    }
    /// Sets the target of the standard error; by default the VM captures it.
    pub fn stderr(mut self, to: Stdio) -> VmBuilder {
        self.stderr = to;
        self
    }
    /// Sets the source of the standard input; by default it is empty.
    pub fn stdin(mut self, from: Stdin) -> VmBuilder {
        self.stdin = from;
        self
    }
    /// Makes a closure the native method `name` of a class that Java code declares: `static native int add(int a, int
    /// b);`. It takes a [`Caller`](crate::Caller), then the arguments; for a method that is not static, it may take
    /// the object before them. The types select one of several methods of the name; so does a descriptor behind the name.
    ///
    /// That there is such a native method is looked at when the VM is built, if the class library has loaded the class by then
    /// (an [`Error::Setup`]), or else when the class is linked: its first use throws an `UnsatisfiedLinkError` that names the method. A
    /// class that is never used is not looked at.
    ///
    /// The closure may call back into Java. A panic in it is the end of the VM ([`Error::Fault`]), not of the process.
    pub fn host_fn<P, R>(
        mut self,
        class: &str,
        name: &str,
        function: impl HostFunction<P, R>,
    ) -> VmBuilder {
        self.functions.add(class, name, function);
        self
    }
    /// Builds the VM and starts its class library.
    pub fn build(mut self) -> Result<Vm, Error> {
        let probes = self.probes.compile(self.limits.probes)?;
        let (streams, captured) = stdio::streams(self.stdin, self.stdout, self.stderr);
        if self.replay.is_none() && self.limits.heap < LEAST_HEAP {
            let (heap, least) = (self.limits.heap, LEAST_HEAP >> 20);
            let text = format!("a heap of {heap} bytes is too small: the minimum is {least} MiB");
            return Err(Error::Setup(text));
        }
        self.limits.set(&mut self.options);
        let (mut options, mut folders, mut folder) = (self.options, Vec::new(), None);
        let (host, tape, deterministic): (Box<dyn Host>, _, _) = match &self.replay {
            Some(file) => {
                let (source, settings) = recorded(file, &mut options)?;
                let (replayer, replay) = Replayer::new(source, screen(streams));
                self.faults = Some(Plan {
                    oom: settings.oom,
                    ..Plan::default()
                });
                (
                    Box::new(replayer),
                    Tape::Replay(replay),
                    settings.deterministic,
                )
            }
            None => {
                let setup = |what: &str, e: io::Error| Error::Setup(format!("{what}: {e}"));
                let (mut grants, path, made) = match self.grants.grants_all_files() {
                    true => class_path_outside(self.class_path, self.grants),
                    false => class_path_inside(self.class_path, self.grants),
                }
                .map_err(|e| setup("the class path", e))?;
                if self.deterministic && !grants.grants_all_files() {
                    let own =
                        own_folders(self.limits.files).map_err(|e| setup("files in memory", e))?;
                    grants = grants.memory_dir(&own, OWN);
                    folder = Some(OWN.into());
                }
                folders = made;
                options.properties.push(("java.class.path".into(), path));
                let host = grants.host(self.engine.java_home(), streams);
                let host = host.map_err(|e| setup("the grants", e))?;
                let host = Limited::new(host, self.limits.of_host());
                (Box::new(host), Tape::None, self.deterministic)
            }
        };
        let bytes = |(k, v): (String, String)| (k.into_bytes(), v.into_bytes());
        let fixed = Fixed {
            seed: options.seed,
            environment: self.environment.into_iter().map(bytes).collect(),
            folder,
        };
        let oom = self.faults.as_ref().map(|plan| plan.oom.clone());
        let oom = oom.unwrap_or_default();
        let record = self.record.map(|file| {
            let mut header = Header::of(&options, self.engine.java_version());
            header.embedded = Some(RecordedSettings::of(&options, deterministic, oom));
            (file, header)
        });
        let mut natives = self.engine.natives();
        let functions = Arc::new(self.functions);
        if !functions.is_empty() {
            natives.host(functions.clone());
        }
        let reported = Reported::default();
        let (exceeded, fails) = (Arc::new(OnceLock::new()), self.faults.is_some());
        let sites = options.profile == ProfileMode::CallSites;
        let assembly = Assembly {
            options,
            host,
            natives,
            deterministic: deterministic.then_some(fixed),
            faults: self
                .faults
                .map(|plan| (plan, report_to(&reported, self.limits.faults, &exceeded))),
            record,
            recording: self.limits.recording,
            tape,
            measures_memory: false,
            samples: Recorder::new(sites),
        };
        let made = assembly.make(self.engine.library());
        let mut made = made.map_err(|e| match e {
            NotMade::Replay(why) => Error::Replay(why.to_string()),
            other => Error::Setup(other.to_string()),
        })?;
        let core = &mut made.core;
        if fails {
            let _ = exceeded.set(core.canceller());
        }
        let started = core.start_up().map_err(|stop| not_started(core, stop));
        let main = started.map_err(|e| parted(&made.tape, e))?;
        let checked = functions.check_loaded(core);
        checked.map_err(|why| Error::Setup(why.to_string()))?;
        let id = State::install(core);
        let loader = core.guarded(application_loader);
        State::of(core).loader = loader.map_err(Error::Fault)?;
        core.set_scope(main, true);
        core.count_allocations(true);
        let probes = probes.place(core);
        let mut vm = Vm::new(made, id, main, captured, reported, folders);
        vm.probes = probes;
        vm.set_wall_time(self.limits.wall_time)?;
        Ok(vm)
    }
}

/// A recording of an embedded VM, whose settings go into the options.
fn recorded(file: &Path, options: &mut Options) -> Result<(ChunkSource, RecordedSettings), Error> {
    let refused = |why: &dyn Display| {
        let file = file.display();
        Error::Setup(format!("{file}: cannot replay: {why}"))
    };
    let (source, header) = ChunkSource::open(file).map_err(|e| refused(&e))?;
    options.properties.clone_from(&header.properties);
    header.check(options).map_err(|e| refused(&e))?;
    let Some(settings) = header.embedded else {
        let why = "it is a recording of the rjvm command: replay it with `rjvm replay`";
        return Err(refused(&why));
    };
    settings.clone().set(options);
    Ok((source, settings))
}

/// Where output goes that is written again.
fn screen(streams: StandardStreams) -> Screen {
    let (mut own, mut streams) = (own_screen(), [streams.output, streams.error]);
    Box::new(
        move |number, bytes| match &mut streams[usize::from(number != 1)] {
            // what nobody reads is not at issue
            Some(stream) => _ = stream.write_all(bytes).and_then(|()| stream.flush()),
            None => own(number, bytes),
        },
    )
}

/// Faults are listed; beyond so many bytes the VM stops at each.
fn report_to(
    reported: &Reported,
    most: Option<usize>,
    canceller: &Arc<OnceLock<Canceller>>,
) -> Report {
    let (reported, canceller) = (reported.clone(), canceller.clone());
    let held = AtomicUsize::new(0);
    Arc::new(move |kind, request, at| {
        let bytes = size_of::<InjectedFault>() + kind.len() + request.len();
        let held = held.fetch_add(bytes, Relaxed) + bytes;
        if most.is_some_and(|most| held > most)
            && let Some(canceller) = canceller.get()
        {
            canceller.exceeded("faults");
        }
        let fault = InjectedFault {
            kind: kind.into(),
            request: request.into(),
            bytecode: at.max(0) as u64,
        };
        let mut all = reported.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(fault);
    })
}

/// Where the places of the class path are for a contained program.
const CLASS_PATH: &str = "/classes";

/// Where a contained deterministic program has its own folders.
const OWN: &str = "/rjvm";

/// Home and temporary files of a program that has none of the machine.
fn own_folders(bytes: u64) -> io::Result<MemoryFiles> {
    let files = MemoryFiles::with_limit(bytes);
    for name in ["home", "tmp"] {
        files.create_dir(name)?;
    }
    Ok(files)
}

/// What is granted, the class path as the program sees it, and folders that have to stay as long as the VM.
type Prepared = (Grants, String, Vec<Folder>);

/// A class path within the program's own tree of names: the same wherever it comes from.
fn class_path_inside(places: Vec<Place>, mut grants: Grants) -> io::Result<Prepared> {
    let mut names = Vec::new();
    for (i, place) in places.into_iter().enumerate() {
        let mut guest = format!("{CLASS_PATH}/{i}");
        match place {
            Place::Memory(classes) => {
                let files = MemoryFiles::with_limit(u64::MAX);
                for (path, bytes) in classes.files() {
                    files.write(path, bytes)?;
                }
                grants = grants.memory_dir(&files, &guest);
            }
            Place::Path(path) if path.is_dir() => grants = grants.read_dir(path, &guest),
            Place::Path(path) => {
                // what is not there is passed over, as in Java
                let (Ok(jar), Some(name)) = (std::fs::read(&path), path.file_name()) else {
                    continue;
                };
                let files = MemoryFiles::with_limit(u64::MAX);
                files.write(name, jar)?;
                grants = grants.memory_dir(&files, &guest);
                guest = format!("{guest}/{}", name.to_string_lossy());
            }
        }
        names.push(guest);
    }
    if names.is_empty() {
        // an empty class path would be the working directory
        names.push(CLASS_PATH.into());
    }
    Ok((grants, names.join(":"), Vec::new()))
}

/// A class path in the file system of this machine.
fn class_path_outside(places: Vec<Place>, grants: Grants) -> io::Result<Prepared> {
    let (mut paths, mut folders) = (Vec::new(), Vec::new());
    for place in places {
        paths.push(match place {
            Place::Path(path) => path,
            Place::Memory(classes) => {
                let folder = Folder::with(&classes)?;
                let path = folder.path().to_owned();
                folders.push(folder);
                path
            }
        });
    }
    let joined = std::env::join_paths(paths).map_err(io::Error::other)?;
    let text = joined.into_string();
    let text = text.map_err(|_| io::Error::other("a name that is not text"))?;
    Ok((grants, text, folders))
}

/// The loader of the class path, which the class library has made.
fn application_loader(core: &mut Core) -> rjvm_vm::LoaderId {
    let loader = core.get_static(jdk::class_loader::SCL);
    core.loader_id(loader)
}

fn not_started(core: &mut Core, stop: CallStop) -> Error {
    match stop {
        CallStop::Threw(e) => {
            State::install(core);
            let e = core.guarded(|core| exception::capture(core, e));
            e.map_or_else(Error::Fault, Error::Exception)
        }
        CallStop::Exit(code) => Error::Exit(code),
        CallStop::Deadlock(report) => Error::Deadlock(report),
        CallStop::OutOfFuel => Error::OutOfFuel,
        CallStop::Halted(why) => why.into(),
        CallStop::Fault(fault) => Error::Fault(fault),
    }
}

//! Making a VM.

use super::classes::Classes;
use super::engine::Engine;
use super::error::Error;
use super::exception;
use super::folder::Folder;
use super::host::{Functions, HostFunction};
use super::limits::Limits;
use super::state::State;
use super::stdio::{self, Stdin, Stdio};
use super::vm::Vm;
use rjvm_hosts::deterministic::{self, Deterministic};
use rjvm_hosts::{Grants, Limited, MemoryFiles};
use rjvm_profiler::samples::Recorder;
use rjvm_vm::Vm as Core;
use rjvm_vm::classpath::expand_wildcards;
use rjvm_vm::host::Host;
use rjvm_vm::jdk;
use rjvm_vm::startup::Stop;
use rjvm_vm::vm::{Options, ProfileMode};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is recorded of each calling context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profiling {
    /// Nothing.
    Off,
    /// Invocations and executed bytecodes of each calling context: the default.
    #[default]
    Exact,
    /// The same with call sites told apart.
    CallSites,
    /// The same, and how often each bytecode was executed.
    Blocks,
}

/// One place of the class path.
enum Place {
    Path(PathBuf),
    Memory(Classes),
}

/// The settings of a VM that is to be made; see [`Engine::vm`].
pub struct VmBuilder {
    engine: Engine,
    options: Options,
    class_path: Vec<Place>,
    grants: Grants,
    limits: Limits,
    deterministic: bool,
    environment: Vec<(String, String)>,
    stdin: Stdin,
    stdout: Stdio,
    stderr: Stdio,
    functions: Functions,
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
            stdin: Stdin::default(),
            stdout: Stdio::default(),
            stderr: Stdio::default(),
            functions: Functions::default(),
        }
    }
    fn set(mut self, set: impl FnOnce(&mut Options)) -> VmBuilder {
        set(&mut self.options);
        self
    }
    /// The most bytes that objects may take; by default 1 GiB. Beyond that, there is an `OutOfMemoryError`.
    pub fn heap(mut self, bytes: usize) -> VmBuilder {
        self.limits.heap = bytes;
        self
    }
    /// Bytes of a Java thread's stack; by default 1 MiB. Beyond that, there is a `StackOverflowError`.
    pub fn stack(mut self, bytes: usize) -> VmBuilder {
        self.limits.stack = bytes;
        self
    }
    /// The most bytes of class metadata; by default any number. Beyond that, there is an `OutOfMemoryError`.
    pub fn metaspace(self, bytes: usize) -> VmBuilder {
        self.set(|o| o.max_metaspace = Some(bytes))
    }
    /// The most bytes outside the heap that the program may take: direct buffers, `Unsafe.allocateMemory`, mapped files,
    /// compressors, the stacks of its threads; by default any number. Beyond that, there is an `OutOfMemoryError`.
    pub fn off_heap(self, bytes: usize) -> VmBuilder {
        self.set(|o| o.max_off_heap = Some(bytes))
    }
    /// The most Java threads alive at once, some five of the class library's own included; by default any number. Beyond
    /// that, `Thread.start` throws an `OutOfMemoryError`.
    pub fn threads(self, most: usize) -> VmBuilder {
        self.set(|o| o.max_threads = Some(most))
    }
    /// The seed of what is free: identity hashes, `Math.random()`, `new Random()`. By default 1.
    pub fn seed(self, seed: u64) -> VmBuilder {
        self.set(|o| o.seed = seed)
    }
    /// What the program may reach outside its VM. By default nothing, but that it may end the VM (`System.exit`): no
    /// files but those of the JDK and of the class path, no network, no processes, no environment.
    pub fn grants(mut self, grants: Grants) -> VmBuilder {
        self.grants = grants;
        self
    }
    /// How much the program may take of memory, threads, files and time: all of these at once.
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
    /// An environment variable of a deterministic VM, beside the few fixed ones or in place of one.
    pub fn environment(mut self, name: impl Into<String>, value: impl Into<String>) -> VmBuilder {
        self.environment.push((name.into(), value.into()));
        self
    }
    /// Picoseconds that a bytecode takes on the clock of a deterministic VM; by default 1000.
    pub fn virtual_clock(self, picoseconds: u64) -> VmBuilder {
        self.set(|o| o.virtual_clock = Some(picoseconds))
    }
    /// After how many bytecodes the next runnable thread has its turn; by default 100,000.
    pub fn quantum(self, bytecodes: u64) -> VmBuilder {
        self.set(|o| o.quantum = i64::try_from(bytecodes).unwrap_or(i64::MAX).max(1))
    }
    /// Adds folders and jars to the class path, `dir/*` for all jars of a folder.
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
        self.set(|o| o.properties.push((key.into(), value.into())))
    }
    /// Switches assertions of the application's classes (`-ea`); by default they are off.
    pub fn assertions(self, on: bool) -> VmBuilder {
        self.set(|o| o.assertions.push((on, String::new())))
    }
    /// What is recorded of calling contexts.
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
    /// Takes a sample of a thread's stack at each so many bytecodes that it executes.
    pub fn sampling(self, bytecodes: u64) -> VmBuilder {
        self.set(|o| o.sample_every = Some(bytecodes.max(1)))
    }
    /// Whether objects and bytes that are allocated are counted; by default not.
    pub fn allocations(self, counted: bool) -> VmBuilder {
        self.set(|o| o.allocations = counted)
    }
    /// Where the standard output goes; by default it is captured.
    pub fn stdout(mut self, to: Stdio) -> VmBuilder {
        self.stdout = to;
        self
    }
    /// Where the standard error goes; by default it is captured.
    pub fn stderr(mut self, to: Stdio) -> VmBuilder {
        self.stderr = to;
        self
    }
    /// What the standard input is; by default it is empty.
    pub fn stdin(mut self, from: Stdin) -> VmBuilder {
        self.stdin = from;
        self
    }
    /// Makes a closure the native method `name` of a class that Java code declares: `static native int add(int a, int
    /// b);`. It takes a [`Caller`](crate::Caller), then the arguments; for a method that is not static, it may take
    /// the object before them. Which of several methods of the name is meant is told by the types, or by a
    /// descriptor behind the name.
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
    /// Makes the VM and brings its class library up.
    pub fn build(self) -> Result<Vm, Error> {
        let VmBuilder {
            engine,
            mut options,
            class_path,
            functions,
            grants,
            limits,
            ..
        } = self;
        let setup = |what: &str, e: io::Error| Error::Setup(format!("{what}: {e}"));
        let (grants, path, folders) = match grants.grants_all_files() {
            true => class_path_outside(class_path, grants),
            false => class_path_inside(class_path, grants),
        }
        .map_err(|e| setup("the class path", e))?;
        limits.set(&mut options);
        options.properties.push(("java.class.path".into(), path));
        let (streams, captured) = stdio::streams(self.stdin, self.stdout, self.stderr);
        let host = grants.host(engine.java_home(), streams);
        let host = host.map_err(|e| setup("what is granted", e))?;
        let host: Box<dyn Host> = Box::new(Limited::new(host, limits.of_host()));
        let (host, clock) = match self.deterministic {
            false => (host, None),
            true => {
                let rate = options.virtual_clock.unwrap_or(deterministic::PICOSECONDS);
                let clock = deterministic::clock(rate);
                let bytes = |(k, v): (String, String)| (k.into_bytes(), v.into_bytes());
                let settings = deterministic::Settings {
                    seed: options.seed,
                    environment: self.environment.into_iter().map(bytes).collect(),
                    java_home: engine.java_home().to_owned(),
                    face: clock.face(),
                };
                let host: Box<dyn Host> = Box::new(Deterministic::new(host, settings));
                (host, Some(clock))
            }
        };
        let mut natives = engine.natives();
        if !functions.is_empty() {
            natives.host(Arc::new(functions));
        }
        let sampled = options.sample_every.is_some();
        let sites = options.profile == ProfileMode::CallSites;
        let core = Core::with_library(options, engine.library(), host, natives);
        let mut core = core.map_err(Error::Setup)?;
        if let Some(clock) = clock {
            core.set_clock(Box::new(clock));
        }
        if sampled {
            core.record_samples(Recorder::new(sites));
        }
        let main = core
            .start_up()
            .map_err(|stop| not_started(&mut core, stop))?;
        let id = State::install(&mut core);
        let loader = core.guarded(application_loader);
        State::of(&mut core).loader = loader.map_err(Error::Fault)?;
        core.set_scope(main, true);
        let mut vm = Vm::new(core, id, main, captured, folders);
        vm.set_wall_time(limits.wall_time)?;
        Ok(vm)
    }
}

/// Where the places of the class path are for a contained program.
const CLASS_PATH: &str = "/classes";

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
    let text = text.map_err(|_| io::Error::other("a name that is no text"))?;
    Ok((grants, text, folders))
}

/// The loader of the class path, which the class library has made.
fn application_loader(core: &mut Core) -> rjvm_vm::LoaderId {
    let loader = core.get_static(jdk::class_loader::SCL);
    core.loader_id(loader)
}

fn not_started(core: &mut Core, stop: Stop) -> Error {
    match stop {
        Stop::Threw(e) => {
            State::install(core);
            let e = core.guarded(|core| exception::capture(core, e));
            e.map_or_else(Error::Fault, Error::Exception)
        }
        Stop::Exit(code) => Error::Exit(code),
        Stop::Deadlock(report) => Error::Deadlock(report),
        Stop::OutOfFuel => Error::OutOfFuel,
        Stop::Halted(why) => why.into(),
        Stop::Fault(fault) => Error::Fault(fault),
    }
}

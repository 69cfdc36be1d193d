//! Making a VM.

use super::classes::Classes;
use super::engine::Engine;
use super::error::Error;
use super::exception;
use super::folder::Folder;
use super::host::{Functions, HostFunction};
use super::state::State;
use super::stdio::{self, Stdin, Stdio};
use super::vm::Vm;
use rjvm_jdk_stubs::os::OsHost;
use rjvm_profiler::samples::Recorder;
use rjvm_vm::Vm as Core;
use rjvm_vm::classpath::expand_wildcards;
use rjvm_vm::jdk;
use rjvm_vm::startup::Stop;
use rjvm_vm::vm::{Options, ProfileMode};
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
            virtual_clock: Some(1_000),
            ..Options::new(engine.java_home())
        };
        VmBuilder {
            engine,
            options,
            class_path: Vec::new(),
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
    pub fn heap(self, bytes: usize) -> VmBuilder {
        self.set(|o| o.max_heap = bytes)
    }
    /// Bytes of a Java thread's stack; by default 1 MiB. Beyond that, there is a `StackOverflowError`.
    pub fn stack(self, bytes: usize) -> VmBuilder {
        self.set(|o| o.stack_bytes = bytes)
    }
    /// The seed of what is free: identity hashes, `Math.random()`, `new Random()`. By default 1.
    pub fn seed(self, seed: u64) -> VmBuilder {
        self.set(|o| o.seed = seed)
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
            ..
        } = self;
        let mut folders = Vec::new();
        let mut places = Vec::new();
        for place in class_path {
            places.push(match place {
                Place::Path(path) => path,
                Place::Memory(classes) => {
                    let folder = Folder::with(&classes);
                    let folder = folder.map_err(|e| Error::Setup(format!("class files: {e}")))?;
                    let path = folder.path().to_owned();
                    folders.push(folder);
                    path
                }
            });
        }
        let path = std::env::join_paths(places).map_err(|e| Error::Setup(e.to_string()))?;
        let path = path.into_string();
        let path = path.map_err(|_| Error::Setup("a class path that is no text".into()))?;
        options.properties.push(("java.class.path".into(), path));
        let (streams, captured) = stdio::streams(self.stdin, self.stdout, self.stderr);
        let host = OsHost {
            signals: None,
            ..OsHost::with(streams)
        };
        let mut natives = engine.natives();
        if !functions.is_empty() {
            natives.host(Arc::new(functions));
        }
        let sampled = options.sample_every.is_some();
        let sites = options.profile == ProfileMode::CallSites;
        let core = Core::with_library(options, engine.library(), Box::new(host), natives);
        let mut core = core.map_err(Error::Setup)?;
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
        Ok(Vm::new(core, id, main, captured, folders))
    }
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

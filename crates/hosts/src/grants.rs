//! What a program may reach.

use crate::contained::{
    Contained, ContainedClock, Grant, Guarded, Mount, SharedEntropy, Space, World, root,
};
use crate::memory::{self, Device, MemoryFiles, NodeKind};
use rjvm_jdk_stubs::os::{
    Environment as Variables, Open, OsDescriptors, OsFiles, OsHost, OsNetwork, OsProcesses,
    Signals, StandardStreams, signals,
};
use rjvm_vm::host::{Host, System};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How far a program's sockets reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Network {
    /// There are none: `SocketException: Permission denied`, and no name is known.
    #[default]
    Off,
    /// TCP and UDP inside this machine, at 127.0.0.0/8 and ::1. A socket that is bound to any address is bound to
    /// 127.0.0.1 instead, and `localhost` is the only name.
    Loopback,
    /// TCP and UDP everywhere, with this machine's name service and interfaces. (Sockets with names in the file system
    /// are for those who have all of that: [`Grants::launcher`].)
    All,
}

/// Environment variables a program sees.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Environment {
    /// None.
    #[default]
    Empty,
    /// These.
    Given(Vec<(String, String)>),
    /// Those of this process.
    Own,
}

/// The clock a program goes by, unless its VM has its own clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Clock {
    /// One that begins at 2000-01-01 UTC, gets on by a microsecond at each look at it, and jumps to the next deadline when
    /// all threads wait.
    #[default]
    Virtual,
    /// This machine's.
    Real,
}

/// Where randomness comes from: `SecureRandom`, `/dev/random` and the seeds of hashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entropy {
    /// Numbers that look random and depend on the seed alone: no secrets.
    Seeded(u64),
    /// This machine's generator.
    Real,
}

/// The source of the files that a program sees in a granted folder.
#[derive(Clone, Debug)]
enum Granted {
    Memory(MemoryFiles),
    Folder { path: PathBuf, writes: bool },
}

/// What a program may reach outside its VM: only the resources granted here.
///
/// Access to anything else fails as if the system had refused it: with the exception that Java has for that, mostly an
/// `IOException` that says "Permission denied".
///
/// The files of the JDK itself (`java.home`) can always be read, since the class library needs them, and so can
/// `/dev/null`, `/dev/zero`, `/dev/random` and `/dev/urandom`, which the last two answer from [`Grants::entropy`].
/// Machine code is not loaded (`System.load` throws an `UnsatisfiedLinkError`) unless [`Grants::native_access`] is granted.
///
/// ```
/// use rjvm_hosts::{Grants, MemoryFiles, Network};
///
/// let files = MemoryFiles::new().with("/in.txt", "what the program reads")?;
/// let grants = Grants::none()
///     .memory_files(&files)
///     .read_dir("/usr/share/dict", "/words")
///     .network(Network::Loopback);
/// # let _ = grants;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grants {
    /// The whole file system of this machine instead of `mounts`.
    all_files: bool,
    /// By guest names.
    mounts: Vec<(PathBuf, Granted)>,
    current_dir: Option<PathBuf>,
    network: Network,
    environment: Environment,
    processes: bool,
    signals: bool,
    clock: Clock,
    entropy: Entropy,
    exit: bool,
    native_access: bool,
}

impl Default for Grants {
    fn default() -> Grants {
        Grants::none()
    }
}

impl Grants {
    /// Nothing.
    pub fn none() -> Grants {
        Grants {
            all_files: false,
            mounts: Vec::new(),
            current_dir: None,
            network: Network::Off,
            environment: Environment::Empty,
            processes: false,
            signals: false,
            clock: Clock::Virtual,
            entropy: Entropy::Seeded(0),
            exit: false,
            native_access: false,
        }
    }
    /// Everything this process can do, as for programs that the `rjvm` command runs, except for [`Grants::native_access`]. It
    /// can be narrowed afterwards, except for files: all of this machine's stay within reach.
    pub fn launcher() -> Grants {
        Grants {
            all_files: true,
            network: Network::All,
            environment: Environment::Own,
            processes: true,
            signals: true,
            clock: Clock::Real,
            entropy: Entropy::Real,
            exit: true,
            ..Grants::none()
        }
    }
    /// Whether all files of this machine are within reach.
    pub fn grants_all_files(&self) -> bool {
        self.all_files
    }
    /// The folder `host` of this machine can be read as `guest`, an absolute name.
    ///
    /// Whatever is below it belongs to it, other disks included. Symbolic links mean what they say in the program's own
    /// tree of names: one that leads out leads nowhere, unless its target has been granted under the same name. Devices,
    /// pipes and sockets, and files of the kernel below a mounted `/proc`, cannot be opened.
    pub fn read_dir(self, host: impl AsRef<Path>, guest: impl AsRef<Path>) -> Grants {
        self.folder(host.as_ref(), guest.as_ref(), false)
    }
    /// The folder `host` of this machine can be read and changed as `guest`, an absolute name.
    ///
    /// As [`Grants::read_dir`]; new files belong to the user of this process, and no user gets rights by it: owners,
    /// the set-user-id and set-group-id bits and attributes other than `user.*` cannot be set. Keep in mind that symbolic
    /// links a program leaves in it mean something else outside the VM.
    pub fn write_dir(self, host: impl AsRef<Path>, guest: impl AsRef<Path>) -> Grants {
        self.folder(host.as_ref(), guest.as_ref(), true)
    }
    fn folder(mut self, host: &Path, guest: &Path, writes: bool) -> Grants {
        let path = host.to_path_buf();
        let granted = Granted::Folder { path, writes };
        self.mounts.push((guest.to_path_buf(), granted));
        self
    }
    /// Files in memory are the program's root folder: it may read, change and make whatever it likes there, up to their
    /// limit. The embedder can read them at any time.
    pub fn memory_files(self, files: &MemoryFiles) -> Grants {
        self.memory_dir(files, "/")
    }
    /// The same as folder `guest`, an absolute name.
    pub fn memory_dir(mut self, files: &MemoryFiles, guest: impl AsRef<Path>) -> Grants {
        let granted = Granted::Memory(files.clone());
        self.mounts.push((guest.as_ref().to_path_buf(), granted));
        self
    }
    /// The working directory: relative names start from it. `/` by default. If all files of this process are granted, it is the
    /// process's own and cannot be changed.
    pub fn current_dir(mut self, guest: impl AsRef<Path>) -> Grants {
        self.current_dir = Some(guest.as_ref().to_path_buf());
        self
    }
    /// How far sockets reach.
    pub fn network(mut self, network: Network) -> Grants {
        self.network = network;
        self
    }
    /// Environment variables.
    pub fn environment(mut self, environment: Environment) -> Grants {
        self.environment = environment;
        self
    }
    /// Whether it may start, see and signal processes, and learns about this one and the machine. Processes that it starts are
    /// not contained, so this grants everything.
    pub fn processes(mut self, granted: bool) -> Grants {
        self.processes = granted;
        self
    }
    /// Whether it may handle the signals of this process and send it some.
    pub fn signals(mut self, granted: bool) -> Grants {
        self.signals = granted;
        self
    }
    /// The clock.
    pub fn clock(mut self, clock: Clock) -> Grants {
        self.clock = clock;
        self
    }
    /// Where randomness comes from.
    pub fn entropy(mut self, entropy: Entropy) -> Grants {
        self.entropy = entropy;
        self
    }
    /// Whether `System.exit` and `Runtime.halt` end the VM. If not, they throw a `SecurityException` and the program continues.
    /// The embedder's process continues either way.
    pub fn exit(mut self, granted: bool) -> Grants {
        self.exit = granted;
        self
    }

    /// Whether it may load native libraries and call their functions (JNI; `java.lang.foreign`, since JDK 21). They run in this
    /// process and may do whatever it may, so this grants everything, and no limit holds for them. An error in a program's
    /// description of a function can break this process, as an error in C can. Addresses of memory outside the heap are
    /// those of the machine then, and differ between runs. A deterministic VM and one that is recorded never have it.
    pub fn native_access(mut self, granted: bool) -> Grants {
        self.native_access = granted;
        self
    }

    /// The host that grants this, to a VM with the class library of `java_home` and these standard streams. A stream that
    /// is not given is the process's own when all its files are granted, and otherwise not there.
    ///
    /// # Errors
    /// When a granted folder is not there, or a guest name is not absolute.
    pub fn host(&self, java_home: &Path, streams: StandardStreams) -> io::Result<Box<dyn Host>> {
        signals::survive_writes();
        let open = match self.all_files {
            true => Open::standard(),
            false => Open::nothing(),
        };
        let entropy = match self.entropy {
            Entropy::Seeded(seed) => SharedEntropy::seeded(seed),
            Entropy::Real => SharedEntropy::system(),
        };
        let mut os = OsHost {
            environment: self.variables(),
            signals: self.signals.then(Signals::default),
            open: open.clone(),
            native_access: self.native_access,
            ..OsHost::sandboxed(StandardStreams::default())
        };
        let world = match self.all_files {
            true => {
                os.descriptors = Box::new(OsDescriptors::new(&open, streams));
                os.files = Box::new(OsFiles::new(&open));
                None
            }
            false => {
                let space = self.space(java_home)?;
                let dir = self.start_dir().into_os_string().into_vec();
                Some(World::new(&open, streams, space, dir, entropy.clone()))
            }
        };
        Ok(Box::new(Contained {
            os,
            world,
            network: match (self.all_files, self.network) {
                // sockets may have names in the file system then
                (true, Network::All) => Box::new(OsNetwork::new(&open)),
                _ => Box::new(Guarded::new(&open, self.network)),
            },
            processes: self.processes.then(|| OsProcesses::new(&open)),
            exit: self.exit,
            time: match self.clock {
                Clock::Virtual => ContainedClock::Virtual(0),
                Clock::Real => ContainedClock::Real,
            },
            entropy,
            system: (!self.all_files).then(|| self.system()),
        }))
    }
    fn start_dir(&self) -> PathBuf {
        self.current_dir.clone().unwrap_or_else(|| "/".into())
    }
    fn variables(&self) -> Variables {
        match &self.environment {
            Environment::Own => Variables::Own,
            Environment::Empty => Variables::Given(Vec::new()),
            Environment::Given(list) => {
                let bytes = |s: &String| s.clone().into_bytes();
                Variables::Given(list.iter().map(|(k, v)| (bytes(k), bytes(v))).collect())
            }
        }
    }
    /// What a contained program learns of the system: a user without a history.
    fn system(&self) -> System {
        System {
            user_name: Some("user".into()),
            user_home: Some("/".into()),
            current_dir: self.start_dir().to_string_lossy().into_owned(),
            ctype: "C.UTF-8".into(),
            codeset: "UTF-8".into(),
            ..System::default()
        }
    }
    /// The tree of names.
    fn space(&self, java_home: &Path) -> io::Result<Space> {
        let root_files = MemoryFiles::bare(u64::MAX);
        let mut space = Space::new(closed(&root_files));
        let devices = devices()?;
        let mut mounts: Vec<&(PathBuf, Granted)> = self.mounts.iter().collect();
        // outer folders first, so that those inside find them
        mounts.sort_by_key(|(guest, _)| memory::names(guest).len());
        let mount = |space: &mut Space, guest: &Path, what: Mount| -> io::Result<()> {
            if !guest.is_absolute() {
                let text = format!("{}: the name is not absolute", guest.display());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
            }
            let at = memory::names(guest);
            let r = space.mount(&at, what);
            r.map_err(|e| io::Error::from_raw_os_error(e.0))
        };
        for (guest, granted) in mounts {
            let what = match granted {
                Granted::Memory(files) => {
                    let mut tree = files.tree();
                    if self.clock == Clock::Real {
                        tree.use_real_time();
                    }
                    Mount::Memory {
                        files: files.clone(),
                        owner: tree.owner(),
                        closed: false,
                    }
                }
                Granted::Folder { path, writes } => Mount::Folder {
                    root: Arc::new(open_root(path)?),
                    grant: Grant {
                        writes: *writes,
                        trusted: false,
                    },
                },
            };
            mount(&mut space, guest, what)?;
        }
        mount(&mut space, Path::new("/dev"), closed(&devices))?;
        let jdk = Mount::Folder {
            root: Arc::new(open_root(java_home)?),
            grant: Grant {
                writes: false,
                trusted: true,
            },
        };
        mount(&mut space, &std::path::absolute(java_home)?, jdk)?;
        for files in [&root_files, &devices] {
            files.tree().freeze();
        }
        Ok(space)
    }
}

fn open_root(path: &Path) -> io::Result<std::os::fd::OwnedFd> {
    root(path).map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))
}

/// Files that no program may change, and for which no search fails silently.
fn closed(files: &MemoryFiles) -> Mount {
    Mount::Memory {
        files: files.clone(),
        owner: 0,
        closed: true,
    }
}

/// The devices in `/dev`.
fn devices() -> io::Result<MemoryFiles> {
    let files = MemoryFiles::bare(u64::MAX);
    let all = [
        ("null", Device::Null, 3),
        ("zero", Device::Zero, 5),
        ("random", Device::Random, 8),
        ("urandom", Device::Random, 9),
    ];
    for (name, device, minor) in all {
        let kind = NodeKind::Device(device, minor);
        let r = files
            .tree()
            .create(memory::ROOT, name.as_bytes(), kind, 0o666);
        r.map_err(|e| io::Error::from_raw_os_error(e.0))?;
    }
    Ok(files)
}

//! The one door to the outside world: an embedder may replace or deny any of it.
//!
//! A [`Host`] hands out five capabilities. Each trait denies everything by default (`EACCES`), so a
//! host grants exactly what it implements. Names of files are bytes, as on Unix; failures are
//! [`Errno`]s, which the natives turn into the exceptions that Java programs know.
//!
//! The requests of a trait are in one table, a macro that hands them to other macros: one of them declares the
//! trait, others make hosts that treat many requests alike. In a table, a request that is `denied` by default answers with
//! [`Io`] of the type it names; one with `otherwise` has its default answer there.

/// Declares a trait from the table of its requests.
macro_rules! declare {
    ($(#[$doc:meta])* pub trait $name:ident; denied $denied:tt otherwise $otherwise:tt) => {
        declare! { $(#[$doc])* pub trait $name; {} denied $denied otherwise $otherwise }
    };
    (
        $(#[$doc:meta])* pub trait $name:ident;
        { $($more:tt)* }
        denied { $( $(#[$dm:meta])* fn $dname:ident($($da:ident: $dt:ty),*) -> $dr:ty; )* }
        otherwise { $( $(#[$om:meta])* fn $oname:ident($($oa:ident: $ot:ty),*) -> $or:ty = $default:expr; )* }
    ) => {
        $(#[$doc])*
        pub trait $name: Send {
            $($more)*
            $( $(#[$dm])* fn $dname(&mut self, $($da: $dt),*) -> $crate::host::Io<$dr> {
                let _ = ($($da,)*);
                Err($crate::host::Errno::DENIED)
            } )*
            $( $(#[$om])* fn $oname(&mut self, $($oa: $ot),*) -> $or {
                let _ = ($($oa,)*);
                $default
            } )*
        }
    };
}

pub mod descriptors;
pub mod files;
pub mod network;
pub mod processes;

pub use descriptors::{Descriptors, Lock, Poll, SeekOrigin};
pub use files::{FileStore, Files, Stat, Times};
pub use network::{Address, Interface, InterfaceAddress, Network};
pub use processes::{
    Credentials, LoadAverage, MemoryUsage, ProcessInfo, Processes, ProcessorTime, Spawn,
};

/// An error number of the operating system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Errno(pub i32);

impl Errno {
    /// What a host answers to whatever it does not grant.
    pub const DENIED: Errno = Errno(libc::EACCES);
}

impl From<std::io::Error> for Errno {
    fn from(e: std::io::Error) -> Errno {
        Errno(e.raw_os_error().unwrap_or(libc::EIO))
    }
}

/// Ends a host's sleep from any OS thread, or the next one if it is awake; see [`Host::waker`].
pub type Waker = std::sync::Arc<dyn Fn() + Send + Sync>;

/// Result of a request to the host.
pub type Io<T> = Result<T, Errno>;

/// Processor time, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CpuTime {
    /// All.
    pub total: i64,
    /// The part outside of the operating system's kernel.
    pub user: i64,
}

/// What the system and its user are called, for the properties that report programs of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// The kernel's name as of `uname -s`, for instance `Linux`.
    pub os_name: String,
    /// The version of the operating system: `uname -r`, except on macOS the product's version.
    pub os_version: String,
    /// The processor as Rust calls it, for instance `x86_64`.
    pub arch: String,
    /// The login name, if the user has one.
    pub user_name: Option<String>,
    /// The user's home according to the user database (`HOME` doesn't count).
    pub user_home: Option<String>,
    /// The working directory.
    pub current_dir: String,
    /// The folder of temporary files, where it is not the operating system's usual one.
    pub temp_dir: Option<String>,
    /// The path of the class library that programs see, if it is not the real one.
    pub java_home: Option<String>,
    /// The locale of characters and formats (`LC_CTYPE`).
    pub ctype: String,
    /// The locale of messages.
    pub messages: String,
    /// The character encoding of `ctype`.
    pub codeset: String,
    /// Whether standard output goes to a terminal.
    pub stdout_is_terminal: bool,
    /// Whether standard error goes to a terminal.
    pub stderr_is_terminal: bool,
}

impl Default for System {
    /// A Linux without a user, with the locale that every system has.
    fn default() -> System {
        System {
            os_name: "Linux".into(),
            os_version: "1".into(),
            arch: std::env::consts::ARCH.into(),
            user_name: None,
            user_home: None,
            current_dir: "/".into(),
            temp_dir: None,
            java_home: None,
            ctype: "C".into(),
            messages: "C".into(),
            codeset: "ANSI_X3.4-1968".into(),
            stdout_is_terminal: false,
            stderr_is_terminal: false,
        }
    }
}

/// Hands the requests of [`Host`] itself to the macro `$to`, after `$with`.
#[macro_export]
macro_rules! host_requests {
    ($to:ident!, $($with:tt)*) => {
        $to! {
        $($with)*
        required {
            /// Nanoseconds of a monotonic clock.
            fn nano_time() -> i64;
            /// Seconds and nanoseconds since 1970-01-01 UTC.
            fn wall_clock() -> (i64, u32);
            /// Fills `buf` with entropy.
            fn entropy(buf: &mut [u8]) -> ();
            /// Sleeps until `deadline` (of [`Host::nano_time`]; `None`: no limit) or until one of `fds`
            /// (descriptor, bit 0 readable, bit 1 writable) is ready; returns the indices of the ready ones.
            /// Returns early, possibly without a result, when a signal or another thread's request arrives.
            fn wait(fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize>;
        }
        denied {
            /// From now on signal `number` is kept for [`Host::take_signal`] instead of its default effect;
            /// `Ok(false)`: it was so before.
            fn watch_signal(number: i32) -> bool;
            /// Gives a watched signal its default effect back, or has it ignored.
            fn unwatch_signal(number: i32, ignore: bool) -> ();
            /// Sends this process a signal.
            fn raise_signal(number: i32) -> ();
        }
        otherwise {
            /// Processor time of the thread that runs the VM.
            fn cpu_time() -> CpuTime = CpuTime::default();
            /// Whether it depends on the outside of the VM when `fd` becomes ready (not: a pipe whose two ends are
            /// the program's own).
            fn is_outside(fd: i32) -> bool = true;
            /// Environment variables in their order.
            fn environment() -> Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
            /// What the system and its user are called.
            fn system() -> System = System::default();
            /// Identifier of the local time zone (`Europe/Vienna`), if it has one.
            fn time_zone() -> Option<String> = None;
            /// Offset of local time from UTC in seconds, daylight saving left out.
            fn utc_offset() -> i32 = 0;
            /// The next signal that has arrived (lowest number first).
            fn take_signal() -> Option<i32> = None;
            /// Whether the process was started with this signal ignored (as `nohup` arranges it).
            fn ignores_signal(number: i32) -> bool = false;
        }
        }
    };
}

macro_rules! declare_host {
    (
        $(#[$doc:meta])* pub trait $name:ident;
        required { $( $(#[$rm:meta])* fn $rname:ident($($ra:ident: $rt:ty),*) -> $rr:ty; )* }
        denied { $($denied:tt)* }
        otherwise { $($otherwise:tt)* }
    ) => {
        declare! {
            $(#[$doc])* pub trait $name;
            {
                $( $(#[$rm])* fn $rname(&mut self, $($ra: $rt),*) -> $rr; )*
                /// For downcasting to an implementation.
                fn as_any(&mut self) -> &mut dyn std::any::Any;
                /// Whether [`Host::at_bytecode`] is to notify it of the program's progress.
                fn counts_bytecodes(&self) -> bool {
                    false
                }
                /// The next requests are made when all threads together have executed so many bytecodes.
                fn at_bytecode(&mut self, _executed: i64) {}
                /// What makes [`Host::wait`] return early, from any OS thread and for as long as it is kept: for
                /// stopping a VM while it sleeps. After it was called, one sleep ends at once, be it under way or the
                /// next. A host without one keeps a VM until it comes back by itself. Hosts around others hand on theirs.
                fn waker(&mut self) -> Option<Waker> {
                    None
                }
                /// The clock of [`Host::nano_time`] for an outside observer, whose question is not part of the run: later answers
                /// to the program do not depend on it, and no recording has it. Hosts around others hand on theirs.
                fn peek_time(&mut self) -> i64 {
                    self.nano_time()
                }
                /// The same of [`Host::cpu_time`].
                fn peek_cpu_time(&mut self) -> CpuTime {
                    self.cpu_time()
                }
                /// Whether the program may load native libraries and call their functions (JNI, `java.lang.foreign`). Native code
                /// can then do everything that this process may do, without a question to this host. It is asked once.
                fn native_access(&self) -> bool {
                    false
                }
                /// Operations on open descriptors.
                fn descriptors(&mut self) -> &mut dyn Descriptors {
                    denied()
                }
                /// The file system.
                fn files(&mut self) -> &mut dyn Files {
                    denied()
                }
                /// Sockets and names of hosts.
                fn network(&mut self) -> &mut dyn Network {
                    denied()
                }
                /// Processes.
                fn processes(&mut self) -> &mut dyn Processes {
                    denied()
                }
            }
            denied { $($denied)* }
            otherwise { $($otherwise)* }
        }
    };
}

host_requests! {
    declare_host!,
    /// Clock, entropy, environment, signals, and the capabilities for the rest. The default
    /// implementation for an operating system is `jdk-stubs`' `os` module.
    pub trait Host;
}

/// Grants nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Denied;

impl Descriptors for Denied {}
impl Files for Denied {}
impl Network for Denied {}
impl Processes for Denied {}

/// A [`Denied`] to borrow forever (it has no state, so nothing is leaked).
pub fn denied() -> &'static mut Denied {
    Box::leak(Box::new(Denied))
}

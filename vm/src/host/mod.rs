//! The one door to the outside world: an embedder may replace or deny any of it.
//!
//! A [`Host`] hands out five capabilities. Each trait denies everything by default (`EACCES`), so a
//! host grants exactly what it implements. Names of files are bytes, as on Unix; failures are
//! [`Errno`]s, which the natives turn into the exceptions that Java programs know.

pub mod descriptors;
pub mod files;
pub mod network;
pub mod processes;

pub use descriptors::{Descriptors, Lock, Poll, Whence};
pub use files::{FileStore, Files, Stat, Times};
pub use network::{Address, Interface, InterfaceAddress, Network};
pub use processes::{Credentials, Memory, ProcessInfo, Processes, Spawn};

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

/// Clock, entropy, environment, signals, and the capabilities for the rest. The default
/// implementation for an operating system is `jdk-stubs`' `os` module.
pub trait Host: Send {
    /// Nanoseconds of a monotonic clock.
    fn nano_time(&mut self) -> i64;
    /// Seconds and nanoseconds since 1970-01-01 UTC.
    fn wall_clock(&mut self) -> (i64, u32);
    /// Fills `buf` with entropy.
    fn entropy(&mut self, buf: &mut [u8]);
    /// Sleeps until `deadline` (of [`Host::nano_time`]; `None`: no limit) or until one of `fds`
    /// (descriptor, bit 0 readable, bit 1 writable) is ready; returns the indices of the ready ones.
    /// Returns early, perhaps with nothing, when a signal or another thread's request arrives.
    fn wait(&mut self, fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize>;
    /// Processor time of the thread that runs the VM.
    fn cpu_time(&mut self) -> CpuTime {
        CpuTime::default()
    }
    /// For downcasting to an implementation.
    fn as_any(&mut self) -> &mut dyn std::any::Any;

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
    /// Environment variables in their order.
    fn environment(&mut self) -> Vec<(Vec<u8>, Vec<u8>)> {
        Vec::new()
    }
    /// Identifier of the local time zone (`Europe/Vienna`), if it has one.
    fn time_zone(&mut self) -> Option<String> {
        None
    }
    /// Offset of local time from UTC in seconds, daylight saving left out.
    fn utc_offset(&mut self) -> i32 {
        0
    }
    /// From now on signal `number` is kept for [`Host::take_signal`] instead of its default effect;
    /// `Ok(false)`: it was so before.
    fn watch_signal(&mut self, _number: i32) -> Io<bool> {
        Err(Errno::DENIED)
    }
    /// Gives a watched signal its default effect back, or has it ignored.
    fn unwatch_signal(&mut self, _number: i32, _ignore: bool) -> Io<()> {
        Err(Errno::DENIED)
    }
    /// The next signal that has arrived (lowest number first).
    fn take_signal(&mut self) -> Option<i32> {
        None
    }
    /// Sends this process a signal.
    fn raise_signal(&mut self, _number: i32) -> Io<()> {
        Err(Errno::DENIED)
    }
}

/// Grants nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Denied;

impl Descriptors for Denied {}
impl Files for Denied {}
impl Network for Denied {}
impl Processes for Denied {}

/// A [`Denied`] to borrow for ever (it has no state, so nothing is leaked).
pub fn denied() -> &'static mut Denied {
    Box::leak(Box::new(Denied))
}

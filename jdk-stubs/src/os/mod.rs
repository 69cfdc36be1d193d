//! The sole door to the host operating system: the default [`Host`] over its system calls.
//!
//! Every capability is a boxed trait object, so an embedder starts from [`OsHost::new`] or
//! [`OsHost::sandboxed`] and puts its own (or [`Denied`]) where it likes.

mod call;
mod descriptors;
mod files;
pub mod memory;
mod network;
mod open;
mod processes;
pub mod signals;
mod sockaddr;
mod wait;
mod zone;

pub use descriptors::{OsDescriptors, StandardStreams};
pub use files::OsFiles;
pub use network::OsNetwork;
pub use open::Open;
pub use processes::OsProcesses;
pub use signals::Signals;
pub use wait::Alarm;

use rjvm_vm::host::{
    CpuTime, Denied, Descriptors, Errno, Files, Host, Io, Network, Processes, System, Waker,
};
use rjvm_vm::sysprops::{process, variables};
use std::os::unix::ffi::OsStringExt;

/// The text the C library has for an error number.
pub fn strerror(errno: i32) -> String {
    call::strerror(errno)
}

/// Fills `buf` from the system's generator.
pub fn entropy(buf: &mut [u8]) {
    call::entropy(buf)
}

/// Environment variables a host shows.
#[derive(Clone, Debug)]
pub enum Environment {
    /// Those of this process.
    Own,
    /// These.
    Given(Vec<(Vec<u8>, Vec<u8>)>),
}

/// The operating system as a host.
pub struct OsHost {
    /// Open descriptors, standard streams among them.
    pub descriptors: Box<dyn Descriptors>,
    /// File system.
    pub files: Box<dyn Files>,
    /// Network.
    pub network: Box<dyn Network>,
    /// Processes.
    pub processes: Box<dyn Processes>,
    /// Environment variables.
    pub environment: Environment,
    /// The signals it watches; `None`: none may be watched or sent.
    pub signals: Option<Signals>,
    /// Whether the program may call native code.
    pub native_access: bool,
    /// What the VM has open: the parts above are made for it. Descriptors may be given to the VM here.
    pub open: Open,
    /// What ends its sleep from other OS threads.
    pub alarm: Alarm,
}

impl OsHost {
    /// Grants everything this process can do.
    pub fn new() -> OsHost {
        OsHost::with(StandardStreams::default())
    }
    /// The same with these standard streams. Of the descriptors of the process a program reaches the standard ones
    /// that no stream replaces, and otherwise what it opens itself.
    ///
    /// Signals that end a process when its output has no reader or its file grows too large (`SIGPIPE`, `SIGXFSZ`) no longer do
    /// so, unless the process handles them already.
    pub fn with(streams: StandardStreams) -> OsHost {
        signals::survive_writes();
        let open = Open::standard();
        OsHost {
            descriptors: Box::new(OsDescriptors::new(&open, streams)),
            files: Box::new(OsFiles::new(&open)),
            network: Box::new(OsNetwork::new(&open)),
            processes: Box::new(OsProcesses::new(&open)),
            environment: Environment::Own,
            signals: Some(Signals::default()),
            native_access: true,
            open,
            alarm: Alarm::default(),
        }
    }
    /// Grants clock, entropy and these standard streams only: a stream that is not given is not there. To grant more, replace
    /// the parts that deny it by others, made for its [`OsHost::open`].
    pub fn sandboxed(streams: StandardStreams) -> OsHost {
        let open = Open::nothing();
        OsHost {
            descriptors: Box::new(OsDescriptors::new(&open, streams)),
            files: Box::new(Denied),
            network: Box::new(Denied),
            processes: Box::new(Denied),
            environment: Environment::Given(Vec::new()),
            signals: None,
            native_access: false,
            open,
            alarm: Alarm::default(),
        }
    }
    fn signals(&mut self) -> Io<&mut Signals> {
        self.signals.as_mut().ok_or(Errno::DENIED)
    }
}

impl Default for OsHost {
    fn default() -> Self {
        OsHost::new()
    }
}

impl Host for OsHost {
    fn nano_time(&mut self) -> i64 {
        wait::nano_time()
    }
    fn wall_clock(&mut self) -> (i64, u32) {
        let t = std::time::SystemTime::now();
        match t.duration_since(std::time::UNIX_EPOCH) {
            Ok(d) => (d.as_secs() as i64, d.subsec_nanos()),
            Err(e) => {
                // before 1970: seconds round down, nanoseconds stay positive
                let d = e.duration();
                match d.subsec_nanos() {
                    0 => (-(d.as_secs() as i64), 0),
                    n => (-(d.as_secs() as i64) - 1, 1_000_000_000 - n),
                }
            }
        }
    }
    fn entropy(&mut self, buf: &mut [u8]) {
        call::entropy(buf)
    }
    fn wait(&mut self, fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize> {
        let bell = self.signals.as_ref().and_then(Signals::bell);
        wait::wait(&self.open, bell, &self.alarm, fds, deadline)
    }
    fn native_access(&self) -> bool {
        self.native_access
    }
    fn waker(&mut self) -> Option<Waker> {
        self.alarm.waker()
    }
    fn cpu_time(&mut self) -> CpuTime {
        call::cpu_time()
    }
    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
    fn descriptors(&mut self) -> &mut dyn Descriptors {
        &mut *self.descriptors
    }
    fn files(&mut self) -> &mut dyn Files {
        &mut *self.files
    }
    fn network(&mut self) -> &mut dyn Network {
        &mut *self.network
    }
    fn processes(&mut self) -> &mut dyn Processes {
        &mut *self.processes
    }
    fn environment(&mut self) -> Vec<(Vec<u8>, Vec<u8>)> {
        match &self.environment {
            Environment::Own => std::env::vars_os()
                .map(|(k, v)| (k.into_vec(), v.into_vec()))
                .collect(),
            Environment::Given(v) => v.clone(),
        }
    }
    fn system(&mut self) -> System {
        process::system(&variables(&self.environment()))
    }
    fn ignores_signal(&mut self, number: i32) -> bool {
        signals::is_ignored(number)
    }
    fn time_zone(&mut self) -> Option<String> {
        zone::time_zone()
    }
    fn utc_offset(&mut self) -> i32 {
        zone::utc_offset()
    }
    fn watch_signal(&mut self, number: i32) -> Io<bool> {
        self.signals()?.watch(number)
    }
    fn unwatch_signal(&mut self, number: i32, ignore: bool) -> Io<()> {
        self.signals()?.unwatch(number, ignore)
    }
    fn take_signal(&mut self) -> Option<i32> {
        self.signals.as_mut()?.take()
    }
    fn raise_signal(&mut self, number: i32) -> Io<()> {
        self.signals()?;
        signals::raise(number)
    }
}

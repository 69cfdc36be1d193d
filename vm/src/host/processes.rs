//! Processes.

/// A process to be started.
#[derive(Clone, Debug, Default)]
pub struct Spawn {
    /// Program; looked up in `PATH` unless it has a slash.
    pub program: Vec<u8>,
    /// Arguments after the program.
    pub args: Vec<Vec<u8>>,
    /// Environment, or `None` for this process's own.
    pub environment: Option<Vec<(Vec<u8>, Vec<u8>)>>,
    /// Working directory, or `None` for this process's own.
    pub dir: Option<Vec<u8>>,
    /// Descriptors that become its 0, 1 and 2. They stay open here.
    pub stdio: [i32; 3],
}

/// Facts about a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessInfo {
    /// Parent.
    pub parent: i64,
    /// Start, milliseconds since 1970.
    pub start_millis: i64,
    /// Processor time used so far in nanoseconds.
    pub cpu_nanos: i64,
    /// Owner.
    pub uid: u32,
    /// Executable, if it may be known.
    pub command: Option<Vec<u8>>,
    /// Arguments after the program.
    pub args: Option<Vec<Vec<u8>>>,
    /// The whole command line, when the parts are not known.
    pub command_line: Option<Vec<u8>>,
}

/// As whom a process runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials {
    /// User.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// All groups, in the system's order.
    pub groups: Vec<u32>,
}

/// Memory of the machine and of this process, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUsage {
    /// Of the machine.
    pub total: u64,
    /// Of that, free.
    pub free: u64,
    /// Space to swap to.
    pub swap: u64,
    /// Of that, free.
    pub free_swap: u64,
    /// Address space of this process.
    pub committed: u64,
}

/// What processors have done since the machine started, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessorTime {
    /// They were at work.
    pub used: u64,
    /// They could have been.
    pub total: u64,
}

/// How many processes of the machine were ready to run, on average, in units of 1/65536.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadAverage {
    /// How many of the three are known, the first ones.
    pub known: u64,
    /// In the last minute.
    pub one: u64,
    /// In the last five minutes.
    pub five: u64,
    /// In the last fifteen minutes.
    pub fifteen: u64,
}

impl LoadAverage {
    /// The units of a process.
    pub const UNIT: u64 = 1 << 16;
}

/// Hands the requests of [`Processes`] to the macro `$to`, after `$with`.
#[macro_export]
macro_rules! process_requests {
    ($to:ident!, $($with:tt)*) => {
        $to! {
        $($with)*
        denied {
            /// Starts a process and returns its number.
            fn spawn(what: &Spawn) -> i64;
            /// The exit status of a child that has ended (128 + signal if by a signal), `None` while it
            /// runs; `reap` forgets the child. `ECHILD` if it is not a child.
            fn try_wait(pid: i64, reap: bool) -> Option<i32>;
            /// A descriptor that becomes readable when the process ends; to be closed by the caller.
            fn exit_descriptor(pid: i64) -> i32;
            /// Sends a signal.
            fn kill(pid: i64, signal: i32) -> ();
            /// Facts about a process.
            fn info(pid: i64) -> ProcessInfo;
            /// All processes, ascending.
            fn list() -> Vec<i64>;
            /// As whom this process runs.
            fn credentials() -> Credentials;
            /// Asked before Java code ends the VM (`Runtime.exit`, `Runtime.halt`); the process is the embedder's.
            fn exit() -> ();
        }
        otherwise {
            /// This process.
            fn own_id() -> i64 = 1;
            /// Processors.
            fn processors() -> i32 = 1;
            /// Memory of the machine and of this process; zeros: not known.
            fn memory() -> MemoryUsage = MemoryUsage::default();
            /// What a processor of the machine has done, by its number, or all of them (-1); zeros: not known.
            fn processor_time(number: i32) -> ProcessorTime = ProcessorTime::default();
            /// The load of the machine.
            fn load_average() -> LoadAverage = LoadAverage::default();
        }
        }
    };
}

process_requests! {
    declare!,
    /// Processes.
    pub trait Processes;
}

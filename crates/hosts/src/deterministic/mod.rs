//! A host around another host. Its answers are the same in every run, on every machine, in every folder, for every
//! user, and however busy the machine is: what a program can observe becomes a function of program, inputs and seed.
//!
//! Files, their contents and names are inputs: they come from the host inside. What surrounds them does not: times, numbers,
//! owners and the places of working directory, home, temporary files and JDK (`places`). Pipes, selectors and connections
//! within the program exist in memory only (`channels`), so that no kernel decides how many bytes a read gets and who is
//! ready first. What comes from elsewhere (standard input, other processes, other machines) is an input too; it
//! is looked at when no thread of the program can run, however fast it came (`streams`).

mod channels;
mod copied;
mod descriptors;
pub(crate) mod entropy;
mod files;
mod known;
mod network;
mod places;
mod proc_files;
mod processes;
mod selectors;
mod sockets;
mod streams;
mod table;
#[cfg(test)]
mod tests;

pub use places::{RunFolder, remove_left_by};

use channels::Channels;
use entropy::EntropyStream;
use known::SeenFiles;
use places::Places;
use processes::Children;
use rjvm_vm::host::{CpuTime, Host, Io, System, Waker};
use rjvm_vm::sysprops::{ByName, LocaleSettings, variables};
use rjvm_vm::threads::clock::{BytecodeClock, ClockReading};
use std::path::PathBuf;
use table::Table;

/// Picoseconds that a bytecode takes if nothing else is requested.
pub const PICOSECONDS: u64 = 1000;
/// The user.
const USER: &str = "user";
/// The user's number, and the group's.
const USER_ID: u32 = 1000;
/// How often the host looks at input from outside while threads of the program could run: one in N.
const OUTSIDE_EVERY: u32 = 64;

/// The free choices.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The seed of entropy.
    pub seed: u64,
    /// Environment variables beside the fixed ones, or in their place.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// Where the JDK really is.
    pub java_home: PathBuf,
    /// The folder of the host inside with the folders `home` and `tmp` for those of the program; none: one of this machine,
    /// which the host inside has to reach too.
    pub folder: Option<PathBuf>,
    /// The time of the VM: of the clock that it is going to get.
    pub face: ClockReading,
}

/// The clock that goes with this host, on which a bytecode takes so many picoseconds.
pub fn clock(picoseconds: u64) -> BytecodeClock {
    BytecodeClock::new(picoseconds).patient()
}

/// See the module.
pub struct Deterministic {
    inner: Box<dyn Host>,
    face: ClockReading,
    entropy: EntropyStream,
    environment: Vec<(Vec<u8>, Vec<u8>)>,
    places: Places,
    known: SeenFiles,
    table: Table,
    channels: Channels,
    children: Children,
    /// The last port that was given to who requested none.
    last_port: u16,
    /// Ports that the program has requested.
    ports: std::collections::BTreeSet<u16>,
    /// Whether the host inside has IPv6, once it was asked.
    reaches_ipv6: Option<bool>,
    /// Looks at descriptors since the last look at input from outside.
    looks: u32,
}

impl Deterministic {
    /// Around `inner`.
    pub fn new(mut inner: Box<dyn Host>, settings: Settings) -> Deterministic {
        let places = Places::new(&mut *inner, settings.java_home, settings.folder);
        Deterministic {
            inner,
            face: settings.face,
            entropy: EntropyStream::new(settings.seed),
            environment: environment(settings.environment),
            places,
            known: SeenFiles::default(),
            table: Table::standard(),
            channels: Channels::default(),
            children: Children::default(),
            last_port: 0,
            ports: Default::default(),
            reaches_ipv6: None,
            looks: 0,
        }
    }
    /// Makes random values from another seed from here on.
    pub fn reseed(&mut self, seed: u64) {
        self.entropy = EntropyStream::new(seed);
    }
    /// The folder of the program's temporary files, to be removed when it has ended.
    pub fn temporary(&self) -> RunFolder {
        self.places.temporary()
    }
    /// Now, by the clock of the VM.
    fn now(&self) -> (i64, i64) {
        self.face.wall_clock()
    }
}

/// The fixed variables with those that were given, by name.
fn environment(given: Vec<(Vec<u8>, Vec<u8>)>) -> Vec<(Vec<u8>, Vec<u8>)> {
    let fixed = [
        ("HOME", places::HOME),
        ("LANG", "C.UTF-8"),
        ("LOGNAME", USER),
        (
            "PATH",
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        ),
        ("SHELL", "/bin/sh"),
        ("TZ", "UTC"),
        ("USER", USER),
    ];
    let fixed = fixed.map(|(k, v)| (k.as_bytes().to_vec(), v.as_bytes().to_vec()));
    let mut all: std::collections::BTreeMap<Vec<u8>, Vec<u8>> = fixed.into_iter().collect();
    all.extend(given);
    all.into_iter().collect()
}

impl Host for Deterministic {
    /// The inner host's: for waits, not for programs, whose clock is the VM's.
    fn nano_time(&mut self) -> i64 {
        self.inner.nano_time()
    }
    fn wall_clock(&mut self) -> (i64, u32) {
        let (seconds, nanos) = self.now();
        (seconds, nanos as u32)
    }
    fn entropy(&mut self, buf: &mut [u8]) {
        self.entropy.fill(buf);
    }
    fn wait(&mut self, fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize> {
        self.wait_for(fds, deadline)
    }
    fn cpu_time(&mut self) -> CpuTime {
        CpuTime::default()
    }
    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
    fn waker(&mut self) -> Option<Waker> {
        self.inner.waker()
    }
    fn peek_time(&mut self) -> i64 {
        self.inner.peek_time()
    }
    own_parts! {}
    fn system(&mut self) -> System {
        let locale = LocaleSettings::from_env(&variables(&self.environment), &ByName);
        System {
            os_name: "Linux".into(),
            os_version: "6.1".into(),
            arch: "x86_64".into(),
            user_name: Some(USER.into()),
            user_home: Some(places::HOME.into()),
            current_dir: places::WORK.into(),
            temp_dir: Some(places::TMP.into()),
            java_home: Some(places::JDK.into()),
            ctype: locale.ctype,
            messages: locale.messages,
            codeset: locale.codeset,
            stdout_is_terminal: false,
            stderr_is_terminal: false,
        }
    }
    fn ignores_signal(&mut self, _number: i32) -> bool {
        false
    }
    fn is_outside(&mut self, fd: i32) -> bool {
        !self.outside_of(fd).is_empty()
    }
    fn environment(&mut self) -> Vec<(Vec<u8>, Vec<u8>)> {
        self.environment.clone()
    }
    fn time_zone(&mut self) -> Option<String> {
        let tz = self.environment.iter().find(|(k, _)| k == b"TZ")?;
        let name = String::from_utf8_lossy(&tz.1).into_owned();
        rjvm_vm::sysprops::time_zone_id(Some(&name), || Some("UTC".into()))
    }
    fn utc_offset(&mut self) -> i32 {
        0
    }
    fn watch_signal(&mut self, number: i32) -> Io<bool> {
        self.inner.watch_signal(number)
    }
    fn unwatch_signal(&mut self, number: i32, ignore: bool) -> Io<()> {
        self.inner.unwatch_signal(number, ignore)
    }
    fn take_signal(&mut self) -> Option<i32> {
        self.inner.take_signal()
    }
    fn raise_signal(&mut self, number: i32) -> Io<()> {
        self.inner.raise_signal(number)
    }
}

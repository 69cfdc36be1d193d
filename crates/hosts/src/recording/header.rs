//! What a recording says about its run before the first request.

use super::chunks::RecordingError;
use super::wire::{Reader, Wire, records};
use crate::forward;
use flate2::Crc;
use rjvm_vm::boot::PATCHES;
use rjvm_vm::vm::Options;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Version of the format of recordings; a reader rejects other versions.
pub const FORMAT: u32 = 5;

/// A file that the VM reads past its host: it must be the same when the run is replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BootFile {
    /// Its name.
    pub path: String,
    /// A digest of its contents.
    pub digest: u64,
}

impl BootFile {
    /// The files that a VM with these options reads past its host: those of the JDK, and those in front of or behind its classes.
    pub fn all(options: &Options) -> Vec<BootFile> {
        let home = &options.java_home;
        let mut paths = vec![home.join("release"), home.join("lib").join("modules")];
        if !paths[1].exists() {
            paths[1] = home.join("jmods");
        }
        let mut lists: Vec<&str> = options.boot_append.iter().map(String::as_str).collect();
        let patches = options.properties.iter().filter(|(key, _)| {
            key.strip_prefix(PATCHES)
                .is_some_and(|rest| rest.starts_with('.'))
        });
        lists.extend(patches.filter_map(|(_, spec)| Some(spec.split_once('=')?.1)));
        for list in lists {
            paths.extend(std::env::split_paths(list).filter(|p| !p.as_os_str().is_empty()));
        }
        let file = |path: PathBuf| BootFile {
            digest: BootFile::digest_of(&path),
            path: path.to_string_lossy().into_owned(),
        };
        paths.into_iter().map(file).collect()
    }
    /// A digest of a file's contents (of long ones: of their length, beginning and end), or of all files below a
    /// directory with their names; 0 if there is nothing to read.
    pub fn digest_of(path: &Path) -> u64 {
        let mut sum = Crc::new();
        digest_into(path, &mut sum);
        match sum.amount() {
            0 => 0,
            n => u64::from(sum.sum()) << 32 | u64::from(n),
        }
    }
}

/// Bytes at the beginning and at the end that are looked at: of the JDK's image, they hold its directory.
const LOOKED_AT: u64 = 4 << 20;

fn digest_into(path: &Path, sum: &mut Crc) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        let mut entries: Vec<PathBuf> = entries.map(|e| e.path()).collect();
        entries.sort();
        for entry in entries {
            let name = entry.file_name().unwrap_or_default();
            sum.update(name.as_encoded_bytes());
            digest_into(&entry, sum);
        }
        return;
    }
    let Ok(mut file) = File::open(path) else {
        return;
    };
    let len = file.metadata().map_or(0, |m| m.len());
    sum.update(&len.to_le_bytes());
    let mut bytes = Vec::new();
    // what cannot be read now could not when the run was recorded either, or else makes a difference
    let _ = (&file).take(LOOKED_AT).read_to_end(&mut bytes);
    if len > LOOKED_AT
        && file
            .seek(SeekFrom::Start((len - LOOKED_AT).max(LOOKED_AT)))
            .is_ok()
    {
        let _ = file.take(LOOKED_AT).read_to_end(&mut bytes);
    }
    sum.update(&bytes);
}

/// The settings of an embedded VM that affect execution, besides system properties.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordedSettings {
    /// Bytes of objects.
    pub heap: usize,
    /// Bytes of a thread's stack.
    pub stack: usize,
    /// Bytes of class metadata.
    pub metaspace: Option<usize>,
    /// Bytes outside the heap.
    pub off_heap: Option<usize>,
    /// Threads alive at once.
    pub threads: Option<usize>,
    /// Bytes of names, whose want is a collection first.
    pub names: Option<usize>,
    /// Bytes of translated code.
    pub code: Option<usize>,
    /// Bytes of the verification or the translation of one method.
    pub work: usize,
    /// The seed of random values.
    pub seed: u64,
    /// Bytecodes of a thread's turn.
    pub quantum: i64,
    /// Picoseconds of a bytecode, if time is driven by them.
    pub clock: Option<u64>,
    /// The host was deterministic.
    pub deterministic: bool,
    /// `-ea` and `-da`.
    pub assertions: Vec<(bool, String)>,
    /// Allocations that were to fail, by number.
    pub oom: Vec<u64>,
}

impl RecordedSettings {
    /// Those of a VM with these options.
    pub fn of(options: &Options, deterministic: bool, oom: Vec<u64>) -> RecordedSettings {
        RecordedSettings {
            heap: options.max_heap,
            stack: options.stack_bytes,
            metaspace: options.max_metaspace,
            off_heap: options.max_off_heap,
            threads: options.max_threads,
            names: options.max_names,
            code: options.max_code,
            work: options.work_memory,
            seed: options.seed,
            quantum: options.quantum,
            clock: options.virtual_clock,
            deterministic,
            assertions: options.assertions.clone(),
            oom,
        }
    }
    /// Puts them into the options of another VM.
    pub fn set(self, options: &mut Options) {
        options.max_heap = self.heap;
        options.stack_bytes = self.stack;
        options.max_metaspace = self.metaspace;
        options.max_off_heap = self.off_heap;
        options.max_threads = self.threads;
        options.max_names = self.names;
        options.max_code = self.code;
        options.work_memory = self.work;
        options.seed = self.seed;
        options.quantum = self.quantum;
        options.virtual_clock = self.clock;
        options.assertions = self.assertions;
    }
}

/// What a run needs besides the answers of its host to be the same again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// Version of rjvm.
    pub version: String,
    /// Version of the JDK.
    pub jdk_version: String,
    /// Where the JDK is.
    pub java_home: String,
    /// The command line up to the program's arguments, argument files expanded.
    pub command: Vec<String>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// Variables of the environment that the launcher reads.
    pub variables: Vec<(String, String)>,
    /// System properties of the command line, with those that the launcher adds.
    pub properties: Vec<(String, String)>,
    /// Main class, jar file, module or source file, and how it is meant.
    pub program: Option<String>,
    /// How `program` is meant: the number of `sun.launcher.LauncherHelper`'s mode.
    pub mode: u8,
    /// The text of the schedule that the run followed, if it followed one.
    pub schedule: Option<String>,
    /// Snapshots on `SIGUSR1` were waited for.
    pub snapshots: bool,
    /// What the VM reads past its host, the JDK's image first.
    pub boot_files: Vec<BootFile>,
    /// For a VM that was embedded in another program, which alone can replay it: its settings.
    pub embedded: Option<RecordedSettings>,
}

records! {
    BootFile { path, digest }
    RecordedSettings {
        heap, stack, metaspace, off_heap, threads, names, code, work, seed, quantum, clock, deterministic, assertions, oom
    }
    Header {
        version, jdk_version, java_home, command, args, variables, properties, program, mode, schedule, snapshots,
        boot_files, embedded
    }
}

impl Header {
    /// Of a VM with these options, on the JDK of this version: what does not depend on who makes it.
    pub fn of(options: &Options, jdk_version: String) -> Header {
        Header {
            version: env!("CARGO_PKG_VERSION").into(),
            jdk_version,
            java_home: options.java_home.to_string_lossy().into_owned(),
            properties: options.properties.clone(),
            boot_files: BootFile::all(options),
            ..Header::default()
        }
    }
    /// Whether a VM with these options reads the same past its host; the error names the difference.
    pub fn check(&self, options: &Options) -> Result<(), RecordingError> {
        let now = BootFile::all(options);
        if now == self.boot_files {
            return Ok(());
        }
        let other = self.boot_files.iter().zip(&now).find(|(a, b)| a != b);
        let name = other.map_or("", |(a, _)| &a.path);
        Err(RecordingError::Changed {
            path: name.to_string(),
            jdk_version: self.jdk_version.clone(),
        })
    }
    /// It as bytes, for the first chunk.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut to = Vec::new();
        FORMAT.put(&mut to);
        requests().put(&mut to);
        self.put(&mut to);
        to
    }
    /// Reads the first chunk; the error describes the problem.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Header, RecordingError> {
        use RecordingError::{DamagedHeader, OtherFormat, OtherRequests};
        let mut from = Reader(bytes);
        let format = u32::get(&mut from).ok_or(DamagedHeader)?;
        if format != FORMAT {
            return Err(OtherFormat(format));
        }
        let requested = u64::get(&mut from).ok_or(DamagedHeader)?;
        let header = Header::get(&mut from).filter(|_| from.0.is_empty());
        let header = header.ok_or(DamagedHeader)?;
        if requested != requests() {
            return Err(OtherRequests(header.version));
        }
        Ok(header)
    }
}

/// A digest of the requests there are.
fn requests() -> u64 {
    let all: Vec<String> = forward::names().collect();
    u64::from(super::encode::digest(all.join(" ").as_bytes()))
}

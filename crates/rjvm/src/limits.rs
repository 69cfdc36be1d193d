//! How much a program may take.

use super::error::JavaException;
use rjvm_hosts::{DEFAULT_LIMIT, HostLimits};
use rjvm_vm::cancel::Halt;
use rjvm_vm::vm::Options;
use std::fmt;
use std::time::Duration;

/// Limits of the resources that a program may use. [`Vm::set_fuel`](crate::Vm::set_fuel) limits bytecodes;
/// [`Grants`](crate::Grants) determine access to the outside. [`Limits::within`] derives all limits of memory from one
/// number. The table in docs/embedding.md lists each limit and its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of objects; by default 1 GiB. Beyond it: `OutOfMemoryError`.
    pub heap: usize,
    /// Bytes of a thread's stack; by default 1 MiB. Beyond it: `StackOverflowError`.
    pub stack: usize,
    /// Bytes outside the heap: direct buffers, `Unsafe`, mapped files, compressors, the stacks of all threads. By default
    /// 1 GiB; `None`: as many as the machine has. Beyond it: `OutOfMemoryError`.
    pub off_heap: Option<usize>,
    /// Bytes of class metadata. By default 512 MiB; `None`: any. Beyond it: `OutOfMemoryError`.
    pub metaspace: Option<usize>,
    /// Bytes of translated code. By default 512 MiB; `None`: any. Beyond it: [`Error::Limit`](crate::Error::Limit).
    pub code: Option<usize>,
    /// Bytes of compiled code ([`VmBuilder::tier`](crate::VmBuilder::tier)); by default 64 MiB, and not more. Beyond it, methods are
    /// interpreted: results and counts stay the same.
    pub compiled: usize,
    /// Bytes that the verification or the translation of one method may take; by default 256 MiB. Beyond it:
    /// `OutOfMemoryError`.
    pub work: usize,
    /// Bytes of calling contexts; by default 512 MiB. Beyond it: [`Error::Limit`](crate::Error::Limit), and you can read
    /// the profile. If you resume the call, the VM folds the coldest contexts, as `--profile-memory` does.
    pub contexts: usize,
    /// Bytes of samples. By default 128 MiB; `None`: any. Beyond it: [`Error::Limit`](crate::Error::Limit).
    pub samples: Option<usize>,
    /// Bytes of the names of classes, members and types that the program uses, of errors stored for constants, and of the
    /// names of ended threads and unloaded classes in a profile. By default 128 MiB; `None`: any. Beyond it:
    /// [`Error::Limit`](crate::Error::Limit).
    pub names: Option<usize>,
    /// Bytes of the data and output of probes; by default 64 MiB. Beyond it, the results of the probes report it, and the
    /// program continues.
    pub probes: usize,
    /// Bytes of the list of faults ([`Vm::faults`](crate::Vm::faults)). By default 64 MiB; `None`: any. Beyond it:
    /// [`Error::Limit`](crate::Error::Limit).
    pub faults: Option<usize>,
    /// Bytes of a recording ([`VmBuilder::record`](crate::VmBuilder::record)) before compression. By default 1 GiB; `None`:
    /// any. Beyond it: [`Error::Limit`](crate::Error::Limit).
    pub recording: Option<u64>,
    /// Bytes of the private files in memory (home and temporary files) of a program without access to all files of the
    /// machine. By default 64 MiB. Beyond it: "No space left on device".
    pub files: u64,
    /// Java threads alive at once, including some of the class library's own. By default 4096; `None`: any. Beyond it:
    /// `OutOfMemoryError`.
    pub threads: Option<usize>,
    /// Files, sockets and pipes open at once; by default 256. Beyond it: "Too many open files".
    pub open_files: Option<u64>,
    /// Bytes written to files, sockets, pipes and the standard streams, captured or not. A new file, folder or link
    /// counts as 256 bytes and its name. By default 256 MiB; `None`: any. Beyond it: "Disk quota exceeded".
    pub output_bytes: Option<u64>,
    /// Real time that calls may take in all. `None`, the default: any. Beyond it: [`Error::Limit`](crate::Error::Limit).
    pub wall_time: Option<Duration>,
}

const MB: usize = 1 << 20;

impl Default for Limits {
    fn default() -> Limits {
        let (host, vm) = (HostLimits::default(), Options::new(""));
        Limits {
            heap: vm.max_heap,
            stack: vm.stack_bytes,
            off_heap: Some(1024 * MB),
            metaspace: Some(512 * MB),
            code: Some(512 * MB),
            compiled: vm.max_compiled,
            work: 256 * MB,
            contexts: 512 * MB,
            samples: Some(128 * MB),
            names: Some(128 * MB),
            probes: 64 << 20,
            faults: Some(64 * MB),
            recording: Some(1 << 30),
            files: DEFAULT_LIMIT,
            threads: Some(4096),
            open_files: host.open_files,
            output_bytes: Some(256 << 20),
            wall_time: None,
        }
    }
}

impl Limits {
    /// Limits whose sum is `bytes`: the memory that the VM uses for its program stays within it. Threads, open files,
    /// recordings and time are as in [`Limits::default`]. The class library needs at least 64 MiB to start.
    pub fn within(bytes: usize) -> Limits {
        let part = |of_64: usize| bytes / 64 * of_64;
        let small = bytes / 256;
        Limits {
            heap: part(16),
            stack: part(1).clamp(256 << 10, MB),
            off_heap: Some(part(12)),
            metaspace: Some(part(13)),
            code: Some(part(5)),
            compiled: part(1).min(64 * MB),
            work: part(4),
            contexts: part(4),
            samples: Some(part(2) - small),
            names: Some(part(3)),
            probes: part(1),
            faults: Some(small),
            files: part(1) as u64,
            output_bytes: Some(part(2) as u64),
            ..Limits::default()
        }
    }
    /// Those of the VM itself.
    pub(super) fn set(&self, options: &mut Options) {
        options.max_heap = self.heap;
        options.stack_bytes = self.stack;
        options.max_off_heap = self.off_heap;
        options.max_metaspace = self.metaspace;
        options.max_code = self.code;
        options.max_compiled = self.compiled;
        options.work_memory = self.work;
        options.profile_memory = self.contexts;
        options.stops_at_contexts = true;
        options.max_samples = self.samples;
        options.max_names = self.names;
        options.max_threads = self.threads;
    }
    /// Those of what it takes from its host.
    pub(super) fn of_host(&self) -> HostLimits {
        HostLimits {
            open_files: self.open_files,
            output_bytes: self.output_bytes,
        }
    }
}

/// A limit that a program has reached. Its text is the name of the field of [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::heap`]
    Heap,
    /// [`Limits::stack`]
    Stack,
    /// [`Limits::off_heap`]
    OffHeap,
    /// [`Limits::metaspace`]
    Metaspace,
    /// [`Limits::code`]
    Code,
    /// [`Limits::work`]
    Work,
    /// [`Limits::contexts`]
    Contexts,
    /// [`Limits::samples`]
    Samples,
    /// [`Limits::names`]
    Names,
    /// [`Limits::faults`]
    Faults,
    /// [`Limits::recording`]
    Recording,
    /// [`Limits::files`], or the size of granted files in memory.
    Files,
    /// [`Limits::threads`]
    Threads,
    /// [`Limits::open_files`]
    OpenFiles,
    /// [`Limits::output_bytes`]
    OutputBytes,
    /// [`Limits::wall_time`]
    WallTime,
    /// One of the embedder's own limits, with the name given to [`Canceller::exceeded`](crate::Canceller::exceeded).
    Other(&'static str),
}

impl Limit {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Heap => "heap",
            Limit::Stack => "stack",
            Limit::OffHeap => "off_heap",
            Limit::Metaspace => "metaspace",
            Limit::Code => "code",
            Limit::Work => "work",
            Limit::Contexts => "contexts",
            Limit::Samples => "samples",
            Limit::Names => "names",
            Limit::Faults => "faults",
            Limit::Recording => "recording",
            Limit::Files => "files",
            Limit::Threads => "threads",
            Limit::OpenFiles => "open_files",
            Limit::OutputBytes => "output_bytes",
            Limit::WallTime => "wall_time",
            Limit::Other(name) => name,
        }
    }
    /// What a VM has stopped for; `None`: it was cancelled.
    pub(super) fn of_halt(why: Halt) -> Option<Limit> {
        Some(match why {
            Halt::Cancelled | Halt::Debugger => return None,
            Halt::WallTime => Limit::WallTime,
            Halt::Limit("contexts") => Limit::Contexts,
            Halt::Limit("samples") => Limit::Samples,
            Halt::Limit("names") => Limit::Names,
            Halt::Limit("code") => Limit::Code,
            // stacks of virtual threads that wait
            Halt::Limit("off_heap") => Limit::OffHeap,
            Halt::Limit("faults") => Limit::Faults,
            Halt::Limit("recording") => Limit::Recording,
            Halt::Limit(name) => Limit::Other(name),
        })
    }
    /// The limit that an exception is about, by its class and message: those with which the VM and its host refuse what is
    /// beyond one.
    pub(super) fn of_exception(e: &JavaException) -> Option<Limit> {
        let message = e.message.as_deref().unwrap_or("");
        Some(match e.class.as_str() {
            "java.lang.StackOverflowError" => Limit::Stack,
            "java.lang.OutOfMemoryError" => match message {
                "Metaspace" | "Compressed class space" => Limit::Metaspace,
                m if m.starts_with("Verification of ") || m.starts_with("Translation of ") => {
                    Limit::Work
                }
                m if m.starts_with("unable to create native thread") => Limit::Threads,
                "Java heap space" | "GC overhead limit exceeded" => Limit::Heap,
                "Requested array size exceeds VM limit" => Limit::Heap,
                // natives have no words for it
                _ => Limit::OffHeap,
            },
            class if class.starts_with("java.") => match message {
                // what `FileChannel.map` makes of an OutOfMemoryError
                "Map failed" => Limit::OffHeap,
                m if m.contains("Too many open files") => Limit::OpenFiles,
                m if m.contains("Disk quota exceeded") => Limit::OutputBytes,
                m if m.contains("No space left on device") => Limit::Files,
                _ => return None,
            },
            _ => return None,
        })
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

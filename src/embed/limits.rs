//! How much a program may take.

use rjvm_hosts::HostLimits;
use rjvm_vm::vm::Options;
use std::time::Duration;

/// How much a program may take. Bytecodes are limited by [`Vm::set_fuel`](crate::Vm::set_fuel), what it may reach by
/// [`Grants`](crate::Grants).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of objects; by default 1 GiB. Beyond it: `OutOfMemoryError`.
    pub heap: usize,
    /// Bytes of a thread's stack; by default 1 MiB. Beyond it: `StackOverflowError`.
    pub stack: usize,
    /// Bytes outside the heap: direct buffers, `Unsafe`, mapped files, stacks. `None`, the default: as many as the machine
    /// has. Beyond it: `OutOfMemoryError`.
    pub off_heap: Option<usize>,
    /// Bytes of class metadata. `None`, the default: any. Beyond it: `OutOfMemoryError`.
    pub metaspace: Option<usize>,
    /// Java threads alive at once, some of the class library's own among them. `None`, the default: any. Beyond it:
    /// `OutOfMemoryError`.
    pub threads: Option<usize>,
    /// Files, sockets and pipes open at once; by default 256. Beyond it: "Too many open files".
    pub open_files: Option<u64>,
    /// Bytes written to files, sockets, pipes and the standard streams. `None`, the default: any. Beyond it: "Disk quota
    /// exceeded".
    pub output_bytes: Option<u64>,
    /// Real time that calls may take in all. `None`, the default: any. Beyond it: [`Error::Limit`](crate::Error::Limit).
    pub wall_time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        let (host, vm) = (HostLimits::default(), Options::new(""));
        Limits {
            heap: vm.max_heap,
            stack: vm.stack_bytes,
            off_heap: vm.max_off_heap,
            metaspace: vm.max_metaspace,
            threads: vm.max_threads,
            open_files: host.open_files,
            output_bytes: host.output_bytes,
            wall_time: None,
        }
    }
}

impl Limits {
    /// Those of the VM itself.
    pub(super) fn set(&self, options: &mut Options) {
        options.max_heap = self.heap;
        options.stack_bytes = self.stack;
        options.max_off_heap = self.off_heap;
        options.max_metaspace = self.metaspace;
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

//! What threads, classes and places are called in HPROF's files.

use rjvm_run::profile;
use rjvm_vm::{ThreadId, Vm};

/// Serial numbers of threads begin after it.
pub const FIRST_THREAD: u32 = 200_000;

/// Serial number of a thread.
pub fn serial(t: ThreadId) -> u32 {
    FIRST_THREAD + t.0 + 1
}

/// A class's name as HPROF has it, from the VM's: `java.lang.String[]`.
pub fn class_name(name: &str) -> String {
    rjvm_heapdump::readable(name)
}

/// Where a method that has been profiled is.
pub fn place(vm: &Vm, method: u32) -> rjvm_vm::events::TracePlace {
    let m = profile::method(vm, method);
    rjvm_vm::events::TracePlace {
        class: m.plain_class().replace('.', "/"),
        source: m.source.as_ref().map(|s| s.file_name().to_string()),
        line: if m.native { -3 } else { -1 },
        method: m.name,
        descriptor: m.descriptor,
    }
}

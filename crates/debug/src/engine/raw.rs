//! Notes of the places that the program came to, until the VM has stopped.

use super::types::{Location, Policy, What};
use rjvm_vm::{ClassId, Ref, ThreadId, Value};

/// Something that may be reported, when the VM has stopped.
pub(super) enum Raw {
    /// An instrument of a request was hit.
    Hit {
        request: u32,
        thread: ThreadId,
        /// Bytecodes that the thread has executed: equal for events at the same place.
        executed: i64,
        at: Location,
        /// `this` of a native method, whose frame may be left when the VM has stopped. By reference, as below.
        this: Option<Ref>,
        subject: RawSubject,
    },
    /// An event of the VM's.
    Event {
        thread: Option<ThreadId>,
        what: What,
        about: About,
    },
    /// A class is unloaded: its descriptor, and the VM's number of its mirror.
    Unloaded(String, Option<u32>),
    VmStart(ThreadId, Policy),
    VmDeath,
}

/// The subject of a hit.
pub(super) enum RawSubject {
    None,
    Step,
    Value(u8, u64),
    /// What a method returns, by the VM's number.
    Object(Option<u32>),
    /// By reference: the VM stops before anything is collected.
    Exception(Ref),
    Field {
        class: String,
        name: String,
        descriptor: String,
        object: Option<Ref>,
        value: Option<(u8, Value)>,
    },
}

/// The subject of an event.
pub(super) enum About {
    Class(ClassId),
    /// The VM's number of a thread's object.
    Thread(Option<u32>),
    Monitor {
        object: Option<u32>,
        /// Where the thread was: it may have gone on when the VM has stopped.
        at: Option<Location>,
        timeout: i64,
        timed_out: bool,
    },
}

/// The descriptor of a class by its internal name.
pub fn descriptor(name: &str) -> String {
    match name.starts_with('[') {
        true => name.to_owned(),
        // a hidden class has a dot before its suffix
        false => format!("L{};", name.replace('+', ".")),
    }
}

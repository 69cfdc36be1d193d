//! Requests and reports, as data.

use super::objects::ObjectId;
use rjvm_vm::instruments::InstrumentId;
use rjvm_vm::{ClassId, MethodId, ThreadId};

/// Most requests that a front end may have at a time.
pub const MOST_REQUESTS: usize = 1 << 16;

/// A place in the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// The method.
    pub method: MethodId,
    /// Index of its bytecode; none in a native method.
    pub bci: Option<u16>,
}

/// A value that is reported.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shown {
    /// Of a primitive type, by the first letter of its descriptor; `V`: none.
    Plain(u8, u64),
    /// An object, or null.
    Object(ObjectId),
}

/// An occurrence.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A step has come to its end here.
    Step(Location),
    /// A breakpoint.
    Breakpoint(Location),
    /// A method has been entered.
    MethodEntry(Location),
    /// A method returns, with this result if it is wanted.
    MethodExit(Location, Option<Shown>),
    /// An exception is thrown.
    Exception {
        /// Where.
        at: Location,
        /// The exception.
        exception: ObjectId,
        /// Where it is caught, if a method on the stack does so.
        caught: Option<Location>,
    },
    /// A class has been linked.
    ClassPrepare(ClassId),
    /// A class has been unloaded: its descriptor.
    ClassUnload(String),
    /// A field is read, or (with a value) written.
    Field {
        /// Where.
        at: Location,
        /// The class that declares it.
        holder: ClassId,
        /// Which of its fields.
        index: usize,
        /// Whose; null for a static one.
        object: ObjectId,
        /// The new value.
        value: Option<Shown>,
    },
    /// A thread begins.
    ThreadStart,
    /// A thread ends.
    ThreadEnd,
    /// Something happens to the monitor of an object.
    Monitor {
        /// What.
        what: What,
        /// Where.
        at: Location,
        /// The object.
        object: ObjectId,
        /// How long it waits at most, in milliseconds.
        timeout: i64,
        /// Whether the time was over.
        timed_out: bool,
    },
    /// The VM has started.
    VmStart,
    /// The VM ends.
    VmDeath,
}

/// Events that have happened at the same moment, in the order in which they are reported.
#[derive(Clone, PartialEq, Debug)]
pub struct Happened {
    /// Which threads are suspended.
    pub policy: Policy,
    /// The thread they have happened in.
    pub thread: Option<ThreadId>,
    /// The object of that thread, which may have ended meanwhile.
    pub thread_object: ObjectId,
    /// The requests (0: none, the VM's own) and their subjects.
    pub events: Vec<(u32, Event)>,
}

/// Which threads an event suspends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Policy {
    /// None.
    None,
    /// The one it has happened in.
    Thread,
    /// All.
    All,
}

/// What a step goes over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// A bytecode.
    Bytecode,
    /// A line.
    Line,
}

/// What a step does with calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// It goes into them.
    Into,
    /// It goes over them.
    Over,
    /// It leaves the method.
    Out,
}

/// The subject of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A step of a thread.
    Step(ThreadId, Size, Depth),
    /// A breakpoint, at the place that a filter names.
    Breakpoint,
    /// A method is entered.
    MethodEntry,
    /// A method returns; whether the result is wanted.
    MethodExit(bool),
    /// An exception is thrown.
    Exception,
    /// A class is linked.
    ClassPrepare,
    /// A class is unloaded.
    ClassUnload,
    /// A field is read.
    FieldAccess,
    /// A field is written.
    FieldWrite,
    /// A thread begins.
    ThreadStart,
    /// A thread ends.
    ThreadEnd,
    /// A thread finds a monitor entered by another one.
    MonitorEnter,
    /// It has entered it.
    MonitorEntered,
    /// A thread is about to wait.
    MonitorWait,
    /// It has waited.
    MonitorWaited,
    /// The VM starts.
    VmStart,
    /// The VM ends.
    VmDeath,
}

/// A request.
pub struct Request {
    /// Its number.
    pub id: u32,
    /// Its subject.
    pub what: What,
    /// Which threads it suspends.
    pub policy: Policy,
    /// Its conditions.
    pub filters: Vec<Filter>,
    pub(super) instruments: Vec<InstrumentId>,
}

/// Why there is no request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// There are too many.
    TooMany,
    /// There is no such place.
    NoLocation,
    /// The thread has a step already.
    Duplicate,
    /// A condition is missing.
    Incomplete,
}

/// A condition. They are looked at in their order.
#[derive(Clone, PartialEq, Debug)]
pub enum Filter {
    /// Reported the `n`th time, and then never again.
    Count(u32),
    /// In the thread of this object, which may begin later.
    Thread(ObjectId),
    /// In a class that is this one or a subclass of it.
    ClassOnly(ClassId),
    /// In classes of this name, with dots; it may begin or end with `*`.
    ClassMatch(String),
    /// Not in classes of this name.
    ClassExclude(String),
    /// At this place.
    Location(Location),
    /// An exception of this class or a subclass (`None`: any), caught or not.
    Exception {
        /// The class.
        class: Option<ClassId>,
        /// One that is caught.
        caught: bool,
        /// One that is not.
        uncaught: bool,
    },
    /// An exception of the class of this internal name.
    Thrown(String),
    /// An access to this field.
    Field {
        /// The class that declares it.
        holder: ClassId,
        /// Which one.
        index: usize,
    },
    /// Where `this` is this object.
    Instance(ObjectId),
    /// In a class whose source file is called so; the name may begin or end with `*`.
    Source(String),
    /// In a thread that is no virtual one.
    PlatformThreads,
}

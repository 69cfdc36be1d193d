//! What happens in a VM, reported to those who request it: the one interface behind logs, agents, instruments and observers of samples.
//!
//! An [`Observer`] names the kinds of [`Event`]s it wants. Events that no observer wants are not even built: the places where
//! events happen test one bit, and none of them is on the path of translated code. (Counts of allocations in calling
//! contexts, `Options::allocations`, are taken by the handlers themselves; [`EventSet::ALLOCATIONS`] is for those who want
//! each object.)

mod alarms;
mod facts;
mod hub;
mod kinds;
mod log;
mod log_form;
mod notifying;
mod observer;
mod observer_id;
mod observers;
mod seen;
mod trace_steps;
mod traces;

pub use crate::heap::arena::Arena;
use crate::ids::{ClassId, LoaderId, MethodId, Ref, ThreadId};
use crate::interp::Sample;
pub(crate) use alarms::Alarms;
pub use alarms::MAX_INTERVAL;
pub(crate) use hub::Hub;
pub use kinds::EventSet;
pub(crate) use log_form::Verbosity;
pub use log_form::{Decorator, Log, Output};
pub use observer::{EventView, Observer, OnHit, OnSample};
pub use observer_id::ObserverId;
pub(crate) use observers::Observers;
use rjvm_profiler::samples::Frame;
pub use traces::{FIRST_TRACE, TracePlace, Traces};

/// A thread of which something is profiled from now on.
#[derive(Clone, Debug)]
pub struct Started {
    /// The thread.
    pub thread: ThreadId,
    /// Its name.
    pub name: String,
    /// Whether it is a daemon.
    pub daemon: bool,
    /// Its priority, 1 to 10.
    pub priority: i32,
    /// Bytecodes it has executed already; other than 0 for a thread that is older than the observer, and
    /// for the main thread, which has started the class library.
    pub executed: i64,
}

/// Where a thread is when it reaches a bytecode that an observer requested.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The thread.
    pub thread: ThreadId,
    /// Bytecodes it has executed, the one it is at included.
    pub executed: i64,
    /// Its stack, root first; the last frame is at the bytecode that is being executed.
    pub stack: &'a [Frame],
    /// That many frames at the root are as they were when the observer was last notified of the thread.
    pub unchanged: usize,
}

/// A class file that is about to become a class.
#[derive(Clone, Copy, Debug)]
pub struct ClassFileSeen<'a> {
    /// The class's name with slashes, if who defines it has given one.
    pub name: Option<&'a str>,
    /// Its class.
    pub loader: LoaderId,
    /// The file.
    pub bytes: &'a [u8],
}

/// A collection that has ended.
#[derive(Clone, Copy, Debug)]
pub struct Collection<'a> {
    /// How many there were before it.
    pub number: u64,
    /// `Young` or `Full`.
    pub kind: &'a str,
    /// What requested it, in HotSpot's words (`Allocation Failure`, `System.gc()`).
    pub cause: &'static str,
    /// Bytes of the heap in use before it, garbage included.
    pub before: usize,
    /// Bytes in use after it.
    pub after: usize,
    /// Bytes the heap may hold before it is collected as a whole.
    pub capacity: usize,
    /// Nanoseconds it took by the VM's clock.
    pub pause: i64,
}

/// Something that has happened.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The VM begins to start the class library.
    Started,
    /// The class library is up; the program is about to begin.
    Initialized,
    /// The program has ended, its shutdown hooks are through: nothing more is executed.
    Ended,
    /// A thread exists, and runs later.
    ThreadStarted(ThreadId),
    /// A thread has ended.
    ThreadEnded(ThreadId),
    /// The execution of a thread is profiled from now on. [`EventView::call_after`] asks for a first [`Event::Reached`].
    ProfileBegins(&'a Started),
    /// The thread, or the profiled part of it, has ended. Its calling contexts are complete.
    ProfileEnds(ThreadId),
    /// The thread has executed as many bytecodes as [`EventView::call_after`] said; it is at the last of them.
    /// [`EventView::call_after`] asks for the next time.
    Reached(Moment<'a>),
    /// The VM has taken a sample (`Options::sample_every`).
    Sampled(Sample<'a>),
    /// A class has been defined; it is not linked yet.
    ClassLoaded(ClassId),
    /// A class has been linked: its static fields are there, and nothing of it has been executed.
    ClassPrepared(ClassId),
    /// Nothing knows the class any more: it is unloaded, in the middle of a collection. Its number may be given again.
    ClassUnloaded(ClassId),
    /// A collection begins.
    CollectionStarted,
    /// A collection has ended.
    CollectionEnded(Collection<'a>),
    /// The running thread has allocated an object.
    Allocated {
        /// The object, whose fields may not be set yet.
        object: Ref,
        /// Bytes it takes in the heap.
        bytes: usize,
    },
    /// The running thread finds a monitor entered by another thread, and waits in its queue from now on. (Entering it again
    /// after `Object.wait` belongs to that.)
    MonitorContendedEnter {
        /// The object.
        object: Ref,
        /// The thread that has entered it.
        owner: Option<ThreadId>,
    },
    /// The running thread has entered the monitor it had to wait for.
    MonitorContendedEntered {
        /// The object.
        object: Ref,
    },
    /// The running thread leaves a monitor, and another thread waits to enter it.
    MonitorContendedExit {
        /// The object.
        object: Ref,
    },
    /// The running thread abandons a monitor in `Object.wait`, or sleeps.
    MonitorWait {
        /// The object; null for `Thread.sleep`.
        object: Ref,
        /// Nanoseconds that it waits at most.
        timeout: Option<i64>,
    },
    /// The running thread has waited, and has entered the monitor again.
    MonitorWaited {
        /// The object; null for `Thread.sleep`.
        object: Ref,
        /// No thread has notified it: its time had ended, or it was interrupted.
        timed_out: bool,
    },
    /// The running thread waits in `LockSupport.park` from now on.
    Park {
        /// The object that it is parked for (`LockSupport.getBlocker`), or null.
        blocker: Ref,
        /// Nanoseconds that it waits at most. Unknown for a virtual thread, whose time the class library keeps.
        timeout: Option<i64>,
    },
    /// The running thread is back from `LockSupport.park`.
    Parked {
        /// What it was parked for, or null.
        blocker: Ref,
        /// No thread has unparked it: its time had ended, or it was interrupted. Never so for a virtual thread, which the class
        /// library unparks then.
        timed_out: bool,
    },
    /// The running thread has entered a method, a native one or one with bytecode.
    MethodEntry {
        /// The method.
        method: MethodId,
    },
    /// The running thread leaves a method.
    MethodExit {
        /// The method.
        method: MethodId,
        /// It leaves by an exception.
        exception: bool,
    },
    /// A thread begins a bytecode, the one that the top frame is at.
    Instruction(Moment<'a>),
    /// A class file is about to become a class. [`EventView::replace_class_file`] replaces it.
    ClassFile(ClassFileSeen<'a>),
    /// A heap dump that [`EventView::request_heap_dump`] requested has been written: its file, and its bytes or the number of
    /// the error.
    HeapDumped(&'a [u8], Result<u64, i32>),
    /// The VM is between the turns of two threads. How often it looks depends on how long it waits for the world outside.
    Turn,
    /// A signal has arrived that the program is going to handle.
    Signal(i32),
    /// There is an arena, which objects may be in from now on.
    NewArena(Arena),
    /// The arena is gone, and all that is still in it: at a collection that empties it, which has reported each object that
    /// was there. [`Event::NewArena`] follows.
    DeleteArena(Arena),
    /// A collection moves an object: `from` names nothing any more, or another object. Reported in such an order that no object
    /// moves to the place of one whose move is still to be reported.
    Moved {
        /// What it was called before.
        from: Ref,
        /// Its reference after the collection; until then it may be invalid.
        to: Ref,
        /// Its class.
        class: ClassId,
        /// Bytes it takes in the heap.
        bytes: usize,
    },
    /// A collection has found that nothing holds an object any more. What it took may be another object's from now on.
    /// An object that was never reported may be freed (or moved), too, if the bytecode that made it had to begin again.
    Freed {
        /// The object, which cannot be looked at any more.
        object: Ref,
        /// Its class, which may be unloaded by the same collection.
        class: ClassId,
        /// Bytes it took in the heap.
        bytes: usize,
    },
}

impl Event<'_> {
    /// The kind it is of.
    pub fn kind(&self) -> EventSet {
        match self {
            Event::Started | Event::Initialized | Event::Ended => EventSet::VM,
            Event::ThreadStarted(_) => EventSet::THREAD_START,
            Event::ThreadEnded(_) => EventSet::THREAD_END,
            Event::ProfileBegins(_) | Event::ProfileEnds(_) | Event::Reached(_) => {
                EventSet::PROFILED
            }
            Event::Sampled(_) => EventSet::SAMPLES,
            Event::ClassLoaded(_) => EventSet::CLASSES,
            Event::ClassPrepared(_) => EventSet::PREPARED,
            Event::ClassUnloaded(_) => EventSet::UNLOADING,
            Event::CollectionStarted | Event::CollectionEnded(_) => EventSet::COLLECTIONS,
            Event::Allocated { .. } => EventSet::ALLOCATIONS,
            Event::MonitorContendedEnter { .. } => EventSet::MONITOR_CONTENDED_ENTER,
            Event::MonitorContendedEntered { .. } => EventSet::MONITOR_CONTENDED_ENTERED,
            Event::MonitorContendedExit { .. } => EventSet::MONITOR_CONTENDED_EXIT,
            Event::MonitorWait { .. } => EventSet::MONITOR_WAIT,
            Event::MonitorWaited { .. } => EventSet::MONITOR_WAITED,
            Event::Park { .. } => EventSet::PARK,
            Event::Parked { .. } => EventSet::PARKED,
            Event::MethodEntry { .. } => EventSet::METHOD_ENTRY,
            Event::MethodExit { .. } => EventSet::METHOD_EXIT,
            Event::Instruction(_) => EventSet::INSTRUCTIONS,
            Event::ClassFile(_) => EventSet::CLASS_FILES,
            Event::HeapDumped(..) => EventSet::HEAP_DUMP,
            Event::Turn => EventSet::TURNS,
            Event::Signal(_) => EventSet::SIGNALS,
            Event::NewArena(_) | Event::DeleteArena(_) => EventSet::ARENAS,
            Event::Moved { .. } => EventSet::MOVES,
            Event::Freed { .. } => EventSet::FREES,
        }
    }
}

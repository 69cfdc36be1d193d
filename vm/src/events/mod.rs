//! What happens in a VM, told to those who ask for it: the one interface behind logs, agents and listeners to samples.
//!
//! A [`Subscriber`] names the kinds of [`Event`]s it wants. What nobody wants is not even put together: the places where
//! events happen test one bit, and none of them is on the path of translated code. (Counts of allocations in calling
//! contexts, `Options::allocations`, are taken by the handlers themselves; [`EventSet::ALLOCATIONS`] is for those who want
//! each object.)

mod hub;
mod log;

pub(crate) use hub::{Alarms, Hub};
pub use hub::{MAX_INTERVAL, SubscriberId};
pub use log::{Decorator, Log, Output};

pub use crate::heap::arenas::Arena;
use crate::ids::{ClassId, Ref, ThreadId};
use crate::interp::Sample;
use crate::vm::Vm;
use rjvm_profiler::samples::Frame;

/// Kinds of events, and how closely they are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct EventSet(u32);

impl EventSet {
    /// Nothing.
    pub const NONE: EventSet = EventSet(0);
    /// [`Event::Started`]
    pub const VM: EventSet = EventSet(1);
    /// [`Event::ThreadStarted`] and [`Event::ThreadEnded`]
    pub const THREADS: EventSet = EventSet(1 << 1);
    /// [`Event::ProfileBegins`], [`Event::ProfileEnds`] and [`Event::Reached`]
    pub const PROFILED: EventSet = EventSet(1 << 2);
    /// [`Event::Sampled`]
    pub const SAMPLES: EventSet = EventSet(1 << 3);
    /// [`Event::ClassLoaded`]
    pub const CLASSES: EventSet = EventSet(1 << 4);
    /// [`Event::CollectionStarted`] and [`Event::CollectionEnded`]
    pub const COLLECTIONS: EventSet = EventSet(1 << 5);
    /// [`Event::Allocated`]: each object. Allocation leaves the interpreter's quick path while somebody wants it.
    pub const ALLOCATIONS: EventSet = EventSet(1 << 6);
    /// [`Event::NewArena`] and [`Event::DeleteArena`]. The arenas that there are when somebody begins to want them are
    /// told then.
    pub const ARENAS: EventSet = EventSet(1 << 10);
    /// [`Event::Moved`]: each object that a collection moves, which then takes a look at each object of its spaces.
    pub const MOVES: EventSet = EventSet(1 << 11);
    /// [`Event::Freed`]: each object that a collection frees, likewise.
    pub const FREES: EventSet = EventSet(1 << 12);
    /// [`Event::ClassUnloaded`]
    pub const UNLOADING: EventSet = EventSet(1 << 9);
    /// With [`EventSet::SAMPLES`]: the VM stands at a sample's very bytecode when the sample is told. Otherwise it may be
    /// a few dozen bytecodes further, which costs less.
    pub const AT_SAMPLES: EventSet = EventSet(1 << 7);
    /// With [`EventSet::PROFILED`]: calling contexts are up to date at each [`Event::Reached`] (see
    /// [`Vm::root_context`]), which costs a little for each frame of the stack.
    pub const CONTEXTS: EventSet = EventSet(1 << 8);

    /// Whether something is in both sets.
    pub const fn meets(self, other: EventSet) -> bool {
        self.0 & other.0 != 0
    }
    /// What is in this set and not in the other.
    pub const fn without(self, other: EventSet) -> EventSet {
        EventSet(self.0 & !other.0)
    }
}

impl std::ops::BitOr for EventSet {
    type Output = EventSet;
    fn bitor(self, other: EventSet) -> EventSet {
        EventSet(self.0 | other.0)
    }
}

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
    /// Bytecodes it has executed already; other than 0 for a thread that is older than the subscriber, and
    /// for the main thread, which has started the class library.
    pub executed: i64,
}

/// Where a thread is when it reaches a bytecode that a subscriber asked for.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The thread.
    pub thread: ThreadId,
    /// Bytecodes it has executed, the one it is at included.
    pub executed: i64,
    /// Its stack, root first; the last frame is at the bytecode that is being executed.
    pub stack: &'a [Frame],
    /// That many frames at the root are as they were when the subscriber was last told of the thread.
    pub unchanged: usize,
}

/// A collection that has ended.
#[derive(Clone, Copy, Debug)]
pub struct Collection<'a> {
    /// How many there were before it.
    pub number: u64,
    /// `Young` or `Full`.
    pub kind: &'a str,
    /// What asked for it, in HotSpot's words (`Allocation Failure`, `System.gc()`).
    pub cause: &'a str,
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
    /// A thread exists and will run.
    ThreadStarted(ThreadId),
    /// A thread is over.
    ThreadEnded(ThreadId),
    /// What a thread executes is profiled from now on. [`Seen::call_after`] asks for a first [`Event::Reached`].
    ProfileBegins(&'a Started),
    /// The thread, or what is profiled of it, is over. Its calling contexts are complete.
    ProfileEnds(ThreadId),
    /// The thread has executed as many bytecodes as [`Seen::call_after`] said; it is at the last of them.
    /// [`Seen::call_after`] asks for the next time.
    Reached(Moment<'a>),
    /// The VM has taken a sample (`Options::sample_every`).
    Sampled(Sample<'a>),
    /// A class has been defined; it is not linked yet.
    ClassLoaded(ClassId),
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
    /// There is an arena, which objects may be in from now on.
    NewArena(Arena),
    /// The arena is gone, and all that is still in it: at a collection that empties it, which has told of each object that
    /// was there. [`Event::NewArena`] follows.
    DeleteArena(Arena),
    /// A collection moves an object: `from` names nothing any more, or another object. Told in such an order
    /// that nothing that is told of lies where something is moved to.
    Moved {
        /// What it was called before.
        from: Ref,
        /// What it will be called when the collection is over; until then it need not be there.
        to: Ref,
        /// Its class.
        class: ClassId,
        /// Bytes it takes in the heap.
        bytes: usize,
    },
    /// A collection has found that nothing holds an object any more. What it took may be another object's from now on.
    /// An object that nobody has been told of may be freed (or moved), too: one that a bytecode has made that had to
    /// begin again.
    Freed {
        /// The object, which can't be looked at any more.
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
            Event::Started => EventSet::VM,
            Event::ThreadStarted(_) | Event::ThreadEnded(_) => EventSet::THREADS,
            Event::ProfileBegins(_) | Event::ProfileEnds(_) | Event::Reached(_) => {
                EventSet::PROFILED
            }
            Event::Sampled(_) => EventSet::SAMPLES,
            Event::ClassLoaded(_) => EventSet::CLASSES,
            Event::ClassUnloaded(_) => EventSet::UNLOADING,
            Event::CollectionStarted | Event::CollectionEnded(_) => EventSet::COLLECTIONS,
            Event::Allocated { .. } => EventSet::ALLOCATIONS,
            Event::NewArena(_) | Event::DeleteArena(_) => EventSet::ARENAS,
            Event::Moved { .. } => EventSet::MOVES,
            Event::Freed { .. } => EventSet::FREES,
        }
    }
}

/// Somebody who is told of events. It sees the VM between two bytecodes and can't change it: the program executes the
/// same bytecodes with it as without.
pub trait Subscriber: Send {
    /// What it wants to be told of at first; asked once, when it subscribes. [`Seen::want`] and [`Vm::want`] change it.
    fn events(&self) -> EventSet;
    /// Something it wants has happened.
    fn event(&mut self, seen: &mut Seen<'_>, event: Event<'_>);
}

/// The VM as a [`Subscriber`] sees it during an event: all that can be read, and what it may ask for.
pub struct Seen<'a> {
    vm: &'a mut Vm,
    interval: u64,
    wants: EventSet,
}

impl std::ops::Deref for Seen<'_> {
    type Target = Vm;
    fn deref(&self) -> &Vm {
        self.vm
    }
}

impl Seen<'_> {
    /// In [`Event::ProfileBegins`] and [`Event::Reached`]: the subscriber is told when the thread has executed that many
    /// more bytecodes (at most [`MAX_INTERVAL`]; 0: not again).
    pub fn call_after(&mut self, bytecodes: u64) {
        self.interval = bytecodes;
    }
    /// What the subscriber is told of.
    pub fn wanted(&self) -> EventSet {
        self.wants
    }
    /// The subscriber is told of these kinds of events from now on, and of no others.
    pub fn want(&mut self, events: EventSet) {
        self.wants = events;
    }
    /// Name of a thread.
    pub fn thread_name(&mut self, thread: ThreadId) -> String {
        self.vm.thread_name(thread)
    }
    /// Nanoseconds since the VM was made, by its clock.
    pub fn uptime(&mut self) -> i64 {
        self.vm.clock_ns() - self.vm.started
    }
    /// Writes to a descriptor of the VM's host. There is nobody to tell when that fails.
    fn print(&mut self, fd: i32, text: &str) {
        self.vm.print_to(fd, text);
    }
}

/// A subscriber to the VM's samples only.
pub struct OnSample<F>(pub F);

impl<F: FnMut(Sample<'_>) + Send> Subscriber for OnSample<F> {
    fn events(&self) -> EventSet {
        EventSet::SAMPLES
    }
    fn event(&mut self, _: &mut Seen<'_>, event: Event<'_>) {
        if let Event::Sampled(sample) = event {
            (self.0)(sample);
        }
    }
}

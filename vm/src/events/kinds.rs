//! The kinds of events, each of which an observer may want or not.

/// Kinds of events, and how closely they are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct EventSet(u32);

impl EventSet {
    /// Nothing.
    pub const NONE: EventSet = EventSet(0);
    /// [`Event::Started`](super::Event::Started), [`Event::Initialized`](super::Event::Initialized) and
    /// [`Event::Ended`](super::Event::Ended).
    pub const VM: EventSet = EventSet(1);
    /// With [`EventSet::THREADS`] for both: [`Event::ThreadStarted`](super::Event::ThreadStarted).
    pub const THREAD_START: EventSet = EventSet(1 << 1);
    /// [`Event::ThreadEnded`](super::Event::ThreadEnded)
    pub const THREAD_END: EventSet = EventSet(1 << 2);
    /// Both ends of threads.
    pub const THREADS: EventSet = EventSet(Self::THREAD_START.0 | Self::THREAD_END.0);
    /// [`Event::ProfileBegins`](super::Event::ProfileBegins), [`Event::ProfileEnds`](super::Event::ProfileEnds) and
    /// [`Event::Reached`](super::Event::Reached)
    pub const PROFILED: EventSet = EventSet(1 << 3);
    /// [`Event::Sampled`](super::Event::Sampled)
    pub const SAMPLES: EventSet = EventSet(1 << 4);
    /// With [`EventSet::SAMPLES`]: the VM is at a sample's very bytecode when the sample is reported. Otherwise it may be
    /// a few dozen bytecodes further, which costs less.
    pub const AT_SAMPLES: EventSet = EventSet(1 << 5);
    /// With [`EventSet::PROFILED`]: calling contexts are up to date at each [`Event::Reached`](super::Event::Reached) (see
    /// [`Vm::root_context`](crate::Vm::root_context)), which costs a little for each frame of the stack.
    pub const CONTEXTS: EventSet = EventSet(1 << 6);
    /// [`Event::ClassLoaded`](super::Event::ClassLoaded)
    pub const CLASSES: EventSet = EventSet(1 << 7);
    /// [`Event::ClassUnloaded`](super::Event::ClassUnloaded)
    pub const UNLOADING: EventSet = EventSet(1 << 8);
    /// [`Event::CollectionStarted`](super::Event::CollectionStarted) and
    /// [`Event::CollectionEnded`](super::Event::CollectionEnded)
    pub const COLLECTIONS: EventSet = EventSet(1 << 9);
    /// [`Event::Allocated`](super::Event::Allocated): each object. Allocation leaves the interpreter's quick path while an
    /// observer wants it.
    pub const ALLOCATIONS: EventSet = EventSet(1 << 10);
    /// [`Event::NewArena`](super::Event::NewArena) and [`Event::DeleteArena`](super::Event::DeleteArena). When an observer begins
    /// to want them, the arenas that exist are reported.
    pub const ARENAS: EventSet = EventSet(1 << 11);
    /// [`Event::Moved`](super::Event::Moved): each object that a collection moves, which then takes a look at each object
    /// of its spaces.
    pub const MOVES: EventSet = EventSet(1 << 12);
    /// [`Event::Freed`](super::Event::Freed): each object that a collection frees, in the same way.
    pub const FREES: EventSet = EventSet(1 << 13);
    /// [`Event::MonitorContendedEnter`](super::Event::MonitorContendedEnter)
    pub const MONITOR_CONTENDED_ENTER: EventSet = EventSet(1 << 14);
    /// [`Event::MonitorContendedEntered`](super::Event::MonitorContendedEntered)
    pub const MONITOR_CONTENDED_ENTERED: EventSet = EventSet(1 << 15);
    /// [`Event::MonitorContendedExit`](super::Event::MonitorContendedExit)
    pub const MONITOR_CONTENDED_EXIT: EventSet = EventSet(1 << 16);
    /// [`Event::MonitorWait`](super::Event::MonitorWait)
    pub const MONITOR_WAIT: EventSet = EventSet(1 << 17);
    /// [`Event::MonitorWaited`](super::Event::MonitorWaited)
    pub const MONITOR_WAITED: EventSet = EventSet(1 << 18);
    /// [`Event::Park`](super::Event::Park)
    pub const PARK: EventSet = EventSet(1 << 19);
    /// [`Event::Parked`](super::Event::Parked)
    pub const PARKED: EventSet = EventSet(1 << 20);
    /// [`Event::MethodEntry`](super::Event::MethodEntry): all calls pass through a handler that reports them.
    pub const METHOD_ENTRY: EventSet = EventSet(1 << 21);
    /// [`Event::MethodExit`](super::Event::MethodExit): in the same way all returns.
    pub const METHOD_EXIT: EventSet = EventSet(1 << 22);
    /// [`Event::Instruction`](super::Event::Instruction): every bytecode is stopped at.
    pub const INSTRUCTIONS: EventSet = EventSet(1 << 23);
    /// [`Event::ClassFile`](super::Event::ClassFile)
    pub const CLASS_FILES: EventSet = EventSet(1 << 24);
    /// [`Event::HeapDumped`](super::Event::HeapDumped)
    pub const HEAP_DUMP: EventSet = EventSet(1 << 25);
    /// [`Event::ClassPrepared`](super::Event::ClassPrepared)
    pub const PREPARED: EventSet = EventSet(1 << 26);
    /// [`Event::Turn`](super::Event::Turn): after each 32nd time slice, and each time that no thread can run.
    pub const TURNS: EventSet = EventSet(1 << 27);
    /// [`Event::Signal`](super::Event::Signal)
    pub const SIGNALS: EventSet = EventSet(1 << 28);
    /// All kinds of what the program does, except [`EventSet::PROFILED`] and its companions: each kind represents itself.
    /// [`EventSet::TURNS`] and [`EventSet::SIGNALS`] depend on the world outside.
    pub const EVERY_EVENT: EventSet =
        EventSet(((1 << 27) - 1) & !(Self::PROFILED.0 | Self::AT_SAMPLES.0 | Self::CONTEXTS.0));
    /// All that threads lose to others.
    pub const LOCKS: EventSet = EventSet(0x7f << 14);

    /// Whether something is in both sets.
    pub const fn meets(self, other: EventSet) -> bool {
        self.0 & other.0 != 0
    }
    /// The events in either set.
    pub const fn and(self, other: EventSet) -> EventSet {
        EventSet(self.0 | other.0)
    }
    /// The events in this set and not in the other.
    pub const fn without(self, other: EventSet) -> EventSet {
        EventSet(self.0 & !other.0)
    }
}

impl std::ops::BitOr for EventSet {
    type Output = EventSet;
    fn bitor(self, other: EventSet) -> EventSet {
        self.and(other)
    }
}

//! What a thread does at a scheduling point, and which of these do not commute: what a VM and those who choose among its
//! threads have in common.

#![forbid(unsafe_code)]

use std::fmt;

/// A thread: its ordinal in the order of creation within the run; 0 is the one that began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ThreadNo(pub u32);

impl ThreadNo {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for ThreadNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A variable (field of an object, element of an array, static field), an object's monitor, or a class: the same number for
/// the same thing within a run, and in each run that has made the same choices so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(pub u64);

impl Place {
    /// For operations that have no place of their own: those on threads, [`OpKind::Step`], fences.
    pub const NONE: Place = Place(0);
}

/// How an access takes part in the memory model: the access modes of `VarHandle`, and fields declared final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// A plain access to a field declared final (JLS 17.5).
    Final,
    /// An access to an ordinary variable.
    Plain,
    /// Coherent for each variable, no other order.
    Opaque,
    /// A load after which nothing is moved to before it.
    Acquire,
    /// A store before which nothing is moved to after it.
    Release,
    /// Both, for updates and fences.
    AcquireRelease,
    /// An access to a volatile variable, or a full fence: all of them are in one order.
    Volatile,
}

impl Mode {
    /// Whether a load of this mode synchronises with the store it sees, if that is a release.
    pub fn acquires(self) -> bool {
        matches!(self, Mode::Acquire | Mode::AcquireRelease | Mode::Volatile)
    }

    /// Whether a store of this mode publishes what its thread did before.
    pub fn releases(self) -> bool {
        matches!(self, Mode::Release | Mode::AcquireRelease | Mode::Volatile)
    }

    /// Whether accesses of this mode can be in a data race (JLS 17.4.5): they are no synchronisation.
    pub fn is_plain(self) -> bool {
        matches!(self, Mode::Plain | Mode::Final)
    }
}

/// The kinds of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpKind {
    /// A thread begins.
    Begin,
    /// A thread ends.
    End,
    /// A load.
    Read(Mode),
    /// A store.
    Write(Mode),
    /// An atomic update: compare-and-set, get-and-add. One that turned out not to write is reported as a
    /// [`OpKind::Read`] when it is done.
    Update(Mode),
    /// A fence.
    Fence(Mode),
    /// Enters a monitor.
    Enter,
    /// Leaves a monitor.
    Exit,
    /// Begins to wait in a monitor, and so leaves it.
    Wait,
    /// `notify`.
    Notify,
    /// `notifyAll`.
    NotifyAll,
    /// Parks, or takes the permit it has.
    Park,
    /// Gives a thread its permit.
    Unpark(ThreadNo),
    /// Begins to sleep.
    Sleep,
    /// `Thread.yield`, `Thread.onSpinWait`.
    Yield,
    /// Starts a thread.
    Start(ThreadNo),
    /// Finds that a thread has ended.
    Join(ThreadNo),
    /// Interrupts a thread.
    Interrupt(ThreadNo),
    /// Finds that a thread has been interrupted: by a look at its status, or by an `InterruptedException`.
    Interrupted(ThreadNo),
    /// A constructor of an object with final fields ends (JLS 17.5.1).
    Freeze,
    /// Begins to initialise the class that is the place: nobody else may until that is done. Who finds that somebody else has been
    /// there first has performed an [`OpKind::InitUse`].
    InitBegin,
    /// Is done with it.
    InitEnd,
    /// Finds it initialised.
    InitUse,
    /// Goes on after it was blocked: enters the monitor that is the place again after a wait, or goes on after a park.
    Resume,
    /// The time of a timed wait, park or sleep is chosen to be over.
    Timeout,
    /// Any bytecode that touches nothing another thread could see.
    Step,
}

impl OpKind {
    /// Whether it stores into its place.
    pub fn writes(self) -> bool {
        matches!(self, OpKind::Write(_) | OpKind::Update(_))
    }

    /// The mode of an access to memory.
    pub fn access(self) -> Option<Mode> {
        match self {
            OpKind::Read(mode) | OpKind::Write(mode) | OpKind::Update(mode) => Some(mode),
            _ => None,
        }
    }

    /// The other thread it is about.
    pub fn target(self) -> Option<ThreadNo> {
        match self {
            OpKind::Unpark(t)
            | OpKind::Start(t)
            | OpKind::Join(t)
            | OpKind::Interrupt(t)
            | OpKind::Interrupted(t) => Some(t),
            _ => None,
        }
    }

    /// Whether the thread says by it that others should run.
    pub fn gives_way(self) -> bool {
        matches!(self, OpKind::Yield | OpKind::Sleep)
    }

    /// Whether it depends on no operation of another thread that could be pending at the same time.
    pub fn is_local(self) -> bool {
        matches!(
            self,
            OpKind::Step | OpKind::Fence(_) | OpKind::Freeze | OpKind::Begin | OpKind::Start(_)
        )
    }

    /// Whether it wakes threads that wait.
    pub fn notifies(self) -> bool {
        matches!(self, OpKind::Notify | OpKind::NotifyAll)
    }

    /// Whether what it does can be undone or hindered by an interrupt or unpark of its thread.
    pub fn can_be_woken(self) -> bool {
        matches!(
            self,
            OpKind::Wait | OpKind::Park | OpKind::Sleep | OpKind::Resume | OpKind::Timeout
        )
    }

    /// What it does to its place.
    pub fn domain(self) -> Domain {
        match self {
            OpKind::Read(_) | OpKind::Write(_) | OpKind::Update(_) => Domain::Memory,
            OpKind::Enter
            | OpKind::Exit
            | OpKind::Wait
            | OpKind::Notify
            | OpKind::NotifyAll
            | OpKind::Resume
            | OpKind::Timeout => Domain::Monitor,
            OpKind::InitBegin | OpKind::InitEnd | OpKind::InitUse => Domain::Class,
            _ => Domain::None,
        }
    }
}

/// Operations on one number of a place meet only within one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// A variable.
    Memory,
    /// An object's monitor.
    Monitor,
    /// The initialisation of a class.
    Class,
    /// Operations without a place.
    None,
}

/// An operation: its kind, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Op {
    /// The kind.
    pub kind: OpKind,
    /// Where; [`Place::NONE`] if it has no place.
    pub place: Place,
}

impl Op {
    /// An operation at a place.
    pub fn new(kind: OpKind, place: Place) -> Op {
        Op { kind, place }
    }

    /// An operation that has no place.
    pub fn plain(kind: OpKind) -> Op {
        Op::new(kind, Place::NONE)
    }
}

/// A thread that can go on, and its first operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// The thread.
    pub thread: ThreadNo,
    /// Its pending operation.
    pub op: Op,
}

impl Candidate {
    /// A thread and its pending operation.
    pub fn new(thread: ThreadNo, op: Op) -> Candidate {
        Candidate { thread, op }
    }
}

/// Whether the order of two operations can matter: those of one thread always are in order; of two threads they conflict at
/// their place, or one is about the other's thread. Two operations that are not dependent have the same effect in either
/// order.
pub fn dependent(a: &Candidate, b: &Candidate) -> bool {
    a.thread == b.thread
        || at_place(a.op, b.op)
        || on_thread(a.op.kind, b)
        || on_thread(b.op.kind, a)
}

fn at_place(a: Op, b: Op) -> bool {
    if a.place != b.place || a.place == Place::NONE || a.kind.domain() != b.kind.domain() {
        return false;
    }
    match a.kind.domain() {
        Domain::Memory => a.kind.writes() || b.kind.writes(),
        // whether its time has ended matters to who notifies, not to who enters and leaves
        Domain::Monitor if a.kind == OpKind::Timeout => b.kind.notifies(),
        Domain::Monitor if b.kind == OpKind::Timeout => a.kind.notifies(),
        Domain::Class => a.kind != OpKind::InitUse || b.kind != OpKind::InitUse,
        Domain::Monitor => true,
        Domain::None => false,
    }
}

fn on_thread(a: OpKind, b: &Candidate) -> bool {
    let Some(target) = a.target() else {
        return false;
    };
    // two that wake the same thread: which is first decides what the thread sees
    let looks = |kind| matches!(kind, OpKind::Join(_) | OpKind::Interrupted(_));
    let both = b.op.kind.target() == Some(target) && !(looks(a) && looks(b.op.kind));
    let meets = match a {
        OpKind::Start(_) => b.op.kind == OpKind::Begin,
        OpKind::Join(_) => b.op.kind == OpKind::End,
        OpKind::Unpark(_) | OpKind::Interrupt(_) => {
            b.op.kind.can_be_woken() || b.op.kind == OpKind::End
        }
        _ => false,
    };
    both || b.thread == target && meets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(thread: u32, kind: OpKind, place: u64) -> Candidate {
        Candidate::new(ThreadNo(thread), Op::new(kind, Place(place)))
    }

    fn commute(a: Candidate, b: Candidate) -> bool {
        assert_eq!(dependent(&a, &b), dependent(&b, &a));
        !dependent(&a, &b)
    }

    #[test]
    fn accesses_conflict_where_one_of_them_writes() {
        let (read, write) = (OpKind::Read(Mode::Plain), OpKind::Write(Mode::Volatile));
        let update = OpKind::Update(Mode::Volatile);
        assert!(commute(at(0, read, 1), at(1, read, 1)));
        assert!(!commute(at(0, read, 1), at(1, write, 1)));
        assert!(!commute(at(0, update, 1), at(1, read, 1)));
        assert!(!commute(at(0, write, 1), at(1, write, 1)));
        assert!(commute(at(0, write, 1), at(1, write, 2)));
        assert!(!commute(at(0, read, 1), at(0, read, 2)), "one thread");
    }

    #[test]
    fn monitors_classes_and_variables_are_apart() {
        assert!(!commute(at(0, OpKind::Enter, 1), at(1, OpKind::Enter, 1)));
        assert!(!commute(at(0, OpKind::Wait, 1), at(1, OpKind::Notify, 1)));
        assert!(commute(at(0, OpKind::Enter, 1), at(1, OpKind::Enter, 2)));
        assert!(commute(
            at(0, OpKind::Enter, 1),
            at(1, OpKind::Write(Mode::Plain), 1)
        ));
        assert!(!commute(
            at(0, OpKind::InitBegin, 1),
            at(1, OpKind::InitBegin, 1)
        ));
        assert!(!commute(
            at(0, OpKind::InitUse, 1),
            at(1, OpKind::InitEnd, 1)
        ));
        assert!(commute(
            at(0, OpKind::InitUse, 1),
            at(1, OpKind::InitUse, 1)
        ));
    }

    #[test]
    fn operations_on_threads_meet_what_the_thread_does() {
        let on = |kind: fn(ThreadNo) -> OpKind, t| at(0, kind(ThreadNo(t)), 0);
        assert!(!commute(on(OpKind::Unpark, 1), at(1, OpKind::Park, 0)));
        assert!(commute(on(OpKind::Unpark, 1), at(2, OpKind::Park, 0)));
        assert!(!commute(on(OpKind::Interrupt, 1), at(1, OpKind::Wait, 7)));
        assert!(!commute(on(OpKind::Join, 1), at(1, OpKind::End, 0)));
        assert!(!commute(on(OpKind::Start, 1), at(1, OpKind::Begin, 0)));
        assert!(!commute(
            on(OpKind::Unpark, 1),
            at(2, OpKind::Unpark(ThreadNo(1)), 0)
        ));
        assert!(commute(
            on(OpKind::Join, 1),
            at(2, OpKind::Join(ThreadNo(1)), 0)
        ));
        assert!(commute(at(0, OpKind::Step, 0), at(1, OpKind::Step, 0)));
    }
}

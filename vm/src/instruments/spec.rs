//! The description of an instrument: its points, their methods and classes, and its action there.

use super::shown::{ClassView, Hit, MemberView, MethodView};
use crate::events::{Observer, ObserverId, OnHit};
use crate::ids::MethodId;
use std::fmt;

/// Which methods a point is in.
pub enum MethodFilter {
    /// All.
    All,
    /// This one.
    One(MethodId),
    /// Those that the filter selects, of classes that are loaded now or later. It is asked once for each method.
    Where(Box<dyn Fn(&MethodView<'_>) -> bool + Send>),
}

/// Which classes a point is about.
pub enum ClassFilter {
    /// All.
    All,
    /// Those that the filter says. It is asked once for each class, when a point is first come to with it.
    Where(Box<dyn Fn(&ClassView<'_>) -> bool + Send>),
}

/// Which methods or fields, as instructions name them.
pub enum Members {
    /// All.
    All,
    /// Those of this name and descriptor (JVMS 4.3), of whatever class. Methods whose class file names none stay as they are: of
    /// these instruments, there may be hundreds.
    Called {
        /// The name.
        name: Box<str>,
        /// The descriptor.
        descriptor: Box<str>,
    },
    /// Those that the filter says. It is asked once for each instruction.
    Where(Box<dyn Fn(&MemberView<'_>) -> bool + Send>),
}

/// What happens to a monitor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MonitorAction {
    /// An instruction or a synchronized method is about to enter it, for the first time or again.
    Enter,
    /// An instruction or a synchronized method is about to leave it, or leaves it with an exception.
    Exit,
    /// A thread has had to wait for it, and has entered it now.
    Contended,
    /// A thread is back from `Object.wait`.
    Wait,
}

/// A moment of a run.
pub enum Point {
    /// A method has been entered, nothing of it has been executed.
    Entry(MethodFilter),
    /// A method returns: its last bytecode has been executed, the result is known.
    Return(MethodFilter),
    /// A method is left by an exception.
    Throw(MethodFilter),
    /// A method is entered ([`Kind::Entry`](super::HitKind::Entry)) and left, in either way.
    Around(MethodFilter),
    /// An instruction is about to call a method.
    Call {
        /// The called method, as the instruction names it.
        callee: Members,
        /// In which methods.
        within: MethodFilter,
    },
    /// A basic block begins.
    Block(MethodFilter),
    /// The code of a source line begins, or a part of it: one of the bytecodes that the class file's table of lines names.
    Line {
        /// In which methods.
        within: MethodFilter,
        /// First and last line.
        lines: (u16, u16),
    },
    /// The bytecode at an index is about to be executed.
    Bytecode {
        /// In which methods.
        within: MethodFilter,
        /// First and last index.
        indices: (u16, u16),
    },
    /// A field is about to be read (`write` false) or written, by an instruction.
    Field {
        /// Which, as the instruction names it.
        field: Members,
        /// In which methods.
        within: MethodFilter,
        /// Whether it is written.
        write: bool,
    },
    /// An instruction is about to write an element of an array ([`Hit::this`](super::Hit::this) and
    /// [`Hit::index`](super::Hit::index)): in a VM that can be inspected
    /// ([`Options::inspectable`](crate::vm::Options::inspectable)), where operands have slots.
    Element(MethodFilter),
    /// An object has been allocated.
    Alloc(ClassFilter),
    /// What happens to monitors of objects of these classes.
    Monitor(MonitorAction, ClassFilter),
    /// A thread is started (true), reported in the thread that starts it, or ends, reported in itself. The subject is the
    /// thread's object.
    Thread(bool),
    /// A class has been defined.
    Class(ClassFilter),
    /// A collection begins (true) or has ended.
    Gc(bool),
    /// An exception of one of these classes is thrown.
    Exception(ClassFilter),
    /// All threads together have executed so many bytecodes more: reported at the exact bytecode.
    Every(u64),
}

/// What an instrument does at its point.
pub enum Action {
    /// Counts how often the point is come to.
    Count,
    /// Counts calls by caller and callee ([`Vm::calls_counted`](crate::Vm::calls_counted)), for [`Point::Entry`]. The caller is the
    /// nearest frame of a method that the instrument is in. The observer is notified at the first call of a pair
    /// ([`Hit::caller_counted`](super::Hit::caller_counted)), before anything of the call has been executed.
    Calls(Box<dyn Observer>),
    /// Adds up measures between entry and exit of methods, callees included and recursion once: for
    /// [`Point::Around`].
    Time,
    /// Notifies its own observer, with number 0: it comes and goes with the instrument, and is notified of no events.
    Notify(Box<dyn Observer>),
    /// Notifies an observer of the VM, with this number.
    NotifyAll(ObserverId, u32),
}

/// An instrument to be placed.
pub struct Spec {
    /// Where.
    pub at: Point,
    /// What it does there.
    pub action: Action,
    /// Of [`Point::Around`]: whether real and processor time are measured, too, which costs two questions to the host at
    /// each entry and each exit.
    pub clocks: bool,
}

impl Spec {
    /// Calls a function.
    pub fn notify(at: Point, f: impl FnMut(&mut Hit<'_>) + Send + 'static) -> Spec {
        Spec {
            at,
            action: Action::Notify(Box::new(OnHit(f))),
            clocks: false,
        }
    }
    /// Notifies an observer of the VM, with a number.
    pub fn notify_all(at: Point, observer: ObserverId, number: u32) -> Spec {
        Spec {
            at,
            action: Action::NotifyAll(observer, number),
            clocks: false,
        }
    }
    /// Counts.
    pub fn count(at: Point) -> Spec {
        Spec {
            at,
            action: Action::Count,
            clocks: false,
        }
    }
    /// Counts calls of methods by who calls, and calls a function for each pair once.
    pub fn calls(methods: MethodFilter, f: impl FnMut(&mut Hit<'_>) + Send + 'static) -> Spec {
        Spec {
            at: Point::Entry(methods),
            action: Action::Calls(Box::new(OnHit(f))),
            clocks: false,
        }
    }
    /// Times methods.
    pub fn time(methods: MethodFilter, clocks: bool) -> Spec {
        Spec {
            at: Point::Around(methods),
            action: Action::Time,
            clocks,
        }
    }
}

/// What an instrument has found out so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reading {
    /// How often its point was come to.
    pub hits: u64,
    /// What [`Action::Time`] has added up.
    pub timed: Timed,
}

/// What calls of methods have used, callees included, recursion once.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Timed {
    /// Calls that have ended, and that no other one of the same instrument was open below.
    pub calls: u64,
    /// Those of them that had begun before the instrument was placed. Their use is counted from then on, so the sums are lower
    /// bounds if there are any.
    pub late: u64,
    /// Bytecodes executed.
    pub bytecodes: i64,
    /// Bytes allocated.
    pub allocated: u64,
    /// Nanoseconds by the VM's clock; 0 without clocks.
    pub wall: i64,
    /// Nanoseconds of processor time of the thread; 0 without clocks.
    pub cpu: i64,
}

impl MethodFilter {
    /// Those of which the filter says so.
    pub fn of(filter: impl Fn(&MethodView<'_>) -> bool + Send + 'static) -> MethodFilter {
        MethodFilter::Where(Box::new(filter))
    }
    /// Those named `package.Class.method`, whatever their descriptor.
    pub fn named(name: &str) -> MethodFilter {
        let name = name.to_owned();
        MethodFilter::of(move |m| {
            let rest = name.strip_suffix(m.name());
            rest.and_then(|r| r.strip_suffix('.')) == Some(m.class().name().as_str())
        })
    }
}

impl ClassFilter {
    /// Those of which the filter says so.
    pub fn of(filter: impl Fn(&ClassView<'_>) -> bool + Send + 'static) -> ClassFilter {
        ClassFilter::Where(Box::new(filter))
    }
    /// The one of that name, with dots.
    pub fn named(name: &str) -> ClassFilter {
        let name = name.to_owned();
        ClassFilter::of(move |c| c.name() == name)
    }
}

impl Members {
    /// Those of which the filter says so.
    pub fn of(filter: impl Fn(&MemberView<'_>) -> bool + Send + 'static) -> Members {
        Members::Where(Box::new(filter))
    }
    /// Those named `package.Class.member`.
    pub fn named(name: &str) -> Members {
        let name = name.to_owned();
        Members::of(move |m| {
            let rest = name.strip_suffix(m.name());
            rest.and_then(|r| r.strip_suffix('.')) == Some(m.class_name().as_str())
        })
    }
}

impl Point {
    /// The methods it is in, if it is in certain ones.
    pub(super) fn within(&self) -> Option<&MethodFilter> {
        match self {
            Point::Entry(m)
            | Point::Return(m)
            | Point::Throw(m)
            | Point::Around(m)
            | Point::Element(m)
            | Point::Block(m) => Some(m),
            Point::Call { within, .. }
            | Point::Line { within, .. }
            | Point::Bytecode { within, .. }
            | Point::Field { within, .. } => Some(within),
            // where monitors are entered and left is found in all methods
            Point::Monitor(MonitorAction::Enter | MonitorAction::Exit, _) => {
                Some(&MethodFilter::All)
            }
            _ => None,
        }
    }
    /// The members it is about, as instructions name them.
    pub(super) fn members(&self) -> Option<&Members> {
        match self {
            Point::Call { callee: of, .. } | Point::Field { field: of, .. } => Some(of),
            _ => None,
        }
    }
    /// Its notifications at methods' entries and exits.
    pub(super) fn bounds(&self) -> (bool, bool, bool) {
        match self {
            Point::Entry(_) => (true, false, false),
            Point::Return(_) => (false, true, false),
            Point::Throw(_) => (false, false, true),
            Point::Around(_) => (true, true, true),
            _ => (false, false, false),
        }
    }
    /// Whether it is inside of methods' code.
    pub(super) fn is_inside(&self) -> bool {
        matches!(
            self,
            Point::Call { .. }
                | Point::Block(_)
                | Point::Line { .. }
                | Point::Bytecode { .. }
                | Point::Field { .. }
                | Point::Element(_)
                | Point::Monitor(MonitorAction::Enter | MonitorAction::Exit, _)
        )
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Point::Entry(_) => "entry",
            Point::Return(_) => "return",
            Point::Throw(_) => "throw",
            Point::Around(_) => "around",
            Point::Call { .. } => "call",
            Point::Block(_) => "block",
            Point::Line { .. } => "line",
            Point::Bytecode { .. } => "bytecode",
            Point::Field { write: false, .. } => "read",
            Point::Field { write: true, .. } => "write",
            Point::Element(_) => "element",
            Point::Alloc(_) => "alloc",
            Point::Monitor(..) => "monitor",
            Point::Thread(_) => "thread",
            Point::Class(_) => "class",
            Point::Gc(_) => "gc",
            Point::Exception(_) => "exception",
            Point::Every(_) => "every",
        })
    }
}

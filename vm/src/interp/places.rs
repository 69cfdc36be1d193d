//! Places of the program where a VM stops.

use crate::ids::ThreadId;

/// A place of the program at which the VM stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopPlace {
    /// `package.Class.method`, or of a line also `package.Class`: in all methods of the class and the classes in it.
    pub name: String,
    /// Where in it.
    pub at: StopPosition,
    /// Which arrival there, of all threads together; the first is 1. 0: every one.
    pub arrival: u64,
}

/// Where in a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopPosition {
    /// At the first bytecode of `main`, whatever the name is.
    Main,
    /// At its first bytecode.
    Entry,
    /// At each bytecode with which the code of this line begins, or a part of it.
    Line(u16),
    /// At this bytecode index.
    Index(u16),
}

/// Why the VM has stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StopReason {
    /// The places it is at, by their number in the options, and which arrival there this is. None: the end of the
    /// fuel.
    pub places: Vec<(usize, u64)>,
}

/// The VM's data about the places at which it stops.
#[derive(Default)]
pub(crate) struct StopPlaces {
    /// Arrivals at each place so far.
    pub(super) arrivals: Vec<u64>,
    /// The places at each bytecode that is watched.
    pub(super) points: Vec<Vec<usize>>,
    pub(super) reached: StopReason,
    /// Whose turn it is.
    pub(super) turn: Option<ThreadId>,
    /// Bytecodes that each thread had executed when the path was begun again.
    pub(super) bases: Vec<i64>,
}

impl StopPlace {
    /// Whether it is in this method.
    pub(super) fn is_in(&self, class: &str, method: &str) -> bool {
        let whole = |name: &str| {
            let rest = name.strip_prefix(class).and_then(|r| r.strip_prefix('.'));
            rest == Some(method)
        };
        let line = matches!(self.at, StopPosition::Line(_));
        let rest = class.strip_prefix(&*self.name);
        let in_class = rest.is_some_and(|r| r.is_empty() || r.starts_with('$'));
        whole(&self.name) || line && in_class
    }
}

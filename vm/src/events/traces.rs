//! Stacks that events happened on, cut to a depth and numbered: the traces of HPROF.

use crate::ids::MethodId;
use hashbrown::HashMap;

/// Serial number of a trace with nothing to show.
pub const FIRST_TRACE: u32 = 300_000;

/// A place in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracePlace {
    /// Class in the VM's words, `java/lang/String`.
    pub class: String,
    /// Method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Source file, if the class file names it.
    pub source: Option<String>,
    /// Line; -3 in a native method, -1 if it is not known.
    pub line: i32,
}

/// A trace, or the beginning of longer ones.
pub(super) struct Node {
    /// The trace without its outermost frame.
    pub(super) inner: u32,
    /// The outermost frame; a thread's number in the trace without frames.
    pub(super) place: u32,
    /// Serial number once something has happened there; else 0.
    pub(super) serial: u32,
}

/// Traces, each distinguished by its places and, if requested, its thread, numbered in the order in which they are met.
pub struct Traces {
    /// Frames of a trace, at most.
    pub(super) depth: usize,
    pub(super) lines: bool,
    pub(super) threads: bool,
    pub(super) places: Vec<TracePlace>,
    pub(super) known: HashMap<(MethodId, i32), u32>,
    pub(super) same: HashMap<(String, String, String, i32), u32>,
    pub(super) nodes: Vec<Node>,
    pub(super) longer: HashMap<(u32, u32), u32>,
    /// Nodes by serial number.
    pub(super) numbered: Vec<u32>,
}

pub(super) const NO_NODE: u32 = u32::MAX;

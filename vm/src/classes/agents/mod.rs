//! Java agents (`java.lang.instrument`): what they have requested, class files on their way through transformers, and
//! classes that get new bodies.
//!
//! The class library's `sun.instrument.InstrumentationImpl` knows an agent by a number, one more than its place in the
//! list here. Whatever has to call Java code is kept between the calls: a native or instruction that defines or
//! redefines a class runs again after each, and finds how far it was.

mod apply;
mod begin;
mod compare;
mod deleted;
mod hook;
mod redefine;
mod requested;
mod same;
mod start;
mod work;

use crate::ids::ThreadId;
pub use begin::{AgentEntry, AgentStart};
use std::sync::Arc;

/// What an agent's manifest permits it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Permits {
    /// `Can-Redefine-Classes`
    pub redefine: bool,
    /// `Can-Retransform-Classes`
    pub retransform: bool,
    /// `Can-Set-Native-Method-Prefix`
    pub native_prefix: bool,
}

/// An agent.
#[derive(Default)]
struct Agent {
    /// The root cell of its `InstrumentationImpl`; 0 as long as there is none.
    object: u32,
    permits: Permits,
    /// The jar it came from.
    jar: String,
    /// How it was started.
    start: Option<Box<AgentStart>>,
    /// Whether it has transformers, first of those that cannot transform again, then of those that can.
    transforms: [bool; 2],
    /// The prefixes of native methods, in the same way.
    prefixes: [Vec<String>; 2],
}

/// The agents of a VM, and what they are at.
#[derive(Default)]
pub(crate) struct Agents {
    list: Vec<Agent>,
    /// Whether any has transformers. All that is looked at where there are none.
    pub(super) transform: bool,
    /// A class file has just begun to be shown to a transformer.
    pub(super) shows: bool,
    /// Class files that are shown to transformers.
    jobs: Vec<work::Job>,
    next_job: u64,
    /// Threads that run a transformer, once for each that they run. Classes that they load are not transformed.
    transforming: Vec<ThreadId>,
    /// Classes that are redefined.
    redefinitions: Vec<work::Redefinition>,
    next_redefinition: u64,
}

/// What became of a class file that transformers have seen.
pub(crate) struct Transformed {
    /// The class file.
    pub(crate) bytes: Vec<u8>,
    /// The class file that retransforming transformers start from, if it differs.
    pub(crate) initial: Option<Arc<[u8]>>,
}

impl Agents {
    fn get(&self, agent: i64) -> Option<&Agent> {
        self.list.get(usize::try_from(agent).ok()?.checked_sub(1)?)
    }
    fn get_mut(&mut self, agent: i64) -> Option<&mut Agent> {
        let at = usize::try_from(agent).ok()?.checked_sub(1)?;
        self.list.get_mut(at)
    }
}

//! Java agents (`java.lang.instrument`): what they have asked for, class files on their way through transformers, and
//! classes that get new bodies.
//!
//! The class library's `sun.instrument.InstrumentationImpl` knows an agent by a number, one more than its place in the
//! list here. Whatever has to call Java code is kept between the calls: a native or instruction that defines or
//! redefines a class runs again after each, and finds how far it was.

mod apply;
mod compare;
mod hook;
mod redefine;
mod same;
pub mod start;

use crate::ids::{ClassId, LoaderId, Ref, ThreadId};
use crate::natives::Env;
use crate::vm::Vm;
pub use start::{AgentEntry, AgentStart};
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
    start: Option<Box<start::AgentStart>>,
    /// Whether it has transformers, first of those that can't transform again, then of those that can.
    transforms: [bool; 2],
    /// The prefixes of native methods, likewise.
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
    jobs: Vec<hook::Job>,
    next_job: u64,
    /// Threads that run a transformer, once for each that they run. What they load is not transformed.
    transforming: Vec<ThreadId>,
    /// Classes that are redefined.
    redefinitions: Vec<redefine::Redefinition>,
    next_redefinition: u64,
}

/// What became of a class file that transformers have seen.
pub(crate) struct Transformed {
    /// The class file.
    pub(crate) bytes: Vec<u8>,
    /// What transformers that can do so transform again, if that is another one.
    pub(crate) initial: Option<Arc<[u8]>>,
}

impl Vm {
    /// A new agent; its number.
    pub fn add_agent(&mut self, jar: &str, permits: Permits) -> i64 {
        let agents = &mut self.loaded.agents;
        agents.list.push(Agent {
            permits,
            jar: jar.into(),
            ..Agent::default()
        });
        agents.list.len() as i64
    }
    /// Gives an agent its `InstrumentationImpl`.
    pub fn set_agent_object(&mut self, agent: i64, object: Ref) {
        let cell = self.heap.new_cell(object);
        if let Some(agent) = self.loaded.agents.get_mut(agent) {
            agent.object = cell;
        }
    }
    /// The class whose file a class was defined from, or got last.
    pub(crate) fn class_file_bytes(&self, c: ClassId) -> Option<Vec<u8>> {
        let cf = self.class(c).cf.as_ref()?;
        cf.original().map(|bytes| bytes.into_owned())
    }
    /// Whether a class can be given other bodies.
    pub fn is_modifiable(&self, c: ClassId) -> bool {
        let k = self.class(c);
        k.cf.is_some() && !k.hidden
    }
    /// The class loader as transformers see it.
    fn shown_loader(&self, loader: LoaderId) -> Ref {
        match loader {
            LoaderId::BOOT => Ref::NULL,
            loader => self.loader_object(loader),
        }
    }
    /// Names under which the native of a method may be known: its own without prefixes that agents give native methods.
    pub(crate) fn without_prefixes<'a>(&self, name: &'a str) -> Option<&'a str> {
        let agents = self.loaded.agents.list.iter().rev();
        let mut rest = name;
        for prefix in agents.flat_map(|a| a.prefixes.iter().rev()).flatten() {
            rest = rest.strip_prefix(prefix.as_str()).unwrap_or(rest);
        }
        (rest.len() < name.len() && !rest.is_empty()).then_some(rest)
    }
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

impl Env {
    /// What an agent's manifest permits it; nothing for a number that is no agent's.
    pub fn agent_permits(&self, agent: i64) -> Permits {
        let agent = self.0.loaded.agents.get(agent);
        agent.map_or(Permits::default(), |a| a.permits)
    }
    /// The jar that an agent came from.
    pub fn agent_jar(&self, agent: i64) -> Option<String> {
        Some(self.0.loaded.agents.get(agent)?.jar.clone())
    }
    /// An agent has transformers now, or none any more.
    pub fn set_agent_transforms(&mut self, agent: i64, again: bool, has: bool) {
        let agents = &mut self.0.loaded.agents;
        if let Some(agent) = agents.get_mut(agent) {
            agent.transforms[usize::from(again)] = has;
        }
        let mut all = agents.list.iter().flat_map(|a| a.transforms);
        agents.transform = all.any(|t| t);
    }
    /// The prefixes of native methods that an agent's transformers use.
    pub fn set_agent_prefixes(&mut self, agent: i64, again: bool, prefixes: Vec<String>) {
        if let Some(agent) = self.0.loaded.agents.get_mut(agent) {
            agent.prefixes[usize::from(again)] = prefixes;
        }
    }
    /// Whether a class can be given other bodies.
    pub fn is_modifiable(&self, c: ClassId) -> bool {
        self.0.is_modifiable(c)
    }
    /// The classes that a loader has been recorded as an initiating loader of, by number.
    pub fn initiated_classes(&self, loader: LoaderId) -> Vec<ClassId> {
        let table = &self.0.loaded.loaders[loader.0 as usize].classes;
        let mut all: Vec<ClassId> = table.values().copied().collect();
        all.sort_unstable_by_key(|c| c.0);
        all.dedup();
        all
    }
}

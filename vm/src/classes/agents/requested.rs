//! Requests to agents, and their own requests.

use super::{Agent, Permits};
use crate::ids::{ClassId, LoaderId, Ref};
use crate::natives::Env;
use crate::vm::Vm;

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
    pub(super) fn shown_loader(&self, loader: LoaderId) -> Ref {
        match loader {
            LoaderId::BOOT => Ref::NULL,
            loader => self.loader_object(loader),
        }
    }
    /// Names under which the native of a method may be known: its own without prefixes that agents give native methods.
    pub(crate) fn without_prefixes<'a>(&self, name: &'a str) -> Option<&'a str> {
        // the last transformer has put its prefix before the others
        let agents = self.loaded.agents.list.iter().rev();
        let lists = agents.flat_map(|a| a.prefixes.iter().rev());
        let mut rest = name;
        for prefix in lists.flat_map(|list| list.iter().rev()) {
            rest = rest.strip_prefix(prefix.as_str()).unwrap_or(rest);
        }
        (rest.len() < name.len() && !rest.is_empty()).then_some(rest)
    }
}

impl Env {
    /// What an agent's manifest permits it; nothing for a number that is not an agent's.
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

//! Counts what each stack allocates, as the events of a VM say.

use super::sites::{Amount, NewObject, SharedSites, Site, Sites};
use crate::events::{Event, EventSet, EventView, Observer, Traces};
use crate::ids::Ref;
use crate::vm::Vm;
use hashbrown::HashMap;
use std::sync::{Arc, Mutex};

impl Sites {
    fn new(traces: Traces) -> Sites {
        Sites {
            traces,
            sites: Vec::new(),
            of: HashMap::new(),
            objects: HashMap::new(),
            collections: 0,
            now: 0,
        }
    }
    /// The stacks; others may number theirs here too.
    pub fn traces(&mut self) -> &mut Traces {
        &mut self.traces
    }
    /// The sites, in the order in which they first allocated.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }
    /// The stack that allocated a live object, by serial number.
    pub fn trace_of(&self, object: Ref) -> Option<u32> {
        let created = self.objects.get(&object)?;
        Some(self.sites[created.site as usize].trace)
    }
    /// All allocations, and the live ones.
    pub fn totals(&self) -> (Amount, Amount) {
        let mut sums = (Amount::default(), Amount::default());
        for s in &self.sites {
            sums.0.objects += s.allocated.objects;
            sums.0.bytes += s.allocated.bytes;
            sums.1.objects += s.live.objects;
            sums.1.bytes += s.live.bytes;
        }
        sums
    }
    fn allocated(&mut self, seen: &mut EventView<'_>, object: Ref, bytes: usize) {
        let thread = seen.current();
        let frames = seen.top_frames(self.traces.depth());
        let trace = self.traces.trace(seen, thread, frames);
        let class = seen.class_of(object);
        let site = *self.of.entry((trace, class)).or_insert_with(|| {
            self.sites.push(Site {
                trace,
                class: seen.class(class).name.to_string(),
                allocated: Amount::default(),
                live: Amount::default(),
                lived_bytecodes: 0,
                lived_collections: 0,
            });
            self.sites.len() as u32 - 1
        });
        let s = &mut self.sites[site as usize];
        s.allocated.add(bytes);
        s.live.add(bytes);
        let created = NewObject {
            site,
            collections: self.collections,
            bytecodes: seen.bytecodes(),
        };
        self.objects.insert(object, created);
    }
    fn freed(&mut self, object: Ref, bytes: usize) {
        // one that nobody was notified of: what made it began again
        let Some(created) = self.objects.remove(&object) else {
            return;
        };
        let s = &mut self.sites[created.site as usize];
        s.live.objects -= 1;
        s.live.bytes -= bytes as u64;
        s.lived_bytecodes += (self.now - created.bytecodes) as u64;
        s.lived_collections += u64::from(self.collections - created.collections);
    }
}

impl Observer for SharedSites {
    fn events(&self) -> EventSet {
        EventSet::ALLOCATIONS
            | EventSet::MOVES
            | EventSet::FREES
            | EventSet::COLLECTIONS
            | EventSet::UNLOADING
    }
    fn event(&mut self, seen: &mut EventView<'_>, event: Event<'_>) {
        let mut sites = self.lock();
        match event {
            Event::Allocated { object, bytes } => sites.allocated(seen, object, bytes),
            Event::Moved { from, to, .. } => {
                if let Some(created) = sites.objects.remove(&from) {
                    sites.objects.insert(to, created);
                }
            }
            Event::Freed { object, bytes, .. } => sites.freed(object, bytes),
            Event::CollectionStarted => {
                sites.collections += 1;
                sites.now = seen.bytecodes();
            }
            Event::ClassUnloaded(class) => {
                sites.traces.forget_methods();
                sites.of.retain(|(_, c), _| *c != class);
            }
            _ => {}
        }
    }
}

impl Vm {
    /// From now on allocation sites are stored, with stacks as `traces` has them, and heap dumps say which stack allocated
    /// each object.
    pub fn keep_sites(&mut self, traces: Traces) -> SharedSites {
        let sites = self.number_traces(traces);
        self.observe(Box::new(sites.clone()));
        sites
    }
    /// The same without anything allocated: traces that others number go into output in HPROF's binary format.
    pub fn number_traces(&mut self, traces: Traces) -> SharedSites {
        let sites = SharedSites(Arc::new(Mutex::new(Sites::new(traces))));
        self.memory.sites = Some(sites.clone());
        sites
    }
}

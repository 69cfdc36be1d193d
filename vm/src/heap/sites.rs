//! Allocation sites: which stack has allocated how much of each class, how much of that is live, and how long the rest
//! lived. Kept from events alone: objects are followed as they are moved and freed, as section 4.2 of the paper on JVMPI
//! has it.

use crate::events::{Event, EventSet, Seen, Subscriber, Traces};
use crate::ids::{ClassId, Ref};
use crate::vm::Vm;
use hashbrown::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Objects and bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Amount {
    /// Objects.
    pub objects: u64,
    /// Bytes they take in the heap.
    pub bytes: u64,
}

impl Amount {
    fn add(&mut self, bytes: usize) {
        self.objects += 1;
        self.bytes += bytes as u64;
    }
}

/// What a stack has allocated of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// Serial number of the stack ([`Traces`]).
    pub trace: u32,
    /// Class in the VM's words, `[Ljava/lang/String;`.
    pub class: String,
    /// All that was allocated.
    pub allocated: Amount,
    /// What no collection has freed yet.
    pub live: Amount,
    /// Bytecodes of all threads that those that were freed lived through, in sum, up to the collection.
    pub lived_bytecodes: u64,
    /// Collections they were met by in sum, the one that freed them included.
    pub lived_collections: u64,
}

/// An object that was allocated.
struct Born {
    site: u32,
    collections: u32,
    bytecodes: i64,
}

/// The allocation sites of a VM.
pub struct Sites {
    traces: Traces,
    sites: Vec<Site>,
    of: HashMap<(u32, ClassId), u32>,
    objects: HashMap<Ref, Born>,
    /// Collections so far, and the bytecodes at the last one.
    collections: u32,
    now: i64,
}

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
        let born = self.objects.get(&object)?;
        Some(self.sites[born.site as usize].trace)
    }
    /// All that was allocated, and what of that is live.
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
    fn allocated(&mut self, seen: &mut Seen<'_>, object: Ref, bytes: usize) {
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
        let born = Born {
            site,
            collections: self.collections,
            bytecodes: seen.bytecodes(),
        };
        self.objects.insert(object, born);
    }
    fn freed(&mut self, object: Ref, bytes: usize) {
        // one that nobody was told of: what made it began again
        let Some(born) = self.objects.remove(&object) else {
            return;
        };
        let s = &mut self.sites[born.site as usize];
        s.live.objects -= 1;
        s.live.bytes -= bytes as u64;
        s.lived_bytecodes += (self.now - born.bytecodes) as u64;
        s.lived_collections += u64::from(self.collections - born.collections);
    }
}

/// The allocation sites of a VM, for whoever wants to look at them between two runs.
#[derive(Clone)]
pub struct SharedSites(Arc<Mutex<Sites>>);

impl SharedSites {
    /// The sites as they are now. Not to be held while the VM runs.
    pub fn lock(&self) -> MutexGuard<'_, Sites> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscriber for SharedSites {
    fn events(&self) -> EventSet {
        EventSet::ALLOCATIONS
            | EventSet::MOVES
            | EventSet::FREES
            | EventSet::COLLECTIONS
            | EventSet::UNLOADING
    }
    fn event(&mut self, seen: &mut Seen<'_>, event: Event<'_>) {
        let mut sites = self.lock();
        match event {
            Event::Allocated { object, bytes } => sites.allocated(seen, object, bytes),
            Event::Moved { from, to, .. } => {
                if let Some(born) = sites.objects.remove(&from) {
                    sites.objects.insert(to, born);
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
    /// From now on allocation sites are kept, with stacks as `traces` has them, and heap dumps say which stack allocated
    /// each object.
    pub fn keep_sites(&mut self, traces: Traces) -> SharedSites {
        let sites = self.number_traces(traces);
        self.subscribe(Box::new(sites.clone()));
        sites
    }
    /// The same without anything allocated: traces that others number go into what is written in HPROF's binary format.
    pub fn number_traces(&mut self, traces: Traces) -> SharedSites {
        let sites = SharedSites(Arc::new(Mutex::new(Sites::new(traces))));
        self.sites = Some(sites.clone());
        sites
    }
}

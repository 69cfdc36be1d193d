//! Allocation sites: which stack has allocated how much of each class, how much of that is live, and how long the rest
//! lived. `site_counts` keeps them from events alone: objects are followed as they are moved and freed, as section 4.2 of the paper on JVMPI
//! has it.

use crate::events::Traces;
use crate::ids::{ClassId, Ref};
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
    pub(super) fn add(&mut self, bytes: usize) {
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
pub(super) struct NewObject {
    pub(super) site: u32,
    pub(super) collections: u32,
    pub(super) bytecodes: i64,
}

/// The allocation sites of a VM.
pub struct Sites {
    pub(super) traces: Traces,
    pub(super) sites: Vec<Site>,
    pub(super) of: HashMap<(u32, ClassId), u32>,
    pub(super) objects: HashMap<Ref, NewObject>,
    /// Collections so far, and the bytecodes at the last one.
    pub(super) collections: u32,
    pub(super) now: i64,
}

/// The allocation sites of a VM, to be looked at between two runs.
#[derive(Clone)]
pub struct SharedSites(pub(super) Arc<Mutex<Sites>>);

impl SharedSites {
    /// The sites as they are now. Not to be held while the VM runs.
    pub fn lock(&self) -> MutexGuard<'_, Sites> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Run-time classes, methods and fields (JVMS 5).

mod access;
pub(crate) mod agents;
mod bodies;
pub mod class;
pub(crate) mod class_files;
mod class_pools;
mod constraints;
mod define;
pub(crate) mod descriptor_lookup;
pub mod descriptors;
mod domains;
pub(crate) mod event_classes;
pub(crate) mod failure;
pub(crate) mod failures;
mod fits;
mod init;
mod init_failure;
mod layout;
pub mod library;
pub mod link;
pub mod load;
mod load_boot;
mod lookup;
mod members;
pub(crate) mod metadata;
pub mod method;
pub(crate) mod method_facts;
pub mod methods;
mod mirror;
mod modules;
mod names;
pub(crate) mod numbered;
pub(crate) mod origins;
pub mod places;
pub mod pools;
pub mod resolutions;
mod resolve;
pub(crate) mod resolved;
mod shown;
mod sweep;
mod tables;
#[cfg(test)]
pub(crate) mod tests;
mod unload;
pub(crate) mod variant_numbers;
pub(crate) mod variants;
pub(crate) mod verification;
mod vtable;

pub use class::{Class, ClassHot, ClassKind, Field, ImtEntry, InitState, VtableEntry};
pub use failure::RethrownError;
pub use method::{Code, CodeRef, Method, NativeEntry};
pub use methods::MethodSource;
pub use pools::PoolEntry;
pub use resolved::Resolved;

use crate::ids::{ClassId, LoaderId, Sym, ThreadId};
use rjvm_classfile::ClassFile;
use std::sync::Arc;

pub use agents::{AgentEntry, AgentStart, Permits};
pub use class_files::DefineOptions;
pub use define::MAX_MAJOR;
pub use names::{method_text, type_text};
pub use resolve::{Invoke, ref_kind};
pub(crate) use tables::RareData;

/// What loading and linking remember between steps.
#[derive(Default)]
pub struct Linker {
    /// Classes whose superclass or superinterfaces are being loaded (JVMS 5.3.5: circularity).
    defining: Vec<(ThreadId, LoaderId, Sym)>,
    /// Cold parts of all classes.
    cold: Vec<define::Cold>,
    /// Parsed class files whose definition waits for Java code to load a superclass.
    parsed: Vec<(Vec<u8>, Arc<ClassFile>)>,
    /// Class files that observers have seen and that are being defined: the loader, the file and its replacement.
    shown: Vec<(crate::ids::LoaderId, Vec<u8>, Option<Vec<u8>>)>,
    /// Classes made before `java.lang.Class` was there; they have no mirror yet.
    no_mirror: Vec<ClassId>,
    /// Class files of classes not verified yet, with everything read: the youngest ones.
    unverified: std::collections::VecDeque<(ClassId, Arc<ClassFile>)>,
    /// Loader constraints (JVMS 5.3.4).
    constraints: constraints::Constraints,
    /// Classes whose initialization is under way: they stay.
    pub(crate) initializing: Vec<init::Initializing>,
    /// Numbers of loaders that are gone, the next to be used at the end.
    pub(crate) free_loaders: Vec<u32>,
    /// Looking without loading: nothing may run Java code.
    quiet: bool,
    /// Classes of the boot loader are not shown to transformers: who needs them cannot wait.
    plain: bool,
    /// What protection domains have seen.
    domains: domains::Domains,
    /// How deep resolution, loading and initialization have led to themselves.
    pub(crate) nested: usize,
    /// Hidden classes defined so far.
    hidden: u64,
}

pub use rjvm_classfile::access as acc;

/// How many class files are stored with everything read until their classes are verified; others are read again.
const UNVERIFIED: usize = 64;

impl Linker {
    /// Keeps a class file for the verifier.
    pub(crate) fn keep_unverified(&mut self, c: ClassId, cf: Arc<ClassFile>) {
        if self.unverified.len() == UNVERIFIED {
            self.unverified.pop_front();
        }
        self.unverified.push_back((c, cf));
    }
    /// The class file that the verifier reads of a class: one with everything read.
    pub(crate) fn take_unverified(&mut self, c: ClassId, cf: &Arc<ClassFile>) -> Arc<ClassFile> {
        let at = self.unverified.iter().position(|u| u.0 == c);
        match at.and_then(|i| self.unverified.remove(i)) {
            Some((_, cf)) => cf,
            None => cf.read_again().map_or_else(|| cf.clone(), Arc::new),
        }
    }
}

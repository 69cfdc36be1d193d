//! What agents are in the middle of.

use crate::ids::{ClassId, LoaderId, ThreadId};
use rjvm_classfile::ClassFile;
use std::sync::Arc;

/// A class file on its way.
pub(super) struct Job {
    pub(super) id: u64,
    pub(super) thread: ThreadId,
    pub(super) loader: LoaderId,
    /// Internal name, where the definer gives one.
    pub(super) name: Option<Box<str>>,
    /// The class that is redefined; none: it is being defined.
    pub(super) class: Option<ClassId>,
    pub(super) original: Arc<[u8]>,
    /// What transformers have made of it.
    pub(super) made: Option<Arc<[u8]>>,
    /// What those that can do so transform again.
    pub(super) initial: Arc<[u8]>,
    /// The transformers that come next: whether they are those that can transform again, and the agent's place.
    pub(super) next: (bool, usize),
}

/// How far a redefinition is.
pub(super) struct Redefinition {
    pub(super) id: u64,
    pub(super) items: Vec<Item>,
}

pub(super) struct Item {
    pub(super) class: ClassId,
    /// The class file that is given; none: the present class file is transformed again.
    pub(super) given: Option<Arc<[u8]>>,
    pub(super) state: ItemState,
}

pub(super) enum ItemState {
    New,
    /// It is shown to transformers.
    Shown(u64),
    /// The new class file: its bytes, the bytes for a later transformation, and the file with everything read.
    Made(NewClassFile),
}

#[derive(Clone)]
pub(super) struct NewClassFile {
    pub(super) bytes: Arc<[u8]>,
    pub(super) initial: Arc<[u8]>,
    pub(super) file: Option<Arc<ClassFile>>,
    /// Places of methods that it does not really have.
    pub(super) deleted: Vec<usize>,
}

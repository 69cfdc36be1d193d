//! Which method descriptors are in the constant pools of the classes loaded so far.
//!
//! HotSpot resolves a `MemberName` only if its descriptor is in the symbol table; else it says "not found"
//! without making an error. That can be counted: an error is made by bytecodes.

use crate::ids::ClassId;
use hashbrown::{DefaultHashBuilder, HashSet};

/// The method descriptors of the classes looked at so far, by their hashes.
#[derive(Default)]
pub struct MethodDescriptors {
    pub(super) hasher: DefaultHashBuilder,
    pub(super) seen: HashSet<u64>,
    /// How many classes have been looked at.
    pub(super) classes: usize,
}

impl MethodDescriptors {
    /// Some of the VM's classes are about to leave its list.
    pub(super) fn forget(&mut self, classes: &[ClassId], lives: impl Fn(ClassId) -> bool) {
        let looked_at = &classes[..self.classes];
        self.classes = looked_at.iter().filter(|&&c| lives(c)).count();
    }
}

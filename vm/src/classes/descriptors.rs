//! Which method descriptors stand in the constant pools of the classes loaded so far.
//!
//! HotSpot resolves a `MemberName` only if its descriptor is in the symbol table; else it says "not found"
//! without making an error. That can be counted: an error is made by bytecodes.

use crate::ids::ClassId;
use crate::natives::Env;
use hashbrown::{DefaultHashBuilder, HashSet};
use std::hash::BuildHasher;

/// The method descriptors of the classes looked at so far, by their hashes.
#[derive(Default)]
pub struct Descriptors {
    hasher: DefaultHashBuilder,
    seen: HashSet<u64>,
    /// How many classes have been looked at.
    classes: usize,
}

impl Descriptors {
    /// Some of the VM's classes are about to leave its list.
    pub(super) fn forget(&mut self, classes: &[ClassId], lives: impl Fn(ClassId) -> bool) {
        let looked_at = &classes[..self.classes];
        self.classes = looked_at.iter().filter(|&&c| lives(c)).count();
    }
}

impl Env {
    /// Whether the method descriptor `text` is a `Utf8` entry of a loaded class.
    pub fn is_descriptor_of_a_class(&mut self, text: &str) -> bool {
        let mut known = std::mem::take(&mut self.0.descriptors);
        for &class in &self.0.classes[known.classes..] {
            let Some(cf) = &self.0.class(class).cf else {
                continue;
            };
            for text in cf.constant_pool.texts() {
                if let [b'(', ..] = text {
                    known.seen.insert(known.hasher.hash_one(text));
                }
            }
        }
        known.classes = self.0.classes.len();
        let found = known.seen.contains(&known.hasher.hash_one(text.as_bytes()));
        self.0.descriptors = known;
        found
    }
}

//! Looks method descriptors up in the constant pools of all classes.

use crate::natives::Env;
use std::hash::BuildHasher;

impl Env {
    /// Whether the method descriptor `text` is a `Utf8` entry of a loaded class.
    pub fn is_descriptor_of_a_class(&mut self, text: &str) -> bool {
        let mut known = std::mem::take(&mut self.0.loaded.descriptors);
        for &class in &self.0.loaded.classes[known.classes..] {
            let Some(cf) = &self.0.class(class).cf else {
                continue;
            };
            for text in cf.constant_pool.texts() {
                if let [b'(', ..] = text {
                    known.seen.insert(known.hasher.hash_one(text));
                }
            }
        }
        known.classes = self.0.loaded.classes.len();
        let found = known.seen.contains(&known.hasher.hash_one(text.as_bytes()));
        self.0.loaded.descriptors = known;
        found
    }
}

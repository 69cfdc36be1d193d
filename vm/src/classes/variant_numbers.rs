//! Numbers the classes of one name when they are defined, and keeps the numbers when they are unloaded.

use super::variants::digest;
use crate::ids::{ClassId, LoaderId};
use crate::vm::Vm;

impl Vm {
    /// Which of the classes of its name a new class is.
    pub(super) fn note_variant(&mut self, id: ClassId) {
        let class = self.class(id);
        let (loader, sym) = (class.loader, class.name_sym);
        let boot = || {
            self.loaded.loaders[LoaderId::BOOT.0 as usize]
                .classes
                .get(&sym)
        };
        let other = match self.loaded.variants.latest.get(&sym) {
            Some(&other) => Some(other),
            None if loader != LoaderId::BOOT => boot().copied(),
            None => None,
        };
        let is_known = self.loaded.variants.seen.contains_key(&sym);
        if other.is_some() || is_known {
            let of = |class: ClassId| self.class(class).cf.as_deref().map_or(0, digest);
            let own = of(id);
            // a digest takes a look at all instructions
            let other = other.filter(|_| !is_known).map(of);
            let seen = self.loaded.variants.seen.entry(sym).or_default();
            seen.extend(other);
            let at = seen.iter().position(|d| *d == own).unwrap_or_else(|| {
                seen.push(own);
                seen.len() - 1
            });
            if at > 0 {
                self.heap.class_mut(id).rare.make().variant = at as u32;
            }
        }
        if loader != LoaderId::BOOT {
            self.loaded.variants.latest.insert(sym, id);
        }
    }

    /// These classes are going to be unloaded; later ones of their names are compared with those that a profile names.
    pub(super) fn forget_variants(&mut self, classes: &[ClassId]) {
        for &c in classes {
            let class = self.class(c);
            let sym = class.name_sym;
            if class.hidden || class.cf.is_none() {
                continue;
            }
            let named = class.methods.iter().any(|&m| self.method(m).in_profile);
            let digest = named.then(|| class.cf.as_deref().map_or(0, digest));
            if self.loaded.variants.latest.get(&sym) == Some(&c) {
                self.loaded.variants.latest.remove(&sym);
            }
            if let Some(digest) = digest {
                self.loaded
                    .variants
                    .seen
                    .entry(sym)
                    .or_insert_with(|| vec![digest]);
            }
        }
    }

    /// Which of the classes of its name a class is, 0 for the first one.
    pub(crate) fn variant(&self, class: ClassId) -> u32 {
        self.class(class).rare.get().map_or(0, |rare| rare.variant)
    }
}

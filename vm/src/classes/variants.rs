//! Classes of one name that are not the same, from several loaders. A class is its loader and its name (JVMS 5.3), but a
//! loader has no name that is the same in each run. So profiles number classes of one name by what is in their files, in
//! the order in which they were first defined. Those whose files say the same are one.

use crate::classes::bodies::of_class;
use crate::ids::{ClassId, LoaderId, Sym};
use crate::vm::Vm;
use rjvm_classfile::ClassFile;
use rjvm_profiler::origin::Digest;
use std::collections::{BTreeMap, HashMap};

/// What is known of the classes of a name.
#[derive(Default)]
pub(crate) struct Variants {
    /// The class that was defined last, by another loader than the boot loader.
    latest: HashMap<Sym, ClassId>,
    /// Digests in the order of definition, of names with several classes, or with one that is gone.
    seen: BTreeMap<Sym, Vec<u64>>,
}

/// What a class file says, constants in whatever order.
fn digest(cf: &ClassFile) -> u64 {
    let pool = &cf.constant_pool;
    let mut digest = Digest::default();
    digest.number(of_class(cf)[0]);
    let file = cf.attributes.source_file.map(|file| pool.utf8(file));
    digest.add(file.and_then(Result::ok).unwrap_or_default());
    for m in cf.methods.iter() {
        digest.number(m.access_flags.into());
        digest.add(pool.utf8(m.name).unwrap_or_default());
        digest.add(m.attributes.bytecodes());
        let attributes = m.attributes.once();
        for (at, line) in attributes.code.iter().flat_map(|code| &code.line_numbers) {
            digest.number(u64::from(*at) << 16 | u64::from(*line));
        }
    }
    digest.finish()
}

impl Vm {
    /// Which of the classes of its name a new class is.
    pub(super) fn note_variant(&mut self, id: ClassId) {
        let class = self.class(id);
        let (loader, sym) = (class.loader, class.name_sym);
        let boot = || self.loaders[LoaderId::BOOT.0 as usize].classes.get(&sym);
        let other = match self.variants.latest.get(&sym) {
            Some(&other) => Some(other),
            None if loader != LoaderId::BOOT => boot().copied(),
            None => None,
        };
        if other.is_some() || self.variants.seen.contains_key(&sym) {
            let of = |class: ClassId| self.class(class).cf.as_deref().map_or(0, digest);
            let (own, other) = (of(id), other.map(of));
            let seen = self.variants.seen.entry(sym).or_default();
            if seen.is_empty() {
                seen.extend(other);
            }
            let at = seen.iter().position(|d| *d == own).unwrap_or_else(|| {
                seen.push(own);
                seen.len() - 1
            });
            if at > 0 {
                self.heap.class_mut(id).rare.make().variant = at as u32;
            }
        }
        if loader != LoaderId::BOOT {
            self.variants.latest.insert(sym, id);
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
            if self.variants.latest.get(&sym) == Some(&c) {
                self.variants.latest.remove(&sym);
            }
            if let Some(digest) = digest {
                self.variants
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

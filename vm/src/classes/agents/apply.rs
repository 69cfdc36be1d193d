//! A class gets a new class file: its methods, and whatever remembers something of them.

use super::same::Pair;
use crate::classes::acc;
use crate::ids::{ClassId, MethodId};
use crate::jdk;
use crate::throw::{R, Throw};
use crate::vm::Vm;
use rjvm_classfile::ClassFile;
use std::sync::Arc;

impl Vm {
    /// Gives a class a class file whose methods and fields are those of the old one, in its order; new methods follow.
    /// Methods whose code is the same keep theirs.
    pub(super) fn give_file(&mut self, class: ClassId, file: Arc<ClassFile>) -> R<()> {
        let changed = self.changed_methods(class, &file);
        if changed.iter().any(|c| !self.has_body_left(c.0)) {
            return Err(Throw::bare("java/lang/InternalError"));
        }
        let decls = self.make_decls(&file)?;
        self.account_metadata(class, true);
        let pool = self.heap.class_mut(class).replace_file(file.clone());
        self.account_metadata(class, false);
        let Some(pool) = pool else {
            return Err(Throw::bare("java/lang/InternalError"));
        };
        self.replace_bodies(&changed, (&file, pool));
        let own = self.class(class).methods.len();
        self.make_methods(class, &file, &decls, &[]);
        let added = self.class(class).methods[own..].to_vec();
        self.instrument_methods(&added);
        self.drop_unused_pools(class);
        self.count_redefinition(class);
        Ok(())
    }
    /// The methods whose code has changed, with the flags that they get.
    fn changed_methods(&self, class: ClassId, file: &Arc<ClassFile>) -> Vec<(MethodId, u16)> {
        let mut changed = Vec::new();
        for (&m, new) in self.class(class).methods.iter().zip(&file.methods) {
            let method = self.method(m);
            let same = match (method.code(), new.attributes.has_code()) {
                (Some(code), true) => {
                    let old = code.cf.methods[code.index].attributes.once();
                    let new = new.attributes.once();
                    let pair = Pair {
                        old: code.cf,
                        new: file,
                    };
                    let both = old.code.as_deref().zip(new.code.as_deref());
                    both.is_some_and(|(old, new)| pair.code(old, new))
                }
                (None, false) => true,
                _ => false,
            };
            if !same {
                let native = new.access_flags & acc::NATIVE;
                changed.push((m, method.access & !acc::NATIVE | native));
            }
        }
        changed
    }
    /// Forgets pools that neither methods nor frames use any more.
    pub(crate) fn drop_unused_pools(&mut self, class: ClassId) {
        let own = self.class(class).methods.iter().copied();
        let all: Vec<MethodId> = own.chain(self.obsolete_with_code(class)).collect();
        let used: Vec<u16> = all.iter().map(|&m| self.method(m).pool).collect();
        let k = self.heap.class_mut(class);
        k.drop_pools(|n| used.contains(&n));
        if let Some(rare) = k.rare.get_mut() {
            let current = rare.current_pool();
            let is_used = |pool: u32| pool == u32::from(current) || used.contains(&(pool as u16));
            rare.call_sites.retain(|&(slot, _), _| is_used(slot >> 16));
        }
    }
    /// Makes reflection look up its cached data of the class again.
    fn count_redefinition(&mut self, class: ClassId) {
        let mirror = self.mirror(class);
        let n = self.get(mirror, jdk::class::REDEFINED);
        self.set(mirror, jdk::class::REDEFINED, n.wrapping_add(1));
    }
}

//! Unloading: what a full collection found that nothing knows any more is forgotten everywhere.
//!
//! Which units these are is the collector's business (`heap/units`). Their numbers (classes, methods,
//! loaders, modules) are used again, so every table that has them is gone through here.

use crate::classes::Class;
use crate::classes::methods::Retired;
use crate::events::{Event, EventSet};
use crate::heap::units::{Unit, UnitId};
use crate::ids::{ClassId, LoaderId, MethodId};
use crate::interp::CallCache;
use crate::vm::{Loader, ProfileMode, Vm};

impl Vm {
    /// Whether a class is being unloaded.
    pub(crate) fn is_dead(&self, c: ClassId) -> bool {
        self.heap.unit_of(c) == UnitId::DEAD
    }
    /// Forgets the classes of these units. Called in the middle of a full collection, when nothing that
    /// is live refers to them.
    pub(crate) fn unload(&mut self, dead: Vec<Unit>) {
        for unit in &dead {
            if self.wants(EventSet::UNLOADING) {
                for &c in &unit.classes {
                    self.emit(Event::ClassUnloaded(c));
                }
            }
            for &c in &unit.classes {
                // SAFETY: a hot block of a class that is still there.
                unsafe { (*self.heap.hot(c)).unit = UnitId::DEAD }
            }
        }
        for unit in &dead {
            self.keep_origins(&unit.classes);
            self.forget_variants(&unit.classes);
        }
        // they have methods by address
        self.forget_sampled_methods();
        self.purge_tables();
        let loaders = dead.iter().filter(|u| !u.hidden).map(|u| u.loader);
        self.forget_loaders(&loaders.collect::<Vec<_>>());
        for unit in &dead {
            self.leave_superclasses(unit);
        }
        for unit in &dead {
            for &c in &unit.classes {
                self.drop_class(c);
            }
        }
        self.forget_origins();
        let heap = &self.heap;
        let lives = |c: ClassId| heap.unit_of(c) != UnitId::DEAD;
        self.loaded.linker.cold.retain(|k| lives(k.id()));
        self.loaded.methods.sort_free();
        // everything is in the old space when the collection has ended
        self.heap.forget_young_cells();
        for unit in dead {
            self.free_blocks(unit);
        }
    }
    /// Entries by class, method or loader, wherever they are.
    fn purge_tables(&mut self) {
        let heap = &self.heap;
        let lives = |c: ClassId| heap.unit_of(c) != UnitId::DEAD;
        self.loaded.descriptors.forget(&self.loaded.classes, lives);
        self.loaded.classes.retain(|&c| lives(c));
        for l in &mut self.loaded.loaders {
            l.classes.retain(|_, c| lives(*c));
        }
        self.loaded.linker.constraints.forget(lives);
        self.loaded.linker.domains.forget(lives);
        self.loaded.linker.unverified.retain(|u| lives(u.0));
        let mut caches = std::mem::take(&mut self.code.call_caches);
        caches.retain(|site| self.keeps_cached(site));
        self.code.call_caches = caches;
        let heap = &self.heap;
        let lives = |c: ClassId| heap.unit_of(c) != UnitId::DEAD;
        super::verification::forget(&mut self.ext, lives);
    }
    fn keeps_cached(&mut self, site: &CallCache) -> bool {
        let caller = self.method(site.method);
        if self.is_dead(caller.class) {
            return false;
        }
        if site.class(caller).is_some_and(|c| !self.is_dead(c)) {
            return true;
        }
        site.clear(self.method_mut(site.method));
        false
    }
    fn forget_loaders(&mut self, dead: &[LoaderId]) {
        if dead.is_empty() {
            return;
        }
        self.modules.forget(|l| dead.contains(&l));
        self.loaded.linker.constraints.forget_loaders(dead);
        self.loaded.linker.domains.forget_loaders(dead);
        self.loaded
            .method_types
            .retain(|k, _| k.0.is_none_or(|l| !dead.contains(&l)));
        for l in dead {
            self.loaded.loaders[l.0 as usize] = Loader::default();
            self.loaded.linker.free_loaders.push(l.0);
        }
        self.loaded
            .linker
            .free_loaders
            .sort_unstable_by(|a, b| b.cmp(a));
    }
    /// The superclasses that stay have some subclasses fewer.
    fn leave_superclasses(&mut self, unit: &Unit) {
        let mut supers: Vec<ClassId> = Vec::new();
        for &c in &unit.classes {
            if let Some(s) = self.class(c).super_class
                && !self.is_dead(s)
                && !supers.contains(&s)
            {
                supers.push(s);
            }
        }
        for s in supers {
            let mut subclasses = std::mem::take(&mut self.heap.class_mut(s).subclasses);
            if let Some(list) = subclasses.get_mut() {
                list.retain(|&c| !self.is_dead(c));
            }
            self.heap.class_mut(s).subclasses = subclasses;
        }
    }
    fn drop_class(&mut self, c: ClassId) {
        self.account_metadata(c, true);
        self.loaded.unloaded += u64::from(self.class(c).cf.is_some());
        let obsolete = self.take_obsolete(c);
        self.instruments.forget_class(c);
        let k = self.class(c);
        let linkers = k.rare.get().into_iter().flat_map(|r| r.linkers.values());
        let own = k.methods.iter().chain(linkers).copied();
        let methods: Vec<MethodId> = own.chain(obsolete).collect();
        let mut file = k.cf.as_ref().map_or(0, |cf| cf.memory());
        for m in methods {
            self.drop_method(c, m, &mut file);
        }
    }
    /// Drops a method of a class whose file takes so many bytes, unless one has been kept that keeps it.
    fn drop_method(&mut self, c: ClassId, m: MethodId, file: &mut usize) {
        let Some(method) = self.loaded.methods.take(m) else {
            return;
        };
        self.instruments.forget_method(m);
        if let Some(at) = &self.code.breakpoint
            && method.translated().is_some_and(|x| at.is_in(x))
        {
            self.code.breakpoint = None;
        }
        if !method.in_profile {
            self.loaded.methods.free(m);
            return;
        }
        let origin = self.kept_origin(m);
        let k: &Class = self.heap.class(c);
        let keeps_code = matches!(
            self.options.profile,
            ProfileMode::CallSites | ProfileMode::Blocks
        );
        let mut retired = Retired {
            class: k.name.clone(),
            variant: k.rare.get().map_or(0, |rare| rare.variant),
            hidden: k.hidden,
            name: self.syms.str(method.name).clone(),
            desc: self.syms.str(method.desc).clone(),
            native: method.is_native(),
            source: k.source_of(&method),
            origin,
            method: keeps_code.then_some(method),
            weight: None,
        };
        let mut bytes = retired.bytes();
        if retired.method.is_some() {
            bytes += std::mem::take(file);
        }
        retired.weight = self.weigh_rest(bytes);
        self.loaded.methods.retire(m, retired);
    }
    fn free_blocks(&mut self, unit: Unit) {
        for (off, bytes) in unit.blocks {
            if self.options.gc_stress {
                self.heap.poison_meta(off as usize, bytes as usize);
            }
            self.heap.meta_give_back(off as usize, bytes as usize);
        }
    }
}

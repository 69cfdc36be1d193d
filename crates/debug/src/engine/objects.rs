//! Objects by number. A number keeps no object, unless the front end says so.

use hashbrown::HashMap;
use rjvm_vm::{Ref, Vm};

/// By which a front end knows an object.
pub type ObjectId = u64;

/// The number of null.
pub const NULL: ObjectId = 0;

/// See the module.
#[derive(Default)]
pub struct Objects {
    /// The VM's number of each object, and how often it is kept, with its root cell.
    by_id: HashMap<ObjectId, Known>,
    by_ref: HashMap<Ref, ObjectId>,
    /// Collections that there had been when `by_ref` was right.
    collections: u64,
    last: ObjectId,
}

struct Known {
    watched: u32,
    kept: Option<u32>,
}

impl Objects {
    /// References have changed when there has been a collection. Numbers of objects that are gone are forgotten, except that they
    /// are not given out again.
    fn settle(&mut self, vm: &mut Vm) {
        let now = vm.collections_so_far();
        if self.collections == now {
            return;
        }
        self.collections = now;
        self.by_ref.clear();
        let mut gone = Vec::new();
        for (&id, known) in &self.by_id {
            match vm.watched_object(known.watched).non_null() {
                Some(r) => _ = self.by_ref.insert(r, id),
                None => gone.push(id),
            }
        }
        for id in gone {
            self.forget(vm, id);
        }
    }
    fn forget(&mut self, vm: &mut Vm, id: ObjectId) {
        if let Some(known) = self.by_id.remove(&id) {
            let r = vm.watched_object(known.watched);
            if self.by_ref.get(&r) == Some(&id) {
                self.by_ref.remove(&r);
            }
            vm.forget_object(known.watched);
            if let Some(cell) = known.kept {
                vm.heap_mut().free_cell(cell);
            }
        }
    }
    /// The number of an object.
    pub fn id(&mut self, vm: &mut Vm, r: Ref) -> ObjectId {
        if r.is_null() {
            return NULL;
        }
        self.settle(vm);
        if let Some(&id) = self.by_ref.get(&r) {
            return id;
        }
        let watched = vm.watch_object(r);
        self.add(watched, r)
    }
    fn add(&mut self, watched: u32, r: Ref) -> ObjectId {
        self.last += 1;
        let known = Known {
            watched,
            kept: None,
        };
        self.by_id.insert(self.last, known);
        self.by_ref.insert(r, self.last);
        self.last
    }
    /// The number of an object that the VM knows by a different number, which is given back.
    pub(super) fn adopt(&mut self, vm: &mut Vm, watched: u32) -> ObjectId {
        let r = vm.watched_object(watched);
        self.settle(vm);
        match self.by_ref.get(&r) {
            _ if r.is_null() => {
                vm.forget_object(watched);
                NULL
            }
            Some(&id) => {
                vm.forget_object(watched);
                id
            }
            None => self.add(watched, r),
        }
    }
    /// The object of a number. `None`: there is none, or it is gone.
    pub fn get(&self, vm: &Vm, id: ObjectId) -> Option<Ref> {
        vm.watched_object(self.by_id.get(&id)?.watched).non_null()
    }
    /// Whether a number has been given out.
    pub fn was_given(&self, id: ObjectId) -> bool {
        id != NULL && id <= self.last
    }
    /// The object is kept from now on, or no longer. False: it is gone.
    pub fn keep(&mut self, vm: &mut Vm, id: ObjectId, on: bool) -> bool {
        let Some(r) = self.get(vm, id) else {
            return false;
        };
        if let Some(known) = self.by_id.get_mut(&id) {
            match (known.kept, on) {
                (None, true) => known.kept = Some(vm.heap_mut().new_cell(r)),
                (Some(cell), false) => {
                    vm.heap_mut().free_cell(cell);
                    known.kept = None;
                }
                _ => {}
            }
        }
        true
    }
    /// The front end does not use a number any more.
    pub fn dispose(&mut self, vm: &mut Vm, id: ObjectId) {
        self.forget(vm, id);
    }
    /// A class is unloaded, whose mirror had this reference.
    pub(super) fn unloaded(&mut self, mirror: Ref) -> Option<u32> {
        let id = self.by_ref.remove(&mirror)?;
        Some(self.by_id.remove(&id)?.watched)
    }
    /// Forgets all.
    pub(super) fn clear(&mut self, vm: &mut Vm) {
        let all: Vec<ObjectId> = self.by_id.keys().copied().collect();
        for id in all {
            self.forget(vm, id);
        }
    }
}

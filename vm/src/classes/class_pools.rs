//! What the entries of a class's pools are, and have been resolved to.

use super::pools::{OldPool, PoolEntry};
use super::{Class, Resolved};
use crate::classes::resolutions::Resolutions;
use rjvm_classfile::ClassFile;
use std::sync::Arc;

impl Class {
    /// The number of the pool of its class file.
    pub(crate) fn current_pool(&self) -> u16 {
        self.rare.get().map_or(0, |r| r.current_pool())
    }
    /// An entry of the pool of its class file.
    pub(crate) fn entry(&self, index: u16) -> PoolEntry {
        PoolEntry {
            pool: self.current_pool(),
            index,
        }
    }
    fn older(&self, pool: u16) -> Option<&OldPool> {
        let older = &self.rare.get()?.changed.get()?.pools.older;
        older.iter().find(|o| o.number == pool)
    }
    /// The class file with a pool, unless no code is left that uses it.
    pub(crate) fn file_of(&self, pool: u16) -> Option<&Arc<ClassFile>> {
        match pool == self.current_pool() {
            true => self.cf.as_ref(),
            false => self.older(pool).map(|o| &o.file),
        }
    }
    /// What an entry has been resolved to; `None` if there is no such entry.
    pub(crate) fn state(&self, at: PoolEntry) -> Option<Resolved> {
        match at.pool == self.current_pool() {
            true => self.resolved.get(at.index),
            false => self.older(at.pool)?.resolved.get(at.index),
        }
    }
    /// Whether an entry, which there is, has no state yet.
    pub(crate) fn is_open(&self, at: PoolEntry) -> bool {
        matches!(self.state(at), Some(Resolved::None))
    }
    /// Sets the state of an entry, which there is.
    pub(crate) fn set_state(&mut self, at: PoolEntry, state: Resolved) {
        if at.pool == self.current_pool() {
            self.resolved.set(at.index, state);
            return;
        }
        let changed = self.rare.get_mut().and_then(|r| r.changed.get_mut());
        let older = changed.map(|c| &mut c.pools.older);
        let found = older.and_then(|all| all.iter_mut().find(|o| o.number == at.pool));
        if let Some(older) = found {
            older.resolved.set(at.index, state);
        }
    }
    /// What all entries of all pools have been resolved to.
    pub(super) fn all_states(&self) -> impl Iterator<Item = Resolved> {
        let changed = self.rare.get().and_then(|r| r.changed.get());
        let older = changed.into_iter().flat_map(|c| &c.pools.older);
        let older = older.flat_map(|o| o.resolved.iter());
        self.resolved.iter().chain(older)
    }
    /// Gives the class another class file; the number of its pool. `None`: all numbers are in use.
    pub(crate) fn replace_file(&mut self, file: Arc<ClassFile>) -> Option<u16> {
        let (id, own) = (self.id, file.this_class);
        let old = self.cf.take()?;
        let pools = &mut self.rare.make().changed.make().pools;
        let used = |n: u16| n == pools.current || pools.older.iter().any(|o| o.number == n);
        let next = pools.current.wrapping_add(1);
        let Some(new) = (0..=u16::MAX)
            .map(|i| next.wrapping_add(i))
            .find(|&n| !used(n))
        else {
            self.cf = Some(old);
            return None;
        };
        let mut resolved = Resolutions::new(file.constant_pool.len(), own);
        resolved.set(own, Resolved::Class(id));
        let resolved = std::mem::replace(&mut self.resolved, resolved);
        pools.older.push(OldPool {
            number: pools.current,
            file: old,
            resolved,
        });
        pools.current = new;
        self.cf = Some(file);
        Some(new)
    }
    /// The class file that is transformed again, where that is not its own.
    pub(super) fn initial_file(&self) -> Option<Arc<[u8]>> {
        self.rare.get()?.changed.get()?.initial.clone()
    }
    /// Sets it.
    pub(super) fn set_initial_file(&mut self, initial: Option<Arc<[u8]>>) {
        if initial.is_some() || self.initial_file().is_some() {
            self.rare.make().changed.make().initial = initial;
        }
    }
    /// Drops the pools that no code uses any more.
    pub(crate) fn drop_pools(&mut self, used: impl Fn(u16) -> bool) {
        if let Some(changed) = self.rare.get_mut().and_then(|r| r.changed.get_mut()) {
            changed.pools.older.retain(|o| used(o.number));
        }
    }
}

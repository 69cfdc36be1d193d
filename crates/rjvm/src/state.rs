//! What the embedding keeps in a VM: handles, and the steps of calls that are under way.

use super::error::Error;
use super::handle::Dropped;
use super::job::Job;
use super::value::Value;
use rjvm_vm::{LoaderId, Vm as Core};
use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

/// Reports VMs of this process apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct VmId(pub(super) u64);

/// A number that nothing else of the embedding has in this process; no program sees it.
pub(super) fn unique() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// The embedding's part of a VM's state.
pub(super) struct State {
    /// The VM.
    pub(super) id: VmId,
    /// The application's class loader.
    pub(super) loader: LoaderId,
    /// Cells of handles that are gone.
    pub(super) dropped: Dropped,
    free: Vec<u32>,
    jobs: BTreeMap<u64, Box<dyn Job>>,
    results: BTreeMap<u64, Result<Value, Error>>,
    last_job: u64,
}

const KEY: &str = "rjvm.embed";

impl State {
    /// Makes the state of a VM.
    pub(super) fn install(core: &mut Core) -> VmId {
        let state = State {
            id: VmId(unique()),
            loader: LoaderId::BOOT,
            dropped: Dropped::default(),
            free: Vec::new(),
            jobs: BTreeMap::new(),
            results: BTreeMap::new(),
            last_job: 0,
        };
        let id = state.id;
        core.extensions().insert(KEY, Box::new(state));
        id
    }
    /// The state of a VM that has one.
    pub(super) fn of(core: &mut Core) -> &mut State {
        let state = core.extensions().get_mut(KEY);
        let state = state.expect("a VM of the embedding has its state");
        state.downcast_mut().expect("the key is this file's")
    }
    /// A root cell that no handle has any more.
    pub(super) fn free_cell(&mut self) -> Option<u32> {
        if self.free.is_empty() {
            let mut dropped = self.dropped.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::swap(&mut *dropped, &mut self.free);
        }
        self.free.pop()
    }
    /// Lets the objects of handles that are gone be collected.
    pub(super) fn forget_dropped(core: &mut Core) {
        let state = State::of(core);
        let dropped = {
            let mut dropped = state.dropped.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *dropped)
        };
        state.free.extend(&dropped);
        for cell in dropped {
            core.heap_mut().set_cell(cell, rjvm_vm::Ref::NULL);
        }
    }
    /// Keeps a job; its number.
    pub(super) fn add_job(&mut self, job: Box<dyn Job>) -> u64 {
        self.last_job += 1;
        self.jobs.insert(self.last_job, job);
        self.last_job
    }
    pub(super) fn take_job(&mut self, id: u64) -> Option<Box<dyn Job>> {
        self.jobs.remove(&id)
    }
    pub(super) fn put_job(&mut self, id: u64, job: Box<dyn Job>) {
        self.jobs.insert(id, job);
    }
    pub(super) fn set_result(&mut self, id: u64, result: Result<Value, Error>) {
        self.results.insert(id, result);
    }
    pub(super) fn take_result(&mut self, id: u64) -> Option<Result<Value, Error>> {
        self.results.remove(&id)
    }
}

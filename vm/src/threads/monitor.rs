//! Monitors: thin locks in the mark word, inflated on contention, wait or hash.

use crate::ids::Ref;
use crate::throw::R;
use crate::vm::Vm;

/// All inflated monitors.
#[derive(Default)]
pub struct Monitors {}

/// Identity hash of a locked object.
pub fn monitor_hash(_vm: &mut Vm, _r: Ref) -> i32 {
    unimplemented!("monitor_hash")
}

impl Vm {
    /// `monitorenter` for the current thread; `Throw::Block` when another thread holds it.
    pub fn monitor_enter(&mut self, _r: Ref) -> R<()> {
        unimplemented!("monitor_enter")
    }
    /// `monitorexit`; IllegalMonitorStateException when not the owner.
    pub fn monitor_exit(&mut self, _r: Ref) -> R<()> {
        unimplemented!("monitor_exit")
    }
    /// `Thread.holdsLock`.
    pub fn holds_lock(&self, _r: Ref) -> bool {
        unimplemented!("holds_lock")
    }
}

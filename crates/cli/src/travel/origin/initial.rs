//! A `putstatic` that first has to initialize the class: it writes after all that the initializer writes, although it began before.

use super::data::{How, Trail, WriteHit};
use rjvm_vm::instruments::{ClassView, Hit};
use rjvm_vm::{ClassId, ThreadId, Vm};

/// The writes of a static field that wait for the initializer of its class.
pub(super) struct InitialWrites {
    class: String,
    id: Option<ClassId>,
    /// The initializer ran when the search began.
    began_before: bool,
    waiting: Vec<WaitingWrite>,
    /// The last write that is known was made while the class was not initialized.
    within: bool,
}

struct WaitingWrite {
    thread: ThreadId,
    /// Bytecodes that the thread had executed.
    executed: i64,
    position: i64,
}

impl InitialWrites {
    /// Of a field that this class declares.
    pub(super) fn new(vm: &Vm, class: &str) -> InitialWrites {
        let mut writes = InitialWrites {
            class: class.into(),
            id: None,
            began_before: false,
            waiting: Vec::new(),
            within: false,
        };
        let view = writes.view(vm);
        writes.began_before = view.is_some_and(|c| c.initializer().is_some());
        writes
    }
    /// The class, once it is loaded.
    fn view<'a>(&mut self, vm: &'a Vm) -> Option<ClassView<'a>> {
        if self.id.is_none() {
            let mut all = vm.debug_classes().into_iter();
            self.id = all.find(|&c| ClassView::new(vm, c).name() == self.class);
        }
        self.id.map(|c| ClassView::new(vm, c))
    }
    fn is_initialized(&mut self, vm: &Vm) -> bool {
        self.view(vm).is_some_and(|c| c.is_initialized())
    }
    /// A thread is about to write: whether it has to wait, since the class is not initialized.
    pub(super) fn waits(&mut self, hit: &mut Hit<'_>, position: i64) -> bool {
        let (thread, executed) = (hit.thread(), hit.executed());
        let view = self.view(hit.vm());
        if view.is_some_and(|c| c.is_initialized() || c.initializer() == Some(thread)) {
            return false;
        }
        self.waiting.push(WaitingWrite {
            thread,
            executed,
            position,
        });
        true
    }
    /// A write is known.
    pub(super) fn noted(&mut self, vm: &Vm) {
        self.within = !self.is_initialized(vm);
    }
    /// The search has ended, and found this without the writes that wait.
    pub(super) fn found(&mut self, vm: &mut Vm, trail: &mut Trail) {
        trail.under_way = self.began_before;
        if !self.is_initialized(vm) {
            let by = self.view(vm).and_then(|c| c.initializer());
            let mut waiting = self.waiting.iter().rev();
            let own = waiting.find(|w| Some(w.thread) == by);
            trail.open = own.map(WaitingWrite::hit);
            return;
        }
        let live: Vec<ThreadId> = vm.live_threads().collect();
        // a schedule may have let another thread go on first
        let mut made =
            |w: &&WaitingWrite| !live.contains(&w.thread) || vm.executed_by(w.thread) > w.executed;
        let last = self.waiting.iter().rev().find(&mut made);
        let within = trail.last.is_none() || self.within;
        match last.map(WaitingWrite::hit) {
            Some(hit) => {
                let before = |l: &WriteHit| l.position < hit.position;
                if within || trail.last.as_ref().is_some_and(before) {
                    trail.last = Some(hit);
                }
            }
            None => trail.awaits = self.began_before && within,
        }
    }
}

impl WaitingWrite {
    fn hit(&self) -> WriteHit {
        WriteHit {
            position: self.position,
            how: How::Bytecode,
        }
    }
}

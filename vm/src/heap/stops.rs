//! Stops a collection half-way at a request from outside, and continues it later: see `pause`.

use super::pause::{
    AfterCollection, PauseCheck, PauseMode, PausedCollection, ResumeAction, SpaceOutcome,
};
use crate::vm::Vm;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult};
use std::mem::ManuallyDrop;

impl super::Heap {
    /// Whether a collection was stopped half-way.
    pub(crate) fn is_paused(&self) -> bool {
        self.paused.is_some()
    }
}

impl Vm {
    /// As [`Vm::collect`], where the interpreter can be left, and the interrupted work runs again: stops when asked.
    pub(crate) fn collect_or_stop(
        &mut self,
        bytes: usize,
        full: bool,
        then: AfterCollection,
    ) -> SpaceOutcome {
        let stack = match self.limits.canceller.is_shared() && self.in_interpreter {
            true => self.heap.spare_stack.take(),
            false => return SpaceOutcome::of(self.collect(bytes, full)),
        };
        let Some(stack) = stack.or_else(|| DefaultStack::new(STACK).ok()) else {
            return SpaceOutcome::of(self.collect(bytes, full));
        };
        let vm: *mut Vm = self;
        let fiber = Coroutine::with_stack(stack, move |yielder, _| {
            // SAFETY: whoever resumes the coroutine has the VM for itself and does nothing with it meanwhile, and
            // a VM does not move while it runs or has been stopped. While the coroutine is suspended, nobody
            // touches what the collector works on (roots, heap, state of the collector; see `settle_heap`), and what
            // else it reads (running thread, registers) is the same again when it goes on. So no place is reached
            // both by the references in its frames and, changed meanwhile, by those of others.
            let vm = unsafe { &mut *vm };
            vm.heap.gc.breath.request = Some((vm.limits.canceller.clone(), yielder));
            let made = vm.collect(bytes, full);
            vm.heap.gc.breath = PauseCheck::default();
            made
        });
        let (thread, regs) = (self.cur, *self.regs());
        let fiber = ManuallyDrop::new(fiber);
        let paused = PausedCollection {
            fiber,
            thread,
            regs,
            then,
        };
        self.run_collector(Box::new(paused), PauseMode::Attentive)
    }
    fn run_collector(
        &mut self,
        mut paused: Box<PausedCollection>,
        pace: PauseMode,
    ) -> SpaceOutcome {
        loop {
            match paused.fiber.resume(pace) {
                CoroutineResult::Return(made) => {
                    let mut paused = ManuallyDrop::new(*paused);
                    // SAFETY: taken once, from what is not dropped.
                    let fiber = unsafe { ManuallyDrop::take(&mut paused.fiber) };
                    self.heap.spare_stack = Some(fiber.into_stack());
                    return SpaceOutcome::of(made);
                }
                CoroutineResult::Yield(()) => {
                    self.limits.halted = self.limits.canceller.take();
                    // a request may have been taken back
                    if self.limits.halted.is_some() {
                        self.heap.paused = Some(paused);
                        return SpaceOutcome::Stopped;
                    }
                }
            }
        }
    }
    /// Continues a collection that was stopped half-way, if there is one. `false`: it has been stopped again.
    pub(crate) fn go_on_collecting(&mut self) -> bool {
        self.finish_collection(PauseMode::Attentive)
    }
    /// Finishes a collection that was stopped half-way, if there is one: to be called by all that looks at objects,
    /// or at what refers to them, between two runs.
    #[inline]
    pub(crate) fn settle_heap(&mut self) {
        if self.heap.paused.is_some() && self.fault.is_none() {
            self.finish_collection(PauseMode::Hurried);
        }
    }
    fn finish_collection(&mut self, pace: PauseMode) -> bool {
        let Some(paused) = self.heap.paused.take() else {
            return true;
        };
        let (thread, then) = (paused.thread, paused.then);
        let cur = std::mem::replace(&mut self.cur, thread);
        *self.regs() = paused.regs;
        (self.in_interpreter, self.heap.inside) = (true, true);
        let room = self.run_collector(paused, pace);
        (self.in_interpreter, self.heap.inside) = (false, false);
        self.cur = cur;
        self.threads[thread.0 as usize].owed = match (room, then) {
            (SpaceOutcome::Stopped, _) => return false,
            (SpaceOutcome::None, AfterCollection::Retry) => Some(ResumeAction::OutOfMemory),
            (SpaceOutcome::Made, AfterCollection::Retry) | (_, AfterCollection::Again) => None,
            (_, AfterCollection::Look) => Some(ResumeAction::Look),
        };
        true
    }
}

/// Bytes of the collector's stack. It does not recurse; observers of a collection run there, too.
pub(super) const STACK: usize = 4 << 20;

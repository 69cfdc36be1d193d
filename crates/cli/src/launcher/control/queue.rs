//! Requests of other threads of the operating system, until the VM sees to them.

use super::known::CommandContext;
use rjvm_vm::Vm;
use rjvm_vm::host::Waker;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A task to do with the VM.
pub type VmTask = Box<dyn FnOnce(&mut Vm, &mut CommandContext) + Send>;

/// Errands in the order in which they came. Clones are the same queue.
#[derive(Clone, Default)]
pub struct Queue(Arc<SharedQueue>);

#[derive(Default)]
struct SharedQueue {
    /// There are errands.
    wanted: AtomicBool,
    state: Mutex<QueueState>,
    /// Ends the VM's sleep. It takes a descriptor, so there is none before requests are possible.
    waker: OnceLock<Waker>,
}

#[derive(Default)]
struct QueueState {
    pending_calls: VecDeque<VmTask>,
    closed: bool,
    /// Run when the queue is closed: they end what waits elsewhere.
    at_end: Vec<Box<dyn FnOnce() + Send>>,
}

impl Queue {
    /// From now on this VM accepts requests.
    pub fn open(&self, vm: &mut Vm) {
        if let Some(waker) = vm.rooms().host.waker() {
            self.0.waker.get_or_init(|| waker);
        }
    }
    fn state(&self) -> MutexGuard<'_, QueueState> {
        // what it protects is whole at any time
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Has the VM do something and waits for the result. `None`: there is no VM any more.
    pub fn ask<T: Send + 'static>(
        &self,
        f: impl FnOnce(&mut Vm, &mut CommandContext) -> T + Send + 'static,
    ) -> Option<T> {
        self.ask_later(|vm, known, send| {
            // who has gone away does not wait
            let _ = send.send(f(vm, known));
        })
    }
    /// Has the VM begin something and waits until the result is sent. `None`: there is no VM any more.
    pub fn ask_later<T: Send + 'static>(
        &self,
        f: impl FnOnce(&mut Vm, &mut CommandContext, Sender<T>) + Send + 'static,
    ) -> Option<T> {
        let (send, receive) = mpsc::channel();
        {
            let mut state = self.state();
            if state.closed {
                return None;
            }
            let vm_task: VmTask = Box::new(move |vm, known| f(vm, known, send));
            state.pending_calls.push_back(vm_task);
            self.0.wanted.store(true, SeqCst);
        }
        if let Some(wake) = self.0.waker.get() {
            wake();
        }
        // an errand that is dropped takes its sender with it
        receive.recv().ok()
    }
    /// Whether there are errands.
    pub fn is_wanted(&self) -> bool {
        self.0.wanted.load(SeqCst)
    }
    /// The next errand.
    pub fn take(&self) -> Option<VmTask> {
        let mut state = self.state();
        let next = state.pending_calls.pop_front();
        if next.is_none() {
            self.0.wanted.store(false, SeqCst);
        }
        next
    }
    /// Whether no errands are taken any more.
    pub fn is_closed(&self) -> bool {
        self.state().closed
    }
    /// Runs `f` when the queue is closed.
    pub fn at_end(&self, f: impl FnOnce() + Send + 'static) {
        self.state().at_end.push(Box::new(f));
    }
    /// Takes no more errands, and drops those that are left.
    pub fn close(&self) {
        let (pending_calls, at_end) = {
            let mut state = self.state();
            state.closed = true;
            (
                std::mem::take(&mut state.pending_calls),
                std::mem::take(&mut state.at_end),
            )
        };
        drop(pending_calls);
        at_end.into_iter().for_each(|f| f());
    }
}

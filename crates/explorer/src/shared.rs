//! A controller that its process looks at when the schedule has ended.

use crate::controller::Explorer;
use crate::shown::name_of;
use rjvm_explore::result::{Outcome, Thread};
use rjvm_explore::schedule::Action;
use rjvm_explore::{Place, ThreadNo};
use rjvm_hosts::deterministic::Deterministic;
use rjvm_run::throwable::describe;
use rjvm_vm::threads::control::{ChoicePoint, Control, Offer, Step};
use rjvm_vm::{Ref, Vm};
use std::sync::{Arc, Mutex, PoisonError};

/// A controller that its process looks at when the schedule has ended.
#[derive(Clone, Default)]
pub struct SharedExplorer(pub Arc<Mutex<Explorer>>);

impl SharedExplorer {
    /// The controller.
    pub fn with<T>(&self, f: impl FnOnce(&mut Explorer) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Control for SharedExplorer {
    fn begins(&mut self, vm: &mut Vm) -> bool {
        // it may put another explorer in the place of this one
        let thread = vm.thread_no(vm.current());
        let (begins, random) = self.with(|e| {
            if let Some(races) = &mut e.races {
                races.alone(thread);
            }
            (e.begins.take(), std::mem::take(&mut e.random))
        });
        new_numbers(vm, random);
        begins.is_none_or(|f| f(vm))
    }
    fn is_point(&mut self, _: &mut Vm, step: &Step, moment: ChoicePoint) -> bool {
        self.with(|e| e.is_point(step, moment))
    }
    fn choose(&mut self, vm: &mut Vm, offer: Offer<'_>) -> usize {
        let (chosen, redundant) = self.with(|e| (e.choose(offer), e.redundant));
        if redundant {
            vm.limit_bytecodes(0);
        }
        chosen
    }
    fn done(&mut self, vm: &mut Vm, step: &Step) {
        self.with(|e| e.done(vm, step));
    }
    fn uncaught(&mut self, vm: &mut Vm, thread: ThreadNo, e: Ref) {
        let found = describe(vm, e, &mut |_, _| ());
        let thrown = Outcome::Exception {
            thread: Thread {
                number: thread.0,
                name: name_of(vm, thread),
            },
            class: found.class,
            message: found.message,
            stack: found.stack.iter().map(ToString::to_string).collect(),
        };
        self.with(|e| {
            e.uncaught.get_or_insert(thrown);
        });
    }
    fn gone(&mut self, objects: &[u32]) {
        let is_gone = |p: Place| objects.binary_search(&((p.0 >> 32) as u32)).is_ok();
        self.with(|e| {
            e.sharing.forget(is_gone);
            if let Some(races) = &mut e.races {
                races.forget(is_gone);
            }
            if let Some(weak) = &mut e.weak {
                weak.forget(is_gone);
            }
        });
    }
    fn memory(&mut self) -> bool {
        self.with(|e| e.weak.is_some())
    }
    fn reads(&mut self, vm: &mut Vm, step: &Step, moment: ChoicePoint) -> Option<u64> {
        self.with(|e| e.reads(vm, step, moment))
    }
    fn writes(&mut self, vm: &mut Vm, step: &Step, moment: Option<ChoicePoint>) -> bool {
        self.with(|e| e.writes(vm, step, moment))
    }
    fn fails(&mut self, _: &mut Vm, step: &Step, moment: ChoicePoint) -> bool {
        self.with(|e| e.fails(step, moment))
    }
    fn may_wake(&mut self, thread: ThreadNo) -> bool {
        self.with(|e| e.may_wake(thread))
    }
    fn notified(&mut self, n: usize, moment: ChoicePoint) -> usize {
        self.with(|e| e.number(n, moment, Action::Notify))
    }
}

/// From here on the program finds other random numbers, made from `random`, and another time, which some are made from; 0: those that it
/// would have found anyway.
pub fn new_numbers(vm: &mut Vm, random: u64) {
    if random == 0 {
        return;
    }
    if let Some(host) = vm.host().as_any().downcast_mut::<Deterministic>() {
        host.reseed(random);
    }
    vm.reseed(random);
    // less than a second, since that is no time for a program
    vm.pass_time((random % 1_000_000_000) as i64);
}

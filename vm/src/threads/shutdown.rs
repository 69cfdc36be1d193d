//! `DestroyJavaVM`, the thread that runs the shutdown hooks. HotSpot makes it when `main` has ended, while others still run: it
//! counts as a live thread then, and waits for them. Where nobody else runs, the host makes it ([`Vm::shutdown_thread`]).

use super::arrived::SystemStep;
use super::phase::Phase;
use super::{ThreadState, Wait};
use crate::ids::ThreadId;
use crate::jdk::{self, calls};
use crate::value::Value;
use crate::vm::Vm;

/// What the thread is called, as in HotSpot.
pub(crate) const NAME: &str = "DestroyJavaVM";
/// Its priority, that of `main`.
pub(crate) const PRIORITY: i32 = 5;
/// What it waits for.
const OTHERS: Wait = Wait::Event("shutdown");

impl Vm {
    /// [`Vm::end_thread`] for the first thread: if others that are no daemons run on when it has ended, `DestroyJavaVM` waits for
    /// them. Explored schedules go without: it would be one thread more to order.
    pub fn end_main_thread(&mut self, result: Result<Value, crate::ids::Ref>) {
        self.sched.shutdown.wanted = !self.is_controlled();
        self.end_thread(result);
    }
    /// Between the turns of two threads: starts the thread when the first one has ended.
    pub(super) fn watch_shutdown(&mut self) {
        if self.sched.shutdown.wanted && self.threads[0].state == ThreadState::Dead {
            self.sched.shutdown.wanted = false;
            if self.sched.users > 0 {
                // without room for it, it is made at the end
                let _ = self.start_shutdown_thread();
            }
        }
    }
    fn start_shutdown_thread(&mut self) -> Option<()> {
        let group = |vm: &mut Vm| vm.heap.cell(vm.main_group);
        let [object, group, name] = self.bare_thread(Some(NAME), group, PRIORITY)?;
        self.set(object, jdk::thread::NAME, name);
        let init = self.jdk_method(self.loaded.known.thread, calls::thread::INIT);
        let args = self.argument_slots(init, &[object, group, name].map(Value::Ref));
        // the main thread's was the last part of the program's own
        let phase = Phase::Shutdown(SystemStep::Constructed);
        let t = self.attach_to_main(object, phase).ok()?;
        // where a holder says so, which the constructor makes, it looks like a daemon until then
        let was_daemon = std::mem::take(&mut self.threads[t.0 as usize].daemon);
        self.sched.users += usize::from(was_daemon);
        crate::interp::start_call(self, t, init, &args);
        self.enqueue_first(t);
        self.sched.shutdown.thread = Some(t);
        Some(())
    }
    /// The thread's bottom method has returned. What it throws is a lack of room: the thread waits all the same.
    pub(super) fn shutdown_step(&mut self, step: SystemStep) {
        let cur = self.cur;
        if step == SystemStep::Constructed {
            let object = self.thread().object;
            // the constructor has reset the fields, or made the place for them
            self.set_thread_daemon(object, false);
            self.set_thread_priority(object, PRIORITY);
            return self.join_group(Phase::Shutdown(SystemStep::Serve));
        }
        self.thread().system = true;
        self.sched.users -= 1;
        self.set_waiting(cur, OTHERS, None);
    }
    /// The thread that waits for the others, if there is one: from now on, the host calls methods on it.
    pub(crate) fn take_shutdown_thread(&mut self) -> Option<ThreadId> {
        let t = self.sched.shutdown.thread.take()?;
        self.cancel_wait(t);
        self.set_state(t, ThreadState::Runnable);
        let thread = &mut self.threads[t.0 as usize];
        (thread.phase, thread.system) = (Phase::Host, false);
        self.sched.users += 1;
        self.cur = t;
        Some(t)
    }
}

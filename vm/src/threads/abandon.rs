//! Giving up a call of the host's in its middle: after its fuel has run out, or in a deadlock.

use super::ThreadState;
use crate::ids::ThreadId;
use crate::vm::Vm;

impl Vm {
    /// Takes the frames of a thread that the host owns off its stack, so that the host can use it for other calls.
    /// No Java code runs: neither handlers nor `finally` blocks. The thread's monitors are released, and classes whose
    /// initialization it has begun are erroneous; its changes stay. The profile has its bytecodes.
    pub fn abandon_call(&mut self, t: ThreadId) {
        assert!(
            !self.in_interpreter,
            "a call is abandoned between bytecodes only"
        );
        self.contained(|vm| vm.take_off(t));
    }
    /// The same for a call that waits for something: a thread that waits has no turn, so the next call takes its place.
    pub(crate) fn abandon_waiting(&mut self, t: ThreadId) {
        if let ThreadState::Waiting { .. } = self.threads[t.0 as usize].state {
            self.take_off(t);
        }
    }
    fn take_off(&mut self, t: ThreadId) {
        // another thread that was stopped in its turn has that before the next call begins
        self.limits.stopped = self.limits.stopped.filter(|&stopped| stopped != t);
        self.cancel_wait(t);
        self.sched.run.retain(|&r| r != t);
        let executed = self.executed(t);
        self.flush_frames_of(t, executed);
        let thread = &mut self.threads[t.0 as usize];
        let bottom = thread.stack_bottom();
        thread.conts.clear();
        thread.end_native();
        thread.locked.clear();
        thread.open.clear();
        thread.ret_slot = None;
        thread.owed = None;
        thread.pending = None;
        (thread.suspended, thread.held, thread.acquiring) = (false, false, false);
        thread.saved_recursions = 0;
        (thread.regs.cs, thread.regs.ip) = (bottom, std::ptr::null());
        (thread.regs.fp, thread.regs.ticks) = (thread.stack.values(), executed);
        self.set_state(t, ThreadState::Runnable);
        self.force_release_monitors(t);
        self.abandon_classes_of(t);
    }
}

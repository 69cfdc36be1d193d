//! Monitors of objects: `monitorenter`, `monitorexit`, `wait`, `notify` for the current thread.

use super::monitor::{Enter, MonitorExit, thin_owner, thin_word, try_enter_thin, try_exit_thin};
use super::mount::UnmountReason;
use super::{Wait, Wake};
use crate::events::{Event, EventSet};
use crate::heap::{MARK, mark};
use crate::ids::{Ref, ThreadId};
use crate::natives::Env;
use crate::throw::{R, Throw};
use crate::vm::Vm;
use rjvm_ops::OpKind;

/// Steps of `Object.wait` in the first scratch word of the native.
mod step {
    /// In the wait set.
    pub const WAITING: u64 = 1;
    /// Notified: enters the monitor again.
    pub const NOTIFIED: u64 = 2;
    /// Deadline passed or interrupted: enters the monitor again.
    pub const LEFT: u64 = 3;
}

/// Identity hash of a locked object.
pub fn monitor_hash(vm: &mut Vm, r: Ref) -> i32 {
    let i = vm.inflate(r);
    if vm.monitors.get(i).hash == 0 {
        let h = vm.next_hash();
        vm.monitors.get_mut(i).hash = h;
    }
    let h = vm.monitors.get(i).hash;
    vm.deflate(i);
    h as i32
}

impl Vm {
    fn mark(&self, r: Ref) -> u32 {
        self.heap.get(r, MARK)
    }
    /// The monitor of an object, inflated if it was not.
    fn inflate(&mut self, r: Ref) -> u32 {
        let m = self.mark(r);
        let i = match mark::state(m) {
            mark::FAT => return m >> 2,
            mark::THIN => {
                let (owner, recursions) = thin_owner(m);
                self.monitors.inflate(r, 0, Some(owner), recursions)
            }
            _ => self.monitors.inflate(r, mark::hash(m), None, 0),
        };
        self.heap.write::<u32>(r, MARK, i << 2 | mark::FAT);
        i
    }
    fn deflate(&mut self, i: u32) {
        if let Some((r, m)) = self.monitors.deflate(i) {
            self.heap.write::<u32>(r, MARK, m);
        }
    }
    /// `monitorenter` for the current thread; [`Throw::Block`] when another thread holds it: the
    /// instruction (or native) then runs again when the thread wakes.
    pub(crate) fn monitor_enter(&mut self, r: Ref) -> R<()> {
        let waited = self.thread().acquiring;
        let entered = self.monitor_take(r);
        match &entered {
            Ok(()) if waited && self.wants(EventSet::MONITOR_CONTENDED_ENTERED) => {
                self.emit(Event::MonitorContendedEntered { object: r });
            }
            // one that was woken and finds it taken again has been notified of
            Err(_) if !waited && self.wants(EventSet::MONITOR_CONTENDED_ENTER) => {
                let owner = self.monitor_owner(r);
                self.emit(Event::MonitorContendedEnter { object: r, owner });
            }
            _ => {}
        }
        entered
    }
    /// The same without reporting of it.
    fn monitor_take(&mut self, r: Ref) -> R<()> {
        self.heap.check(r);
        let cur = self.cur;
        // one that waited for it has been handed it
        let entered =
            self.is_controlled() && (self.monitor_owner(r) != Some(cur) || self.thread().acquiring);
        if let Some(m) = try_enter_thin(self.mark(r), thin_word(cur)) {
            self.heap.write::<u32>(r, MARK, m);
            if entered {
                self.monitor_done(OpKind::Enter, r);
            }
            return Ok(());
        }
        let i = self.inflate(r);
        match self.monitors.enter(i, cur) {
            Enter::Entered => {
                self.thread().acquiring = false;
                if entered {
                    self.monitor_done(OpKind::Enter, r);
                }
                Ok(())
            }
            Enter::Queued => {
                let block = self.block_on(Wait::Monitor(i), None);
                self.thread().acquiring = true;
                self.leave_carrier(UnmountReason::Blocked)?;
                Err(block)
            }
        }
    }
    /// `monitorenter` of an instruction. A thread that was stopped while it waited for the monitor throws
    /// at once, and does not keep it.
    pub(crate) fn enter_monitor(&mut self, r: Ref) -> R<()> {
        let waited = self.thread().acquiring;
        self.before_enter(r)?;
        self.monitor_enter(r)?;
        if waited && let Some(thrown) = self.take_pending() {
            self.monitor_exit(r)?;
            return Err(thrown);
        }
        Ok(())
    }
    /// `monitorexit`; IllegalMonitorStateException when the current thread is not the owner.
    pub(crate) fn monitor_exit(&mut self, r: Ref) -> R<()> {
        self.heap.check(r);
        let cur = self.cur;
        let m = self.mark(r);
        if let Some(m) = try_exit_thin(m, thin_word(cur)) {
            self.heap.write::<u32>(r, MARK, m);
            if mark::state(m) == mark::NEUTRAL {
                self.monitor_done(OpKind::Exit, r);
            }
            return Ok(());
        }
        if mark::state(m) != mark::FAT {
            return Err(Throw::bare("java/lang/IllegalMonitorStateException"));
        }
        let i = m >> 2;
        match self.monitors.exit(i, cur) {
            MonitorExit::NotOwner => Err(Throw::bare("java/lang/IllegalMonitorStateException")),
            MonitorExit::Held => Ok(()),
            MonitorExit::Released(next) => {
                if self.wants(EventSet::MONITOR_CONTENDED_EXIT) && self.monitors.is_awaited(i) {
                    self.emit(Event::MonitorContendedExit { object: r });
                }
                self.after_release(i, next);
                self.monitor_done(OpKind::Exit, r);
                Ok(())
            }
        }
    }
    fn after_release(&mut self, i: u32, next: Option<ThreadId>) {
        match next {
            Some(t) => self.make_runnable(t, None),
            None => self.deflate(i),
        }
    }
    /// A thread that is none of the program's any more abandons all its monitors.
    pub(super) fn force_release_monitors(&mut self, t: ThreadId) {
        let thin = |vm: &Vm, r: Ref| {
            let m = vm.mark(r);
            mark::state(m) == mark::THIN && thin_owner(m).0 == t
        };
        // thin locks are in no list
        let mut locked = Vec::new();
        self.heap.each_object(|r| locked.push(r));
        locked.extend(self.loaded.classes.iter().map(|&c| self.mirror(c)));
        locked.retain(|&r| !r.is_null() && thin(self, r));
        for r in locked {
            self.heap.write::<u32>(r, MARK, mark::NEUTRAL);
        }
        let fat: Vec<u32> = self.monitors.used().collect();
        for i in fat {
            let next = self.monitors.force_release(i, t);
            self.after_release(i, next);
        }
    }
    /// Owner of an object's monitor.
    pub fn monitor_owner(&self, r: Ref) -> Option<ThreadId> {
        let m = self.mark(r);
        match mark::state(m) {
            mark::THIN => Some(thin_owner(m).0),
            mark::FAT => self.monitors.get(m >> 2).owner,
            _ => None,
        }
    }
    /// `Thread.holdsLock` for the current thread.
    pub(crate) fn holds_lock(&self, r: Ref) -> bool {
        self.monitor_owner(r) == Some(self.cur)
    }
    fn check_owner(&self, r: Ref) -> R<()> {
        if self.holds_lock(r) {
            return Ok(());
        }
        Err(Throw::msg(
            "java/lang/IllegalMonitorStateException",
            "current thread is not owner",
        ))
    }
    fn object_wait_again(&mut self, r: Ref) -> R<()> {
        self.thread().wake = None;
        self.monitor_take(r)?;
        let t = self.thread();
        t.acquiring = false;
        let left = std::mem::take(&mut t.native_state[0]) == step::LEFT;
        let recursions = std::mem::take(&mut t.saved_recursions);
        if recursions > 0 {
            let i = self.inflate(r);
            self.monitors.get_mut(i).recursions = recursions;
        }
        // a thread that was notified returns normally even if it has been interrupted since
        let interrupted = left && self.interrupted_in_wait();
        if self.wants(EventSet::MONITOR_WAITED) {
            self.emit(Event::MonitorWaited {
                object: r,
                timed_out: left && !interrupted,
            });
        }
        // one that was stopped throws now that it owns the monitor again
        if let Some(thrown) = self.take_pending() {
            return Err(thrown);
        }
        match interrupted {
            true => Err(Throw::bare("java/lang/InterruptedException")),
            false => Ok(()),
        }
    }
    /// `Object.notifyAll`.
    pub(crate) fn object_notify_all(&mut self, r: Ref) -> R<()> {
        self.check_owner(r)?;
        while self.notify_one(r) {}
        Ok(())
    }
    fn notify_one(&mut self, r: Ref) -> bool {
        let m = self.mark(r);
        if mark::state(m) != mark::FAT {
            return false;
        }
        let i = m >> 2;
        if self.is_controlled() {
            return self.notify_chosen(i);
        }
        let Some(t) = self.monitors.notify(i) else {
            return false;
        };
        // it only changes queues: the monitor is still held by the notifier
        self.cancel_wait(t);
        self.threads[t.0 as usize].native_state[0] = step::NOTIFIED;
        self.set_waiting(t, Wait::Monitor(i), None);
        self.is_notified(t);
        true
    }
    /// The same under control, which chooses who is notified: it can go on when the monitor is free.
    fn notify_chosen(&mut self, i: u32) -> bool {
        let n = self.monitors.get(i).waiters.len();
        if n == 0 {
            return false;
        }
        let chosen = self.choose_notified(n);
        let t = self.monitors.get(i).waiters[chosen];
        self.monitors.leave_waiters(i, t);
        self.threads[t.0 as usize].native_state[0] = step::NOTIFIED;
        self.make_runnable(t, None);
        true
    }
    /// A thread in the wait set of monitor `i` times out or is interrupted.
    pub(super) fn leave_wait_set(&mut self, i: u32, t: ThreadId, wake: Wake) {
        self.monitors.leave_waiters(i, t);
        self.threads[t.0 as usize].native_state[0] = step::LEFT;
        self.make_runnable(t, Some(wake));
    }
}

impl Env {
    /// The native `Object.wait(long)`; blocks and runs again, keeping its step in `native_state`.
    pub fn object_wait(&mut self, r: Ref, millis: i64) -> R<()> {
        if self.0.thread().native_state[0] != 0 {
            return self.0.object_wait_again(r);
        }
        if millis < 0 {
            return Err(Throw::msg(
                "java/lang/IllegalArgumentException",
                "timeout value is negative",
            ));
        }
        self.0.check_owner(r)?;
        if self.0.interrupted_in_wait() {
            return Err(Throw::bare("java/lang/InterruptedException"));
        }
        let i = self.0.inflate(r);
        let cur = self.0.cur;
        let (recursions, next) = self.0.monitors.wait(i, cur);
        let unmounts = self.0.can_unmount();
        // the class library wakes a virtual thread
        let deadline = (millis > 0 && !unmounts)
            .then(|| self.0.deadline_after(millis.saturating_mul(1_000_000)));
        self.0.will_enter(r);
        let t = self.0.thread();
        t.saved_recursions = recursions;
        t.native_state[0] = step::WAITING;
        let block = self.0.block_on(Wait::Notify(i), deadline);
        self.0.thread().acquiring = true;
        if self.0.wants(EventSet::MONITOR_WAIT) {
            let timeout = (millis > 0).then(|| millis.saturating_mul(1_000_000));
            self.0.emit(Event::MonitorWait { object: r, timeout });
        }
        if let Some(next) = next {
            self.0.make_runnable(next, None);
        }
        self.0.leave_carrier(UnmountReason::Waits(millis))?;
        Err(block)
    }
    /// `Object.notify`.
    pub fn object_notify(&mut self, r: Ref) -> R<()> {
        self.0.check_owner(r)?;
        self.0.notify_one(r);
        Ok(())
    }
}

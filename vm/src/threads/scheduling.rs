//! Schedules threads: blocks them, wakes them, and chooses who runs next.

use super::phase::Phase;
use super::sched::{HostAction, POLL_EVERY, PROCESS_POLL};
use super::schedule::{Schedule, Turn};
use super::{ThreadState, Wait, Wake};
use crate::cancel::Halt;
use crate::events::EventSet;
use crate::ids::ThreadId;
use crate::natives::Env;
use crate::throw::Throw;
use crate::vm::Vm;

/// Slices that the reference handler and the finalizer have in a turn: in other JVMs they run beside the
/// program, which counts on objects being finalized as fast as they are made.
const REFERENCES_SHARE: i64 = 8;

impl Vm {
    /// Takes the thread that runs next out of the run queue.
    pub(super) fn choose_thread(&mut self) -> Option<ThreadId> {
        if self.is_controlled() {
            return self.controlled_choice();
        }
        let executed = self.bytecodes;
        let runnable = self.sched.run.make_contiguous();
        if runnable.is_empty() {
            return None;
        }
        let chosen = self.schedule.choose(Turn {
            runnable,
            last: self.cur,
            executed,
        });
        let n = runnable.len();
        let taken = self.sched.run.remove(chosen);
        assert!(
            taken.is_some(),
            "the schedule chose thread {chosen} of {n} that can run"
        );
        taken
    }
    /// Bytecodes of the slice of `thread` that begins.
    pub(crate) fn slice_of(&mut self, thread: ThreadId) -> i64 {
        if self.is_controlled() {
            // threads run from point to point
            return i64::MAX / 2;
        }
        let slice = self.schedule.slice(thread).max(1);
        let slice = match self.sched.handed_over.take() {
            Some((to, left)) if to == thread && left > 0 => slice.min(left),
            _ => slice,
        };
        match self.threads[thread.0 as usize].serves_references {
            true => slice.saturating_mul(REFERENCES_SHARE),
            false => slice,
        }
    }
    /// Gives the VM another schedule.
    pub fn set_schedule(&mut self, schedule: Box<dyn Schedule>) {
        self.schedule = schedule;
        self.plain_schedule = false;
    }
    /// Makes the current thread wait. The caller returns the result, and runs again when the thread
    /// wakes.
    pub(crate) fn block_on(&mut self, on: Wait, deadline: Option<i64>) -> Box<Throw> {
        let cur = self.cur;
        self.thread().wake = None;
        self.set_waiting(cur, on, deadline);
        Box::new(Throw::Block)
    }
    pub(super) fn set_waiting(&mut self, t: ThreadId, on: Wait, deadline: Option<i64>) {
        match on {
            Wait::Fd(..) | Wait::ClassInit(_) | Wait::Process(_) | Wait::Event(_) => {
                self.threads[t.0 as usize].waiter = self.sched.waiters.add(t, &on);
            }
            Wait::Park
            | Wait::Sleep
            | Wait::Notify(_)
            | Wait::Monitor(_)
            | Wait::Carries(_)
            | Wait::Unmounted => {}
        }
        if let Some(d) = deadline {
            let thread = &mut self.threads[t.0 as usize];
            thread.timer = Some(self.sched.timers.insert(d, t));
            self.sched.user_timers += !thread.system as usize;
        }
        self.set_state(t, ThreadState::Waiting { on, deadline });
    }
    /// Takes a waiting thread off all lists but those of its monitor.
    pub(super) fn cancel_wait(&mut self, t: ThreadId) {
        let thread = &mut self.threads[t.0 as usize];
        if let Some(key) = thread.timer.take() {
            self.sched.timers.remove(key, t);
            self.sched.user_timers -= !thread.system as usize;
        }
        let number = std::mem::take(&mut thread.waiter);
        if let ThreadState::Waiting { on, .. } = &thread.state
            && number != 0
        {
            self.sched.waiters.remove(number, on);
        }
    }
    /// Puts a waiting thread that is on no list of a monitor into the run queue.
    pub(super) fn make_runnable(&mut self, t: ThreadId, wake: Option<Wake>) {
        self.cancel_wait(t);
        self.threads[t.0 as usize].wake = wake;
        if self.needs_a_carrier(t) {
            return self.ask_for_a_carrier(t);
        }
        self.set_state(t, ThreadState::Runnable);
        self.sched.run.push_back(t);
    }
    /// Puts a thread that is runnable, and not the running one, into the run queue.
    pub(crate) fn enqueue(&mut self, t: ThreadId) {
        self.sched.run.push_back(t);
    }
    /// Hands the turn of the running thread over to `t`, for the rest of the slice: threads that hand it to each other all the
    /// time get no more of it than one thread would, and the others have their turn.
    pub(super) fn hand_over(&mut self, t: ThreadId) {
        let left = self.slice_end.saturating_sub(self.regs().ticks);
        match left > 0 || self.is_controlled() {
            true => self.enqueue_first(t),
            false => self.enqueue(t),
        }
        self.sched.handed_over = Some((t, left));
    }
    /// Lets the current thread continue before all others.
    pub(crate) fn enqueue_first(&mut self, t: ThreadId) {
        self.sched.run.push_front(t);
    }

    /// Wakes a thread from a wait that `wake` can end; nothing happens when it is not in one. Entering
    /// a monitor and waiting for a class end only by the monitor and the class.
    pub(crate) fn wake(&mut self, t: ThreadId, wake: Wake) {
        let ThreadState::Waiting { on, .. } = &self.threads[t.0 as usize].state else {
            return;
        };
        match (on, wake) {
            (Wait::Monitor(_) | Wait::Carries(_) | Wait::Unmounted, _) => {}
            (Wait::ClassInit(_), Wake::Ready) => self.make_runnable(t, None),
            (Wait::ClassInit(_), _) | (Wait::Notify(_), Wake::Ready) => {}
            (&Wait::Notify(i), _) => {
                self.cancel_wait(t);
                self.leave_wait_set(i, t, wake);
            }
            _ => self.make_runnable(t, Some(wake)),
        }
    }
    /// Wakes all threads that wait for this class, process, event or descriptor, in the order they
    /// began to.
    pub(crate) fn wake_all(&mut self, on: &Wait) {
        for t in self.sched.waiters.of(on) {
            self.wake(t, Wake::Ready);
        }
    }
    /// [`Vm::wake_all`], to run before all others. Whether any thread waited.
    pub(crate) fn wake_first(&mut self, on: &Wait) -> bool {
        let before = self.sched.run.len();
        self.wake_all(on);
        let woken = self.sched.run.len() - before;
        self.sched.run.rotate_right(woken);
        woken > 0
    }
    /// Ends the slice of the current thread, which stays runnable: the others have their turn.
    pub(crate) fn preempt(&mut self) {
        let cur = self.cur;
        debug_assert_eq!(self.thread().state, ThreadState::Runnable);
        self.enqueue(cur);
    }
    /// Whether another thread could run now.
    pub(crate) fn others_runnable(&self) -> bool {
        !self.sched.run.is_empty()
    }

    /// Whether something besides the running thread may want a turn soon: a deadline, a descriptor,
    /// a signal.
    pub(crate) fn has_timers(&self) -> bool {
        !self.sched.timers.is_empty()
            || !self.sched.waiters.by.is_empty()
            || self.sched.signals.are_served()
            || self.natives.hears()
    }
    /// Whether nothing would be done if the running thread's slice ended within so many bytecodes, but that its next one
    /// began: for code that skips the end of a slice (see [`Vm::pass_turns`]).
    pub(crate) fn nobody_wants_a_turn(&mut self, within: i64) -> bool {
        let alone = self.plain_schedule && self.sched.run.is_empty() && !self.is_controlled();
        // a host that counts is asked for signals and the time at the very end of the slice
        let requests = self.host_counts && self.has_timers();
        alone
            && !requests
            && self
                .sched
                .timers
                .first()
                .is_none_or(|deadline| self.clock_ahead(within).is_some_and(|then| then < deadline))
    }
    /// How many slices of the running thread may be skipped: then descriptors and processes are checked, if a thread waits for
    /// them.
    pub(crate) fn turns_to_pass(&self) -> u32 {
        let waiters = &self.sched.waiters;
        let idle = waiters.fds.is_empty() && waiters.processes.is_empty();
        match self.has_timers() {
            // a look would find nothing, and nobody would know of it; but signals are taken now and then
            true if idle && !self.wants(EventSet::TURNS) => POLL_EVERY,
            true => POLL_EVERY - 1 - self.sched.slices,
            false => u32::MAX,
        }
    }
    /// This many slices of the running thread end and begin, and no other thread wants a turn.
    pub(crate) fn pass_turns(&mut self, turns: u32) {
        if turns > 0 && self.has_timers() {
            self.sched.slices = (self.sched.slices + turns) % POLL_EVERY;
        }
    }
    /// Chooses the thread to run and makes it the running one; waits while there is none.
    pub(crate) fn next_thread(&mut self) -> HostAction {
        let (mut waited, mut attended) = (false, false);
        loop {
            match self.limits.canceller.take() {
                // the debugger ends a wait: what follows one is done first, so that the VM makes the same requests as in a replay
                Some(Halt::Debugger) if waited => attended = true,
                Some(why) => return HostAction::Halted(why),
                None => {}
            }
            if self.sched.users == 0 {
                return HostAction::AllDone;
            }
            self.watch_shutdown();
            self.take_signals();
            self.hear_strangers();
            self.answer_commands();
            self.fire_timers();
            self.watch_usage();
            if self.is_controlled() && !self.sched.waiters.fds.is_empty() {
                // what is ready can go on: it is not for the time to be over
                self.poll(Some(i64::MIN));
            }
            // while all wait, how often is looked depends on how long it takes: that must not move the looks between slices
            if self.sched.run.is_empty() {
                self.show_turn();
            } else {
                self.sched.slices += 1;
            }
            if self.sched.slices >= POLL_EVERY {
                self.sched.slices = 0;
                self.show_turn();
                if !self.sched.waiters.fds.is_empty() {
                    self.poll(Some(i64::MIN));
                }
                self.wake_processes();
            }
            while let Some(t) = self.choose_thread() {
                let thread = &mut self.threads[t.0 as usize];
                if thread.suspended || thread.frozen {
                    thread.held = true;
                    continue;
                }
                let phase = thread.phase;
                self.cur = t;
                if phase == Phase::Finish {
                    self.finish_thread();
                    continue;
                }
                if attended {
                    // as soon as the thread runs
                    self.limits.canceller.attend();
                }
                return HostAction::Run(t);
            }
            if self.sched.users == 0 {
                return HostAction::AllDone;
            }
            if attended {
                return HostAction::Halted(Halt::Debugger);
            }
            if waited {
                return HostAction::Idle;
            }
            if let Some(report) = self.hopeless() {
                return HostAction::Deadlock(report);
            }
            if !self.sched.run.is_empty() {
                // what came of a look whether there is hope
                continue;
            }
            self.wait_for_host();
            waited = true;
        }
    }
    fn fire_timers(&mut self) {
        if self.sched.timers.is_empty() {
            return;
        }
        let now = self.clock_ns();
        let controlled = self.is_controlled();
        let mut kept = Vec::new();
        while let Some(due) = self.sched.timers.pop_due(now) {
            let thread = &mut self.threads[due.2.0 as usize];
            if controlled && !thread.system && !thread.suspended {
                // whether its time has ended is a choice, however late it is
                kept.push(due);
                continue;
            }
            thread.timer = None;
            self.sched.user_timers -= !thread.system as usize;
            self.wake(due.2, Wake::Timeout);
        }
        self.sched.timers.set.extend(kept);
    }
    fn wait_for_host(&mut self) {
        let mut deadline = self.sched.timers.first();
        if !self.sched.waiters.processes.is_empty() {
            if self.clock.is_virtual() {
                // the clock would jump, and the process have no time to end
                let soon = self.host().nano_time() + PROCESS_POLL;
                self.host().wait(&[], Some(soon));
            }
            let soon = self.deadline_after(PROCESS_POLL);
            deadline = Some(deadline.map_or(soon, |d| d.min(soon)));
        }
        self.poll(deadline);
        self.wake_processes();
    }
    fn poll(&mut self, deadline: Option<i64>) {
        let waiting = self.sched.waiters.fds.values();
        let (threads, fds): (Vec<ThreadId>, Vec<(i32, u8)>) =
            waiting.map(|&(t, fd, ops)| (t, (fd, ops))).unzip();
        for i in self.clock_wait(&fds, deadline) {
            self.wake(threads[i], Wake::Ready);
        }
    }
    /// Lets those who wait for a child process look again.
    fn wake_processes(&mut self) {
        let list: Vec<ThreadId> = self.sched.waiters.processes.values().copied().collect();
        for t in list {
            self.wake(t, Wake::Ready);
        }
    }
    /// With nothing runnable: the report when nothing outside the program can make a thread runnable.
    fn hopeless(&mut self) -> Option<String> {
        if self.sched.user_timers > 0 || self.debugger_holds() {
            return None;
        }
        let mut within = Vec::new();
        for &t in self.sched.live.values() {
            let thread = &self.threads[t.0 as usize];
            let ThreadState::Waiting { on, .. } = &thread.state else {
                continue;
            };
            let outside = match on {
                // the thread that waits for a child process to end is one of the system's own
                Wait::Process(_) => true,
                &Wait::Fd(fd, _) => {
                    within.push(fd);
                    false
                }
                Wait::Event(_) => !thread.system,
                _ => false,
            };
            if outside {
                return None;
            }
        }
        if self.expects_signals() || self.natives.expects_strangers() {
            return None;
        }
        if !within.is_empty() {
            // a host that keeps pipes and connections in memory knows whether somebody else could be at the other end
            if !self.clock.is_virtual() || within.into_iter().any(|fd| self.host().is_outside(fd)) {
                return None;
            }
            self.poll(Some(i64::MIN));
            if !self.sched.run.is_empty() {
                return None;
            }
        }
        Some(self.deadlock_report())
    }
}

impl Env {
    /// `LockSupport.unpark`.
    pub fn unpark(&mut self, t: ThreadId) {
        let t = self.0.carried_by(t);
        let thread = &mut self.0.threads[t.0 as usize];
        match thread.state {
            ThreadState::Waiting { on: Wait::Park, .. } => {
                self.0.make_runnable(t, Some(Wake::Ready))
            }
            ThreadState::Dead => {}
            _ => thread.permit = true,
        }
    }
    /// What `Thread.interrupt` does to a thread whose interrupted status has just been set: ends
    /// `park`, `sleep` and `wait`, and leaves a permit for the next `park`.
    pub fn interrupt(&mut self, t: ThreadId) {
        let t = self.0.carried_by(t);
        let thread = &mut self.0.threads[t.0 as usize];
        match thread.state {
            ThreadState::Waiting { on: Wait::Park, .. } => {
                self.0.make_runnable(t, Some(Wake::Interrupt))
            }
            ThreadState::Dead => {}
            _ => {
                thread.permit = true;
                if let ThreadState::Waiting {
                    on: Wait::Sleep | Wait::Notify(_),
                    ..
                } = thread.state
                {
                    self.0.wake(t, Wake::Interrupt);
                }
            }
        }
    }
    /// `Thread.yield` for a native that runs again and then finds itself woken.
    pub fn yield_now(&mut self) -> Box<Throw> {
        self.0.thread().wake = Some(Wake::Ready);
        self.0.preempt();
        Box::new(Throw::Block)
    }
}

//! Notices of collections, and of pools of memory that have passed a threshold: a system thread, started when a program first
//! listens or waits for the latter, reports them in Java.

use super::arrived::SystemStep;
pub use super::noticed::CollectionNotice;
use super::phase::Phase;
use super::{ThreadState, Wait};
use crate::heap::sensors::Measure;
use crate::ids::{Ref, ThreadId};
use crate::natives::Env;
use crate::throw::{Cont, ContFn, R, StepFn};
use crate::vm::Vm;

/// The name of the thread, as in HotSpot.
const NAME: &str = "Notification Thread";
/// What it waits for.
const NOTICES: Wait = Wait::Event("notices");

impl Vm {
    /// Ends notices of collections of this kind.
    pub(crate) fn end_notices(&mut self, full: bool) {
        let notices = &mut self.sched.notices;
        notices.queue.retain(|n| n.full != full);
        if let Some(cell) = notices.notifiers[usize::from(full)].take() {
            self.heap.free_cell(cell);
        }
    }
    /// A collection has ended.
    pub(crate) fn note_for_listeners(&mut self, full: bool, cause: &'static str) {
        if self.sched.notices.notifiers[usize::from(full)].is_some()
            && let Some(past) = self.past_collections(full).0
        {
            let (seconds, nanos) = self.wall_clock();
            self.sched.notices.queue.push_back(CollectionNotice {
                full,
                cause,
                millis: seconds * 1000 + i64::from(nanos / 1_000_000),
                past,
            });
        }
        self.notify_if_idle();
    }
    /// If the thread has nothing to do and there is something, it is woken for that.
    pub(crate) fn notify_if_idle(&mut self) {
        let Some(t) = self.sched.notices.thread else {
            return;
        };
        let idle = matches!(&self.threads[t.0 as usize].state, ThreadState::Waiting { on, .. } if *on == NOTICES);
        if idle && self.notify_next(t) {
            self.make_runnable(t, None);
            self.end_slice();
        }
    }
    /// Has the thread make the next report, if there is one; sensors first, as in HotSpot.
    fn notify_next(&mut self, t: ThreadId) -> bool {
        let sensor = self.memory.history.sensors.next();
        let notices = &mut self.sched.notices;
        if let (Some(cell), Some(step)) = (sensor, notices.signal) {
            self.start_notifying(t, step, cell);
            return true;
        }
        notices.current = notices.queue.pop_front();
        let notifier = notices
            .current
            .and_then(|n| notices.notifiers[usize::from(n.full)]);
        let (Some(notifier), Some(step)) = (notifier, notices.notify) else {
            return false;
        };
        self.start_notifying(t, step, notifier);
        true
    }
    fn start_notifying(&mut self, t: ThreadId, step: StepFn, cell: u32) {
        let (data, refs) = ([0; 3], [self.heap.cell(cell), Ref::NULL, Ref::NULL]);
        let cont = Cont {
            step,
            data,
            refs,
            takes_no_room: false,
        };
        crate::interp::start_cont(self, t, cont);
    }
    /// Starts the thread, if there is none.
    fn start_notices(&mut self) -> R<()> {
        if self.sched.notices.thread.is_none() {
            let t = self.spawn_system_thread(NAME, Phase::Notices(SystemStep::Constructed))?;
            self.sched.notices.thread = Some(t);
        }
        Ok(())
    }
    /// The thread's bottom method or continuation has returned. What a listener throws ends the thread.
    pub(super) fn notice_step(&mut self, step: SystemStep, result: Result<crate::Value, Ref>) {
        let cur = self.cur;
        if result.is_err() {
            self.end_notices(false);
            self.end_notices(true);
            for cell in self.memory.history.sensors.silence() {
                self.heap.free_cell(cell);
            }
            self.sched.notices.thread = None;
            self.thread().phase = Phase::Run;
            self.thread_returned(result);
            return;
        }
        if step == SystemStep::Serve {
            self.memory.history.sensors.reported();
        }
        match step {
            SystemStep::Constructed => self.join_system_group(Phase::Notices(SystemStep::Serve)),
            SystemStep::Serve if self.notify_next(cur) => self.enqueue(cur),
            SystemStep::Serve => self.set_waiting(cur, NOTICES, None),
        }
    }
}

impl Env {
    /// From now on, collections of this kind are reported: each with its own continuation, which begins with `notifier`
    /// among its references.
    pub fn begin_notices(&mut self, full: bool, notifier: Ref, notify: ContFn) -> R<()> {
        self.0.start_notices()?;
        self.0.end_notices(full);
        let cell = self.0.heap.new_cell(notifier);
        let notices = &mut self.0.sched.notices;
        notices.notifiers[usize::from(full)] = Some(cell);
        notices.notify = Some(StepFn::native(notify));
        Ok(())
    }
    /// From now on, `sensor` is notified of this pool: each time with a new continuation, which begins with it among its
    /// references.
    pub fn begin_signals(
        &mut self,
        pool: usize,
        measure: Measure,
        sensor: Ref,
        signal: ContFn,
    ) -> R<()> {
        self.0.start_notices()?;
        let cell = self.0.heap.new_cell(sensor);
        self.0.set_sensor(pool, measure, cell);
        self.0.sched.notices.signal = Some(StepFn::native(signal));
        Ok(())
    }
    /// What the continuation that runs reports.
    pub fn notice(&self) -> Option<CollectionNotice> {
        self.0.sched.notices.current
    }
}

//! Steps. One that goes into calls follows its thread bytecode by bytecode. The others are instruments at all bytecodes of the
//! methods on the thread's stack: calls from there run undisturbed.

use super::raw::{Raw, RawSubject};
use super::step::{Step, line_of};
use super::types::{Depth, Location, Request, What};
use super::world::{EarlyReturn, World};
use hashbrown::HashSet;
use rjvm_vm::debug::CannotPop;
use rjvm_vm::instruments::{MethodFilter, Point, Spec};
use rjvm_vm::{MethodId, ThreadId, Value};

impl World<'_> {
    /// Steps begin where their threads stand now, before these go on.
    pub(super) fn arm_steps(&mut self) {
        let mut ids: Vec<u32> = self.engine.steps.keys().copied().collect();
        ids.sort_unstable();
        for id in ids {
            let ready = |s: &Step| !s.armed;
            let Some(thread) = self
                .engine
                .steps
                .get(&id)
                .filter(|s| ready(s))
                .map(|s| s.thread)
            else {
                continue;
            };
            if self.suspend_count(thread) > 0 || !self.vm.a_thread(thread).is_alive() {
                continue;
            }
            self.arm(id, thread);
        }
    }
    fn arm(&mut self, id: u32, thread: ThreadId) {
        let frames = self.vm.debug_frames(thread);
        let top = frames.first();
        let place = top.and_then(|f| Some((f.method, f.bci?)));
        let line = place.and_then(|(m, bci)| line_of(self.vm, m, bci));
        let height = top.map_or(0, |f| f.height);
        let native = top.is_some_and(|f| f.bci.is_none());
        let Some(mut step) = self.engine.steps.remove(&id) else {
            return;
        };
        (step.height, step.line, step.native) = (height, line, native);
        (step.left, step.armed) = (false, true);
        match step.depth {
            Depth::Into => self.vm.follow(thread, true),
            Depth::Over | Depth::Out => {
                let methods: HashSet<MethodId> = frames
                    .iter()
                    .map(|f| self.vm.method(f.method).original)
                    .collect();
                let observer = self.engine.observer.expect("it is installed");
                let at = Point::Bytecode {
                    within: MethodFilter::of(move |m| methods.contains(&m.id())),
                    indices: (0, u16::MAX),
                };
                let old = step.instrument.take();
                step.instrument =
                    Some(self.vm.place_instrument(Spec::notify_all(at, observer, id)));
                if let Some(old) = old {
                    let _ = self.vm.remove_instrument(old);
                }
                // the bytecode that it stands at is where it begins
                self.vm.note_reported(thread);
            }
        }
        self.engine.steps.insert(id, step);
    }
    /// Has the top frame of a suspended thread return a value when the thread goes on.
    ///
    /// # Errors
    /// It may not.
    pub fn force_return(&mut self, t: ThreadId, v: Value) -> Result<(), CannotPop> {
        self.vm.may_return(t, v)?;
        let cell = match v {
            Value::Ref(r) => Some(self.vm.heap_mut().new_cell(r)),
            _ => None,
        };
        let new = EarlyReturn {
            value: v,
            cell,
            reported: false,
        };
        if let Some(cell) = self.engine.early.insert(t, new).and_then(|old| old.cell) {
            self.vm.heap_mut().free_cell(cell);
        }
        Ok(())
    }
    /// Threads that are about to return early leave their methods: that is reported first. Whether there is something to report.
    pub(super) fn report_early_returns(&mut self) -> bool {
        let mut all: Vec<ThreadId> = self.engine.early.keys().copied().collect();
        all.sort_unstable();
        all.retain(|&t| {
            let early = self.engine.early.get(&t);
            early.is_some_and(|e| !e.reported)
                && self.suspend_count(t) == 0
                && self.vm.a_thread(t).is_alive()
        });
        for t in all {
            let frames = self.vm.debug_frames(t);
            let (Some(early), Some(top)) = (self.engine.early.get_mut(&t), frames.first()) else {
                continue;
            };
            early.reported = true;
            let value = match early.cell {
                Some(cell) => Value::Ref(self.vm.heap().cell(cell)),
                None => early.value,
            };
            let at = Location {
                method: top.method,
                bci: top.bci,
            };
            let letter = self.vm.method(top.method).ret;
            let executed = self.vm.executed_by(t);
            let exits = |r: &&Request| matches!(r.what, What::MethodExit(_));
            let ids = self.engine.requests.iter().filter(exits).map(|r| r.id);
            for request in ids.collect::<Vec<_>>() {
                let subject = match value {
                    Value::Ref(r) => {
                        RawSubject::Object(r.non_null().map(|r| self.vm.watch_object(r)))
                    }
                    v => RawSubject::Value(letter, v.slot()),
                };
                self.engine.raw.push(Raw::Hit {
                    request,
                    thread: t,
                    executed,
                    at,
                    subject,
                });
            }
        }
        let any = !self.engine.raw.is_empty();
        self.take_raw();
        any
    }
    /// Threads that go on return early, if that was asked for.
    pub(super) fn return_early(&mut self) {
        let mut threads: Vec<ThreadId> = self.engine.early.keys().copied().collect();
        threads.sort_unstable();
        for t in threads {
            if self.suspend_count(t) > 0 {
                continue;
            }
            let Some(early) = self.engine.early.remove(&t) else {
                continue;
            };
            let mut v = early.value;
            if let Some(cell) = early.cell {
                v = Value::Ref(self.vm.heap().cell(cell));
                self.vm.heap_mut().free_cell(cell);
            }
            // a thread that has ended, or made a call meanwhile, does not return
            if !self.vm.a_thread(t).is_alive() || self.vm.force_return(t, v).is_err() {
                continue;
            }
            let into = |s: &Step| s.thread == t && s.armed && s.depth == Depth::Into;
            if self.engine.steps.values().any(into) {
                self.vm.follow_next(t);
            }
        }
    }
    /// A step has come to its end, or is not asked for any more.
    pub(super) fn disarm(&mut self, mut step: Step) -> Step {
        if let Some(instrument) = step.instrument.take() {
            let _ = self.vm.remove_instrument(instrument);
        }
        if step.depth == Depth::Into && self.vm.a_thread(step.thread).is_alive() {
            self.vm.follow(step.thread, false);
        }
        step.armed = false;
        step
    }
}

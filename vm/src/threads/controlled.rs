//! What monitors, classes and threads report themselves in a VM whose schedule is decided from outside ([`super::control`]).

use super::ThreadState;
use super::control::{AmendedAccess, ThreadPlan};
use super::operations::Step;
use crate::ids::{ClassId, Ref, ThreadId};
use crate::throw::R;
use crate::vm::Vm;
use rjvm_ops::{Candidate, Mode, Op, OpKind, Place, ThreadNo};

impl Vm {
    // --- Monitors ---

    /// The running thread wants a monitor.
    pub(crate) fn before_enter(&mut self, r: Ref) -> R<()> {
        if !self.is_controlled() || self.monitor_owner(r) == Some(self.cur) {
            return Ok(());
        }
        let site = self.monitor_site();
        let step = self.monitor_step(OpKind::Enter, r);
        self.at_point(&Step { site, ..step })
    }
    /// The running thread has done something to a monitor.
    pub(crate) fn monitor_done(&mut self, kind: OpKind, r: Ref) {
        if self.is_controlled() {
            let step = self.monitor_step(kind, r);
            self.done(&step);
        }
    }
    /// The running thread is about to wait, and enters the monitor again afterwards.
    pub(super) fn will_enter(&mut self, r: Ref) {
        if !self.is_controlled() {
            return;
        }
        let place = self.place_of(r, crate::heap::MARK);
        let cur = self.cur;
        let c = self.controlled.as_mut().expect("under control");
        let plan = c.plan(cur);
        plan.pending = Some(Op::new(OpKind::Resume, place));
        plan.monitor = r;
    }
    /// The place in the list of those waiting of the one that is notified.
    pub(super) fn choose_notified(&mut self, n: usize) -> usize {
        match n > 1 {
            true => {
                let moment = self.controlled.as_ref().expect("under control").moment;
                self.ask(|c, _| c.notified(n, moment)).unwrap_or(0)
            }
            false => 0,
        }
    }

    // --- Memory ---

    /// A read is done, after the thread has executed so many bytecodes since it got its turn: what it finds instead.
    pub(crate) fn reads(&mut self, step: &Step, ahead: i64) -> Option<u64> {
        if !self.memory_is_controlled() {
            return None;
        }
        let moment = self.moment(ahead);
        let found = self.ask(|c, vm| c.reads(vm, step, moment)).flatten()?;
        if matches!(step.ty, b'L' | b'[') && found != 0 {
            let off = step.offset as usize;
            let v = self.heap.object_at(found);
            let fits = v.is_some_and(|v| self.is_of_type(step.object, off, v));
            assert!(fits, "a control makes up an object that is read");
        }
        Some(found)
    }
    /// A write is about to be done, in the same way: the step that has to follow it.
    pub(crate) fn writes(&mut self, step: &Step, ahead: i64) -> Option<AmendedAccess> {
        if !self.memory_is_controlled() {
            return None;
        }
        let moment = self.moment(ahead);
        let stays = self.ask(|c, vm| c.writes(vm, step, Some(moment))) == Some(true);
        stays.then_some(AmendedAccess::Stays {
            object: step.object,
            offset: step.offset,
            ty: step.ty,
            value: step.old,
        })
    }
    /// Whether a compare and set fails that may do so without a reason.
    pub(crate) fn fails(&mut self, step: &Step) -> bool {
        let ahead = self.since_turn();
        let moment = self.moment(ahead);
        self.ask(|c, vm| c.fails(vm, step, moment)) == Some(true)
    }
    /// A write that cannot be ordered before the present value.
    pub(crate) fn copies(&mut self, step: &Step) {
        if self.memory_is_controlled() {
            self.ask(|c, vm| c.writes(vm, step, None));
        }
    }
    /// Whether the control decides which values reads find.
    pub(crate) fn memory_is_controlled(&mut self) -> bool {
        self.controlled.as_ref().is_some_and(|c| c.memory) && !self.thread().system
    }

    // --- Classes ---

    /// A class is initialized.
    pub(crate) fn class_initialized(&mut self, c: ClassId) {
        if !self.is_controlled() {
            return;
        }
        let mirror = self.mirror(c);
        let place = self.place_of(mirror, 0);
        let step = Step {
            object: mirror,
            ..self.step(OpKind::InitEnd, place)
        };
        self.done(&step);
        let controlled = self.controlled.as_mut().expect("under control");
        controlled.initialized.insert(c, place);
    }
    /// The running thread finds a class initialized: what its initializer did comes before what the thread does.
    pub(crate) fn class_used(&mut self, c: ClassId) {
        if let Some(place) = self.initialization_of(c) {
            let step = self.class_step(OpKind::InitUse, c, place);
            self.done(&step);
            self.class_point_passed(c);
        }
    }
    /// The running thread wants to initialize a class that is not initialized: others may go first, or have begun to already.
    pub(crate) fn before_init(&mut self, c: ClassId) -> R<()> {
        let wants = self.controlled.as_ref().is_some_and(|c| !c.alone);
        if !wants || self.thread().system {
            return Ok(());
        }
        let mirror = self.mirror(c);
        let place = self.place_of(mirror, 0);
        let step = self.class_step(OpKind::InitBegin, c, place);
        self.at_point(&step)?;
        self.class_point_passed(c);
        if self.initializer_of(c).is_none() {
            self.done(&step);
        }
        Ok(())
    }
    fn class_step(&mut self, kind: OpKind, c: ClassId, place: Place) -> Step {
        let site = self.class_site();
        let object = self.mirror(c);
        Step {
            site,
            object,
            ..self.step(kind, place)
        }
    }
    /// The running thread performs the operation of its turn, or finds that another thread has done it.
    pub(crate) fn class_point_passed(&mut self, c: ClassId) {
        let cur = self.cur;
        if let Some(controlled) = &mut self.controlled {
            let plan = controlled.plan(cur);
            if plan.class == Some(c) {
                plan.class = None;
                plan.granted = false;
            }
        }
    }
    /// The place of a class that was initialized under control.
    pub(crate) fn initialization_of(&self, c: ClassId) -> Option<Place> {
        self.controlled.as_ref()?.initialized.get(&c).copied()
    }

    // --- Threads ---

    /// The threads but those of the class library's own, with their names: those alive, and those whose numbers no
    /// others have.
    pub fn threads_so_far(&mut self) -> Vec<(u32, String)> {
        let mut found = Vec::new();
        for i in 0..self.threads.len() {
            let t = &self.threads[i];
            if t.system || t.state == ThreadState::New {
                continue;
            }
            let (id, serial) = (t.id, t.serial as u32);
            found.push((serial, self.thread_name(id)));
        }
        found.sort_unstable();
        found
    }
    /// What the program's threads would do next that want a monitor which others have, or a class that others initialize.
    pub fn blocked_ops(&mut self) -> Vec<Candidate> {
        let mut blocked = Vec::new();
        for t in self.program_threads() {
            let c = self.controlled.as_mut();
            let (planned, class) = c.map_or((Ref::NULL, None), |c| {
                let plan = c.plan(t);
                (plan.monitor, plan.class)
            });
            if let Some(class) = class.or_else(|| self.class_waited_for(t)) {
                let mirror = self.mirror(class);
                let op = Op::new(OpKind::InitBegin, self.place_of(mirror, 0));
                blocked.push(Candidate::new(self.thread_no(t), op));
                continue;
            }
            let (object, owner) = self.waits_for(t);
            let monitor = match planned.is_null() {
                true if owner.is_some() => object,
                _ => planned,
            };
            if !monitor.is_null() {
                let place = self.place_of(monitor, crate::heap::MARK);
                let op = Op::new(OpKind::Enter, place);
                blocked.push(Candidate::new(self.thread_no(t), op));
            }
        }
        blocked
    }

    /// The running thread, or the test that it runs, ends with an exception: notifies a control.
    pub(crate) fn notify_control(&mut self, exception: Ref) {
        let thread = self.thread_no(self.cur);
        self.ask(|c, vm| c.uncaught(vm, thread, exception));
    }

    /// The running thread has found that it is interrupted, in a native: it now knows the earlier operations of the thread that
    /// interrupted it.
    pub(super) fn interrupt_noticed(&mut self, t: ThreadId) {
        if !self.is_controlled() {
            return;
        }
        let object = self.threads[t.0 as usize].object;
        let offset = self.offset_of(crate::jdk::thread::INTERRUPTED);
        let place = self.place_of(object, offset);
        let read = Step {
            object,
            offset,
            ty: b'Z',
            value: 1,
            // the newest store has been seen
            update: true,
            ..self.step(OpKind::Read(Mode::Volatile), place)
        };
        self.done(&read);
        let kind = OpKind::Interrupted(self.thread_no(t));
        let noticed = self.step(kind, Place::NONE);
        self.done(&noticed);
    }
    /// The running thread ends.
    pub(super) fn thread_is_over(&mut self) {
        if !self.is_controlled() {
            return;
        }
        let cur = self.cur;
        let place = self.thread_place(cur);
        let step = self.step(OpKind::End, place);
        self.done(&step);
        let c = self.controlled.as_mut().expect("under control");
        *c.plan(cur) = ThreadPlan::default();
        if c.last == Some(cur) {
            c.last = None;
        }
    }
    /// What a native does that others could see, by its class and name.
    pub(crate) fn thread_target(&mut self, object: Ref) -> Option<(ThreadNo, Place)> {
        let t = self.thread_of(object.non_null()?)?;
        Some((self.thread_no(t), self.thread_place(t)))
    }
}

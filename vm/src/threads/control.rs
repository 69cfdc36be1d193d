//! A VM whose schedule is decided from outside, operation by operation: the basis of exploring schedules.
//!
//! Threads run alone until they come to a *point*: an operation that others could see (monitors, volatile and shared
//! variables, waiting, waking). There, and wherever a thread cannot continue, the [`Control`] decides which thread runs. A thread
//! that is sent back is before its operation, and is not asked again when it has its turn. One that would only wait for
//! a monitor, or for a class that another thread initializes, is not offered, so that the next owner of a monitor is a choice as
//! well; and so is when the time of a timed wait has ended. Threads of the class library's own (`system`) run at once and are
//! not offered.
//!
//! Everything here is off, and costs nothing, until [`Vm::set_control`]; points in bytecode are there only if the
//! options say so from the start ([`Options::explored`](crate::vm::Options::explored)).

pub(super) use super::control_state::ThreadPlan;
pub(crate) use super::control_state::{
    AmendedAccess, Controlled, CopiedVariable, Copying, OfferedControl,
};
pub use super::operations::{ChoicePoint, Offer, Step};
use super::{ThreadState, Wait, Wake};
use crate::ids::{Ref, ThreadId};
use crate::natives::Env;
use crate::throw::{R, Throw};
use crate::vm::Vm;
pub use crate::vm::hooks::Control;
use hashbrown::HashMap;
use rjvm_ops::{Candidate, Op, OpKind, Place, ThreadNo};

/// Bit of a [`Place`] of a thread.
const THREAD: u64 = 1 << 63;

impl Env {
    /// From now on the control decides the schedule that the host has offered ([`Vm::offer_control`]). `false`: there is none.
    pub fn begin_control(&mut self) -> bool {
        let vm = &mut self.0;
        let Some(&OfferedControl { bytecodes }) = vm.offered.as_ref() else {
            return false;
        };
        let Some(control) = vm.hooks.offered.take() else {
            return false;
        };
        vm.set_control(control);
        if let Some(n) = bytecodes {
            vm.limit_bytecodes(n);
        }
        true
    }
    /// It does no longer, and may be begun again.
    pub fn end_control(&mut self) {
        let vm = &mut self.0;
        if vm.offered.is_some() {
            vm.controlled = None;
            vm.hooks.offered = vm.hooks.control.take();
        }
    }
}

impl Vm {
    /// From now on `control` decides the schedule.
    pub fn set_control(&mut self, mut control: Box<dyn Control>) {
        let base = self.bytecodes + self.since_turn();
        self.controlled = Some(Box::new(Controlled {
            next: None,
            last: None,
            plans: Vec::new(),
            alone: self.is_alone(),
            memory: self.options.explored.is_some_and(|e| e.memory) && control.memory(),
            base,
            moment: ChoicePoint {
                executed: -1,
                nth: 0,
                thread: ThreadNo(0),
                own: 0,
                own_nth: 0,
            },
            quiet: false,
            numbers: HashMap::new(),
            last_number: 0,
            gone: Vec::new(),
            kept: Vec::new(),
            method_sites: HashMap::new(),
            initialized: HashMap::new(),
            amended: None,
        }));
        self.hooks.control = Some(control);
    }
    /// Whether there is one thread only, except for those of the class library.
    pub(crate) fn is_alone(&self) -> bool {
        let user = |t: &&ThreadId| !self.threads[t.0 as usize].system;
        self.sched.live.values().filter(user).count() <= 1
    }
    /// Leaves a control with the VM that natives may begin and end ([`Env::begin_control`]): each time, so many bytecodes may be
    /// executed under it (`None`: as many as before).
    pub fn offer_control(&mut self, control: Box<dyn Control>, bytecodes: Option<i64>) {
        self.offered = Some(OfferedControl { bytecodes });
        self.hooks.offered = Some(control);
    }
    /// Whether the VM is under control.
    #[inline]
    pub(crate) fn is_controlled(&self) -> bool {
        self.controlled.is_some()
    }
    /// Asks the control; `None` if there is none.
    pub(super) fn ask<T>(&mut self, f: impl FnOnce(&mut dyn Control, &mut Vm) -> T) -> Option<T> {
        let controlled = self.controlled.as_mut()?;
        let mut control = self.hooks.control.take()?;
        if !controlled.gone.is_empty() {
            controlled.gone.sort_unstable();
            control.gone(&std::mem::take(&mut controlled.gone));
        }
        let answer = self.as_host(|vm| f(&mut *control, vm));
        if self.controlled.is_some() {
            self.hooks.control = Some(control);
        }
        Some(answer)
    }
    /// The number of a thread for a control.
    pub fn thread_no(&self, t: ThreadId) -> ThreadNo {
        ThreadNo(self.threads[t.0 as usize].serial as u32)
    }
    /// The place of a thread.
    pub(super) fn thread_place(&self, t: ThreadId) -> Place {
        Place(THREAD | self.threads[t.0 as usize].serial)
    }
    /// Whether an access to an object need not be reported.
    pub(crate) fn is_private(&self, r: Ref) -> bool {
        let c = self.controlled.as_ref();
        c.is_some_and(|c| c.quiet && !c.numbers.contains_key(&r))
    }
    /// The place of a variable or, at offset 4, of a monitor.
    pub(crate) fn place_of(&mut self, r: Ref, offset: u32) -> Place {
        let Some(c) = &mut self.controlled else {
            return Place::NONE;
        };
        let last = &mut c.last_number;
        let n = *c.numbers.entry(r).or_insert_with(|| {
            *last += 1;
            *last
        });
        Place(u64::from(n) << 32 | u64::from(offset))
    }
    /// The number of an object for a control, given out at first sight; 0 if there is no control.
    pub fn object_number(&mut self, r: Ref) -> u32 {
        self.heap.check(r);
        (self.place_of(r, 0).0 >> 32) as u32
    }
    /// Like [`Vm::set_fuel`], for a control that is asked something: so many bytecodes may be executed from here on.
    pub fn limit_bytecodes(&mut self, n: i64) {
        let ran = self.since_turn();
        let executed = self.threads[self.cur.0 as usize].executed + ran;
        self.limits.fuel = Some(n.saturating_add(ran));
        self.limits.fuel_end = Some(executed.saturating_add(n));
        self.set_limit();
    }
    /// Bytecodes that all threads have executed since the VM came under control.
    pub fn bytecodes_under_control(&mut self) -> u64 {
        let base = self.controlled.as_ref().map_or(0, |c| c.base);
        // a thread's own are added at the end of its turn
        let turn = match self.in_interpreter {
            true => self.since_turn(),
            false => 0,
        };
        u64::try_from(self.bytecodes + turn - base).unwrap_or(0)
    }
    /// Keeps an object for as long as the VM is under control: its number among those kept.
    pub fn keep(&mut self, r: Ref) -> u32 {
        self.heap.check(r);
        let c = self.controlled.as_mut().expect("under control");
        c.kept.push(r);
        c.kept.len() as u32 - 1
    }
    /// An object that is kept, as what a slot holds now.
    pub fn kept(&self, i: u32) -> u64 {
        let c = self.controlled.as_ref().expect("under control");
        c.kept[i as usize].0.into()
    }
    /// A step of the running thread.
    pub(crate) fn step(&mut self, kind: OpKind, place: Place) -> Step {
        Step {
            thread: self.thread_no(self.cur),
            op: Op::new(kind, place),
            at: None,
            site: 0,
            object: Ref::NULL,
            offset: 0,
            ty: 0,
            value: 0,
            old: 0,
            update: false,
            class: None,
            again: false,
        }
    }
    /// A step of the running thread on a monitor.
    pub(super) fn monitor_step(&mut self, kind: OpKind, r: Ref) -> Step {
        let place = self.place_of(r, crate::heap::MARK);
        let step = self.step(kind, place);
        Step { object: r, ..step }
    }
    /// Bytecodes that all threads have executed since the VM came under control; `ahead`: those of the running thread since
    /// it last got its turn.
    pub(super) fn moment(&mut self, ahead: i64) -> ChoicePoint {
        let (cur, thread) = (self.cur, self.thread_no(self.cur));
        let own = self.threads[cur.0 as usize].executed + ahead;
        let executed = self.bytecodes + ahead;
        let c = self.controlled.as_mut().expect("under control");
        let executed = executed - c.base;
        let next = |last: (i64, u32), now| match last.0 == now {
            true => last.1 + 1,
            false => 0,
        };
        let nth = next((c.moment.executed, c.moment.nth), executed);
        let plan = c.plan(cur);
        let own_nth = next(plan.own, own);
        plan.own = (own, own_nth);
        c.moment = ChoicePoint {
            executed,
            nth,
            thread,
            own,
            own_nth,
        };
        c.moment
    }
    /// Bytecodes the running thread has executed since it got its turn.
    pub(crate) fn since_turn(&mut self) -> i64 {
        let cur = self.cur;
        self.executed(cur) - self.threads[cur.0 as usize].executed
    }
    /// An operation of the running thread comes next. `Block`: others go first, and whatever asks comes here again.
    pub(crate) fn at_point(&mut self, step: &Step) -> R<()> {
        let ahead = self.since_turn();
        self.at_point_after(step, ahead)
    }
    /// The same, where it is known how many bytecodes the thread has executed since it got its turn.
    pub(crate) fn at_point_after(&mut self, step: &Step, ahead: i64) -> R<()> {
        let cur = self.cur;
        let system = self.thread().system;
        let Some(c) = &mut self.controlled else {
            return Ok(());
        };
        if system || c.alone || std::mem::take(&mut c.plan(cur).granted) {
            return Ok(());
        }
        let moment = self.moment(ahead);
        // whoever asks for a monitor that it cannot have would only wait
        let enters = step.op.kind == OpKind::Enter;
        let class = (step.op.kind == OpKind::InitBegin).then(|| self.of_mirror(step.object));
        let owner = match class {
            Some(class) => self.initializer_of(class),
            None => enters.then(|| self.monitor_owner(step.object)).flatten(),
        };
        let waits = owner.is_some_and(|owner| owner != cur);
        if self.ask(|c, vm| c.is_point(vm, step, moment)) != Some(true) && !waits {
            return Ok(());
        }
        let offered = self.offered(Some((cur, (!waits).then_some(step.op))));
        let chosen = match offered[..] {
            [] => return Ok(()),
            [(t, _)] => t,
            _ => {
                let current = offered.iter().position(|o| o.0 == cur);
                self.choose_among(&offered, current, moment)
            }
        };
        if chosen == cur {
            return Ok(());
        }
        let c = self.controlled.as_mut().expect("under control");
        c.next = Some(chosen);
        let plan = c.plan(cur);
        plan.pending = Some(step.op);
        plan.monitor = if enters { step.object } else { Ref::NULL };
        plan.class = class;
        plan.granted = true;
        self.preempt();
        Err(Box::new(Throw::Block))
    }
    fn choose_among(
        &mut self,
        offered: &[(ThreadId, Op)],
        current: Option<usize>,
        moment: ChoicePoint,
    ) -> ThreadId {
        let candidates: Vec<Candidate> = offered
            .iter()
            .map(|o| Candidate::new(self.thread_no(o.0), o.1))
            .collect();
        let deadline = |&(t, op): &(ThreadId, Op)| match self.threads[t.0 as usize].state {
            ThreadState::Waiting { deadline, .. } if op.kind == OpKind::Timeout => deadline,
            _ => None,
        };
        let deadlines: Vec<Option<i64>> = offered.iter().map(deadline).collect();
        let now = self.clock_ns();
        let chosen = self.ask(|c, vm| {
            let candidates = &candidates;
            c.choose(
                vm,
                Offer {
                    candidates,
                    current,
                    deadlines: &deadlines,
                    now,
                    moment,
                },
            )
        });
        offered[chosen.unwrap_or(0)].0
    }
    /// The threads that can continue, by number, and their first operations. `current` is at a point, before this operation;
    /// `None`: which it cannot do.
    fn offered(&mut self, current: Option<(ThreadId, Option<Op>)>) -> Vec<(ThreadId, Op)> {
        let live: Vec<ThreadId> = self.sched.live.values().copied().collect();
        let mut offered = Vec::new();
        let mut idle = Vec::new();
        for t in live {
            let thread = &self.threads[t.0 as usize];
            if thread.system || thread.suspended {
                continue;
            }
            let op = match (&thread.state, current) {
                (_, Some((cur, op))) if t == cur => op,
                (ThreadState::Runnable, _) => self.pending_of(t),
                (
                    ThreadState::Waiting {
                        deadline: Some(_), ..
                    },
                    _,
                ) => Some(Op::new(OpKind::Timeout, self.thread_place(t))),
                (
                    ThreadState::Waiting {
                        on: Wait::Park | Wait::Notify(_),
                        deadline: None,
                    },
                    _,
                ) => {
                    idle.push(t);
                    None
                }
                _ => None,
            };
            offered.extend(op.map(|op| (t, op)));
        }
        // if nobody else can go on, those who wait do so for ever
        if !offered.is_empty() && !idle.is_empty() {
            for t in idle {
                let thread = self.thread_no(t);
                if self.ask(|c, _| c.may_wake(thread)) == Some(true) {
                    offered.push((t, Op::new(OpKind::Timeout, self.thread_place(t))));
                }
            }
            offered.sort_by_key(|o| self.threads[o.0.0 as usize].serial);
        }
        offered
    }
    /// What a thread does first if nothing is known about it.
    fn first_op(&self, t: ThreadId) -> Op {
        Op::plain(match self.threads[t.0 as usize].executed {
            0 => OpKind::Begin,
            _ => OpKind::Resume,
        })
    }
    /// What a runnable thread does first; `None`: wait for a monitor, or until a class is initialized.
    fn pending_of(&mut self, t: ThreadId) -> Option<Op> {
        let first = self.first_op(t);
        let c = self.controlled.as_mut()?;
        let plan = c.plan(t);
        let op = plan.pending.unwrap_or(first);
        let (monitor, class) = (plan.monitor, plan.class);
        let owner = match class {
            Some(class) => self.initializer_of(class),
            None if monitor.is_null() => None,
            None => self.monitor_owner(monitor),
        };
        owner.is_none_or(|owner| owner == t).then_some(op)
    }
    /// The thread that runs next, taken out of the run queue.
    pub(super) fn controlled_choice(&mut self) -> Option<ThreadId> {
        let mut later = false;
        loop {
            let system = |&t: &ThreadId| self.threads[t.0 as usize].system;
            if let Some(i) = self.sched.run.iter().position(system) {
                return self.sched.run.remove(i);
            }
            let c = self.controlled.as_mut()?;
            let (next, last) = (c.next.take(), c.last);
            // where time has passed, whoever has waited may come first
            let going_on = last
                .filter(|t| !later && self.sched.run.contains(t))
                .filter(|&t| self.pending_of(t).is_some());
            let goes_on = next.is_none() && going_on.is_some();
            let chosen = match next.or(going_on) {
                Some(t) => t,
                None => {
                    let moment = self.moment(0);
                    let offered = self.offered(None);
                    match offered[..] {
                        // nobody can go on: who wants a monitor waits for it, so that the deadlock is seen
                        [] => return self.sched.run.pop_front(),
                        [(t, _)] => t,
                        _ => self.choose_among(&offered, None, moment),
                    }
                }
            };
            if let Some(i) = self.sched.run.iter().position(|&t| t == chosen) {
                let alone = self.is_alone();
                let c = self.controlled.as_mut()?;
                c.last = Some(chosen);
                c.alone &= alone;
                c.quiet = alone;
                let plan = c.plan(chosen);
                plan.monitor = Ref::NULL;
                if plan.pending.take().is_none() && !goes_on {
                    self.goes_on(chosen);
                }
                return self.sched.run.remove(i);
            }
            self.time_is_over(chosen);
            later = true;
        }
    }
    /// A thread begins, or continues after it was blocked otherwise than by a monitor.
    fn goes_on(&mut self, t: ThreadId) {
        let op = self.first_op(t);
        let thread = self.thread_no(t);
        let step = Step {
            thread,
            ..self.step(op.kind, op.place)
        };
        self.ask(|c, vm| c.done(vm, &step));
    }
    /// The time of a thread's timed wait has ended: the clock jumps there. One that waits without a time limit continues without
    /// a reason.
    fn time_is_over(&mut self, t: ThreadId) {
        let thread = &self.threads[t.0 as usize];
        let ThreadState::Waiting { deadline, .. } = thread.state else {
            unreachable!("thread {t:?} can't go on: {:?}", thread.state);
        };
        let place = self.thread_place(t);
        let step = Step {
            thread: self.thread_no(t),
            update: deadline.is_none(),
            ..self.step(OpKind::Timeout, place)
        };
        self.ask(|c, vm| c.done(vm, &step));
        if deadline.is_some() {
            self.clock_wait(&[], deadline);
        }
        self.wake(t, Wake::Timeout);
    }
    /// An operation is done.
    pub(crate) fn done(&mut self, step: &Step) {
        if !self.thread().system {
            self.ask(|c, vm| c.done(vm, step));
        }
    }
    /// The running thread is about to start another thread, or a process. If it is alone, and this the first time, its controller
    /// is notified that the part begins that can run in several ways.
    pub(crate) fn before_start(&mut self) -> R<()> {
        match self.ask(|c, vm| c.begins(vm)) {
            Some(false) => Err(Box::new(Throw::Exit(0))),
            _ => Ok(()),
        }
    }
}

//! Adds observers, and hands events to those that want them.

use super::alarms::Alarm;
use super::hub::{COUNTED, EVERY, FOLLOWED, IN_COLLECTIONS};
use super::{
    Arena, ClassFileSeen, Event, EventSet, EventView, Moment, Observer, ObserverId, Started,
};
use crate::ids::{LoaderId, Ref, ThreadId};
use crate::interp::{Cs, ThreadPosition};
use crate::threads::phase::Phase;
use crate::vm::Vm;
use std::any::Any;

impl Vm {
    /// Whether an observer wants events of these kinds.
    #[inline]
    pub(crate) fn wants(&self, events: EventSet) -> bool {
        self.events.wanted.meets(events)
    }
    /// Adds an observer, which is notified from now on. For a profile already under way, it begins at the present place.
    pub fn observe(&mut self, observer: Box<dyn Observer>) -> ObserverId {
        let wants = observer.events();
        let id = self.observers.add(observer);
        self.observers.set_wants(id, wants);
        // what goes wrong, the next run reports
        let _ = self.guarded(|vm| vm.begin_notifying(id, wants));
        id
    }
    /// An observer, if it is of this type, there, and not being notified.
    pub fn observer<T: Observer>(&self, id: ObserverId) -> Option<&T> {
        let observer: &dyn Any = self.observers.get(id)?;
        observer.downcast_ref()
    }
    /// Lets a caller do something with an observer and the VM, as if it were notified.
    pub fn with_observer<T: Observer, R>(
        &mut self,
        id: ObserverId,
        f: impl FnOnce(&mut T, &mut Vm) -> R,
    ) -> Option<R> {
        let mut observer = self.observers.take(id)?;
        let known: &mut dyn Any = &mut *observer;
        let result = known.downcast_mut().map(|known| f(known, self));
        self.observers.put(id, observer);
        result
    }
    fn begin_notifying(&mut self, id: ObserverId, wants: EventSet) {
        self.wanted_changed();
        if wants.meets(EventSet::ARENAS) {
            for arena in Arena::ALL {
                self.notify(id, Event::NewArena(arena));
            }
        }
        if wants.meets(EventSet::SAMPLES | EventSet::PROFILED) {
            // it is told more of the frames than was looked at so far
            for t in 0..self.threads.len() as u32 {
                self.forget_stack(ThreadId(t));
            }
        }
        if wants.meets(EventSet::PROFILED) {
            for t in self.sched.live.values().copied().collect::<Vec<_>>() {
                if self.options.sample_all || self.threads[t.0 as usize].in_main {
                    self.begin_profile_for(t, |e| e == id);
                }
            }
            if self.in_interpreter {
                // alarms of the running thread may be due soon
                self.request_attention();
            }
        }
    }
    /// The observers of events, in the order in which they are notified.
    pub fn observers(&self) -> Vec<ObserverId> {
        self.observers.ids_of_events().to_vec()
    }
    /// Notifies an observer that everything has ended, and gives it back: from now on neither the VM nor its instruments notify
    /// it. `None`: it is gone already, or is being notified (then it goes afterwards).
    pub fn remove_observer(&mut self, id: ObserverId) -> Option<Box<dyn Observer>> {
        self.contained(|vm| {
            for t in 0..vm.threads.len() as u32 {
                vm.end_profile_for(ThreadId(t), |e| e == id);
            }
        });
        let observer = self.observers.remove(id)?;
        self.wanted_changed();
        observer
    }
    fn wanted_changed(&mut self) {
        let before = self.events.wanted;
        self.events.wanted = self.observers.wanted() | self.instruments.events();
        self.allocations_wanted();
        let switched = |kinds| before.meets(kinds) != self.wants(kinds);
        let (methods, exits) = (
            switched(EventSet::METHOD_ENTRY | EventSet::METHOD_EXIT),
            switched(EventSet::METHOD_EXIT),
        );
        let instructions = switched(EventSet::INSTRUCTIONS);
        if methods || exits {
            self.switch_method_events(exits);
        }
        if instructions {
            for t in self.sched.live.values().copied().collect::<Vec<_>>() {
                self.begin_instructions(t);
            }
            if self.in_interpreter {
                self.request_attention();
            }
        }
    }
    /// Each allocation is to be seen, or no longer.
    pub(crate) fn allocations_wanted(&mut self) {
        self.watch_allocations(self.wants(EventSet::ALLOCATIONS) || self.may_fail());
    }
    /// Notifies those who want it of an event; call it only if [`Vm::wants`] its kind.
    #[cold]
    pub(crate) fn emit(&mut self, event: Event<'_>) {
        let kind = event.kind();
        for k in 0..self.observers.len_of_events() {
            let (id, wants) = self.observers.of_events(k);
            if wants.meets(kind) {
                self.notify(id, event);
            }
        }
        if self.instruments.events().meets(kind) {
            self.notify_instruments(event);
        }
    }
    /// Instruments want other events than before.
    pub(crate) fn instruments_want_events(&mut self) {
        self.wanted_changed();
    }
    /// The thread that runs.
    pub(super) fn notifying_thread(&self) -> Option<ThreadId> {
        let ends = || {
            self.threads
                .get(self.cur.0 as usize)
                .is_some_and(|t| t.phase == Phase::Finish)
        };
        (self.in_interpreter || ends()).then_some(self.cur)
    }
    /// Where that thread is, or was at the event that is being reported.
    pub(crate) fn event_spot(&self) -> Option<ThreadPosition> {
        self.events.spot.or_else(|| self.spot())
    }
    /// Notifies an observer of an event; after how many bytecodes it wants to be notified again.
    fn notify(&mut self, id: ObserverId, event: Event<'_>) -> u64 {
        let wants = self.observers.wants(id);
        let Some(mut observer) = self.observers.take(id) else {
            return 0;
        };
        let mut seen = EventView {
            vm: self,
            interval: 0,
            wants,
            replacement: None,
        };
        observer.event(&mut seen, event);
        let (interval, now) = (seen.interval, seen.wants);
        let replacement = seen.replacement.take();
        self.events.replacement = replacement;
        self.observers.put(id, observer);
        // in the middle of a collection, classes and objects are not what they seem
        if !event.kind().meets(IN_COLLECTIONS) {
            self.settle_instruments();
        }
        if now != wants {
            self.change_wants(id, now);
        }
        interval
    }
    fn change_wants(&mut self, id: ObserverId, wants: EventSet) {
        let Some(before) = self.observers.set_wants(id, wants) else {
            return;
        };
        if before.without(wants).meets(EventSet::PROFILED) {
            for t in 0..self.threads.len() as u32 {
                self.end_profile_for(ThreadId(t), |e| e == id);
            }
        }
        self.begin_notifying(id, wants.without(before));
    }
    /// An observer is notified of these kinds of events from now on, and of no others; `false` if it is gone. To be called
    /// between two runs; from inside an event, there is [`EventView::want`].
    pub fn want(&mut self, id: ObserverId, events: EventSet) -> bool {
        let known = self.observers.has(id);
        self.contained(|vm| vm.change_wants(id, events));
        known
    }
    /// The execution of a thread that is not running is profiled from now on.
    pub(crate) fn begin_profile(&mut self, t: ThreadId) {
        if self.wants(EventSet::PROFILED) {
            self.begin_profile_for(t, |_| true);
        }
    }
    fn begin_profile_for(&mut self, t: ThreadId, who: impl Fn(ObserverId) -> bool) {
        let object = self.threads[t.0 as usize].object;
        let (name, daemon, priority) = match object.is_null() {
            // the first thread, or the one that runs the shutdown hooks
            true if t.0 == 0 => ("main".to_string(), false, 5),
            true => (crate::threads::shutdown::NAME.to_string(), false, 5),
            false => (
                self.thread_name(t),
                self.is_daemon(t),
                self.thread_priority(object),
            ),
        };
        let executed = match self.in_interpreter && t == self.cur {
            true => self.executed(t),
            false => self.threads[t.0 as usize].regs.ticks,
        };
        let started = Started {
            thread: t,
            name,
            daemon,
            priority,
            executed,
        };
        for k in 0..self.observers.len_of_events() {
            let (id, wants) = self.observers.of_events(k);
            if wants.meets(EventSet::PROFILED) && who(id) {
                let interval = self.notify(id, Event::ProfileBegins(&started));
                if self.observers.wants(id).meets(EventSet::PROFILED) {
                    let alarms = &mut self.threads[t.0 as usize].alarms;
                    alarms.set(id, executed, interval);
                }
            }
        }
    }
    /// Notifies those who requested it that the running thread, whose top frame is `cs`, is at bytecode index `bci` of its
    /// method and has executed `n` bytecodes.
    pub(crate) fn reached(&mut self, cs: Cs, bci: u16, n: i64) {
        let thread = self.cur;
        if self.thread().alarms.is_due(FOLLOWED, n) {
            let further = self.call_debugger_step(cs, bci);
            let alarms = &mut self.thread().alarms;
            match further {
                true => alarms.set(FOLLOWED, n, 1),
                false => _ = alarms.remove(FOLLOWED),
            }
            if self.thread().alarms.first().is_none_or(|next| next > n) {
                return;
            }
        }
        let mut stack = self.thread().sampling.call_stack.take().unwrap_or_default();
        let unchanged = self.update_stack(&mut stack, cs, bci, n);
        if self.wants(EventSet::CONTEXTS) {
            self.flush_frames_of(thread, n);
        }
        for a in &mut self.thread().alarms.list {
            a.unchanged = a.unchanged.min(unchanged);
        }
        for k in 0..self.observers.len_of_events() {
            let (id, _) = self.observers.of_events(k);
            let alarms = &mut self.thread().alarms.list;
            let due = |a: &&mut Alarm| a.id == id && a.next == Some(n);
            let Some(alarm) = alarms.iter_mut().find(due) else {
                continue;
            };
            let at = Moment {
                thread,
                executed: n,
                stack: &stack.frames,
                unchanged: std::mem::replace(&mut alarm.unchanged, usize::MAX),
            };
            let interval = self.notify(id, Event::Reached(at));
            // it may want no more of it
            if self.thread().alarms.has(id) {
                self.thread().alarms.set(id, n, interval);
            }
        }
        if self.thread().alarms.is_due(EVERY, n) {
            self.emit(Event::Instruction(Moment {
                thread,
                executed: n,
                stack: &stack.frames,
                unchanged: 0,
            }));
            self.begin_instructions_after(thread, n);
        }
        self.thread().sampling.call_stack = Some(stack);
        if self.thread().alarms.is_due(COUNTED, n) {
            self.notify_every(cs, bci, n);
        }
    }
    /// Begins or ends notices of each bytecode of a thread.
    pub(crate) fn begin_instructions(&mut self, t: ThreadId) {
        let executed = match self.in_interpreter && t == self.cur {
            true => self.executed(t),
            false => self.threads[t.0 as usize].regs.ticks,
        };
        self.begin_instructions_after(t, executed);
    }
    /// Notifies instruments when a thread has executed so many bytecodes.
    pub(crate) fn count_to(&mut self, t: ThreadId, executed: i64, due: Option<i64>) {
        let alarms = &mut self.threads[t.0 as usize].alarms;
        match due {
            Some(due) => alarms.set(COUNTED, executed, (due - executed).max(1) as u64),
            None => _ = alarms.remove(COUNTED),
        }
    }
    /// A debugger is asked at each bytecode of a thread that is not running, beginning with the `nth` that it executes next;
    /// `None`: no longer.
    pub(crate) fn follow_from(&mut self, t: ThreadId, nth: Option<u64>) {
        let executed = self.threads[t.0 as usize].executed;
        let alarms = &mut self.threads[t.0 as usize].alarms;
        match nth {
            Some(n) => alarms.set(FOLLOWED, executed, n),
            None => _ = alarms.remove(FOLLOWED),
        }
    }
    fn begin_instructions_after(&mut self, t: ThreadId, executed: i64) {
        let wanted = self.wants(EventSet::INSTRUCTIONS);
        let alarms = &mut self.threads[t.0 as usize].alarms;
        match wanted {
            true => alarms.set(EVERY, executed, 1),
            false => _ = alarms.remove(EVERY),
        }
    }
    /// A class file is about to become a class: the file that is to be one in its place.
    pub(crate) fn notify_class_file(
        &mut self,
        name: Option<&str>,
        loader: LoaderId,
        bytes: &[u8],
    ) -> Option<Vec<u8>> {
        let mut replaced: Option<Vec<u8>> = None;
        for k in 0..self.observers.len_of_events() {
            let (id, wants) = self.observers.of_events(k);
            if wants.meets(EventSet::CLASS_FILES) {
                let file = ClassFileSeen {
                    name,
                    loader,
                    bytes: replaced.as_deref().unwrap_or(bytes),
                };
                self.notify(id, Event::ClassFile(file));
                replaced = self.events.replacement.take().or(replaced);
            }
        }
        replaced
    }
    /// A thread, or the profiled part of it, has ended.
    pub(crate) fn end_profile(&mut self, t: ThreadId) {
        self.end_profile_for(t, |_| true);
    }
    fn end_profile_for(&mut self, t: ThreadId, who: impl Fn(ObserverId) -> bool) {
        if self.threads[t.0 as usize].alarms.list.is_empty() {
            return;
        }
        // frames are open when the program has ended itself
        let executed = self.executed(t);
        self.flush_frames_of(t, executed);
        for k in 0..self.observers.len_of_events() {
            let (id, _) = self.observers.of_events(k);
            if who(id) && self.threads[t.0 as usize].alarms.remove(id) {
                self.notify(id, Event::ProfileEnds(t));
            }
        }
    }
    /// The running instruction or native has allocated an object, which it has not filled yet.
    #[inline]
    pub(crate) fn note_allocated(&mut self, object: Ref, bytes: usize) {
        if self.wants(EventSet::ALLOCATIONS) {
            let spot = self.spot();
            self.events.fresh.push((object, bytes, spot));
        }
    }
    /// The allocated objects are garbage: the instruction or native runs again.
    #[inline]
    pub(crate) fn forget_allocated(&mut self) {
        self.events.fresh.clear();
    }
    /// The instruction or native has succeeded: reports what it has allocated.
    #[inline]
    pub(crate) fn notify_allocated(&mut self) {
        if self.events.fresh.is_empty() {
            return;
        }
        for (object, bytes, spot) in std::mem::take(&mut self.events.fresh) {
            self.events.spot = spot;
            self.emit(Event::Allocated { object, bytes });
        }
        self.events.spot = None;
    }
}

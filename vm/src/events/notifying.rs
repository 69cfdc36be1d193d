//! Subscribes, and hands events to the subscribers that want them.

use super::alarms::{Alarm, SubscriberId};
use super::hub::{COUNTED, EVERY, FOLLOWED, IN_COLLECTIONS, SubscriberEntry};
use super::{Arena, ClassFileSeen, Event, EventSet, EventView, Moment, Started, Subscriber};
use crate::ids::{LoaderId, Ref, ThreadId};
use crate::interp::{Cs, ThreadPosition};
use crate::threads::phase::Phase;
use crate::vm::Vm;

impl Vm {
    /// Whether somebody wants events of these kinds.
    #[inline]
    pub(crate) fn wants(&self, events: EventSet) -> bool {
        self.events.wanted.meets(events)
    }
    /// Notifies a subscriber of all events from now on. For a profile already under way, the subscriber begins at the present
    /// place.
    pub fn subscribe(&mut self, subscriber: Box<dyn Subscriber>) -> SubscriberId {
        let id = SubscriberId(self.events.next_id);
        self.events.next_id += 1;
        let wants = subscriber.events();
        self.events.entries.push(SubscriberEntry {
            id,
            wants,
            subscriber: Some(subscriber),
        });
        // what goes wrong, the next run reports
        let _ = self.guarded(|vm| vm.begin_notifying(id, wants));
        id
    }
    fn begin_notifying(&mut self, id: SubscriberId, wants: EventSet) {
        self.wanted_changed();
        if wants.meets(EventSet::ARENAS) {
            for arena in Arena::ALL {
                self.notify_subscriber(id, Event::NewArena(arena));
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
    /// Who is subscribed, in the order in which they are notified.
    pub fn subscribers(&self) -> Vec<SubscriberId> {
        self.events.entries.iter().map(|e| e.id).collect()
    }
    /// Notifies a subscriber that everything has ended, and gives it back; `None` if it is not subscribed any more.
    pub fn unsubscribe(&mut self, id: SubscriberId) -> Option<Box<dyn Subscriber>> {
        self.contained(|vm| {
            for t in 0..vm.threads.len() as u32 {
                vm.end_profile_for(ThreadId(t), |e| e == id);
            }
        });
        let at = self.events.entries.iter().position(|e| e.id == id)?;
        let subscriber = self.events.entries.remove(at).subscriber;
        self.wanted_changed();
        subscriber
    }
    fn wanted_changed(&mut self) {
        let none = EventSet::NONE;
        let before = self.events.wanted;
        let of_instruments = self.instruments.events();
        let entries = self.events.entries.iter();
        self.events.wanted = entries.fold(none | of_instruments, |s, e| s | e.wants);
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
        for i in 0..self.events.entries.len() {
            if self.events.entries[i].wants.meets(kind) {
                self.notify(i, event);
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
    /// Where that thread is, or was when what is being reported has happened.
    pub(crate) fn event_spot(&self) -> Option<ThreadPosition> {
        self.events.spot.or_else(|| self.spot())
    }
    /// Notifies one subscriber only.
    fn notify_subscriber(&mut self, id: SubscriberId, event: Event<'_>) {
        if let Some(i) = self.events.entries.iter().position(|e| e.id == id) {
            self.notify(i, event);
        }
    }
    /// Notifies the subscriber at index `i` of an event; after how many bytecodes it wants to be notified again.
    fn notify(&mut self, i: usize, event: Event<'_>) -> u64 {
        let Some(mut subscriber) = self.events.entries[i].subscriber.take() else {
            return 0;
        };
        let SubscriberEntry { id, wants, .. } = self.events.entries[i];
        let mut seen = EventView {
            vm: self,
            interval: 0,
            wants,
            replacement: None,
        };
        subscriber.event(&mut seen, event);
        let (interval, now) = (seen.interval, seen.wants);
        let replacement = seen.replacement.take();
        self.events.replacement = replacement;
        self.events.entries[i].subscriber = Some(subscriber);
        // in the middle of a collection, classes and objects are not what they seem
        if !event.kind().meets(IN_COLLECTIONS) {
            self.settle_instruments();
        }
        if now != wants {
            self.change_wants(id, now);
        }
        interval
    }
    fn change_wants(&mut self, id: SubscriberId, wants: EventSet) {
        let Some(entry) = self.events.entries.iter_mut().find(|e| e.id == id) else {
            return;
        };
        let before = std::mem::replace(&mut entry.wants, wants);
        if before.without(wants).meets(EventSet::PROFILED) {
            for t in 0..self.threads.len() as u32 {
                self.end_profile_for(ThreadId(t), |e| e == id);
            }
        }
        self.begin_notifying(id, wants.without(before));
    }
    /// A subscriber is notified of these kinds of events from now on, and of no others; `false` if it is not subscribed any
    /// more. To be called between two runs; from inside an event, there is [`EventView::want`].
    pub fn want(&mut self, id: SubscriberId, events: EventSet) -> bool {
        let known = self.events.entries.iter().any(|e| e.id == id);
        self.contained(|vm| vm.change_wants(id, events));
        known
    }
    /// What a thread that is not running executes is profiled from now on.
    pub(crate) fn begin_profile(&mut self, t: ThreadId) {
        if self.wants(EventSet::PROFILED) {
            self.begin_profile_for(t, |_| true);
        }
    }
    fn begin_profile_for(&mut self, t: ThreadId, who: impl Fn(SubscriberId) -> bool) {
        let object = self.threads[t.0 as usize].object;
        let (name, daemon, priority) = match object.is_null() {
            // the first thread, or the one that runs the shutdown hooks
            true if t.0 == 0 => ("main".to_string(), false, 5),
            true => ("DestroyJavaVM".to_string(), false, 5),
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
        for i in 0..self.events.entries.len() {
            let SubscriberEntry { id, wants, .. } = self.events.entries[i];
            if wants.meets(EventSet::PROFILED) && who(id) {
                let interval = self.notify(i, Event::ProfileBegins(&started));
                if self.events.entries[i].wants.meets(EventSet::PROFILED) {
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
        for i in 0..self.events.entries.len() {
            let id = self.events.entries[i].id;
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
            let interval = self.notify(i, Event::Reached(at));
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
        for i in 0..self.events.entries.len() {
            if self.events.entries[i].wants.meets(EventSet::CLASS_FILES) {
                let file = ClassFileSeen {
                    name,
                    loader,
                    bytes: replaced.as_deref().unwrap_or(bytes),
                };
                self.notify(i, Event::ClassFile(file));
                replaced = self.events.replacement.take().or(replaced);
            }
        }
        replaced
    }
    /// A thread, or what is profiled of it, has ended.
    pub(crate) fn end_profile(&mut self, t: ThreadId) {
        self.end_profile_for(t, |_| true);
    }
    fn end_profile_for(&mut self, t: ThreadId, who: impl Fn(SubscriberId) -> bool) {
        if self.threads[t.0 as usize].alarms.list.is_empty() {
            return;
        }
        // frames are open when the program has ended itself
        let executed = self.executed(t);
        self.flush_frames_of(t, executed);
        for i in 0..self.events.entries.len() {
            let id = self.events.entries[i].id;
            if who(id) && self.threads[t.0 as usize].alarms.remove(id) {
                self.notify(i, Event::ProfileEnds(t));
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
    /// What was allocated is garbage: the instruction or native runs again.
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

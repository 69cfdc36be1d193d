//! The happens-before order of a run (JLS 17.4.5), as it comes about: for each thread, how much of the others' past it knows.

use crate::clock::{Clock, Epoch};
use crate::{Mode, Op, OpKind, Place, ThreadNo};
use hashbrown::HashMap;
use std::sync::Arc;

/// Which operations happen before which, up to now.
///
/// Synchronisation is as in the Java language: monitors, volatile variables, starting and joining threads, interrupts that are
/// noticed, initialisation of classes; and release and acquire accesses and fences as `VarHandle` documents them. Parking,
/// sleeping and yielding order nothing.
#[derive(Clone, Debug, Default)]
pub struct Order {
    threads: Vec<ThreadOrder>,
    monitors: HashMap<Place, Clock>,
    classes: HashMap<Place, Clock>,
    variables: HashMap<Place, PublishedStores>,
    /// The knowledge after the latest full fence.
    fence: Clock,
}

#[derive(Clone, Debug, Default)]
struct ThreadOrder {
    clock: Clock,
    /// The clock, to be shared until it changes.
    shared: Option<Arc<Clock>>,
    /// The knowledge at the latest release fence: later stores publish it.
    fenced: Option<Arc<Clock>>,
    /// What stores published that were read without acquiring: an acquire fence makes it known.
    unacquired: Clock,
    /// What those knew who interrupted it.
    interrupt: Clock,
    /// How often it has frozen final fields.
    freezes: u32,
    /// What it knew when it did so last.
    frozen: Clock,
}

/// What the stores to a variable publish.
#[derive(Clone, Debug, Default)]
struct PublishedStores {
    /// To any later volatile read: what all volatile stores published.
    volatile: Clock,
    /// To who reads the latest store.
    latest: Option<Arc<Clock>>,
}

impl ThreadOrder {
    fn learn(&mut self, clock: &Clock) {
        if self.clock.join(clock) {
            self.shared = None;
        }
    }

    fn saw(&mut self, mode: Mode, clock: &Clock) {
        if mode.acquires() {
            self.learn(clock);
        } else {
            self.unacquired.join(clock);
        }
    }
}

/// A thread, which is added when it is first used.
fn thread_of(threads: &mut Vec<ThreadOrder>, thread: ThreadNo) -> &mut ThreadOrder {
    while threads.len() <= thread.index() {
        let mut t = ThreadOrder::default();
        t.clock.tick(ThreadNo(threads.len() as u32));
        threads.push(t);
    }
    &mut threads[thread.index()]
}

impl Order {
    /// Places that are no more, and whose numbers may be used again.
    pub fn forget(&mut self, is_gone: impl Fn(Place) -> bool) {
        self.variables.retain(|&p, _| !is_gone(p));
        self.monitors.retain(|&p, _| !is_gone(p));
        self.classes.retain(|&p, _| !is_gone(p));
    }

    /// Whether what happened at an epoch happens before what `thread` does now.
    pub(crate) fn knows(&self, thread: ThreadNo, epoch: Epoch) -> bool {
        let known = |t: &ThreadOrder| epoch.is_known(&t.clock);
        epoch.thread == thread || self.threads.get(thread.index()).is_some_and(known)
    }

    /// Now, for a thread.
    pub(crate) fn now(&mut self, thread: ThreadNo) -> Epoch {
        let time = self.thread(thread).clock.get(thread);
        Epoch { thread, time }
    }

    /// What a thread knows now.
    pub(crate) fn known(&mut self, thread: ThreadNo) -> Arc<Clock> {
        let t = self.thread(thread);
        t.shared
            .get_or_insert_with(|| Arc::new(t.clock.clone()))
            .clone()
    }

    fn thread(&mut self, thread: ThreadNo) -> &mut ThreadOrder {
        thread_of(&mut self.threads, thread)
    }

    fn learn(&mut self, thread: ThreadNo, clock: &Clock) {
        self.thread(thread).learn(clock);
    }

    /// The thread's time advances.
    fn tick(&mut self, thread: ThreadNo) {
        let t = self.thread(thread);
        t.clock.tick(thread);
        t.shared = None;
    }

    /// What the thread knows becomes known to those who learn it from here on.
    fn publish(&mut self, thread: ThreadNo, to: impl FnOnce(&mut Order) -> &mut Clock) {
        let known = self.known(thread);
        to(self).join(&known);
        self.tick(thread);
    }

    /// A thread has performed an operation. Reads of memory see the latest store of their variable.
    pub fn executed(&mut self, thread: ThreadNo, op: Op) {
        let place = op.place;
        match op.kind {
            OpKind::Read(mode) => self.read(thread, place, mode),
            OpKind::Write(mode) => self.write(thread, place, mode),
            OpKind::Update(mode) => {
                let before = self.variables.get(&place).and_then(|v| v.latest.clone());
                self.read(thread, place, mode);
                self.write(thread, place, mode);
                if let Some(before) = before {
                    // who reads what an update stored has also read what it replaced
                    let variable = self.variables.entry(place).or_default();
                    variable.latest = Some(joined(variable.latest.take(), before));
                }
            }
            _ => self.synchronised(thread, op),
        }
    }

    /// A thread has performed an operation that is not an access to memory.
    pub(crate) fn synchronised(&mut self, thread: ThreadNo, op: Op) {
        let place = op.place;
        match op.kind {
            OpKind::Enter | OpKind::Resume if place != Place::NONE => {
                if let Some(clock) = self.monitors.get(&place) {
                    thread_of(&mut self.threads, thread).learn(clock);
                }
            }
            OpKind::Exit | OpKind::Wait => {
                self.publish(thread, |o| o.monitors.entry(place).or_default());
            }
            OpKind::InitUse => {
                if let Some(clock) = self.classes.get(&place) {
                    thread_of(&mut self.threads, thread).learn(clock);
                }
            }
            OpKind::InitEnd => {
                self.publish(thread, |o| o.classes.entry(place).or_default());
            }
            OpKind::Start(other) => {
                let known = self.known(thread);
                self.learn(other, &known);
                self.tick(thread);
            }
            OpKind::Join(other) => {
                let known = self.known(other);
                self.learn(thread, &known);
            }
            OpKind::Interrupt(other) => {
                self.publish(thread, |o| &mut o.thread(other).interrupt);
            }
            OpKind::Interrupted(other) => {
                let clock = self.thread(other).interrupt.clone();
                self.learn(thread, &clock);
            }
            OpKind::Fence(mode) => self.fence(thread, mode),
            OpKind::Freeze => {
                let t = self.thread(thread);
                t.freezes += 1;
                t.frozen = t.clock.clone();
                self.tick(thread);
            }
            _ => {}
        }
    }

    fn fence(&mut self, thread: ThreadNo, mode: Mode) {
        if mode.acquires() {
            let clock = self.thread(thread).unacquired.clone();
            self.learn(thread, &clock);
            self.thread(thread).unacquired.clear();
        }
        if mode == Mode::Volatile {
            let clock = self.fence.clone();
            self.learn(thread, &clock);
            self.publish(thread, |o| &mut o.fence);
        }
        if mode.releases() {
            let known = self.known(thread);
            self.thread(thread).fenced = Some(known);
            self.tick(thread);
        }
    }

    fn read(&mut self, thread: ThreadNo, place: Place, mode: Mode) {
        let Some(variable) = self.variables.get(&place) else {
            return;
        };
        let t = thread_of(&mut self.threads, thread);
        if mode == Mode::Volatile {
            t.learn(&variable.volatile);
        }
        if let Some(latest) = &variable.latest {
            t.saw(mode, latest);
        }
    }

    /// A thread has read a store that publishes `clock`.
    pub(crate) fn saw(&mut self, thread: ThreadNo, mode: Mode, clock: &Clock) {
        self.thread(thread).saw(mode, clock);
    }

    fn write(&mut self, thread: ThreadNo, place: Place, mode: Mode) {
        let published = self.stored(thread, mode);
        if published.is_none() {
            if let Some(variable) = self.variables.get_mut(&place) {
                variable.latest = None;
            }
            return;
        }
        let variable = self.variables.entry(place).or_default();
        if let (Mode::Volatile, Some(clock)) = (mode, &published) {
            variable.volatile.join(clock);
        }
        variable.latest = published;
    }

    /// A thread stores in a mode; what that publishes to who reads the store.
    pub(crate) fn stored(&mut self, thread: ThreadNo, mode: Mode) -> Option<Arc<Clock>> {
        if mode.releases() {
            let known = self.known(thread);
            self.tick(thread);
            Some(known)
        } else {
            self.thread(thread).fenced.clone()
        }
    }

    /// A thread has read a final field that `writer` stored after this many freezes of fields; if it has frozen fields since, its
    /// earlier operations are seen.
    pub(crate) fn saw_frozen(&mut self, thread: ThreadNo, writer: ThreadNo, freezes: u32) {
        if self.freezes(writer) > freezes {
            let frozen = self.thread(writer).frozen.clone();
            self.learn(thread, &frozen);
        }
    }

    /// How often a thread has frozen final fields.
    pub(crate) fn freezes(&self, thread: ThreadNo) -> u32 {
        self.threads.get(thread.index()).map_or(0, |t| t.freezes)
    }
}

/// What one or both publish.
pub(crate) fn joined(a: Option<Arc<Clock>>, b: Arc<Clock>) -> Arc<Clock> {
    match a {
        None => b,
        Some(a) => {
            let mut both = (*a).clone();
            both.join(&b);
            Arc::new(both)
        }
    }
}

//! Which threads are suspended, and how often.

use super::raw::{About, Raw};
use super::types::What;
use super::world::World;
use rjvm_vm::{Ref, ThreadId, jdk};

impl World<'_> {
    /// Threads of the program and the class library that are alive.
    pub fn threads(&self) -> Vec<ThreadId> {
        let own = |t: &ThreadId| !self.vm.a_thread(*t).object.is_null();
        self.vm.live_threads().filter(own).collect()
    }
    /// Those of them whose objects have been constructed.
    pub fn shown_threads(&self) -> Vec<ThreadId> {
        let mut all = self.threads();
        all.retain(|&t| {
            let object = self.vm.a_thread(t).object;
            !self.vm.get(object, jdk::thread::NAME).is_null()
        });
        all
    }
    /// How often a thread is suspended.
    pub fn suspend_count(&self, t: ThreadId) -> u32 {
        self.engine.counts.of.get(&t).copied().unwrap_or(0)
    }
    /// Suspends a thread once more.
    pub fn suspend(&mut self, t: ThreadId) {
        let count = self.engine.counts.of.entry(t).or_insert(0);
        *count += 1;
        self.vm.freeze(t);
    }
    /// The thread of an object, while it is alive.
    pub fn thread_of(&mut self, object: Ref) -> Option<ThreadId> {
        let t = self.vm.env().thread_of(object)?;
        self.vm.a_thread(t).is_alive().then_some(t)
    }
    /// How often the thread of an object is suspended, whether it has begun or not.
    pub fn suspensions(&mut self, object: Ref) -> u32 {
        match self.thread_of(object) {
            Some(t) => self.suspend_count(t),
            None => {
                let id = self.engine.objects.id(self.vm, object);
                self.engine.counts.idle.get(&id).copied().unwrap_or(0)
            }
        }
    }
    /// Suspends the thread of an object once more: one that has not begun, when it begins.
    pub fn suspend_object(&mut self, object: Ref) {
        if let Some(t) = self.thread_of(object) {
            return self.suspend(t);
        }
        let id = self.engine.objects.id(self.vm, object);
        let counts = &mut self.engine.counts;
        *counts.idle.entry(id).or_insert(counts.all) += 1;
        self.want_events();
    }
    /// Takes one suspension of the thread of an object back.
    pub fn resume_object(&mut self, object: Ref) {
        if let Some(t) = self.thread_of(object) {
            return self.resume(t);
        }
        let id = self.engine.objects.id(self.vm, object);
        if let Some(count) = self.engine.counts.idle.get_mut(&id) {
            *count -= 1;
        }
        self.forget_idle();
    }
    /// Forgets threads that are not suspended any more, and those that are gone.
    fn forget_idle(&mut self) {
        if self.engine.counts.idle.is_empty() {
            return;
        }
        let (vm, objects) = (&*self.vm, &self.engine.objects);
        let idle = &mut self.engine.counts.idle;
        idle.retain(|&id, count| *count > 0 && objects.get(vm, id).is_some());
        self.want_events();
    }
    /// Threads whose objects the host has constructed meanwhile have begun for whoever looks at the program.
    pub(super) fn name_threads(&mut self) {
        if self.engine.nameless.is_empty() {
            return;
        }
        let shown = self.shown_threads();
        let nameless = &mut self.engine.nameless;
        let named: Vec<ThreadId> = nameless.extract_if(.., |t| shown.contains(t)).collect();
        for (i, t) in named.into_iter().enumerate() {
            let object = self.vm.a_thread(t).object;
            let start = Raw::Event {
                thread: Some(t),
                what: What::ThreadStart,
                about: About::Thread(Some(self.vm.watch_object(object))),
            };
            self.engine.raw.insert(i, start);
        }
    }
    /// Takes one suspension back.
    pub fn resume(&mut self, t: ThreadId) {
        let Some(count) = self.engine.counts.of.get_mut(&t) else {
            return;
        };
        *count -= 1;
        if *count == 0 {
            self.engine.counts.of.remove(&t);
            self.goes_on(t);
        }
    }
    fn goes_on(&mut self, t: ThreadId) {
        self.vm.thaw(t);
        self.engine.at_event.remove(&t);
        self.frames_change(t);
    }
    /// Frames of a thread that are known are good no more.
    pub(crate) fn frames_change(&mut self, t: ThreadId) {
        let n = self.engine.generations.entry(t).or_insert(0);
        *n = n.wrapping_add(1);
    }
    /// How often a thread's frames have changed.
    pub fn generation(&self, t: ThreadId) -> u32 {
        self.engine.generations.get(&t).copied().unwrap_or(0)
    }
    /// Suspends all threads once more.
    pub fn suspend_all(&mut self) {
        self.engine.counts.all += 1;
        for t in self.threads() {
            self.suspend(t);
        }
        self.engine.counts.idle.values_mut().for_each(|n| *n += 1);
    }
    /// Takes one suspension of each thread back.
    pub fn resume_all(&mut self) {
        self.engine.counts.all = self.engine.counts.all.saturating_sub(1);
        for t in self.known_threads() {
            self.resume(t);
        }
        self.engine.counts.idle.values_mut().for_each(|n| *n -= 1);
        self.forget_idle();
    }
    /// No thread is suspended any more.
    pub(super) fn resume_everything(&mut self) {
        self.engine.counts.all = 0;
        self.engine.counts.idle.clear();
        for t in self.known_threads() {
            self.engine.counts.of.remove(&t);
            self.goes_on(t);
        }
    }
    /// Those that are suspended, in the order of their numbers.
    fn known_threads(&self) -> Vec<ThreadId> {
        let mut all: Vec<ThreadId> = self.engine.counts.of.keys().copied().collect();
        all.sort_unstable();
        all
    }
    /// Threads that have begun while all were suspended are, too; those that have ended are not any more.
    pub(super) fn settle_threads(&mut self) {
        let alive = self.threads();
        self.engine.counts.of.retain(|t, _| alive.contains(t));
        self.engine.counts.settled.retain(|t| alive.contains(t));
        for t in alive {
            let has_call = self.engine.calls.values().any(|c| c.0 == t);
            // one that was resumed alone goes on, although it has executed nothing yet
            let is_settled = has_call || !self.engine.counts.settled.insert(t);
            if is_settled || self.engine.counts.of.contains_key(&t) || !self.is_new(t) {
                continue;
            }
            let count = match self.engine.counts.idle.is_empty() {
                true => None,
                false => {
                    let object = self.vm.a_thread(t).object;
                    let id = self.engine.objects.id(self.vm, object);
                    self.engine.counts.idle.remove(&id)
                }
            };
            let count = count.unwrap_or(self.engine.counts.all);
            if count > 0 {
                self.engine.counts.of.insert(t, count);
                self.vm.freeze(t);
            }
        }
    }
    /// Whether a thread has executed nothing yet.
    fn is_new(&self, t: ThreadId) -> bool {
        self.vm.a_thread(t).executed == 0
    }
    /// Whether no thread can go on.
    pub(super) fn all_suspended(&self) -> bool {
        let threads = self.threads();
        !threads.is_empty() && threads.iter().all(|t| self.suspend_count(*t) > 0)
    }
}

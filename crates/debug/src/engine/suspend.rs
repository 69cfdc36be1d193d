//! Which threads are suspended, and how often.

use super::world::World;
use rjvm_vm::{ThreadId, jdk};

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
    }
    /// Takes one suspension of each thread back.
    pub fn resume_all(&mut self) {
        self.engine.counts.all = self.engine.counts.all.saturating_sub(1);
        for t in self.known_threads() {
            self.resume(t);
        }
    }
    /// No thread is suspended any more.
    pub(super) fn resume_everything(&mut self) {
        self.engine.counts.all = 0;
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
        for t in alive {
            let all = self.engine.counts.all;
            let has_call = self.engine.calls.values().any(|c| c.0 == t);
            if all > 0 && !has_call && !self.engine.counts.of.contains_key(&t) && self.is_new(t) {
                self.engine.counts.of.insert(t, all);
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

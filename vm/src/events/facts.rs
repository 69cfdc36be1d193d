//! What an observer that writes names of everything may ask during an event: threads and their groups. Nothing of it
//! changes what the program sees, as drawing a hash would.

use super::EventView;
use crate::ids::{Ref, ThreadId};
use crate::jdk;

impl EventView<'_> {
    /// `Thread.getId`; 0 if the thread has no object yet. Not while the heap is collected.
    pub fn java_thread_id(&mut self, thread: ThreadId) -> i64 {
        match self.thread_object(thread).non_null() {
            Some(object) => self.vm.get(object, jdk::thread::TID),
            None => 0,
        }
    }
    /// The names of the groups that a thread is in, the outermost first. Not while the heap is collected.
    pub fn thread_groups(&mut self, thread: ThreadId) -> Vec<String> {
        let mut names = Vec::new();
        let Some(object) = self.thread_object(thread).non_null() else {
            return names;
        };
        let mut group = self.vm.thread_group_of(object);
        while let Some(at) = group.non_null() {
            let name = self.vm.get(at, jdk::thread_group::NAME);
            names.push(name.non_null().map_or(String::new(), |n| self.vm.string(n)));
            group = self.vm.get(at, jdk::thread_group::PARENT);
        }
        names.reverse();
        names
    }
    /// The object of a thread; null of one that has none yet.
    pub fn thread_object(&self, thread: ThreadId) -> Ref {
        self.vm.threads[thread.0 as usize].object
    }
}

//! What an observer may look at and ask for during an event.

use super::observer::EventView;
use super::{EventSet, Observer, ObserverId};
use crate::ids::{Ref, ThreadId};
use crate::instruments::{InstrumentId, Spec};
use crate::interp::Context;
use crate::jdk;
use crate::threads::locks::MonitorDump;
use crate::vm::Vm;
use rjvm_profiler::samples::Frame;
use std::any::Any;

impl std::ops::Deref for EventView<'_> {
    type Target = Vm;
    fn deref(&self) -> &Vm {
        self.vm
    }
}

impl<'a> EventView<'a> {
    /// A VM outside of any event.
    pub(crate) fn of(vm: &'a mut Vm) -> EventView<'a> {
        EventView {
            vm,
            interval: 0,
            wants: EventSet::NONE,
            replacement: None,
        }
    }
}

impl EventView<'_> {
    /// Places an instrument, as soon as all observers are notified of the event and the operation under way allows it.
    pub fn place_instrument(&mut self, spec: Spec) -> InstrumentId {
        self.vm.place_instrument_later(spec)
    }
    /// Takes an instrument away, in the same way.
    pub fn remove_instrument(&mut self, id: InstrumentId) {
        self.vm.remove_instrument_later(id);
    }
    /// Another observer, if it is of this type and not being notified, to be changed.
    pub fn observer_mut<T: Observer>(&mut self, id: ObserverId) -> Option<&mut T> {
        let observer: &mut dyn Any = self.vm.observers.get_mut(id)?;
        observer.downcast_mut()
    }
    /// In [`Event::ProfileBegins`](super::Event::ProfileBegins) and [`Event::Reached`](super::Event::Reached): the observer is notified when the thread has executed that many
    /// more bytecodes (at most [`MAX_INTERVAL`](super::MAX_INTERVAL); 0: not again).
    pub fn call_after(&mut self, bytecodes: u64) {
        self.interval = bytecodes;
    }
    /// The VM lets its debugger do something, when the thread next comes to the end of a call, a return or a jump.
    pub fn attend(&mut self) {
        self.vm.canceller().attend();
    }
    /// A number by which an object is known as long as it is there: it is not kept.
    ///
    /// # Panics
    /// It is not an object, or the heap is being collected.
    pub fn watch_object(&mut self, r: Ref) -> u32 {
        self.vm.heap.watch(r)
    }
    /// The events of which the observer is notified.
    pub fn wanted(&self) -> EventSet {
        self.wants
    }
    /// The observer is notified of these kinds of events from now on, and of no others.
    pub fn want(&mut self, events: EventSet) {
        self.wants = events;
    }
    /// The thread that the event is of: the one that runs. `None` for what happens between two runs.
    pub fn thread(&self) -> Option<ThreadId> {
        self.vm.notifying_thread()
    }
    /// Bytecodes that thread has executed, the one it is at included; 0 if there is none.
    pub fn executed(&mut self) -> i64 {
        let Some(t) = self.thread() else {
            return 0;
        };
        match self.vm.event_spot() {
            Some(p) => self.vm.executed_at(&p),
            None => self.vm.executed(t),
        }
    }
    /// Bytecodes that all threads together have executed.
    pub fn bytecodes(&mut self) -> i64 {
        self.vm.bytecodes_now()
    }
    /// The stack of that thread, root first; the last frame is at the bytecode that is being executed.
    pub fn stack(&mut self) -> Vec<Frame> {
        match self.vm.event_spot() {
            Some(p) => self.vm.stack_at(&p, usize::MAX),
            None => Vec::new(),
        }
    }
    /// The innermost frames of that stack, at most that many, the innermost first.
    pub fn top_frames(&mut self, most: usize) -> Vec<Frame> {
        let mut frames = match (self.vm.event_spot(), most) {
            (None, _) | (_, 0) => Vec::new(),
            (Some(p), most) => self.vm.stack_at(&p, most),
        };
        frames.reverse();
        frames
    }
    /// The stack of any thread that is alive.
    pub fn stack_of(&mut self, t: ThreadId) -> Vec<Frame> {
        match Some(t) == self.thread() {
            true => self.stack(),
            false => self.vm.stack_of(t),
        }
    }
    /// The calling context that the thread is in, if contexts are recorded. Its counts, and those of the contexts it was called
    /// in, are complete except for what they are executing now.
    pub fn context(&self) -> Option<Context<'_>> {
        self.vm.context_at(&self.vm.event_spot()?)
    }
    /// The object a thread waits for, or null, and the thread that has it.
    pub fn waits_for(&mut self, t: ThreadId) -> (Ref, Option<ThreadId>) {
        self.vm.waits_for(t)
    }
    /// All monitors that a thread has entered or waits for, and which thread waits for which. Not while the heap is collected.
    pub fn monitor_dump(&mut self) -> MonitorDump {
        self.vm.monitor_dump()
    }
    /// A monitor dump as text.
    pub fn describe_monitors(&mut self, dump: &MonitorDump) -> String {
        self.vm.describe_monitors(dump)
    }
    /// The threads with their stacks, as SIGQUIT prints them.
    pub fn thread_dump(&mut self) -> String {
        self.vm.thread_dump(false)
    }
    /// Writes a heap dump into a new file as soon as all objects can be looked at: when the running thread next comes to the
    /// end of a call, a return or a jump back, at the latest. [`Event::HeapDumped`](super::Event::HeapDumped) reports it. Of
    /// several requests before that, each is seen to.
    pub fn request_heap_dump(&mut self, path: &[u8]) {
        self.vm.events.dumps.push(path.to_vec());
        self.vm.request_attention();
    }
    /// In [`Event::ClassFile`](super::Event::ClassFile): this file becomes the class, unless an observer that is notified
    /// later, and sees it, wants yet another file. It is checked and verified for classes of all loaders.
    pub fn replace_class_file(&mut self, bytes: Vec<u8>) {
        self.replacement = Some(bytes);
    }
    /// Name of a thread.
    pub fn thread_name(&mut self, thread: ThreadId) -> String {
        self.vm.thread_name(thread)
    }
    /// Name of a thread's group; empty if it has none.
    pub fn thread_group(&mut self, thread: ThreadId) -> String {
        let object = self.vm.threads[thread.0 as usize].object;
        if object.is_null() {
            return String::new();
        }
        let group = self.vm.thread_group_of(object);
        if group.is_null() {
            return String::new();
        }
        let name = self.vm.get(group, jdk::thread_group::NAME);
        match name.is_null() {
            true => String::new(),
            false => self.vm.string(name),
        }
    }
    /// Nanoseconds since the VM was made, by its clock.
    pub fn uptime(&mut self) -> i64 {
        self.vm.uptime()
    }
    /// The same without being part of the run: see [`Vm::peek_uptime`].
    pub fn peek_uptime(&mut self) -> i64 {
        self.vm.peek_uptime()
    }
    /// Writes to a descriptor of the VM's host. A failure is ignored.
    pub(super) fn print(&mut self, fd: i32, text: &str) {
        self.vm.print_to(fd, text);
    }
}

//! What the fields of `java.lang.Thread` show of a green thread.

use super::{ThreadState, Wait};
use crate::ids::{ClassId, Ref, ThreadId};
use crate::jdk;
use crate::vm::Vm;

/// Values of `Thread.threadStatus`: thread states of JVM TI's `GetThreadState`, as
/// `jdk.internal.misc.VM.toThreadState` reads them.
pub mod bits {
    /// Not started.
    pub const NEW: i32 = 0;
    /// Alive and runnable.
    pub const RUNNABLE: i32 = 0x5;
    /// In `Thread.sleep`.
    pub const SLEEPING: i32 = 0xe1;
    /// In `Object.wait()`.
    pub const WAITING: i32 = 0x191;
    /// In `Object.wait(long)`.
    pub const WAITING_TIMED: i32 = 0x1a1;
    /// In `LockSupport.park`.
    pub const PARKED: i32 = 0x291;
    /// In `LockSupport.parkNanos` or `parkUntil`.
    pub const PARKED_TIMED: i32 = 0x2a1;
    /// Enters a monitor.
    pub const BLOCKED: i32 = 0x401;
    /// Ended.
    pub const TERMINATED: i32 = 0x2;

    /// `Thread.State` with HotSpot's addition of the cause, as thread dumps show it.
    pub fn describe(status: i32) -> &'static str {
        match status {
            NEW => "NEW",
            RUNNABLE => "RUNNABLE",
            SLEEPING => "TIMED_WAITING (sleeping)",
            WAITING => "WAITING (on object monitor)",
            WAITING_TIMED => "TIMED_WAITING (on object monitor)",
            PARKED => "WAITING (parking)",
            PARKED_TIMED => "TIMED_WAITING (parking)",
            BLOCKED => "BLOCKED (on object monitor)",
            TERMINATED => "TERMINATED",
            _ => "UNKNOWN",
        }
    }
}

/// The status of a thread in this state. A wait that Java code cannot see (class initialization,
/// I/O, the VM's own) counts as runnable, as in HotSpot.
pub fn status_of(state: &ThreadState) -> i32 {
    match state {
        ThreadState::New => bits::NEW,
        ThreadState::Runnable => bits::RUNNABLE,
        ThreadState::Dead => bits::TERMINATED,
        ThreadState::Waiting { on, deadline } => match (on, deadline) {
            (Wait::Sleep, _) => bits::SLEEPING,
            (Wait::Park | Wait::Unmounted, None) => bits::PARKED,
            (Wait::Park, Some(_)) => bits::PARKED_TIMED,
            (Wait::Notify(_), None) => bits::WAITING,
            (Wait::Notify(_), Some(_)) => bits::WAITING_TIMED,
            (Wait::Monitor(_), _) => bits::BLOCKED,
            _ => bits::RUNNABLE,
        },
    }
}

impl Vm {
    /// Gives a thread its state and shows it in `Thread.threadStatus`.
    pub(super) fn set_state(&mut self, t: ThreadId, state: ThreadState) {
        let status = status_of(&state);
        self.note_contention(t, &state);
        let thread = &mut self.threads[t.0 as usize];
        thread.state = state;
        // a virtual thread has the status of its carrier, and that has what it carries as its own
        let object = match thread.mount.carrier {
            Some(_) => self.carrier_object(t),
            None => thread.object,
        };
        if object.is_null() {
            return;
        }
        self.set_thread_status_bits(object, status);
    }
    /// The green thread of a `java.lang.Thread` that is alive; `None` for other objects, and for numbers that
    /// reflection has put into the field.
    pub(crate) fn thread_of(&mut self, object: Ref) -> Option<ThreadId> {
        if !self.instance_of(object, self.loaded.known.thread) {
            return None;
        }
        let e = self.get(object, jdk::thread::EETOP);
        let i = usize::try_from(e.checked_sub(1)?).ok()?;
        let thread = self.threads.get(i).filter(|t| t.object == object)?;
        Some(thread.id)
    }
    fn thread_flag(&self, t: ThreadId, flag: jdk::JdkField<b'Z', true>) -> bool {
        let object = self.threads[t.0 as usize].object;
        !object.is_null() && self.get(object, flag)
    }
    /// `Thread.isInterrupted` of a thread.
    pub(crate) fn is_interrupted(&mut self, t: ThreadId) -> bool {
        self.thread_flag(t, jdk::thread::INTERRUPTED)
    }
    /// Whether a thread is interrupted; it no longer is afterwards.
    pub(crate) fn take_interrupt(&mut self, t: ThreadId) -> bool {
        let was = self.is_interrupted(t);
        if was {
            let object = self.threads[t.0 as usize].object;
            self.set(object, jdk::thread::INTERRUPTED, false);
            self.interrupt_noticed(t);
        }
        was
    }
    /// `Thread.isDaemon` of a thread.
    pub(crate) fn is_daemon(&mut self, t: ThreadId) -> bool {
        {
            let object = self.threads[t.0 as usize].object;
            !object.is_null() && self.thread_daemon(object)
        }
    }
    /// `Thread.getName` of a thread.
    pub fn thread_name(&mut self, t: ThreadId) -> String {
        let thread = &self.threads[t.0 as usize];
        let object = thread.object;
        if let Some(name) = &thread.name {
            return name.to_string();
        }
        if object.is_null() {
            return format!("thread {}", t.0);
        }
        let name = match self.get(object, jdk::thread::NAME).non_null() {
            Some(name) => self.string(name),
            None => String::new(),
        };
        match name.is_empty() && self.is_continuation(t) {
            true => format!("VirtualThread[#{}]", self.get(object, jdk::thread::TID)),
            false => name,
        }
    }
    /// The class that names a thread's task: the class of its `Runnable` if it has one, otherwise its own; none for a thread
    /// without an object.
    pub fn task_of(&self, t: ThreadId) -> Option<ClassId> {
        let object = self.threads[t.0 as usize].object.non_null()?;
        let target = self.has_field(jdk::thread::TARGET);
        let target = match target {
            Some(target) => self.get(object, target).non_null(),
            None => self
                .thread_holder(object)
                .and_then(|h| self.get(h, jdk::thread_holder::TASK).non_null()),
        };
        Some(self.class_of(target.unwrap_or(object)))
    }
    /// Whether a thread serves the class library: a daemon of the group `system` or of the JDK's
    /// group of innocuous threads. The end of its wait lets no program continue.
    pub(super) fn is_system(&mut self, t: ThreadId) -> bool {
        self.serves_library(self.threads[t.0 as usize].object)
    }
    /// Whether a `Thread` object is, or is to become, one of these.
    pub(crate) fn serves_library(&mut self, object: Ref) -> bool {
        if object.is_null() || !self.thread_daemon(object) {
            return false;
        }
        let group = self.thread_group_of(object);
        if group.is_null() {
            return false;
        }
        let own = self.get(object, jdk::thread::NAME);
        if !own.is_null() && self.string(own).starts_with("VirtualThread-unparker") {
            return false;
        }
        let name = self.get(group, jdk::thread_group::NAME);
        !name.is_null() && matches!(&*self.string(name), "system" | "InnocuousThreadGroup")
    }
}

//! The life of a thread: start, the methods the VM calls on its behalf, end.
//!
//! ```text
//! Run: entry ──returns──────────────────────────────────► Exit: Thread.exit() ─► Finish ─► Dead
//!        └──throws─► Dispatch: dispatchUncaughtException ──┘
//! ```
//! `Finish` is no method: it takes the monitor of the `Thread` object (it may have to wait for it),
//! makes the thread TERMINATED and notifies those who `join`.

pub use super::phase::Phase;
use super::stack::Stack;
use super::{JavaThread, ThreadState};
use crate::events::{Event, EventSet};
use crate::heap::hashes::Hashes;
use crate::ids::{MethodId, Ref, ThreadId};
use crate::jdk::{self, JdkMethod, calls};
use crate::natives::Env;
use crate::throw::{R, Throw};
use crate::vm::{ProfileMode, Vm};

/// Stacks kept for new threads.
const SPARE_STACKS: usize = 64;

impl Vm {
    pub(super) fn stack(&mut self, bytes: usize) -> R<Stack> {
        if let Some(i) = self
            .sched
            .stacks
            .iter()
            .position(|s| s.len() == Stack::rounded(bytes))
        {
            return Ok(self.sched.stacks.swap_remove(i));
        }
        Stack::new(bytes).map_err(|_| no_thread())
    }
    /// A new thread for this `java.lang.Thread` object: alive and runnable, but in no queue and
    /// without a frame. For the threads that the host itself runs (`main`, `DestroyJavaVM`);
    /// [`Vm::spawn_thread`] is for the others. OutOfMemoryError when there is no room for its stack.
    pub fn attach_thread(&mut self, object: Ref, stack_bytes: usize) -> R<ThreadId> {
        self.attach(object, stack_bytes, Phase::Host)
    }
    /// A `Thread` object with a name (or null) in a group, whose constructor has not run: the object, the group and the name.
    /// `None`: the heap has no room.
    pub(super) fn bare_thread(
        &mut self,
        name: Option<&str>,
        group: fn(&mut Vm) -> Ref,
        priority: i32,
    ) -> Option<[Ref; 3]> {
        let class = self.loaded.known.thread;
        let name = match name {
            None => Ref::NULL,
            Some(name) => self.alloc_with_gc(&mut [], |vm, _| vm.new_string(name))?,
        };
        let mut keep = [name];
        let object = self.alloc_with_gc(&mut keep, |vm, _| vm.alloc_object(class))?;
        let group = group(self);
        // the constructor inherits from the current thread, which is this one
        self.set_thread_group(object, group);
        self.set_thread_priority(object, priority);
        Some([object, group, keep[0]])
    }
    /// Attaches a thread that belongs to what the main thread has begun, whoever had the last turn.
    pub(super) fn attach_to_main(&mut self, object: Ref, phase: Phase) -> R<ThreadId> {
        let last = std::mem::replace(&mut self.cur, ThreadId(0));
        let attached = self.attach(object, self.options.stack_bytes, phase);
        self.cur = last;
        attached
    }
    /// The same, of a thread whose stack begins like this.
    pub(super) fn attach(&mut self, object: Ref, stack_bytes: usize, phase: Phase) -> R<ThreadId> {
        self.must_be(object, self.loaded.known.thread);
        let new = ThreadId(self.threads.len() as u32);
        let id = self.sched.free.last().copied().unwrap_or(new);
        if id.0 >= super::monitor::THREAD_IDS {
            return Err(no_thread());
        }
        let stack = self.stack(stack_bytes)?;
        let hashes = Hashes::new(self.hash_seeds.draw());
        let in_main = self
            .threads
            .get(self.cur.0 as usize)
            .is_some_and(|t| t.in_main);
        let mut thread = Box::new(JavaThread::new(id, object, stack, hashes));
        let serial = self.sched.started;
        thread.serial = serial;
        thread.phase = phase;
        thread.mount.continuation = phase == Phase::Continuation;
        self.sched.started += 1;
        match self.sched.free.pop() {
            Some(_) => self.threads[id.0 as usize] = thread,
            None => self.threads.push(thread),
        }
        if !object.is_null() {
            self.set(object, jdk::thread::EETOP, id.0 as i64 + 1);
        }
        let daemon = phase == Phase::Continuation || self.is_daemon(id);
        let system = self.is_system(id);
        let serves_references = !object.is_null()
            && matches!(
                &*self.class(self.class_of(object)).name,
                "java/lang/ref/Reference$ReferenceHandler"
                    | "java/lang/ref/Finalizer$FinalizerThread"
            );
        let thread = &mut self.threads[id.0 as usize];
        (thread.daemon, thread.system, thread.in_main) = (daemon, system, in_main);
        thread.serves_references = serves_references;
        thread.started_in_main = in_main;
        if self.wants(EventSet::THREAD_START) {
            self.emit(Event::ThreadStarted(id));
        }
        if in_main || self.options.sample_all {
            self.start_sampling(id);
            self.begin_profile(id);
        }
        if self.wants(EventSet::INSTRUCTIONS) {
            self.begin_instructions(id);
        }
        self.sched.live.insert(serial, id);
        if phase == Phase::Continuation {
            self.sched.continuations += 1;
            self.sched.continuations_started += 1;
        }
        self.sched.peak = self.sched.peak.max(self.sched.platform_threads());
        self.sched.users += !daemon as usize;
        self.set_state(id, ThreadState::Runnable);
        Ok(id)
    }
    /// Gives a thread that was attached without one its `java.lang.Thread` object (the first thread,
    /// which exists before the class does).
    pub(crate) fn set_thread_object(&mut self, t: ThreadId, object: Ref) {
        self.heap.check(object);
        self.threads[t.0 as usize].object = object;
        self.set(object, jdk::thread::EETOP, t.0 as i64 + 1);
        self.show_state(t);
    }
    /// Shows the state of a thread in its object: before its constructor has run there may be no place for it.
    pub(crate) fn show_state(&mut self, t: ThreadId) {
        let state = self.threads[t.0 as usize].state.clone();
        self.set_state(t, state);
    }
    /// Starts a thread: it calls `entry` when its turn comes, then ends as JLS 12.8 and
    /// `Thread.exit` want it.
    pub fn spawn_thread(
        &mut self,
        object: Ref,
        entry: MethodId,
        args: &[crate::Value],
        stack_bytes: usize,
    ) -> R<ThreadId> {
        let args = self.argument_slots(entry, args);
        let t = self.attach_thread(object, stack_bytes)?;
        self.threads[t.0 as usize].phase = Phase::Run;
        crate::interp::start_call(self, t, entry, &args);
        self.enqueue(t);
        Ok(t)
    }
    /// The method at the bottom of the current thread's stack has ended, with this value or
    /// exception. `Some`: it was a call of the host's and this is its result. `None`: ask
    /// [`Vm::next_thread`].
    pub(crate) fn thread_returned(
        &mut self,
        result: Result<crate::Value, Ref>,
    ) -> Option<Result<crate::Value, Ref>> {
        if let (Phase::Run, Err(exception)) = (self.thread().phase, &result) {
            self.notify_control(*exception);
        }
        match (self.thread().phase, result) {
            (Phase::Host, result) => return Some(result),
            (Phase::Continuation, result) => self.continuation_over(result.err()),
            (Phase::Run, _) if self.thread().object.is_null() => self.finish_thread(),
            (Phase::Run, Err(exception)) => self.next_phase(
                Phase::Dispatch,
                calls::thread::DISPATCH_UNCAUGHT_EXCEPTION,
                Some(exception),
            ),
            (Phase::Run, Ok(_)) | (Phase::Dispatch, Ok(_)) => {
                self.next_phase(Phase::Exit, calls::thread::EXIT, None)
            }
            (Phase::Dispatch, Err(exception)) => {
                let cur = self.cur;
                let class = self.class(self.class_of(exception)).dotted();
                let name = self.thread_name(cur);
                self.print_error(&format!(
                    "\nException: {class} thrown from the UncaughtExceptionHandler in thread \"{name}\"\n"
                ));
                self.next_phase(Phase::Exit, calls::thread::EXIT, None)
            }
            (Phase::Signals(step), result) => self.signal_step(step, result),
            (Phase::Notices(step), result) => self.notice_step(step, result),
            (Phase::Shutdown(step), _) => self.shutdown_step(step),
            (Phase::PendingCalls(step), result) => self.pending_call_step(step, result),
            (Phase::Exit | Phase::Finish, _) => self.finish_thread(),
        }
        None
    }
    /// Ends a thread that the host has run with [`Phase::Host`] calls, as if its entry had ended with
    /// `result`: what becomes of the main thread when `main` has ended.
    pub fn end_thread(&mut self, result: Result<crate::Value, Ref>) {
        if let Err(exception) = result {
            self.must_be(exception, self.loaded.known.throwable);
        }
        // what goes wrong, the next run reports
        let _ = self.guarded(|vm| {
            vm.thread().phase = Phase::Run;
            vm.thread_returned(result)
        });
    }
    fn next_phase(&mut self, phase: Phase, callee: JdkMethod, arg: Option<Ref>) {
        let cur = self.cur;
        let class = self.loaded.known.thread;
        let method = self.jdk_method(class, callee);
        let thread = self.thread();
        thread.phase = phase;
        let mut args = vec![thread.object.0 as u64];
        args.extend(arg.map(|r| r.0 as u64));
        crate::interp::start_call(self, cur, method, &args);
        self.enqueue_first(cur);
    }
    /// Ends the current thread, or makes it wait for the monitor of its object first.
    pub(super) fn finish_thread(&mut self) {
        let cur = self.cur;
        let thread = self.thread();
        thread.phase = Phase::Finish;
        thread.pending = None;
        let object = thread.object;
        if object.is_null() {
            self.set_state(cur, ThreadState::Dead);
        } else {
            if self.monitor_enter(object).is_err() {
                return;
            }
            self.name_ended(cur);
            self.set_state(cur, ThreadState::Dead);
            self.set(object, jdk::thread::EETOP, 0);
            let released = self
                .object_notify_all(object)
                .and_then(|()| self.monitor_exit(object));
            debug_assert!(released.is_ok(), "the current thread owns the monitor");
        }
        self.thread_is_over();
        self.stop_sampling(cur);
        self.end_profile(cur);
        if self.wants(EventSet::THREAD_END) {
            self.emit(Event::ThreadEnded(cur));
        }
        self.free_thread(cur);
    }
    /// Keeps the name of a thread that ends.
    pub(super) fn name_ended(&mut self, t: ThreadId) {
        let name = self.thread_name(t);
        // a thread with the same number takes its place, if there is one
        let weight = self.weigh_rest(size_of::<JavaThread>() + name.len());
        let thread = &mut self.threads[t.0 as usize];
        (thread.name, thread.weight) = (Some(name.into()), weight);
    }
    /// Keeps a stack for another thread, or frees it.
    pub(super) fn keep_stack(&mut self, stack: Stack) {
        if self.sched.stacks.len() < SPARE_STACKS && !stack.is_packed() {
            self.sched.stacks.push(stack);
        }
    }
    /// Gives back what a thread that has ended has.
    pub(super) fn free_thread(&mut self, t: ThreadId) {
        let thread = &mut self.threads[t.0 as usize];
        let (daemon, serial) = (thread.daemon, thread.serial);
        let continuation = thread.mount.continuation;
        let charged = std::mem::take(&mut thread.charged);
        let stack = std::mem::replace(&mut thread.stack, Stack::none());
        // what is left of it takes no more than its record and name
        thread.conts = Vec::new();
        thread.native_refs = Vec::new();
        thread.locked = Vec::new();
        thread.open = Vec::new();
        (thread.frozen, thread.exception_reported, thread.chore) = (false, false, None);
        thread.object = Ref::NULL;
        // another thread may get the stack
        thread.regs.fp = std::ptr::null_mut();
        thread.regs.cs = std::ptr::null_mut();
        thread.regs.ip = std::ptr::null();
        self.offheap.discharge(charged);
        self.keep_stack(stack);
        self.sched.live.remove(&serial);
        self.sched.continuations -= usize::from(continuation);
        self.sched.users -= !daemon as usize;
        if self.may_reuse(t) {
            self.sched.free.push(t);
        }
    }
    /// Whether another thread may have the number of one that has ended: not if a profile names it, and
    /// never the first thread's.
    fn may_reuse(&self, t: ThreadId) -> bool {
        let o = &self.options;
        let profiled = o.profile != ProfileMode::Off || o.sample_every.is_some();
        let named = !self.threads[t.0 as usize].root.is_null();
        t.0 != 0 && !profiled && !named && !self.wants(EventSet::PROFILED)
    }

    /// The exception that was thrown into the current thread from outside, to be thrown when it
    /// resumes; not before it has completed entering a monitor.
    pub(crate) fn take_pending(&mut self) -> Option<Box<Throw>> {
        let thread = self.thread();
        if thread.acquiring {
            return None;
        }
        let pending = thread.pending.take()?;
        // the native that was under way does not run again
        thread.end_native();
        thread.native_refs.clear();
        Some(pending)
    }
    /// Reports of the end of a sleep that has begun.
    fn slept(&mut self, first: bool, timed_out: bool) {
        if !first && self.wants(EventSet::MONITOR_WAITED) {
            self.emit(Event::MonitorWaited {
                object: Ref::NULL,
                timed_out,
            });
        }
    }
}

impl Env {
    /// `Thread.start0`.
    pub fn thread_start(&mut self, object: Ref) -> R<()> {
        if self.0.get(object, jdk::thread::EETOP) != 0 {
            return Err(Throw::bare("java/lang/IllegalThreadStateException"));
        }
        let class = self.0.loaded.known.thread;
        let run = self.0.jdk_method(class, calls::thread::RUN);
        let entry = self.0.select_method(self.0.class_of(object), run)?;
        let pending_requests = self.0.thread_stack_size(object);
        let bytes = if pending_requests > 0 {
            pending_requests as usize
        } else {
            self.0.options.stack_bytes
        };
        if let Some(f) = self.0.has_field(jdk::thread::STILLBORN)
            && self.0.get(object, f)
        {
            // stopped before it started: it goes straight to its end
            let t = self.0.attach_thread(object, bytes)?;
            self.0.threads[t.0 as usize].phase = Phase::Finish;
            self.0.enqueue(t);
            return Ok(());
        }
        let stack = Stack::rounded(bytes);
        let room = self
            .0
            .options
            .max_threads
            .is_none_or(|most| self.0.sched.platform_threads() < most);
        if !room || self.0.offheap.charge(stack).is_none() {
            return Err(no_thread());
        }
        match self.0.spawn_thread(object, entry, &[object.into()], bytes) {
            Ok(t) => self.0.threads[t.0 as usize].charged = stack,
            Err(refused) => {
                self.0.offheap.discharge(stack);
                return Err(refused);
            }
        }
        Ok(())
    }
    /// `Thread.stop0`: throws `throwable` into the thread.
    pub fn thread_stop(&mut self, object: Ref, throwable: Ref) -> R<()> {
        self.0.must_be(throwable, self.0.loaded.known.throwable);
        let Some(t) = self.0.thread_of(object) else {
            let status = self.0.thread_status_bits(object);
            if status == super::status::bits::NEW
                && let Some(f) = self.0.has_field(jdk::thread::STILLBORN)
            {
                self.0.set(object, f, true);
            }
            return Ok(());
        };
        if t == self.0.cur {
            return Err(Throw::object(throwable));
        }
        self.0.threads[t.0 as usize].pending = Some(Throw::object(throwable));
        self.thread_resume(t);
        // as HotSpot does, so that the thread leaves what it waits in; a sleep that ends so resets the status
        let asleep = matches!(
            self.0.threads[t.0 as usize].state,
            ThreadState::Waiting {
                on: super::Wait::Sleep,
                ..
            }
        );
        if !asleep {
            self.0.set(object, jdk::thread::INTERRUPTED, true);
        }
        self.interrupt(t);
        self.0.wake(t, super::Wake::Interrupt);
        Ok(())
    }
    /// `Thread.suspend0`; `Block` when the current thread suspends itself.
    pub fn thread_suspend(&mut self, object: Ref) -> R<()> {
        let Some(t) = self.0.thread_of(object) else {
            return Ok(());
        };
        if t == self.0.cur {
            if self.take_wake().is_some() {
                return Ok(());
            }
            let block = self.yield_now();
            self.0.thread().suspended = true;
            return Err(block);
        }
        self.0.threads[t.0 as usize].suspended = true;
        Ok(())
    }
    /// `Thread.resume0`.
    pub fn thread_resume(&mut self, t: ThreadId) {
        let thread = &mut self.0.threads[t.0 as usize];
        thread.suspended = false;
        if !thread.frozen && std::mem::take(&mut thread.held) {
            self.0.enqueue(t);
        }
    }
    /// `Thread.sleep`; blocks and runs again, keeping its deadline in `native_state`.
    pub fn thread_sleep(&mut self, millis: i64) -> R<()> {
        let until = match self.0.thread().native_state {
            [0, ..] if millis < 0 => {
                return Err(Throw::msg(
                    "java/lang/IllegalArgumentException",
                    "timeout value is negative",
                ));
            }
            [0, ..] => None,
            [_, until, _] => Some(until as i64),
        };
        let first = self.0.thread().native_state[0] == 0;
        if self.0.take_interrupt(self.0.cur) {
            self.0.thread().end_native();
            self.0.slept(first, true);
            return Err(Throw::msg(
                "java/lang/InterruptedException",
                "sleep interrupted",
            ));
        }
        let now = self.0.clock_ns();
        let until = until.unwrap_or_else(|| now.saturating_add(millis.saturating_mul(1_000_000)));
        if now >= until && !(first && millis == 0) {
            self.0.thread().end_native();
            self.0.slept(first || millis == 0, true);
            return Ok(());
        }
        self.0.thread().native_state = [1, until as u64, 0];
        if millis == 0 {
            return Err(self.yield_now());
        }
        let block = self.0.block_on(super::Wait::Sleep, Some(until));
        if first && self.0.wants(EventSet::MONITOR_WAIT) {
            self.0.emit(Event::MonitorWait {
                object: Ref::NULL,
                timeout: Some(until - now),
            });
        }
        Err(block)
    }
    /// `Unsafe.park`; blocks and runs again.
    pub fn thread_park(&mut self, absolute: bool, time: i64) -> R<()> {
        let thread = self.0.thread();
        if thread.native_state[0] != 0 {
            let timed_out = !matches!(thread.wake, Some(super::Wake::Ready));
            thread.end_native();
            if self.0.wants(EventSet::PARKED) {
                let blocker = self.0.park_blocker(self.0.cur).unwrap_or(Ref::NULL);
                self.0.emit(Event::Parked { blocker, timed_out });
            }
            return Ok(());
        }
        if std::mem::take(&mut thread.permit)
            || self.0.is_interrupted(self.0.cur)
            || time < 0
            || absolute && time == 0
        {
            return Ok(());
        }
        let deadline = if absolute {
            let (secs, nanos) = self.0.wall_clock();
            let now = secs as i128 * 1_000_000_000 + nanos as i128;
            let left = time as i128 * 1_000_000 - now;
            if left <= 0 {
                return Ok(());
            }
            Some(
                self.0
                    .deadline_after(i64::try_from(left).unwrap_or(i64::MAX)),
            )
        } else if time > 0 {
            Some(self.0.deadline_after(time))
        } else {
            None
        };
        self.0.thread().native_state[0] = 1;
        let block = self.0.block_on(super::Wait::Park, deadline);
        if self.0.wants(EventSet::PARK) {
            let blocker = self.0.park_blocker(self.0.cur).unwrap_or(Ref::NULL);
            let timeout = deadline.map(|d| d - self.0.clock_ns());
            self.0.emit(Event::Park { blocker, timeout });
        }
        Err(block)
    }
}

#[cold]
fn no_thread() -> Box<Throw> {
    Throw::msg(
        "java/lang/OutOfMemoryError",
        "unable to create native thread: possibly out of memory or process/resource limits reached",
    )
}

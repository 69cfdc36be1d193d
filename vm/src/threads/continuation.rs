//! Continuations: what a virtual thread executes, on its own stack, while a carrier waits for it to yield.
//!
//! A continuation is a green thread of the VM without its own turn: `Continuation.run` of its carrier mounts it, and the
//! carrier waits ([`Wait::Carries`]) until it yields, ends, or has to wait for a monitor. Nothing is copied and no frame is in
//! the way, so nothing pins a continuation but `Continuation.pin`. The class library's own scheduler chooses what a carrier
//! mounts next. Monitors belong to the continuation, whatever carries it.
//!
//! A virtual thread that waits for a monitor, for a class or in `Object.wait` unmounts as JEP 491 wants it: its state says why,
//! and once it can continue it is handed to the thread `VirtualThread-unblocker`.

use super::mount::UnmountReason;
use super::packed::CONTINUATION;
use super::phase::Phase;
use super::status::{bits, status_of};
use super::{ThreadState, Wait, Wake};
use crate::classes::library::InClass;
use crate::events::{Event, EventSet};
use crate::ids::{Ref, ThreadId};
use crate::jdk::{self, calls};
use crate::natives::Env;
use crate::throw::{R, Throw};
use crate::vm::Vm;

/// What `doYield` returns.
mod yielded {
    pub const YES: i32 = 0;
    pub const CRITICAL_SECTION: i32 = 2;
    pub const NATIVE: i32 = 3;
    pub const MONITOR: i32 = 4;
}

/// Since this version of the JDK virtual threads unmount wherever they wait (JEP 491). Before, a monitor pins them.
const UNMOUNTS_IN_MONITORS: u32 = 24;

/// What `takeVirtualThreadListToUnblock` waits for.
const UNBLOCKED: Wait = Wait::Event("virtual threads that can go on");

impl Vm {
    /// The thread under this one that is not a continuation.
    fn bottom_carrier(&self, mut t: ThreadId) -> ThreadId {
        while let Some(carrier) = self.threads[t.0 as usize].mount.carrier {
            t = carrier;
        }
        t
    }
    /// Its object.
    pub(super) fn carrier_object(&self, t: ThreadId) -> Ref {
        self.threads[self.bottom_carrier(t).0 as usize].object
    }
    /// The thread whose code runs when this thread has the turn.
    pub(super) fn carried_by(&self, mut t: ThreadId) -> ThreadId {
        while let Some(carried) = self.threads[t.0 as usize].mount.carries {
            t = carried;
        }
        t
    }
    /// Whether this is a continuation.
    pub(crate) fn is_continuation(&self, t: ThreadId) -> bool {
        self.threads[t.0 as usize].phase == Phase::Continuation
    }
    /// Lets a thread continue before all others, whatever it waits for.
    fn run_first(&mut self, t: ThreadId) {
        self.cancel_wait(t);
        self.threads[t.0 as usize].wake = Some(Wake::Ready);
        self.set_state(t, ThreadState::Runnable);
        self.hand_over(t);
    }
    /// The continuation of this number in a `StackChunk`.
    fn continuation_of(&mut self, chunk: Ref) -> R<Option<ThreadId>> {
        let number = self.get(chunk, jdk::stack_chunk::SP)?;
        let t = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
        let thread = t.and_then(|t| self.threads.get(t));
        // reflection may have put any number there
        let thread = thread.filter(|t| t.phase == Phase::Continuation && t.mount.chunk == chunk);
        Ok(thread.map(|t| t.id))
    }
    /// A stack for a continuation, with the call of its first method on it.
    fn begin_continuation(&mut self, continuation: Ref, is_virtual: bool) -> R<ThreadId> {
        let object = match is_virtual {
            true => self.shown_thread(self.cur),
            false => Ref::NULL,
        };
        let charged = CONTINUATION;
        if self.offheap.charge(charged).is_none() {
            return Err(Throw::msg(
                "java/lang/OutOfMemoryError",
                "unable to create a continuation: too much memory outside the heap",
            ));
        }
        let bytes = self.options.stack_bytes;
        let s = match self.attach(object, bytes, Phase::Continuation) {
            Ok(s) => s,
            Err(refused) => {
                self.offheap.discharge(charged);
                return Err(refused);
            }
        };
        self.threads[s.0 as usize].charged = charged;
        let class = self.boot_class("jdk/internal/vm/StackChunk");
        let chunk = self.alloc_object(class)?;
        self.threads[s.0 as usize].mount.chunk = chunk;
        self.set(chunk, jdk::stack_chunk::SP, s.0 as i32 + 1)?;
        self.set(continuation, jdk::continuation::TAIL, chunk)?;
        let class = self.boot_class("jdk/internal/vm/Continuation");
        let enter = self.has_method(calls::continuation::ENTER);
        let enter = self.jdk_method(class, enter.expect("a JDK with continuations"));
        crate::interp::start_call(self, s, enter, &[continuation.0.into(), 0]);
        Ok(s)
    }
    /// Lets the carrier of a continuation continue.
    fn unmount(&mut self, s: ThreadId) {
        let carrier = self.threads[s.0 as usize].mount.carrier.take();
        let carrier = carrier.expect("a continuation that runs has a carrier");
        self.threads[carrier.0 as usize].mount.carries = None;
        self.run_first(carrier);
        self.has_unmounted(s);
    }
    /// The first method of the current continuation has ended.
    pub(super) fn continuation_over(&mut self, thrown: Option<Ref>) {
        let cur = self.cur;
        self.name_ended(cur);
        let object = std::mem::take(&mut self.thread().object);
        if !object.is_null() {
            self.set(object, jdk::thread::EETOP, 0);
        }
        let chunk = std::mem::take(&mut self.thread().mount.chunk);
        // the field is there: it has been set
        let _ = self.set(chunk, jdk::stack_chunk::SP, 0);
        let carrier = self.thread().mount.carrier.take();
        let carrier = carrier.expect("a continuation that runs has a carrier");
        self.threads[carrier.0 as usize].mount.carries = None;
        self.threads[carrier.0 as usize].pending = thrown.map(Throw::object);
        self.run_first(carrier);
        self.finish_thread();
    }
    /// Whom `Thread.currentThread` returns for what this thread executes.
    fn shown_thread(&self, t: ThreadId) -> Ref {
        let carrier = &self.threads[self.bottom_carrier(t).0 as usize];
        carrier.mount.shown.non_null().unwrap_or(carrier.object)
    }
    /// A field of virtual threads that unmount wherever they wait.
    fn later<F: jdk::FieldName>(&self, f: jdk::OptionalName<F>) -> F {
        self.has_field(f).expect("only such threads come here")
    }
    fn static_of_later<F: InClass>(&self, f: jdk::OptionalName<F>) -> F::Got {
        self.get_static(self.later(f))
    }
    /// Whether the current thread is a virtual one that lets its carrier continue when it has to wait.
    pub(crate) fn can_unmount(&mut self) -> bool {
        let knows = self.feature() >= UNMOUNTS_IN_MONITORS;
        let thread = self.thread();
        let mounted = thread.mount.carrier.is_some() && !thread.object.is_null();
        knows && mounted && thread.mount.pins == 0
    }
    /// The current thread waits: if it is a virtual one, its carrier continues.
    pub(crate) fn leave_carrier(&mut self, why: UnmountReason) -> R<()> {
        use jdk::virtual_thread::*;
        if !self.can_unmount() {
            return Ok(());
        }
        let (cur, object) = (self.cur, self.thread().object);
        let state = match why {
            UnmountReason::Blocked => self.static_of_later(BLOCKING)?,
            UnmountReason::Waits(0) => self.static_of_later(WAITING)?,
            UnmountReason::Waits(_) => self.static_of_later(TIMED_WAITING)?,
        };
        self.set(object, STATE, state)?;
        if let UnmountReason::Waits(millis) = why {
            self.set(object, self.later(NOTIFIED), false)?;
            self.set(object, self.later(TIMEOUT), millis)?;
        }
        self.unmount(cur);
        Ok(())
    }
    /// Whether a continuation yields because `LockSupport.park` lets its virtual thread wait.
    fn is_parking(&mut self, t: ThreadId) -> R<bool> {
        use jdk::virtual_thread::{PARKING, STATE, TIMED_PARKING};
        let Some(object) = self.threads[t.0 as usize].object.non_null() else {
            return Ok(false);
        };
        let state = self.get(object, STATE)?;
        Ok(state == self.get_static(PARKING)? || state == self.get_static(TIMED_PARKING)?)
    }
    /// `notify` has chosen this thread.
    pub(super) fn is_notified(&mut self, t: ThreadId) {
        let _: R<()> = self.show_notified(t);
    }
    fn show_notified(&mut self, t: ThreadId) -> R<()> {
        use jdk::virtual_thread::*;
        let thread = &self.threads[t.0 as usize];
        if thread.phase != Phase::Continuation || thread.mount.carrier.is_some() {
            return Ok(());
        }
        let object = thread.object;
        self.set(object, self.later(NOTIFIED), true)?;
        let state = self.get(object, STATE)?;
        if state == self.static_of_later(WAIT)? || state == self.static_of_later(TIMED_WAIT)? {
            let blocked = self.static_of_later(BLOCKED)?;
            self.set(object, STATE, blocked)?;
        }
        Ok(())
    }
    /// Whether this thread can continue only when a carrier has it.
    pub(super) fn needs_a_carrier(&self, t: ThreadId) -> bool {
        self.is_continuation(t) && self.threads[t.0 as usize].mount.carrier.is_none()
    }
    /// Hands such a thread to `VirtualThread-unblocker`.
    pub(super) fn ask_for_a_carrier(&mut self, t: ThreadId) {
        self.set_state(
            t,
            ThreadState::Waiting {
                on: Wait::Unmounted,
                deadline: None,
            },
        );
        self.threads[t.0 as usize].mount.unblocked = true;
        self.sched.unblocked.push(t);
        self.wake_all(&UNBLOCKED);
    }
    /// Whether the current thread, which is about to wait or has waited, has been interrupted; the flag is cleared. The class
    /// library itself clears the flag of a virtual thread.
    pub(super) fn interrupted_in_wait(&mut self) -> bool {
        let cur = self.cur;
        match self.is_continuation(cur) {
            true => self.is_interrupted(cur),
            false => self.take_interrupt(cur),
        }
    }
}

impl Env {
    /// `Thread.currentCarrierThread`.
    pub fn current_carrier(&self) -> Ref {
        self.0.carrier_object(self.0.cur)
    }
    /// `Thread.currentThread`.
    pub fn current_thread_object(&self) -> Ref {
        self.0.shown_thread(self.0.cur)
    }
    /// The same for the native, whose result compiled code may repeat.
    pub fn remember_current_thread(&mut self) -> Ref {
        let shown = self.current_thread_object();
        self.0.set_current(shown);
        shown
    }
    /// `Thread.setCurrentThread` of a carrier.
    pub fn set_current_thread_object(&mut self, carrier: Ref, shown: Ref) {
        let Some(t) = self.0.thread_of(carrier) else {
            return;
        };
        let class = self.0.known().thread;
        self.0.must_be(shown, class);
        let shown = match shown == carrier {
            true => Ref::NULL,
            false => shown,
        };
        self.0.threads[t.0 as usize].mount.shown = shown;
        self.0.set_current(Ref::NULL);
    }
    /// `Continuation.enterSpecial`: the continuation runs until it yields or has ended.
    pub fn enter_continuation(&mut self, continuation: Ref, is_virtual: bool) -> R<()> {
        let vm = &mut self.0;
        if vm.thread().native_state[0] != 0 {
            vm.thread().end_native();
            return Ok(());
        }
        let cur = vm.cur;
        let chunk = vm.get(continuation, jdk::continuation::TAIL)?;
        let s = match chunk.non_null() {
            None => vm.begin_continuation(continuation, is_virtual)?,
            Some(chunk) => vm
                .continuation_of(chunk)?
                .filter(|s| vm.needs_a_carrier(*s))
                .ok_or_else(|| {
                    Throw::msg(
                        "java/lang/IllegalStateException",
                        "not a continuation that waits",
                    )
                })?,
        };
        vm.unpack(s)?;
        vm.threads[s.0 as usize].mount.carrier = Some(cur);
        vm.threads[cur.0 as usize].mount.carries = Some(s);
        vm.thread().native_state = [1, 0, 0];
        let block = vm.block_on(Wait::Carries(s), None);
        match vm.threads[s.0 as usize].state {
            // its time has ended, or it has been interrupted
            ThreadState::Waiting {
                on: Wait::Notify(i),
                ..
            } => {
                vm.leave_wait_set(i, s, Wake::Timeout);
                vm.sched.run.rotate_right(1);
            }
            ThreadState::Runnable => vm.hand_over(s),
            _ => vm.run_first(s),
        }
        Err(block)
    }
    /// `Continuation.doYield`: its carrier continues.
    pub fn yield_continuation(&mut self) -> R<i32> {
        let vm = &mut self.0;
        if vm.thread().native_state[0] != 0 {
            let parked = vm.thread().native_state[1] != 0;
            vm.thread().end_native();
            if parked && vm.wants(EventSet::PARKED) {
                let blocker = vm.park_blocker(vm.cur).unwrap_or(Ref::NULL);
                // the class library unparks it when its time is over, too
                let timed_out = false;
                vm.emit(Event::Parked { blocker, timed_out });
            }
            return Ok(yielded::YES);
        }
        let cur = vm.cur;
        if vm.thread().mount.carrier.is_none() {
            return Ok(yielded::NATIVE);
        }
        if vm.thread().mount.pins > 0 {
            return Ok(yielded::CRITICAL_SECTION);
        }
        if vm.feature() < UNMOUNTS_IN_MONITORS && !vm.locked_by_frames(cur).is_empty() {
            return Ok(yielded::MONITOR);
        }
        let parks = vm.wants(EventSet::PARK | EventSet::PARKED) && vm.is_parking(cur)?;
        vm.thread().native_state = [1, parks.into(), 0];
        let block = vm.block_on(Wait::Unmounted, None);
        if parks && vm.wants(EventSet::PARK) {
            let blocker = vm.park_blocker(cur).unwrap_or(Ref::NULL);
            let timeout = None;
            vm.emit(Event::Park { blocker, timeout });
        }
        vm.unmount(cur);
        Err(block)
    }
    /// `Continuation.pin` and `unpin`.
    pub fn pin_continuation(&mut self, pin: bool) -> R<()> {
        let mount = &mut self.0.thread().mount;
        if mount.carrier.is_none() {
            return Ok(());
        }
        let pins = match pin {
            true => mount.pins.checked_add(1),
            false => mount.pins.checked_sub(1),
        };
        let words = match pin {
            true => "pin overflow",
            false => "pin underflow",
        };
        mount.pins = pins.ok_or_else(|| Throw::msg("java/lang/IllegalStateException", words))?;
        Ok(())
    }
    /// `Continuation.isPinned0`: why it cannot yield; 0 if it can.
    pub fn is_continuation_pinned(&mut self) -> i32 {
        match self.0.thread().mount.pins {
            0 => yielded::YES,
            _ => yielded::CRITICAL_SECTION,
        }
    }
    /// Whether there are continuations: not in a VM under control, where each virtual thread is a separate thread.
    pub fn has_continuations(&self) -> bool {
        const FIRST: u32 = 21;
        self.0.feature() >= FIRST && self.0.options.explored.is_none()
    }
    /// `VirtualThread.takeVirtualThreadListToUnblock`: the first of a list of virtual threads that can continue. Waits for one.
    pub fn take_unblocked(&mut self) -> R<Ref> {
        use jdk::virtual_thread::{NEXT, ON_WAITING_LIST};
        let vm = &mut self.0;
        vm.thread().end_native();
        let unblocked = std::mem::take(&mut vm.sched.unblocked);
        let mut first = Ref::NULL;
        for t in unblocked.into_iter().rev() {
            let thread = &mut vm.threads[t.0 as usize];
            thread.mount.unblocked = false;
            let object = thread.object;
            if vm.get(object, vm.later(ON_WAITING_LIST))? {
                continue;
            }
            vm.set(object, vm.later(ON_WAITING_LIST), true)?;
            vm.set(object, vm.later(NEXT), first)?;
            first = object;
        }
        match first.is_null() {
            true => Err(vm.block_on(UNBLOCKED, None)),
            false => Ok(first),
        }
    }
    /// The thread that represents a continuation's stack, if it has begun and is not over.
    pub fn stack_of_continuation(&mut self, continuation: Ref) -> R<Option<ThreadId>> {
        let chunk = self.0.get(continuation, jdk::continuation::TAIL)?;
        match chunk.non_null() {
            Some(chunk) => self.0.continuation_of(chunk),
            None => Ok(None),
        }
    }
    /// The thread that carries a continuation now; null if none does, and for other threads.
    pub fn carrier_of(&self, t: ThreadId) -> Ref {
        match self.0.threads[t.0 as usize].mount.carrier {
            Some(_) => self.0.carrier_object(t),
            None => Ref::NULL,
        }
    }
    /// `Thread.threadStatus` of a thread, be it a virtual one that waits for a carrier.
    pub fn status_of_thread(&mut self, t: ThreadId) -> R<i32> {
        use jdk::virtual_thread::{PARKED, STATE, TIMED_PARKED};
        let thread = &self.0.threads[t.0 as usize];
        let status = status_of(&thread.state);
        let unmounted = matches!(
            thread.state,
            ThreadState::Waiting {
                on: Wait::Unmounted,
                ..
            }
        );
        let object = thread.object;
        if !unmounted || object.is_null() || self.feature() < UNMOUNTS_IN_MONITORS {
            return Ok(status);
        }
        let state = self.get(object, STATE)?;
        Ok(if state == self.get_static(PARKED)? {
            bits::PARKED
        } else if state == self.get_static(TIMED_PARKED)? {
            bits::PARKED_TIMED
        } else {
            bits::RUNNABLE
        })
    }
    /// The live threads that are not continuations, in the order they started; without one of the VM's own that has not made its
    /// object yet.
    pub fn platform_threads(&self) -> Vec<ThreadId> {
        let vm = &self.0;
        let made = |t: ThreadId| {
            let object = vm.threads[t.0 as usize].object;
            object.is_null() || !vm.threads_have_holders() || vm.thread_holder(object).is_some()
        };
        let all = vm.sched.live.values().copied();
        all.filter(|&t| !vm.is_continuation(t) && made(t)).collect()
    }
}

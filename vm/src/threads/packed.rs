//! Packed stacks: what a continuation that waits has on its stack, as a copy of that size.
//!
//! A copy keeps the two halves of a stack as they are, so collections, dumps and walks read it as they read any stack. A thread that
//! has just unmounted keeps its stack for a while, so that threads in a dialogue copy nothing.

use super::phase::Phase;
use super::stack::Stack;
use super::{ContRec, JavaThread, ThreadState, Wait};
use crate::events::{Event, EventSet};
use crate::ids::{Ref, ThreadId};
use crate::throw::R;
use crate::vm::Vm;

/// What a continuation counts as memory of the program's, beside a packed stack.
pub(super) const CONTINUATION: usize = size_of::<JavaThread>();

/// Bytes of packed stacks that never ask for a collection.
const UNASKED: usize = 64 << 20;

/// Continuations that have unmounted and keep their stacks.
const UNPACKED: usize = 64;

impl JavaThread {
    /// Whether it is live only as long as something live knows its continuation.
    pub(crate) fn is_held_weakly(&self) -> bool {
        let waits = matches!(
            self.state,
            ThreadState::Waiting {
                on: Wait::Unmounted,
                ..
            }
        );
        waits && self.stack.is_packed() && !self.mount.unblocked
    }
    /// Moves the contents of its stack to another stack, which is large enough. Returns its old stack.
    fn move_stack(&mut self, slots: usize, to: Stack) -> Stack {
        let from = &self.stack;
        let (cs, bottom) = (self.regs.cs, from.control_end());
        // SAFETY: the frames of a thread that does not run lie between its registers and the bottom of its stack, `slots`
        // above its lowest slot; both stacks have room for these.
        unsafe {
            let frames = bottom.offset_from(cs) as usize;
            let new = to.control_end().sub(frames);
            std::ptr::copy_nonoverlapping(from.values(), to.values(), slots);
            std::ptr::copy_nonoverlapping(cs, new, frames);
            let slot = |p: *mut u64| match p.is_null() {
                true => p,
                false => to.values().offset(p.offset_from(from.values())),
            };
            let frame = |at: usize| at.wrapping_sub(cs as usize).wrapping_add(new as usize);
            for i in 0..frames {
                let f = &mut *new.add(i);
                f.fp = slot(f.fp);
            }
            self.regs.fp = slot(self.regs.fp);
            self.regs.cs = new;
            if let Some((result, _)) = &mut self.ret_slot {
                *result = slot(*result);
            }
            for (at, _) in &mut self.locked {
                *at = frame(*at);
            }
            for open in &mut self.open {
                open.moved(frame);
            }
        }
        std::mem::replace(&mut self.stack, to)
    }
}

impl Vm {
    /// A continuation has unmounted: others that did so long ago no longer need large stacks.
    pub(super) fn has_unmounted(&mut self, s: ThreadId) {
        self.sched.unmounts += 1;
        let number = self.sched.unmounts;
        self.threads[s.0 as usize].mount.unmounted = number;
        self.sched.unpacked.push_back((s, number));
        if self.sched.unpacked.len() > UNPACKED
            && let Some((s, number)) = self.sched.unpacked.pop_front()
        {
            let thread = &self.threads[s.0 as usize];
            let same = thread.phase == Phase::Continuation && thread.mount.unmounted == number;
            if same && thread.mount.carrier.is_none() && !thread.stack.is_empty() {
                self.pack(s);
            }
        }
    }
    fn pack(&mut self, s: ThreadId) {
        let thread = &mut *self.threads[s.0 as usize];
        if thread.stack.is_packed() {
            return;
        }
        let (fp, cs) = (thread.regs.fp, thread.regs.cs);
        // SAFETY: registers and frames of a thread that does not run; methods of frames stay loaded.
        let (slots, frames) = unsafe {
            let bytes = (*cs).method.as_ref().map_or(0, |m| m.frame_bytes as usize);
            let slots = fp.offset_from(thread.stack.values()) as usize + bytes / size_of::<u64>();
            (slots, thread.stack.control_end().offset_from(cs) as usize)
        };
        let packed = Stack::packed(slots, frames);
        let charge = packed.len();
        let large = thread.move_stack(slots, packed);
        match thread.conts.len() {
            // `unpack` makes it again
            1 => thread.conts = Vec::new(),
            _ => thread.conts.shrink_to_fit(),
        }
        match self.offheap.charge(charge) {
            Some(()) => self.threads[s.0 as usize].charged += charge,
            None => self.canceller().exceeded("off_heap"),
        }
        self.keep_stack(large);
        self.sched.packed += charge;
        if self.sched.packed > self.sched.packed_before.saturating_mul(2).max(UNASKED) {
            // perhaps nobody knows many of them any more, which the heap does not show
            self.sched.packed_before = self.sched.packed;
            self.gc_requested = true;
            self.request_attention();
        }
    }
    /// Gives a continuation that is mounted a stack to run on.
    pub(super) fn unpack(&mut self, s: ThreadId) -> R<()> {
        if !self.threads[s.0 as usize].stack.is_packed() {
            return Ok(());
        }
        let large = self.stack(self.options.stack_bytes)?;
        let thread = &mut *self.threads[s.0 as usize];
        let frames = thread.stack.control_end() as usize - thread.regs.cs as usize;
        let slots = (thread.stack.len() - frames) / size_of::<u64>();
        let packed = thread.move_stack(slots, large);
        if thread.conts.is_empty() {
            thread.conts.push(ContRec::of_call(b'V'));
        }
        thread.mount.settled = false;
        // nothing was charged for it where that went beyond the limit
        let charged = thread.charged - CONTINUATION;
        thread.charged = CONTINUATION;
        self.sched.packed -= packed.len();
        self.offheap.discharge(charged);
        Ok(())
    }
    /// Ends the continuations that the collector has not reached: nothing can ever mount them. No Java code runs.
    pub(crate) fn lose_continuations(&mut self) {
        for i in 0..self.threads.len() {
            let thread = &self.threads[i];
            if thread.is_held_weakly() && !thread.mount.reached {
                self.lose(thread.id);
            }
        }
        self.sched.packed_before = self.sched.packed;
    }
    fn lose(&mut self, t: ThreadId) {
        self.sched.packed -= self.threads[t.0 as usize].stack.len();
        let executed = self.executed(t);
        self.flush_frames_of(t, executed);
        self.name_ended(t);
        let thread = &mut self.threads[t.0 as usize];
        (thread.object, thread.mount.chunk) = (Ref::NULL, Ref::NULL);
        thread.pending = None;
        thread.end_native();
        self.set_state(t, ThreadState::Dead);
        self.stop_sampling(t);
        self.end_profile(t);
        if self.wants(EventSet::THREAD_END) {
            self.emit(Event::ThreadEnded(t));
        }
        self.free_thread(t);
    }
}

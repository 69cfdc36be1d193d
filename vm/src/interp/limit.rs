//! The limit at which the interpreter looks at other requests, and that look: collections that were requested, the
//! end of a slice, requests of other OS threads.

use super::look::PollKind;
use super::translate::MARGIN;
use crate::heap::pause::{AfterCollection, SpaceOutcome};
use crate::vm::Vm;

/// Bytecodes after which the interpreter looks for a request to stop.
const LOOK_EVERY: i64 = 100_000;

impl Vm {
    /// Lets other threads have their turn at the next look.
    pub(crate) fn end_slice(&mut self) {
        if self.in_interpreter {
            self.slice_end = i64::MIN;
            self.set_limit();
        }
    }
    /// Sets the limit from the end of the slice, the fuel and the next sample.
    pub(crate) fn set_limit(&mut self) {
        let ticks = self.regs().ticks;
        let mut limit = self.slice_end.min(ticks.saturating_add(LOOK_EVERY));
        if let Some(f) = self.limits.fuel_end {
            limit = limit.min(f - MARGIN);
        }
        if let Some(n) = self.next_stop() {
            limit = limit.min(n - MARGIN);
        }
        if self.attention || self.looks_everywhere() {
            limit = i64::MIN;
        }
        self.limit_is(limit);
        self.set_trigger();
    }
    /// That is the limit, except for looks of the compiled tier.
    pub(super) fn limit_is(&mut self, limit: i64) {
        let limit = self.limit_with_tier(limit);
        self.look_for_sample(limit);
        // SAFETY: `Hot` lies at the region's base.
        unsafe {
            (*self.hot()).other = match self.samples_are_quick() {
                true => limit,
                false => i64::MIN,
            };
        }
    }
    /// Sets where stepping has to look closely.
    pub(super) fn set_trigger(&mut self) {
        let fuel = self.limits.fuel_end.unwrap_or(i64::MAX);
        let stop = self.next_stop().unwrap_or(i64::MAX);
        // SAFETY: `Hot` lies at the region's base.
        unsafe { (*self.hot()).trigger = fuel.min(stop) };
    }
    /// The limit is reached.
    pub(crate) fn on_limit(&mut self, look: PollKind) -> bool {
        let next = self.thread().next_trigger();
        self.look_back(look);
        self.look_learned(look);
        let sampled = self.thread().next_trigger() != next;
        if self.is_for_tier(sampled) {
            self.look_for_tier(look);
            return true;
        }
        self.thread().ret_slot = match look {
            PollKind::Return(slot, is_ref) => Some((slot, is_ref)),
            _ => None,
        };
        if self.attention {
            self.attention = false;
            if self.gc_requested {
                self.gc_requested = false;
                if self.collect_or_stop(0, true, AfterCollection::Look) == SpaceOutcome::Stopped {
                    return false;
                }
                self.reload_result();
            }
            self.dump_requested();
            return self.look_on();
        }
        self.look_at_others()
    }
    /// The rest of a look at everything.
    pub(super) fn look_on(&mut self) -> bool {
        if self.contexts_are_full() {
            if self.stops_at_contexts() {
                return false;
            }
            self.fold_contexts();
        }
        if self.exit.is_some() || self.fault.is_some() {
            return false;
        }
        self.look_at_others()
    }
    /// The rest of a look at others: whether it is their turn, or a request asks the VM to stop.
    fn look_at_others(&mut self) -> bool {
        if self.holds_too_much() {
            return false;
        }
        let ticks = self.regs().ticks;
        if ticks >= self.slice_end {
            if self.fire_timers_and_others() {
                self.preempt();
                // whether there is a request is looked at before the next thread's turn
                return false;
            }
            self.slice_end = ticks.saturating_add(self.slice_of(self.cur));
        }
        self.limits.halted = self.limits.canceller.take();
        if self.limits.halted.is_some() {
            return false;
        }
        self.set_limit();
        self.thread().ret_slot = None;
        self.approach();
        true
    }
    /// After a collection at a return: the accumulator's reference may have moved.
    fn reload_result(&mut self) {
        if let Some((slot, _)) = self.thread().ret_slot {
            // SAFETY: the result slot of the return that was interrupted.
            let v = unsafe { *slot };
            let r = self.regs();
            r.acc = v;
            r.facc = f64::from_bits(v);
        }
    }
    fn fire_timers_and_others(&mut self) -> bool {
        self.others_runnable() || self.has_timers()
    }
    /// The next instruction asks for attention: a collection, a signal, the end.
    pub(crate) fn request_attention(&mut self) {
        self.attention = true;
        // SAFETY: `Hot` lies at the region's base.
        unsafe {
            (*self.hot()).limit = i64::MIN;
            (*self.hot()).due = i64::MIN;
            (*self.hot()).other = i64::MIN;
        }
    }
}

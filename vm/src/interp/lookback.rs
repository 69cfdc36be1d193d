//! Samples without a stop at their bytecodes: they are taken where the limit is looked at next.
//!
//! Between two looks control runs straight on in one frame, so the bytecode that is due can be reported from
//! the instruction where the straight code ended, and how many bytecodes have begun since. What
//! leaves straight code without a look (an exception, a call by the VM, a wait) goes through a
//! cold handler, which takes the samples that are due first.
//!
//! The other way, a stop at the exact bytecode, costs more: see `trigger`. It is for those who look
//! at more than the stack.

use super::frame::{Cs, Ip};
use super::insn::{call, edge};
use super::look::PollKind;
use super::translate::{LABEL_LAG, MARGIN, Position};
use crate::events::EventSet;
use crate::vm::Vm;

impl Vm {
    /// Whether samples are taken later than at their bytecodes.
    pub(super) fn looks_back(&self) -> bool {
        !self.options.allocations && !self.wants(EventSet::AT_SAMPLES)
    }
    /// Whether it suffices to know the frame and the number of bytecodes where the limit is looked at:
    /// nothing needs the place of the sample in the frame, and edges report what the ticks lag.
    pub(super) fn samples_are_quick(&self) -> bool {
        self.looks_back() && !self.reads_sites() && !self.counts_blocks()
    }
    /// Takes the samples that are due where the limit is looked at; control has come from frame `cs`. Always a separate function,
    /// also across the codegen units of the crate: it is called by a handler.
    #[inline(never)]
    pub(super) fn take_quickly(&mut self, cs: Cs, begun: i64) {
        self.take_samples(cs, begun, |_| 0);
        // SAFETY: `Hot` lies at the region's base.
        let other = unsafe { (*self.hot()).other };
        self.look_for_sample(other);
    }
    /// Sets the limit to `other`, or where the next sample has to be looked for.
    pub(super) fn look_for_sample(&mut self, other: i64) {
        let looks_back = self.looks_back();
        let sample = self.thread().next_sample.filter(|_| looks_back);
        let n = sample.unwrap_or(i64::MAX);
        // SAFETY: `Hot` lies at the region's base.
        unsafe {
            (*self.hot()).limit = other.min(n - i64::from(LABEL_LAG));
            (*self.hot()).due = other.min(n);
        }
    }
    fn may_be_due(&mut self) -> bool {
        // the ticks never lag more
        let most = self.regs().ticks + MARGIN;
        self.thread().next_trigger().is_some_and(|n| n <= most)
    }
    /// Takes the samples that are due where the limit is looked at.
    pub(super) fn look_back(&mut self, look: PollKind) {
        let r = *self.regs();
        if !self.may_be_due() {
            return;
        }
        // SAFETY: the look reports where the frame is that control has come from; its method is
        // translated, and `source` is an instruction of it.
        unsafe {
            let (cs, source) = match look {
                PollKind::Branch => (r.cs, (*self.hot()).source),
                PollKind::Call => (r.cs.add(1), (*r.cs).rip.sub(call::BYTES)),
                PollKind::Return(..) => (r.cs.sub(1), (*self.hot()).source),
            };
            let from = position(cs, source);
            match look {
                PollKind::Branch => {
                    let repeated = from.more();
                    let branched = from.begun() + repeated;
                    let ticks = i64::from(edge::ticks.get((*self.hot()).edge));
                    let to = position(cs, r.ip);
                    let begun = r.ticks + to.lag();
                    // before the target's instruction are bytecodes that need none, and before these a
                    // loop's condition that is repeated at its end
                    let after = begun - (r.ticks - ticks + branched) + repeated;
                    self.take_samples(cs, begun, |back| match back < after {
                        true => to.before(back),
                        false => from.back(back - after),
                    });
                }
                _ => self.take_samples(cs, r.ticks, |back| from.back(back)),
            }
        }
    }
    /// Takes the samples that are due up to the instruction that runs, before the VM does its work.
    pub(super) fn catch_up(&mut self) {
        let r = *self.regs();
        if !self.may_be_due() {
            return;
        }
        // SAFETY: `cs` is the top frame; methods are loaded as long as they have frames.
        unsafe {
            // stubs, natives, and what comes before the first bytecode: none has begun since the last look
            let Some(x) = (*r.cs).method.as_ref().and_then(|m| m.translated()) else {
                return;
            };
            let here = x.position(r.ip, true).filter(|p| p.is_at(r.ip));
            let Some(p) = here.filter(|_| !x.is_prologue(r.ip)) else {
                return;
            };
            self.take_samples(r.cs, r.ticks + p.begun(), |back| p.back(back));
        }
    }
    /// Takes the samples up to bytecode `begun` of the thread, in the frame `cs`; `bci` gives the index of the one that began so
    /// many before it. Observers that wait for exactly such a bytecode are notified now too, if the instruction went on to
    /// further bytecodes, which read locals only: a loop's condition at its end.
    fn take_samples(&mut self, cs: Cs, begun: i64, bci: impl Fn(i64) -> u16) {
        while let Some(n) = self.thread().next_trigger()
            && n <= begun
        {
            let bci = bci(begun - n);
            if self.thread().next_sample == Some(n) {
                self.take_sample(cs, bci, n);
            }
            if self.thread().alarms.first() == Some(n) {
                self.reached(cs, bci, n);
            }
        }
    }
}

/// Where the instruction at `ip` of the method of frame `cs` is. The position must not outlive the method's code.
unsafe fn position<'a>(cs: Cs, ip: Ip) -> Position<'a> {
    (*(*cs).method).position(ip, true).expect("an instruction")
}

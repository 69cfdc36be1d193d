//! The last bytecodes before a trigger (a call of an observer, a sample at which one reads the VM, the end of
//! the fuel): stopping at exactly the right one. Other samples do without (see `lookback`).
//!
//! Wherever control is transferred the limit is looked at. Near a trigger that look comes here, and a
//! breakpoint is put where straight code would reach the trigger. Triggers that follow each other
//! closely, and the end of the fuel, are reached in a careful copy of the code, whose every instruction counts.

use super::translate::MARGIN;
use crate::vm::Vm;

impl Vm {
    /// The limit is reached, or Java code is entered from the slow path, and a trigger may be near: what runs
    /// next stops there.
    pub(super) fn approach(&mut self) {
        let ticks = self.regs().ticks;
        let near = |n: Option<i64>| n.is_some_and(|n| ticks >= n - MARGIN);
        let trigger = self.next_stop();
        let fuel_is_near = near(self.limits.fuel_end);
        if !fuel_is_near && !near(trigger) {
            return;
        }
        let Some(off) = self.next_instruction() else {
            return;
        };
        match trigger {
            Some(n) if !fuel_is_near => self.arm(off, n),
            _ => self.go_careful(off),
        }
    }
    /// Bytecodes after which the running thread has to stop at an exact bytecode: for a sample, or an
    /// observer's alarm.
    pub(super) fn next_stop(&mut self) -> Option<i64> {
        let looks_back = self.looks_back();
        let thread = self.thread();
        match looks_back {
            true => thread.alarms.first(),
            false => thread.next_trigger(),
        }
    }
    /// Where in the translation of the top frame's method `ip` is; none if it is not in one.
    fn next_instruction(&mut self) -> Option<usize> {
        let r = *self.regs();
        if [
            self.code.stubs.reported,
            self.code.stubs.instrumented,
            self.code.stubs.intrinsic,
        ]
        .contains(&r.ip)
        {
            // that comes first, and looks again
            return None;
        }
        // SAFETY: `cs` is the top frame; its method stays loaded.
        unsafe {
            let m = (*r.cs).method;
            if m.is_null() {
                return None;
            }
            if (*m).translated().is_none() {
                // a native, a stub, or a method not translated yet: its first instruction sets the limit again
                (*m).code()?;
                let id = (*m).id;
                self.ensure_translated(id);
                (*m).translated()?;
                self.regs().ip = self.own_entry(id);
            }
            (*m).translated()?.offset(self.regs().ip)
        }
    }
    /// Puts a breakpoint where straight code from offset `off` of the top frame's method reaches bytecode `n`
    /// of the thread. Control that leaves the straight code looks at the limit, and comes back here.
    fn arm(&mut self, off: usize, n: i64) {
        self.disarm();
        let r = *self.regs();
        // SAFETY: `cs` is the top frame, and its method is translated; covers are at its instructions.
        unsafe {
            let x = (*(*r.cs).method).translated_mut().expect("translated");
            self.regs().ip = x.at(off);
            self.code.breakpoint = x.stop_at(off, r.ticks, n);
        }
    }
    /// Takes the breakpoint away.
    pub(super) fn disarm(&mut self) {
        if let Some(breakpoint) = self.code.breakpoint.take() {
            // SAFETY: it was put into the code of a method, and is taken away before that goes.
            unsafe { breakpoint.take_away() }
        }
    }
    /// Continues in the careful copy of the top frame's method, at offset `off`: every instruction counts.
    fn go_careful(&mut self, off: usize) {
        self.disarm();
        let cs = self.regs().cs;
        // SAFETY: `cs` is the top frame; its method is translated and stays loaded.
        unsafe {
            let x = (*(*cs).method).translated_mut().expect("translated");
            self.regs().ip = x.careful_at(off);
        }
    }
    /// An instruction is about to run that has a breakpoint, or is in a careful copy.
    pub(crate) fn slow_step(&mut self) -> bool {
        self.disarm();
        let r = *self.regs();
        // SAFETY: `ip` is in the code or the careful copy of the top frame's method.
        unsafe {
            let x = (*(*r.cs).method).translated().expect("translated");
            let off = x.offset(r.ip).expect("an instruction");
            let p = x.position(r.ip, true).expect("an instruction");
            // the count when this instruction is done
            let begun = r.ticks + p.begun();
            let done = begun + p.more();
            // what follows the bytecode is seen from the next instruction, since this one may throw
            let end = self.limits.fuel_end.unwrap_or(i64::MAX);
            while let Some(n) = self.thread().next_trigger()
                && n <= begun.min(end)
            {
                let x = (*(*r.cs).method).translated().expect("translated");
                let p = x.position(r.ip, true).expect("an instruction");
                let bci = p.back(begun - n);
                if self.thread().next_sample == Some(n) {
                    self.take_sample(r.cs, bci, n);
                }
                if self.thread().alarms.first() == Some(n) {
                    self.reached(r.cs, bci, n);
                }
            }
            self.set_trigger();
            let x = (*(*r.cs).method).translated().expect("translated");
            let fast = x.at(off);
            if self.limits.debugged {
                self.set_limit();
                self.regs().ip = fast;
                return false;
            }
            if done > end {
                // stop before the instruction with the bytecode that is one too many
                self.regs().ip = fast;
                self.limits.out_of_fuel = true;
                return false;
            }
            // back in fast code once the trigger is far
            let near = |n: Option<i64>| n.is_some_and(|n| begun > n - MARGIN);
            if !near(self.limits.fuel_end) && !near(self.next_stop()) {
                self.set_limit();
                self.regs().ip = fast;
                return true;
            }
            // run this instruction with its own handler, on the careful operands: what follows steps again
            self.code.step_handler = Some(x.handler_at(off));
            self.go_careful(off);
        }
        true
    }
}

impl crate::threads::JavaThread {
    /// Bytecodes after which something is due at an exact bytecode: a sample, or an observer's alarm.
    #[inline]
    pub(super) fn next_trigger(&self) -> Option<i64> {
        match (self.next_sample, self.alarms.first()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

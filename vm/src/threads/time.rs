//! The time by a VM's clock, and waits that go by it.

use super::clock::Clock;
use crate::host::CpuTime;
use crate::natives::Env;
use crate::vm::Vm;

impl Vm {
    /// Bytecodes all threads have executed so far, if the clock asks for them.
    fn executed_for_clock(&mut self) -> i64 {
        self.notify_host();
        match self.clock.is_virtual() {
            true => self.bytecodes_now(),
            false => 0,
        }
    }
    /// Now, in nanoseconds of the clock all waits go by.
    pub(crate) fn clock_ns(&mut self) -> i64 {
        let executed = self.executed_for_clock();
        self.clock.nano_time(&mut *self.host, executed)
    }
    /// The same for an outside observer, whose question is not part of the run.
    pub(crate) fn peek_clock_ns(&mut self) -> i64 {
        let executed = self.executed_for_clock();
        self.clock.peek_time(&mut *self.host, executed)
    }
    /// What the clock shows so many bytecodes later, if it is known; by a clock of the outside, what it shows now.
    pub(super) fn clock_ahead(&mut self, bytecodes: i64) -> Option<i64> {
        if !self.clock.is_virtual() {
            return Some(self.peek_clock_ns());
        }
        let executed = self.executed_for_clock();
        self.clock.ahead(executed.saturating_add(bytecodes))
    }
    /// Processor time used so far, in the same way.
    pub(super) fn peek_cpu_time(&mut self) -> CpuTime {
        let executed = self.executed_for_clock();
        self.clock.peek_cpu_time(&mut *self.host, executed)
    }
    /// Brings what a virtual clock shows to the host up to date.
    #[inline]
    pub(crate) fn show_clock(&mut self) {
        if self.clock.is_virtual() {
            self.clock_ns();
        }
    }
    /// Seconds and nanoseconds since 1970-01-01 UTC by the VM's clock.
    pub fn wall_clock(&mut self) -> (i64, u32) {
        let executed = self.executed_for_clock();
        self.clock.wall_clock(&mut *self.host, executed)
    }
    /// Processor time used so far, by the VM's clock.
    pub(super) fn cpu_time(&mut self) -> CpuTime {
        let executed = self.executed_for_clock();
        self.clock.cpu_time(&mut *self.host, executed)
    }
    /// The deadline `nanos` from now.
    pub(crate) fn deadline_after(&mut self, nanos: i64) -> i64 {
        self.clock_ns().saturating_add(nanos)
    }
    /// Waits by the clock; see [`Clock::wait`].
    pub(super) fn clock_wait(&mut self, fds: &[(i32, u8)], deadline: Option<i64>) -> Vec<usize> {
        let executed = self.executed_for_clock();
        self.clock.wait(&mut *self.host, executed, fds, deadline)
    }
    /// Random numbers are made from another seed from here on, where they are made from one.
    pub fn reseed(&mut self, seed: u64) {
        self.options.reseeded = Some(seed);
    }
    /// A virtual clock advances by this many nanoseconds.
    pub fn pass_time(&mut self, nanos: i64) {
        if self.clock.is_virtual() {
            let deadline = self.deadline_after(nanos);
            self.clock_wait(&[], Some(deadline));
        }
    }
    /// Gives the VM another clock, before any of its code has run.
    pub fn set_clock(&mut self, clock: Box<dyn Clock>) {
        self.clock = clock;
        self.started = self.clock_ns();
    }
}

impl Env {
    /// Processor time of the process, in nanoseconds: a virtual clock's, else the host's (-1: not known).
    pub fn process_cpu_time(&mut self) -> i64 {
        if self.0.clock.is_virtual() {
            return self.0.cpu_time().total;
        }
        let processes = self.0.host().processes();
        let own = processes.own_id();
        processes.info(own).map_or(-1, |i| i.cpu_nanos)
    }
}

//! What threads have used of the processor.

use crate::host::CpuTime;
use crate::ids::ThreadId;
use crate::natives::Env;
use crate::threads::JavaThread;
use crate::vm::Vm;

impl Vm {
    /// Bytes allocated by all threads so far, each object once.
    pub(crate) fn bytes_allocated(&self) -> u64 {
        self.heap_allocated().saturating_sub(self.usage.abandoned)
    }
    /// Bytes a thread has allocated so far.
    pub fn bytes_allocated_by(&self, t: ThreadId) -> u64 {
        let before = self.threads[t.0 as usize].allocated;
        match self.in_interpreter && t == self.cur {
            true => before + self.bytes_allocated().saturating_sub(self.usage.at_turn),
            false => before,
        }
    }
    /// The running instruction or native runs again: its allocations are garbage.
    pub(crate) fn abandon_allocations(&mut self) {
        let (_, bytes) = std::mem::take(&mut self.allocated);
        self.usage.abandoned += bytes;
        self.settle_failing(false);
        self.forget_allocated();
    }
    /// A thread gets its turn.
    pub(crate) fn begin_usage(&mut self) {
        self.abandon_allocations();
        self.usage.at_turn = self.bytes_allocated();
    }
    /// The turn of `t` has ended.
    pub(crate) fn end_usage(&mut self, t: ThreadId) {
        let bytes = self.bytes_allocated().saturating_sub(self.usage.at_turn);
        self.threads[t.0 as usize].allocated += bytes;
        if self.usage.mark.is_some() {
            self.charge(t);
        }
        if self.usage.peeked.is_some() {
            self.charge_peeked(t);
        }
    }
    /// Charges the time used since the last switch to `t`.
    fn charge(&mut self, t: ThreadId) {
        let now = self.cpu_time();
        let mark = self.usage.mark.replace(now).unwrap_or(now);
        self.threads[t.0 as usize].cpu.add(now.since(mark));
    }
    fn charge_peeked(&mut self, t: ThreadId) {
        let now = self.peek_cpu_time();
        let mark = self.usage.peeked.replace(now).unwrap_or(now);
        self.threads[t.0 as usize].peeked_cpu.add(now.since(mark));
    }
    /// Processor time a thread has used so far, for an outside observer, whose question is not part of the run.
    pub(crate) fn peek_cpu_time_of(&mut self, t: ThreadId) -> CpuTime {
        if self.usage.peeked.is_some() {
            if self.in_interpreter {
                self.charge_peeked(self.cur);
            }
        } else {
            let now = self.peek_cpu_time();
            self.usage.peeked = Some(now);
            self.share_out(now, |t| &mut t.peeked_cpu);
        }
        self.threads[t.0 as usize].peeked_cpu
    }
    /// Gives each thread its share of the time used so far.
    fn share_out(&mut self, now: CpuTime, of: fn(&mut JavaThread) -> &mut CpuTime) {
        let all = self.bytecodes_now();
        for i in 0..self.threads.len() {
            let executed = self.executed(ThreadId(i as u32));
            *of(&mut self.threads[i]) = now.share(executed, all);
        }
    }
}

impl Env {
    /// Processor time a thread has used so far.
    pub fn cpu_time_of(&mut self, t: ThreadId) -> CpuTime {
        if self.0.usage.mark.is_some() {
            if self.0.in_interpreter {
                self.0.charge(self.0.cur);
            }
        } else {
            let now = self.0.cpu_time();
            self.0.usage.mark = Some(now);
            self.0.share_out(now, |t| &mut t.cpu);
        }
        self.0.threads[t.0 as usize].cpu
    }
}

//! Taking samples: when the next one is due, and the full stack at that exact bytecode.

use super::frame::Cs;
use super::sampling::{Sample, SampleClock, SplitMix};
use crate::events::{Event, EventSet};
use crate::ids::ThreadId;
use crate::threads::{JavaThread, ThreadState};
use crate::vm::Vm;
use rjvm_profiler::Allocation;
use rjvm_profiler::samples::{Recorder, SampleInfo};

/// Number of the generator for the clock of all threads.
const ALL_THREADS: u64 = u64::MAX;

impl Vm {
    /// Makes samples of a thread due, from where it is now.
    pub(crate) fn start_sampling(&mut self, t: ThreadId) {
        let Some(every) = self.options.sample_every else {
            return;
        };
        let seed = self.options.seed;
        let global = self.options.sample_clock == SampleClock::Global;
        self.begin_global_interval(every);
        let mut random = SplitMix::new(seed, u64::from(t.0));
        let interval = match global {
            // when its turn comes
            true => i64::MAX / 2,
            false => self.interval(every, &mut random),
        };
        let thread = &mut self.threads[t.0 as usize];
        let now = thread.regs.ticks;
        thread.last_sample = now;
        thread.next_sample = Some(now + interval);
        thread.sampling.start = now;
        thread.sampling.begun = now;
        thread.sampling.random = random;
        thread.sampling.last_allocated = thread.sampling.allocated;
    }
    /// From now on a sample is taken every `every` bytecodes, and a random number below `random` more; each reports what its
    /// thread has executed since its last one, so samples of several granularities add up. Not while the VM runs a thread.
    ///
    /// # Errors
    /// There is no recorder ([`Vm::record_samples`]).
    pub fn sample_every(&mut self, every: u64, random: u64) -> Result<(), &'static str> {
        if self.profile.samples.is_none() {
            return Err("nothing records samples");
        }
        self.options.sample_every = Some(every);
        self.options.sample_random = random;
        // what all threads executed while there were no samples belongs to none
        self.profile.global_clock.next = 0;
        for t in self.sched.live.values().copied().collect::<Vec<_>>() {
            let thread = &self.threads[t.0 as usize];
            if thread.next_sample.is_some() {
                let mut random = thread.sampling.random;
                let next = thread.regs.ticks + self.interval(every, &mut random);
                let thread = &mut self.threads[t.0 as usize];
                thread.sampling.random = random;
                thread.next_sample = Some(next);
            } else if thread.in_main || self.options.sample_all {
                self.start_sampling(t);
            }
        }
        self.begin_global_interval(every);
        Ok(())
    }
    /// With one clock for all threads: when its first sample is due.
    fn begin_global_interval(&mut self, every: u64) {
        if self.options.sample_clock == SampleClock::Global && self.profile.global_clock.next == 0 {
            let mut random = SplitMix::new(self.options.seed, ALL_THREADS);
            self.profile.global_clock.next =
                self.profile.global_clock.now + self.interval(every, &mut random);
            self.profile.global_clock.random = random;
        }
    }
    /// Samples are taken no more; what each thread executed since its last one goes to the remainder.
    pub fn sample_no_more(&mut self) {
        for t in self.sched.live.values().copied().collect::<Vec<_>>() {
            self.stop_sampling(t);
        }
        self.options.sample_every = None;
    }
    /// Bytecodes up to the next sample.
    fn interval(&self, every: u64, random: &mut SplitMix) -> i64 {
        let more = match self.options.sample_random {
            0 => 0,
            n => random.below(n),
        };
        (every.max(1) + more) as i64
    }
    /// A thread gets its turn.
    pub(crate) fn begin_samples(&mut self, t: ThreadId) {
        *self.allocated_in_slice() = [0; 2];
        if self.options.sample_clock == SampleClock::Global {
            let clock = self.profile.global_clock;
            let thread = &mut self.threads[t.0 as usize];
            let due = thread.sampling.begun + (clock.next - clock.now);
            thread.next_sample = thread.next_sample.map(|_| due);
        }
    }
    /// The thread's turn has ended.
    pub(crate) fn end_samples(&mut self, t: ThreadId) {
        let [objects, bytes] = std::mem::take(self.allocated_in_slice());
        let thread = &mut self.threads[t.0 as usize];
        thread.sampling.allocated[0] += objects;
        thread.sampling.allocated[1] += bytes;
        if self.options.sample_clock == SampleClock::Global && thread.next_sample.is_some() {
            let begun = thread.begun();
            self.profile.global_clock.now += begun - thread.sampling.begun;
            thread.sampling.begun = begun;
        }
    }
    /// Objects and bytes allocated since the running thread got its turn.
    pub(super) fn allocated_in_slice(&mut self) -> &mut [u64; 2] {
        // SAFETY: `Hot` lies at the region's base, as long as the VM.
        unsafe { &mut (*self.hot()).allocated }
    }
    /// Whether a sample has to report the bytecode index in each frame.
    pub(super) fn reads_sites(&self) -> bool {
        self.wants(EventSet::SAMPLES)
            || self
                .profile
                .samples
                .as_ref()
                .is_some_and(|r| r.call_sites())
    }
    /// Records a sample of the running thread, when it is at bytecode index `bci` (any, if sites are not read) of the method of
    /// frame `cs`, the top one then, and has executed `n` bytecodes.
    pub(crate) fn take_sample(&mut self, cs: Cs, bci: u16, n: i64) {
        let t = self.cur;
        let (since, allocated) = self.next_sample(n);
        let start = self.thread().sampling.start;
        let taken = SampleInfo {
            thread: t.0 as u64,
            executed: (n - start) as u64,
            bytecodes: since as u64,
            allocated,
        };
        self.keep_sample(cs, bci, n, taken);
        if self.wants(EventSet::SAMPLES) {
            self.settle_samples();
            let stack = self.thread().sampling.stack.take().unwrap_or_default();
            let sample = Sample {
                thread: t,
                executed: n,
                since,
                allocated,
                stack: &stack.frames,
            };
            self.emit(Event::Sampled(sample));
            self.thread().sampling.stack = Some(stack);
        }
    }
    /// The running thread is sampled at its bytecode `n`: what it has executed and allocated since its
    /// last sample. Sets when the next one is due.
    fn next_sample(&mut self, n: i64) -> (i64, Allocation) {
        let every = self.options.sample_every.unwrap_or(1);
        let [objects, bytes] = *self.allocated_in_slice();
        let global = self.options.sample_clock == SampleClock::Global;
        let t = self.cur.0 as usize;
        let mut random = match global {
            true => self.profile.global_clock.random,
            false => self.threads[t].sampling.random,
        };
        let interval = self.interval(every, &mut random);
        if global {
            self.profile.global_clock.next += interval;
            self.profile.global_clock.random = random;
        }
        let thread = &mut self.threads[t];
        let sampling = &mut thread.sampling;
        if !global {
            sampling.random = random;
        }
        let [had_objects, had_bytes] = sampling.last_allocated;
        sampling.last_allocated = [
            sampling.allocated[0] + objects,
            sampling.allocated[1] + bytes,
        ];
        let allocated = Allocation {
            objects: sampling.last_allocated[0] - had_objects,
            bytes: sampling.last_allocated[1] - had_bytes,
        };
        let since = n - thread.last_sample;
        thread.last_sample = n;
        thread.next_sample = Some(n + interval);
        (since, allocated)
    }
    /// What a thread executed after its last sample is no longer awaited: it goes to the remainder.
    pub(crate) fn stop_sampling(&mut self, t: ThreadId) {
        let executed = self.executed(t);
        let name = self.thread_name(t);
        let th = &mut self.threads[t.0 as usize];
        if th.next_sample.take().is_none() {
            return;
        }
        // a bytecode that waits is sampled before it counts
        let rest = (executed - th.last_sample).max(0);
        self.forget_stack(t);
        if let Some(r) = &mut self.profile.samples {
            r.name_thread(t.0 as u64, &name);
            r.remainder(t.0 as u64, rest as u64);
        }
    }
    /// The samples up to now; sampling continues.
    pub fn samples_so_far(&mut self) -> Option<Recorder> {
        self.settle_samples();
        let mut so_far = self.profile.samples.clone()?;
        self.contained(|vm| {
            for t in (0..vm.threads.len() as u32).map(ThreadId) {
                let executed = vm.executed(t);
                let thread = &vm.threads[t.0 as usize];
                if thread.next_sample.is_some() {
                    let rest = (executed - thread.last_sample).max(0);
                    so_far.name_thread(t.0 as u64, &vm.thread_name(t));
                    so_far.remainder(t.0 as u64, rest as u64);
                }
            }
        });
        Some(so_far)
    }
    /// Ends sampling for all threads: the samples are complete.
    pub fn finish_samples(&mut self) {
        self.contained(|vm| {
            for t in 0..vm.threads.len() as u32 {
                vm.stop_sampling(ThreadId(t));
            }
        });
    }
}

impl JavaThread {
    /// Bytecodes the thread has begun, also one in whose middle it waits. For a thread that is not
    /// running.
    fn begun(&self) -> i64 {
        let top = self.regs.cs;
        if !matches!(self.state, ThreadState::Waiting { .. })
            || top.is_null()
            || top >= self.stack_bottom()
        {
            return self.executed;
        }
        // SAFETY: `cs` is the thread's top control frame, whose method stays loaded.
        unsafe {
            let method = (*top).method;
            if method.is_null() {
                return self.executed;
            }
            // it waits in a native, or the instruction runs again
            let at = (*method).position(self.regs.ip, true);
            at.map_or(self.executed, |p| self.regs.ticks + p.begun())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_uniform_and_those_of_their_thread() {
        let draw = |seed, ordinal| {
            let mut random = SplitMix::new(seed, ordinal);
            (0..100_000)
                .map(|_| random.below(100))
                .collect::<Vec<u64>>()
        };
        let one = draw(1, 0);
        assert_eq!(one, draw(1, 0));
        for other in [draw(1, 1), draw(2, 0), draw(0, 1)] {
            let same = one.iter().zip(&other).filter(|(a, b)| a == b).count();
            assert!((800..1200).contains(&same), "{same} of 100000 are equal");
        }
        let mut often = [0u32; 100];
        one.iter().for_each(|&n| often[n as usize] += 1);
        assert!(often.iter().all(|n| (850..1150).contains(n)), "{often:?}");
        assert_eq!(SplitMix::new(1, 1).below(0), 0);
        assert_eq!(SplitMix::new(1, 1).below(1), 0);
    }
}

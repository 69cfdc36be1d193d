//! Taking samples: the full stack at an exact bytecode.

use crate::ids::ThreadId;
use crate::vm::Vm;
use rjvm_profiler::samples::Frame;

/// What a [`SampleHook`] is told.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The thread.
    pub thread: ThreadId,
    /// Bytecodes the thread has executed, the one it is at included.
    pub executed: i64,
    /// The stack, root first; the last frame is at the bytecode that is being executed.
    pub stack: &'a [Frame],
}

/// A host's function for samples.
pub type SampleHook = Box<dyn FnMut(Sample<'_>) + Send>;

impl Vm {
    /// Records a sample of the running thread, which is at bytecode index `bci` of its top method and
    /// has executed `n` bytecodes.
    pub(crate) fn take_sample(&mut self, bci: u16, n: i64) {
        let t = self.cur;
        let mut stack = Vec::new();
        self.each_frame(t, |vm, w| {
            if !w.method.is_null() {
                let b = if stack.is_empty() {
                    bci as i32
                } else {
                    vm.frame_bci(&w)
                };
                // SAFETY: methods live as long as the VM.
                let method = unsafe { (*w.method).id.0 };
                let bci = if b < 0 {
                    rjvm_profiler::cct::NO_SITE
                } else {
                    b as u32
                };
                stack.push(Frame { method, bci });
            }
            true
        });
        stack.reverse();
        let every = self.options.sample_every.unwrap_or(1).max(1) as i64;
        let th = self.thread();
        let since = n - th.last_sample;
        th.last_sample = n;
        th.next_sample = Some(n + every);
        if let Some(r) = &mut self.samples {
            // a tree of 4294967294 contexts takes no more
            let _ = r.sample(t.0 as u64, stack.iter().copied(), since as u64);
        }
        if let Some(hook) = &mut self.on_sample {
            hook(Sample {
                thread: t,
                executed: n,
                stack: &stack,
            });
        }
    }
    /// What a thread executed after its last sample is no longer awaited: it goes to the remainder.
    pub(crate) fn stop_sampling(&mut self, t: ThreadId) {
        let executed = self.executed(t);
        let name = self.thread_name(t);
        let th = &mut self.threads[t.0 as usize];
        if th.next_sample.take().is_none() {
            return;
        }
        let rest = executed - th.last_sample;
        if let Some(r) = &mut self.samples {
            r.name_thread(t.0 as u64, &name);
            r.remainder(t.0 as u64, rest as u64);
        }
    }
    /// Ends sampling for all threads: the samples are complete.
    pub fn finish_samples(&mut self) {
        for t in 0..self.threads.len() as u32 {
            self.stop_sampling(ThreadId(t));
        }
    }
}

impl crate::threads::JavaThread {
    /// Takes the first sample `every` bytecodes from now.
    pub(crate) fn start_sampling(&mut self, every: Option<u64>) {
        self.last_sample = self.regs.ticks;
        self.next_sample = every.map(|n| self.regs.ticks + n as i64);
    }
}

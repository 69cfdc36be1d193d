//! Takes the stacks of samples, and keeps them until they are recorded.

use super::frame::Cs;
use super::stacks::{BATCH, CopiedFrame, PendingSample, SampledStack};
use crate::ids::ThreadId;
use crate::vm::Vm;
use rjvm_profiler::samples::SampleInfo;

impl Vm {
    /// Copies the control frames of the running thread that were entered since it had executed `last`
    /// bytecodes, `cs` being the top one, to `out`; how many there are below.
    pub(super) fn copy_frames(&mut self, cs: Cs, last: i64, out: &mut Vec<CopiedFrame>) -> usize {
        let bottom = self.thread().stack_bottom();
        // SAFETY: the control frames of the running thread lie between `cs` and `bottom`.
        unsafe {
            let mut frame = cs;
            // what is below a frame that was entered before is as it was then
            while frame < bottom && ((*frame).method.is_null() || (*frame).ticks >= last) {
                frame = frame.add(1);
            }
            let new = frame.offset_from(cs) as usize;
            out.extend((1..=new).map(|i| {
                let frame = frame.sub(i);
                CopiedFrame {
                    method: (*frame).method,
                    rip: (*frame).rip,
                }
            }));
            bottom.offset_from(frame) as usize
        }
    }
    /// Keeps a sample of the running thread at its bytecode `n`, `cs` being the top frame and at `bci`.
    pub(super) fn keep_sample(&mut self, cs: Cs, bci: u16, n: i64, taken: SampleInfo) {
        let last = std::mem::replace(
            &mut self.thread().sampling.stack.get_or_insert_default().at,
            n,
        );
        let mut copies = std::mem::take(&mut self.profile.waiting.copies);
        let before = copies.len();
        let unchanged = self.copy_frames(cs, last, &mut copies);
        self.profile.waiting.samples.push(PendingSample {
            taken,
            unchanged: unchanged as u32,
            copies: (copies.len() - before) as u32,
            bci,
        });
        self.profile.waiting.copies = copies;
        if self.profile.waiting.copies.len() + self.profile.waiting.samples.len() >= BATCH {
            self.settle_samples();
        }
    }
    /// Brings the samples that wait to [`Vm::samples`].
    pub fn settle_samples(&mut self) {
        let mut waiting = std::mem::take(&mut self.profile.waiting);
        let sites = self.reads_sites();
        let ret = self.code.stubs.ret;
        let mut rest = &waiting.copies[..];
        for sample in &waiting.samples {
            let (copies, others) = rest.split_at(sample.copies as usize);
            rest = others;
            let thread = &mut self.threads[sample.taken.thread as usize];
            let stack = thread.sampling.stack.get_or_insert_default();
            let top = sites.then_some(sample.bci);
            let shared = stack.update(sample.unchanged as usize, copies, top, ret);
            if let Some(r) = &mut self.profile.samples {
                // a tree of 4294967294 contexts takes no more
                let _ = r.record(&sample.taken, &stack.frames, shared);
            }
        }
        waiting.samples.clear();
        waiting.copies.clear();
        self.profile.waiting = waiting;
    }
    /// Classes are about to be unloaded: frames of their methods at the last samples are no longer there.
    pub(crate) fn forget_sampled_methods(&mut self) {
        self.settle_samples();
        let mut threads = std::mem::take(&mut self.threads);
        for t in &mut threads {
            let sampling = &mut t.sampling;
            let stacks = sampling.stack.iter_mut().chain(&mut sampling.call_stack);
            for copy in stacks.flat_map(|s| &mut s.copies) {
                // SAFETY: a method that is unloaded now, still loaded, or gone and marked so.
                let gone = copy.method != CopiedFrame::GONE
                    && unsafe { copy.method.as_ref() }.is_some_and(|m| self.is_dead(m.class));
                if gone {
                    copy.method = CopiedFrame::GONE;
                }
            }
        }
        self.threads = threads;
    }
    /// Forgets the stacks at the last samples of a thread.
    pub(crate) fn forget_stack(&mut self, t: ThreadId) {
        self.settle_samples();
        self.threads[t.0 as usize].sampling.stack = None;
    }
    /// The running thread's stack is now that with `cs` as top frame, which is at `bci`, after `n` bytecodes;
    /// how many of its frames at the root are as they were.
    pub(crate) fn update_stack(
        &mut self,
        stack: &mut SampledStack,
        cs: Cs,
        bci: u16,
        n: i64,
    ) -> usize {
        let mut copies = Vec::new();
        let last = std::mem::replace(&mut stack.at, n);
        let unchanged = self.copy_frames(cs, last, &mut copies);
        stack.update(unchanged, &copies, Some(bci), self.code.stubs.ret)
    }
}

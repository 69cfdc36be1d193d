//! The stacks of samples.
//!
//! At a sample, the control frames that are new since the thread's last one are copied as they are,
//! and nothing else: the program's code and data are in the processor's caches and branch predictors,
//! and are to stay there. What the copies mean is found out later, for many samples at once.

use super::frame::{Cs, Ip};
use crate::classes::Method;
use crate::ids::ThreadId;
use crate::vm::Vm;
use rjvm_profiler::cct::NO_SITE;
use rjvm_profiler::samples::{Frame, Taken};

/// What is copied of a control frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copied {
    /// Null for a stub.
    method: *mut Method,
    rip: Ip,
}

/// The stack at a thread's last sample.
#[derive(Clone, Debug, Default)]
pub(crate) struct SampledStack {
    /// All control frames, from the bottom.
    copies: Vec<Copied>,
    /// Those of methods.
    pub(crate) frames: Vec<Frame>,
    /// Bytecodes the thread had executed at the last sample that was taken, perhaps after this one.
    at: i64,
}

/// Samples whose stacks are copies still.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    samples: Vec<Sample>,
    copies: Vec<Copied>,
}

impl Copied {
    /// Stands for a method that has been unloaded: no frame can be of that.
    const GONE: *mut Method = std::ptr::without_provenance_mut(1);
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    taken: Taken,
    /// How many control frames at the bottom are those of the thread's sample before.
    unchanged: u32,
    /// How many more there are.
    copies: u32,
    /// Where the top one is.
    bci: u16,
}

/// How many copies and samples wait at most, more or less.
const BATCH: usize = 1 << 11;

impl Vm {
    /// Copies the control frames of the running thread that were entered since it had executed `last`
    /// bytecodes, `cs` being the top one, to `out`; how many there are below.
    pub(super) fn copy_frames(&mut self, cs: Cs, last: i64, out: &mut Vec<Copied>) -> usize {
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
                Copied {
                    method: (*frame).method,
                    rip: (*frame).rip,
                }
            }));
            bottom.offset_from(frame) as usize
        }
    }
    /// Keeps a sample of the running thread at its bytecode `n`, `cs` being the top frame and at `bci`.
    pub(super) fn keep_sample(&mut self, cs: Cs, bci: u16, n: i64, taken: Taken) {
        let last = std::mem::replace(&mut self.thread().sampling.stack.get_or_insert_default().at, n);
        let mut copies = std::mem::take(&mut self.waiting.copies);
        let before = copies.len();
        let unchanged = self.copy_frames(cs, last, &mut copies);
        self.waiting.samples.push(Sample {
            taken,
            unchanged: unchanged as u32,
            copies: (copies.len() - before) as u32,
            bci,
        });
        self.waiting.copies = copies;
        if self.waiting.copies.len() + self.waiting.samples.len() >= BATCH {
            self.settle_samples();
        }
    }
    /// Brings the samples that wait to [`Vm::samples`].
    pub fn settle_samples(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        let sites = self.reads_sites();
        let ret = self.stubs.ret;
        let mut rest = &waiting.copies[..];
        for sample in &waiting.samples {
            let (copies, others) = rest.split_at(sample.copies as usize);
            rest = others;
            let thread = &mut self.threads[sample.taken.thread as usize];
            let stack = thread.sampling.stack.get_or_insert_default();
            let top = sites.then_some(sample.bci);
            let shared = stack.update(sample.unchanged as usize, copies, top, ret);
            if let Some(r) = &mut self.samples {
                // a tree of 4294967294 contexts takes no more
                let _ = r.record(&sample.taken, &stack.frames, shared);
            }
        }
        waiting.samples.clear();
        waiting.copies.clear();
        self.waiting = waiting;
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
                let gone = copy.method != Copied::GONE
                    && unsafe { copy.method.as_ref() }.is_some_and(|m| self.is_dead(m.class));
                if gone {
                    copy.method = Copied::GONE;
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
        stack.update(unchanged, &copies, Some(bci), self.stubs.ret)
    }
}

impl SampledStack {
    /// Frames of one method are frames of another now.
    pub(super) fn replace_method(&mut self, from: *mut Method, to: *mut Method) {
        for copy in self.copies.iter_mut().filter(|c| c.method == from) {
            copy.method = to;
        }
    }
    /// Above the first `unchanged` control frames, the stack is now `copies`; how many frames at its root
    /// stay as they are. `top`: where the top one is; none if nobody asks where frames are. `ret` is the
    /// return address of frames that the VM has called.
    fn update(&mut self, unchanged: usize, copies: &[Copied], top: Option<u16>, ret: Ip) -> usize {
        let sites = top.is_some();
        let as_before = |(old, new): &(&Copied, &Copied)| {
            old.method == new.method && (!sites || old.rip == new.rip)
        };
        let old = self.copies[unchanged..].iter();
        let same = old.zip(copies).take_while(as_before).count();
        // where a frame is, the one above it tells
        let kept = unchanged + same - usize::from(sites && unchanged + same > 0);
        let of_methods = |copies: &[Copied]| copies.iter().filter(|c| !c.method.is_null()).count();
        let changed = of_methods(&self.copies[kept..]);
        self.frames.truncate(self.frames.len() - changed);
        let shared = self.frames.len();
        self.copies.truncate(unchanged + same);
        self.copies.extend_from_slice(&copies[same..]);
        // a stub stands between a frame and the native method, or the VM, that called it
        let mut upcall = kept == 0 || self.copies[kept - 1].method.is_null();
        for (i, copy) in self.copies.iter().enumerate().skip(kept) {
            // SAFETY: methods are loaded as long as they have frames.
            if let Some(method) = unsafe { copy.method.as_mut() } {
                method.in_profile = true;
                let bci = match (top, self.copies.get(i + 1)) {
                    (None, _) => NO_SITE,
                    (Some(bci), None) => u32::from(bci),
                    _ if method.is_native() => NO_SITE,
                    (_, Some(above)) => {
                        let exact = above.method.is_null() || above.rip == ret;
                        let at = method.position(above.rip, exact);
                        at.map_or(0, |p| u32::from(p.bci()))
                    }
                };
                self.frames.push(Frame {
                    method: method.original.0,
                    bci,
                    upcall,
                });
            }
            upcall = copy.method.is_null();
        }
        shared
    }
}

//! The stacks of samples.
//!
//! At a sample, the control frames that are new since the thread's last one are copied as they are,
//! and nothing else: the program's code and data are in the processor's caches and branch predictors, and must stay there. The
//! copies are decoded later, for many samples at once.

use super::frame::Ip;
use crate::classes::Method;
use rjvm_profiler::cct::NO_SITE;
use rjvm_profiler::samples::{Frame, SampleInfo};

/// The copied part of a control frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct CopiedFrame {
    /// Null for a stub.
    pub(super) method: *mut Method,
    pub(super) rip: Ip,
}

/// The stack at a thread's last sample.
#[derive(Clone, Debug, Default)]
pub(crate) struct SampledStack {
    /// All control frames, from the bottom.
    pub(super) copies: Vec<CopiedFrame>,
    /// Those of methods.
    pub(crate) frames: Vec<Frame>,
    /// Bytecodes the thread had executed at the last sample, which may have been taken after this one.
    pub(super) at: i64,
}

/// Samples whose stacks are copies still.
#[derive(Debug, Default)]
pub(crate) struct PendingSamples {
    pub(super) samples: Vec<PendingSample>,
    pub(super) copies: Vec<CopiedFrame>,
}

impl CopiedFrame {
    /// Represents a method that has been unloaded: no frame can be of that.
    pub(super) const GONE: *mut Method = std::ptr::without_provenance_mut(1);
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PendingSample {
    pub(super) taken: SampleInfo,
    /// How many control frames at the bottom are those of the thread's sample before.
    pub(super) unchanged: u32,
    /// How many more there are.
    pub(super) copies: u32,
    /// Where the top one is.
    pub(super) bci: u16,
}

/// How many copies and samples wait at most, more or less.
pub(super) const BATCH: usize = 1 << 11;

impl SampledStack {
    /// Frames of one method are frames of another now.
    pub(super) fn replace_method(&mut self, from: *mut Method, to: *mut Method) {
        for copy in self.copies.iter_mut().filter(|c| c.method == from) {
            copy.method = to;
        }
    }
    /// Above the first `unchanged` control frames, the stack is now `copies`; how many frames at its root
    /// stay as they are. `top`: where the top one is; none if the places of frames are not needed. `ret` is the
    /// return address of frames that the VM has called.
    pub(super) fn update(
        &mut self,
        unchanged: usize,
        copies: &[CopiedFrame],
        top: Option<u16>,
        ret: Ip,
    ) -> usize {
        let sites = top.is_some();
        let as_before = |(old, new): &(&CopiedFrame, &CopiedFrame)| {
            old.method == new.method && (!sites || old.rip == new.rip)
        };
        let old = self.copies[unchanged..].iter();
        let same = old.zip(copies).take_while(as_before).count();
        // where a frame is, the one above it reports
        let kept = unchanged + same - usize::from(sites && unchanged + same > 0);
        let of_methods =
            |copies: &[CopiedFrame]| copies.iter().filter(|c| !c.method.is_null()).count();
        let changed = of_methods(&self.copies[kept..]);
        self.frames.truncate(self.frames.len() - changed);
        let shared = self.frames.len();
        self.copies.truncate(unchanged + same);
        self.copies.extend_from_slice(&copies[same..]);
        // a stub is between a frame and the native method, or the VM, that called it
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

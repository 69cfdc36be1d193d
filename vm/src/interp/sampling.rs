//! Samples, and the state that says when the next one is due.

use super::stacks::SampledStack;
use crate::classes::Method;
use crate::ids::ThreadId;
use rjvm_profiler::Allocation;
use rjvm_profiler::samples::Frame;

/// Which bytecodes are counted up to the next sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SampleClock {
    /// Those of each thread on its own.
    #[default]
    Thread,
    /// Those of all threads, in the order in which they begin.
    Global,
}

/// A sample, as an [`Observer`](crate::events::Observer) receives it.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The thread.
    pub thread: ThreadId,
    /// Bytecodes the thread has executed, the one it is at included.
    pub executed: i64,
    /// How many of them since its last sample, or since it is sampled.
    pub since: i64,
    /// What the thread has allocated since then, if that is counted (`Options::allocations`).
    pub allocated: Allocation,
    /// The stack, root first; the last frame is at the bytecode that is being executed.
    pub stack: &'a [Frame],
}

/// Numbers that look random and depend on a seed alone (SplitMix64).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SplitMix(u64);

impl SplitMix {
    /// The generator of thread number `ordinal`.
    pub fn new(seed: u64, ordinal: u64) -> SplitMix {
        // one step each, so that neighbouring seeds and threads have nothing in common
        let mut of_seed = SplitMix(seed);
        SplitMix(of_seed.next() ^ SplitMix(!ordinal).next())
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// A number below `n`, all of them equally likely; 0 if there is none.
    pub fn below(&mut self, n: u64) -> u64 {
        // the high half of a product (Lemire), without the few values that would favour some results
        let unfair = n.wrapping_neg().checked_rem(n).unwrap_or(0);
        loop {
            let product = u128::from(self.next()) * u128::from(n);
            if product as u64 >= unfair {
                return (product >> 64) as u64;
            }
        }
    }
}

/// The clock of all threads together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GlobalClock {
    /// Bytecodes begun by threads that are sampled, up to the last change of threads.
    pub(super) now: i64,
    /// When the next sample is due.
    pub(super) next: i64,
    pub(super) random: SplitMix,
}

/// What a thread knows for its samples, beside the next one.
#[derive(Clone, Debug, Default)]
pub struct ThreadSampling {
    pub(super) stack: Option<Box<SampledStack>>,
    /// The stack when it last reached a bytecode that an observer requested.
    pub(crate) call_stack: Option<Box<SampledStack>>,
    /// Bytecodes of the thread up to when it is sampled.
    pub(super) start: i64,
    /// Bytecodes of the thread that the clock of all threads has seen.
    pub(super) begun: i64,
    pub(super) random: SplitMix,
    /// Objects and bytes it has allocated, up to when it last ran.
    pub(super) allocated: [u64; 2],
    /// The same at its last sample.
    pub(super) last_allocated: [u64; 2],
}

impl ThreadSampling {
    /// Frames of one method are frames of another now.
    pub(super) fn replace_method(&mut self, from: *mut Method, to: *mut Method) {
        for stack in self.stack.iter_mut().chain(&mut self.call_stack) {
            stack.replace_method(from, to);
        }
    }
}

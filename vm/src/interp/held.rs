//! What a VM holds beside heap, metadata and memory outside the heap: what there is of it is compared with its limits at
//! looks, so that nothing of it costs a bytecode anything. All of it is a function of the program, and so is where it
//! stops.

use crate::cancel::Halt;
use crate::vm::Vm;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What is known of what a VM holds.
#[derive(Default)]
pub(crate) struct Held {
    /// Bytes of translated code.
    code: Arc<AtomicUsize>,
    /// Bytes of what stays: errors that are to be thrown again, what a profile names of threads and classes that are gone.
    stays: Arc<AtomicUsize>,
    /// The VM has stopped for want of memory for contexts, and they are to be folded when it goes on.
    folds: bool,
    /// A collection was asked for, which forgets names.
    collected: bool,
}

/// Memory of a translation, or of what stays of something else, counted as long as it is there.
#[derive(Debug)]
pub(crate) struct Weight {
    all: Arc<AtomicUsize>,
    bytes: usize,
}

impl Weight {
    /// One of those that are counted there, which takes so many bytes.
    fn among(all: &Arc<AtomicUsize>, bytes: usize) -> Weight {
        all.fetch_add(bytes, Relaxed);
        Weight {
            all: all.clone(),
            bytes,
        }
    }
}

impl Drop for Weight {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Relaxed);
    }
}

impl Vm {
    /// Counts a translation of so many bytes, if there is a limit.
    pub(super) fn weigh_code(&self, bytes: usize) -> Option<Box<Weight>> {
        let limited = self.options.max_code.is_some();
        limited.then(|| Box::new(Weight::among(&self.held.code, bytes)))
    }
    /// Counts something that stays and takes so many bytes, if there is a limit. As it may have names and messages as long
    /// as strings can be, the VM looks at once whether that is too much.
    pub(crate) fn weigh_rest(&mut self, bytes: usize) -> Option<Weight> {
        let most = self.options.max_names?;
        let weight = Weight::among(&self.held.stays, bytes);
        if self.names_held() > most {
            self.request_attention();
        }
        Some(weight)
    }
    /// Bytes of names, and of what stays.
    fn names_held(&self) -> usize {
        self.syms.bytes() + self.constraint_bytes() + self.held.stays.load(Relaxed)
    }
    /// Whether the collection that is under way was asked for by the limit of names.
    pub(crate) fn forgets_names(&self) -> bool {
        self.held.collected
    }
    /// When contexts take too much memory: whether the VM stops for it. The next time they are folded.
    pub(super) fn stops_at_contexts(&mut self) -> bool {
        if !self.options.stops_at_contexts || std::mem::take(&mut self.held.folds) {
            return false;
        }
        self.held.folds = true;
        self.halted = Some(Halt::Limit("contexts"));
        true
    }
    /// At a look: whether the VM stops because it holds too much.
    pub(super) fn holds_too_much(&mut self) -> bool {
        let o = &self.options;
        let beyond = |most: Option<usize>, held: usize| most.is_some_and(|most| held > most);
        let limit = if beyond(o.max_code, self.held.code.load(Relaxed)) {
            "code"
        } else if o.max_samples.is_some()
            && beyond(
                o.max_samples,
                self.samples.as_ref().map_or(0, |s| s.bytes()),
            )
        {
            "samples"
        } else if beyond(o.max_names, self.names_held()) {
            if !std::mem::replace(&mut self.held.collected, true) {
                self.gc_requested = true;
                self.request_attention();
                return false;
            }
            self.held.collected = false;
            "names"
        } else {
            self.held.collected = false;
            return false;
        };
        self.halted = Some(Halt::Limit(limit));
        true
    }
}

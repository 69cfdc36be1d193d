//! Compares what a VM holds with its limits, and stops it there.

use super::held::HeldBytes;
use crate::cancel::Halt;
use crate::vm::Vm;
use std::sync::atomic::Ordering::Relaxed;

impl Vm {
    /// Counts a translation of so many bytes, if there is a limit.
    pub(super) fn weigh_code(&self, bytes: usize) -> Option<Box<HeldBytes>> {
        let limited = self.options.max_code.is_some();
        limited.then(|| Box::new(HeldBytes::among(&self.held.code, bytes)))
    }
    /// Counts something that stays and takes so many bytes, if there is a limit. As it may have names and messages as long
    /// as strings can be, the VM looks at once whether that is too much.
    pub(crate) fn weigh_rest(&mut self, bytes: usize) -> Option<HeldBytes> {
        let most = self.options.max_names?;
        let weight = HeldBytes::among(&self.held.stays, bytes);
        if self.names_held() > most {
            self.request_attention();
        }
        Some(weight)
    }
    /// Bytes of names, and of what stays.
    fn names_held(&self) -> usize {
        self.syms.bytes() + self.constraint_bytes() + self.held.stays.load(Relaxed)
    }
    /// Whether the collection that is under way was requested by the limit of names.
    pub(crate) fn forgets_names(&self) -> bool {
        self.held.collected
    }
    /// When contexts take too much memory: whether the VM stops for it. The next time they are folded.
    pub(super) fn stops_at_contexts(&mut self) -> bool {
        if !self.options.stops_at_contexts || std::mem::take(&mut self.held.folds) {
            return false;
        }
        self.held.folds = true;
        self.limits.halted = Some(Halt::Limit("contexts"));
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
                self.profile.samples.as_ref().map_or(0, |s| s.bytes()),
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
        self.limits.halted = Some(Halt::Limit(limit));
        true
    }
}

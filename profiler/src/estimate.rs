//! Estimated bytecodes of sampled contexts: what text for people shows.

use crate::profile::{Kind, Profile};
use std::borrow::Cow;

impl Profile {
    /// A samples profile whose contexts have their estimated bytecodes: all bytecodes their threads
    /// executed, times their share of the samples. What rounding leaves belongs to no context, so
    /// that the sum stays exact; a thread without samples has no contexts to give its bytecodes to.
    /// Exact profiles stay as they are. So do samples that count another unit: it was measured for each.
    pub fn estimated(&self) -> Cow<'_, Profile> {
        if self.kind == Kind::Exact || self.unit() != "bytecodes" {
            return Cow::Borrowed(self);
        }
        let mut profile = self.clone();
        for thread in &mut profile.threads {
            let nodes = thread.tree.nodes();
            let samples: u128 = nodes.iter().map(|n| u128::from(n.invocations)).sum();
            let executed = nodes
                .iter()
                .fold(thread.remainder, |sum, n| sum.saturating_add(n.bytecodes));
            let mut rest = executed;
            thread.tree.set_bytecodes(|node| {
                let share = u128::from(executed) * u128::from(node.invocations);
                // at most `executed`, since no context has more than all samples
                let estimate = share.checked_div(samples).unwrap_or(0) as u64;
                rest -= estimate;
                estimate
            });
            thread.remainder = rest;
        }
        Cow::Owned(profile)
    }
}

#[cfg(test)]
mod tests {
    use crate::samples::{Frame, Recorder};
    use crate::{MethodInfo, Profile};

    fn sampled(stacks: &[(&[u32], u64)], remainder: u64) -> Profile {
        let mut recorder = Recorder::new(false);
        for (methods, bytecodes) in stacks {
            let stack = methods.iter().map(|&method| Frame {
                method,
                bci: 0,
                upcall: false,
            });
            recorder.sample(1, stack, *bytecodes).unwrap();
        }
        recorder.remainder(1, remainder);
        recorder
            .profile(|id| MethodInfo::new("A", &format!("m{id}"), "()V", false, false))
            .unwrap()
    }

    #[test]
    fn the_share_of_samples_is_that_of_all_bytecodes() {
        let profile = sampled(&[(&[0], 10), (&[0, 1], 13), (&[0, 1], 11)], 6);
        let estimated = profile.estimated();
        let thread = &estimated.threads[0];
        let bytecodes: Vec<u64> = thread.tree.nodes().iter().map(|n| n.bytecodes).collect();
        assert_eq!((&*bytecodes, thread.remainder), (&[13, 26][..], 1));
        assert_eq!(estimated.totals().bytecodes, 40);
        assert_eq!(estimated.totals().invocations, 3);
    }

    #[test]
    fn without_samples_all_is_remainder() {
        let profile = sampled(&[], 1234);
        assert_eq!(*profile.estimated(), profile);
        assert_eq!(profile.totals().bytecodes, 1234);
    }
}

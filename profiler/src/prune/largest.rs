//! The contexts with most bytecodes, and how many there are of them.

use super::{ContextSource, Limits};
use crate::tree::TreeError;
use std::cmp::Reverse;

/// The largest contexts.
#[derive(Default)]
pub(super) struct Large {
    /// The bytecodes of each.
    pub sums: Vec<u64>,
    /// The frames of all of them.
    pub frames: u64,
    /// Are there others?
    pub others: bool,
    /// Are these all that are large enough?
    pub all: bool,
}

impl Large {
    /// Those with at least `least` bytecodes; with fewer, if that is not enough, down to `at`.
    pub fn find(
        all: &dyn ContextSource,
        mut least: u64,
        at: u64,
        enough: impl Fn(&Large) -> bool,
    ) -> Result<Large, TreeError> {
        loop {
            let mut found = Large::default();
            for tree in 0..all.trees() {
                all.visit(tree, &mut |context, sum, _| {
                    if sum < least {
                        found.others = true;
                        return false;
                    }
                    found.sums.push(sum);
                    found.frames = found.frames.saturating_add(context.depth as u64 + 1);
                    true
                })?;
            }
            found.all = least <= at || !found.others;
            if found.all || enough(&found) {
                return Ok(found);
            }
            least = (least / 3).max(at);
        }
    }
}

/// How many contexts there are, as far as that matters.
pub(super) struct Counted {
    /// Those that are large enough.
    pub large: u64,
    /// Are all of them, and within the limits?
    pub fit: bool,
}

impl Counted {
    /// Counts until it is known that not all fit and that `most` are large enough.
    pub fn until(
        all: &dyn ContextSource,
        at: u64,
        room: u64,
        most: u64,
        limits: &Limits,
    ) -> Result<Counted, TreeError> {
        let (mut of, mut large, mut frames) = (0u64, 0u64, 0u64);
        let fit = |of: u64, large: u64, frames: u64| {
            large == of && of <= room && limits.frames.is_none_or(|n| frames <= n)
        };
        for tree in 0..all.trees() {
            all.visit(tree, &mut |context, sum, _| {
                of += 1;
                large += u64::from(sum >= at);
                frames = frames.saturating_add(context.depth as u64 + 1);
                large < most || fit(of, large, frames)
            })?;
        }
        Ok(Counted {
            large,
            fit: fit(of, large, frames),
        })
    }
}

/// Which contexts stay: those with more bytecodes than `at`, and the first ones with as many.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub at: u64,
    pub first: u64,
}

impl Cut {
    pub const NOTHING: Cut = Cut {
        at: u64::MAX,
        first: 0,
    };

    /// Keeps so many of the sums.
    pub fn greatest(sums: &mut [u64], number: usize) -> Cut {
        let Some(last) = number.checked_sub(1) else {
            return Cut::NOTHING;
        };
        let (more, &mut at, _) = sums.select_nth_unstable_by_key(last, |&sum| Reverse(sum));
        let equal = more.iter().filter(|&&sum| sum == at).count();
        Cut {
            at,
            first: equal as u64 + 1,
        }
    }

    /// Is a context kept? Asked in the order of the profile, and once for each context whose callers stay.
    pub fn keeps(&mut self, sum: u64) -> bool {
        let first = sum == self.at && self.first > 0;
        self.first -= u64::from(first);
        first || sum > self.at
    }
}

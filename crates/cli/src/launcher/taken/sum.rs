//! The sum of what filters have made of contexts so far.

use rjvm_profiler::{MergeError, Profile};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The counts filtered so far.
#[derive(Clone, Debug, Default)]
pub struct FilteredSamples(Arc<Mutex<Sum>>);

/// The sum of it.
#[derive(Debug, Default)]
pub struct Sum {
    pub(super) profile: Option<Profile>,
    /// It is too large to be added to again and again.
    pub(super) large: bool,
}

impl FilteredSamples {
    /// The sum, for a moment.
    pub(super) fn lock(&self) -> MutexGuard<'_, Sum> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets it.
    pub fn clear(&self) {
        *self.lock() = Sum::default();
    }

    /// Has nothing been taken?
    pub fn is_none(&self) -> bool {
        let sum = self.lock();
        sum.profile.is_none()
    }

    /// A filtered profile of the counts since, and all before.
    pub fn with(&self, since: Profile) -> Result<Profile, MergeError> {
        let sum = self.lock();
        sum.with(since)
    }
}

impl Sum {
    /// A filtered profile of the counts since then, and all before.
    pub(super) fn with(&self, since: Profile) -> Result<Profile, MergeError> {
        let Some(before) = &self.profile else {
            return Ok(since);
        };
        let (about, threads) = (since.about.clone(), since.thread_count);
        // The trees of all threads are one, and its number is that of the first thread there was.
        let mut since = since;
        let id = before
            .threads
            .iter()
            .chain(&since.threads)
            .map(|t| t.id)
            .min();
        let mut before = before.clone();
        for tree in before.threads.iter_mut().chain(&mut since.threads) {
            tree.id = id.unwrap_or(0);
        }
        let mut all = Profile::merge(&[&before, &since])?;
        (all.about, all.thread_count) = (about, threads);
        Ok(all)
    }
}

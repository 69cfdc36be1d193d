//! Filters that act while the program runs: each time that contexts have taken much memory, what they counted is
//! filtered and added up, and they begin again from 0. What a filter makes of a context depends on its path
//! alone, so the sum is what it would make of all contexts at the end.

use super::config::Config;
use super::report::merges_threads;
use rjvm_profiler::{MergeError, Part, Profile};
use rjvm_run::profile::{Ready, Wanted};
use rjvm_vm::Vm;
use rjvm_vm::vm::ProfileMode;
use std::sync::{Arc, Mutex, PoisonError};

/// Memory that contexts take before they are filtered.
const STEP: usize = 64 << 20;
/// Memory of a filtered context.
const CONTEXT: u64 = 64;

/// What was filtered so far.
#[derive(Clone, Debug, Default)]
pub struct Taken(Arc<Mutex<Sum>>);

#[derive(Debug, Default)]
struct Sum {
    profile: Option<Profile>,
    /// It is too large to be added to again and again.
    large: bool,
}

/// Lets the filters act while the program runs, where they can.
pub fn start(vm: &mut Vm, config: &Config) {
    if !acts(config) {
        return;
    }
    let budget = vm.options().profile_memory;
    let config = config.clone();
    let take = move |vm: &mut Vm| config.taken.add(vm, &config, budget as u64);
    vm.take_contexts(STEP.min(budget / 2), Box::new(take));
}

/// Do they act on each context by itself, and is one tree all that is wanted? What a view adds to other methods
/// it tells in words, all at once; counts of single bytecodes are not only in the contexts.
fn acts(config: &Config) -> bool {
    matches!(
        config.vm.profile,
        ProfileMode::Exact | ProfileMode::CallSites
    ) && !config.filter.is_all()
        && config.view.part == Part::All
        && !config.vm.upcalls_to_root
        && merges_threads(config)
}

impl Taken {
    /// Adds what contexts have counted; false if it is not to be asked any more, and has not.
    fn add(&self, vm: &mut Vm, config: &Config, budget: u64) -> bool {
        let mut sum = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sum.large {
            return false;
        }
        let (contexts, _) = vm.contexts_recorded();
        let mut filtered = || {
            let ready = Ready::so_far(vm);
            let wanted = Wanted {
                scope: config.scope,
                view: config.view,
                filter: config.filter.clone(),
                ..Wanted::default()
            };
            ready.shown(vm, wanted).profile()
        };
        let Ok(filtered) = filtered() else {
            return false;
        };
        let Ok(all) = sum.with(filtered) else {
            return false;
        };
        let kept = all.totals().nodes;
        sum.large = kept > contexts / 2 || kept * CONTEXT > budget / 4;
        sum.profile = Some(all);
        true
    }

    /// Forgets it.
    pub fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Sum::default();
    }

    /// Has nothing been taken?
    pub fn is_none(&self) -> bool {
        let sum = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sum.profile.is_none()
    }

    /// A filtered profile of what was counted since, and all before.
    pub fn with(&self, since: Profile) -> Result<Profile, MergeError> {
        let sum = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sum.with(since)
    }
}

impl Sum {
    fn with(&self, since: Profile) -> Result<Profile, MergeError> {
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

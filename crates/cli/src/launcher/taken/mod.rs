//! Filters that act while the program runs: each time that contexts have taken much memory, their counts are filtered and added
//! up, and they begin again from 0. A filter's result for a context depends on its path alone, so the sum equals the filtered
//! counts of all contexts at the end.

pub mod sum;

use super::config::{Config, LaunchTask};
use super::report::merges_threads;
use super::tool::{ProgramRun, Tool, ToolFailure};
use rjvm_profiler::Part;
use rjvm_run::profile::{ProfileRequest, Ready};
use rjvm_vm::Vm;
use rjvm_vm::vm::ProfileMode;

/// Memory that contexts take before they are filtered.
const STEP: usize = 64 << 20;
/// Memory of a filtered context.
const CONTEXT: u64 = 64;

/// The filters act while the program runs, where they can.
pub struct Filters;

impl Tool for Filters {
    fn name(&self) -> &'static str {
        "the filters"
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        start(vm, &run.config);
        Ok(())
    }
}

fn start(vm: &mut Vm, config: &Config) {
    if config.task != LaunchTask::Run || !acts(config) {
        return;
    }
    let budget = vm.options().profile_memory;
    let config = config.clone();
    let take = move |vm: &mut Vm| add(vm, &config, budget as u64);
    vm.take_contexts(STEP.min(budget / 2), Box::new(take));
}

/// Do they act on each context by itself, and is one tree all that is wanted? What a view adds to other methods
/// it reports in words, all at once; counts of single bytecodes are not only in the contexts.
fn acts(config: &Config) -> bool {
    matches!(
        config.vm.profile,
        ProfileMode::Exact | ProfileMode::CallSites
    ) && !config.filter.is_all()
        && config.view.part == Part::All
        && !config.vm.upcalls_to_root
        && merges_threads(config)
}

/// Adds what contexts have counted; false if it is not to be asked any more, and has not.
fn add(vm: &mut Vm, config: &Config, budget: u64) -> bool {
    let mut sum = config.taken.lock();
    if sum.large {
        return false;
    }
    let (contexts, _) = vm.contexts_recorded();
    let mut filtered = || {
        let ready = Ready::so_far(vm);
        let wanted = ProfileRequest {
            scope: config.scope,
            view: config.view,
            filter: config.filter.clone(),
            ..ProfileRequest::default()
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

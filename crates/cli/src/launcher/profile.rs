//! The profile of a run, of what it executes or of what its threads lose to each other.

use super::config::{Config, LaunchTask};
use super::tool::{ProgramRun, Tool, ToolFailure};
use super::{locks, report, watch};
use crate::locks::LockProfiler;
use crate::messages;
use rjvm_vm::Vm;
use rjvm_vm::vm::ProfileMode;

/// The profile that the options ask for.
#[derive(Default)]
pub struct Profiled {
    locks: Option<LockProfiler>,
}

impl Tool for Profiled {
    fn name(&self) -> &'static str {
        "the profile"
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        self.locks = locks::start(vm, &run.config, run.is_taped());
        Ok(())
    }
    fn finish(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> bool {
        if run.config.task != LaunchTask::Run {
            return true;
        }
        let mut config = run.config.clone();
        let profiled = config.profiles() || switched_on(vm, &mut config);
        // these have reports of their own
        if !profiled || config.why.is_some() || config.search.is_some() {
            return true;
        }
        if !run.tape.is_replay() {
            watch::writing(vm, &config);
        }
        let good = match &self.locks {
            Some(locks) => locks::report(vm, &config, locks),
            None => report::report(vm, &config),
        };
        watch::written(&config);
        good
    }
}

/// Whether the profile that `-o` is for was switched on from outside while the program ran.
fn switched_on(vm: &Vm, config: &mut Config) -> bool {
    if config.serve.is_none() || config.outputs.is_empty() {
        return false;
    }
    if vm.switches_of_contexts() == 0 {
        messages::warning(&"rjvm writes no profile: it was never started");
        return false;
    }
    config.vm.profile = vm.switchable_contexts();
    config.view.call_sites |= config.vm.profile == ProfileMode::CallSites;
    true
}

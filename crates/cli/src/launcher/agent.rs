//! `--agent`: a profiling agent in Java, in a separate VM beside the program's.

use super::config::{Config, LaunchTask};
use super::tool::{ProgramRun, Tool, ToolFailure, finished};
use crate::agent::java::JavaAgent;
use rjvm_run::assembly::Assembly;
use rjvm_vm::Vm;
use rjvm_vm::boot::InstalledJdk;
use rjvm_vm::events::ObserverId;
use rjvm_vm::vm::ProfileMode;

/// The agent that the options name.
#[derive(Default)]
pub struct Agent {
    agent: Option<JavaAgent>,
    observers: Vec<ObserverId>,
}

impl Tool for Agent {
    fn name(&self) -> &'static str {
        "the agent"
    }
    fn assemble(
        &mut self,
        config: &Config,
        _: &InstalledJdk,
        assembly: &mut Assembly,
    ) -> Result<(), ToolFailure> {
        let class = config.agent.as_ref();
        let Some(class) = class.filter(|_| config.task == LaunchTask::Run) else {
            return Ok(());
        };
        let agent = JavaAgent::start_with(class, &config.of_agent(), assembly.natives.clone())?;
        let mode = &mut assembly.options.profile;
        if *mode == ProfileMode::Off && agent.is_profiler() && !config.window.begins_later() {
            *mode = ProfileMode::Exact;
        }
        self.agent = Some(agent);
        Ok(())
    }
    fn start(&mut self, vm: &mut Vm, _: &mut ProgramRun) -> Result<(), ToolFailure> {
        if let Some(agent) = &self.agent {
            let observers = agent.observers().into_iter();
            self.observers = observers.map(|o| vm.observe(o)).collect();
            agent.place_instruments(vm);
        }
        Ok(())
    }
    fn finish(&mut self, vm: &mut Vm, _: &mut ProgramRun) -> bool {
        let Some(agent) = self.agent.take() else {
            return true;
        };
        // an agent that breaks does not change the program's exit code
        finished(self.name(), || {
            for id in self.observers.drain(..) {
                vm.remove_observer(id);
            }
            agent.finish();
            true
        });
        true
    }
}

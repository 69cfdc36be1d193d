//! `-agentlib:jdwp`, `-Xrunjdwp`: a debugger may attach, by the protocol JDWP.

use super::config::{Config, LaunchTask};
use super::option::OptionProblem;
use super::tool::{ProgramRun, Tool, ToolFailure};
use rjvm_debug::jdwp::{Agent, Options};
use rjvm_run::assembly::Assembly;
use rjvm_vm::boot::InstalledJdk;
use rjvm_vm::vm::TierMode;
use rjvm_vm::{ThreadId, Vm};

/// By which the VM keeps the agent.
const AGENT: &str = "debugger";

/// `-agentlib:jdwp`, `-Xrunjdwp`
pub fn set(config: &mut Config, text: &str) -> Result<(), OptionProblem> {
    let options = Options::parse(text).map_err(|why| OptionProblem::Own(why.to_string()))?;
    if options.help {
        config.task = LaunchTask::DebuggerHelp;
    }
    config.debugger = Some(options);
    Ok(())
}

/// A contradiction among the options.
pub fn contradiction(config: &Config) -> Option<String> {
    let debugged = config.debugger.is_some() && config.runs();
    (debugged && config.explorable).then(|| "-agentlib:jdwp can't be used with --explorable".into())
}

/// The agent, if you request it.
pub struct Attachable;

impl Attachable {
    fn options(config: &Config) -> Option<&Options> {
        config.debugger.as_ref().filter(|_| config.runs())
    }
}

impl Tool for Attachable {
    fn name(&self) -> &'static str {
        "the debugger"
    }
    fn assemble(
        &mut self,
        config: &Config,
        _: &InstalledJdk,
        assembly: &mut Assembly,
    ) -> Result<(), ToolFailure> {
        if Attachable::options(config).is_some() {
            assembly.options.debuggable = true;
            assembly.options.tier = TierMode::Off;
        }
        Ok(())
    }
    fn start(&mut self, vm: &mut Vm, run: &mut ProgramRun) -> Result<(), ToolFailure> {
        if let Some(options) = Attachable::options(&run.config) {
            let agent = Agent::install(vm, options.clone());
            vm.extensions().insert(AGENT, Box::new(agent));
        }
        Ok(())
    }
    fn finish(&mut self, vm: &mut Vm, _: &mut ProgramRun) -> bool {
        if let Some(agent) = agent(vm) {
            agent.end(vm);
        }
        true
    }
}

fn agent(vm: &mut Vm) -> Option<Agent> {
    vm.extensions().get(AGENT)?.downcast_ref::<Agent>().cloned()
}

/// Where a debugger can attach, as HotSpot's agent names it; none if nowhere.
pub fn listener_address(vm: &mut Vm) -> Option<String> {
    let port = agent(vm)?.port()?;
    Some(format!("dt_socket:{port}"))
}

/// The class library is up, and the program is about to begin in this thread.
pub fn begin(vm: &mut Vm, main: ThreadId) {
    if let Some(agent) = agent(vm) {
        agent.begin(vm, main);
    }
}

//! Java agents of the command line (`-javaagent:`), in `java`'s steps and words: all jars are looked at before the VM
//! starts, then all join the class path, then each agent is called before the program. Agents that are machine code
//! (`-agentlib:`, `-agentpath:`) are refused in the same order.

use super::complaints::{complain, print};
use super::config::{Config, Stream};
use super::refusal::Refusal;
use super::settings::agents::{AgentOption, Native};
use rjvm_jdk_stubs::sun_instrument::manifest::{self, AgentRole};
use rjvm_vm::classes::AgentStart;
use rjvm_vm::startup::CallStop;
use rjvm_vm::{ThreadId, Vm};

/// The exit code of a process that ends itself by SIGABRT, as a shell has it.
const ABORTED: i32 = 134;

/// Has the boot loader look where the agents want it to.
pub fn prepare(config: &mut Config) {
    for agent in &config.agents {
        if let AgentOption::Java(jar, _) = agent
            && let Ok(start) = manifest::read(jar, AgentRole::Start)
        {
            config.vm.boot_append.extend(start.boot_class_path);
        }
    }
}

/// The message about a library that cannot be loaded.
fn not_loaded(kind: Native, name: &str) -> String {
    let (file, place) = match kind {
        Native::Name => (format!("lib{name}.so"), "on the library path"),
        Native::Path => (name.to_owned(), "in absolute path"),
    };
    let why = match kind == Native::Path && std::path::Path::new(name).exists() {
        true => "agents that are machine code are not supported",
        false => "cannot open shared object file: No such file or directory",
    };
    format!("Could not find agent library {name} {place}, with error: {file}: {why}")
}

/// The agents to be started. `Err`: the VM cannot be; it has been said why.
pub fn look(config: &Config, feature: u32) -> Result<Vec<AgentStart>, i32> {
    let refused = |line: String| {
        complain(&Refusal::Init(line));
        Err(1)
    };
    let mut starts = Vec::new();
    for agent in &config.agents {
        let (jar, options) = match agent {
            AgentOption::Java(jar, options) => (jar, options),
            AgentOption::Native(kind, name) => return refused(not_loaded(*kind, name)),
        };
        let mut start = match manifest::read(jar, AgentRole::Start) {
            Ok(start) => start,
            Err(why) => {
                eprintln!("{why}");
                let failed = match feature {
                    ..21 => "failed to init",
                    _ => "failed Agent_OnLoad",
                };
                return refused(format!("agent library {failed}: instrument"));
            }
        };
        // it has been seen to already
        start.boot_class_path.clear();
        start.options.clone_from(options);
        start.reports = Some("main");
        starts.push(start);
    }
    Ok(starts)
}

/// Starts them one after the other.
pub fn start(vm: &mut Vm, t: ThreadId, starts: Vec<AgentStart>) -> Result<(), CallStop> {
    let mut agents = Vec::new();
    for start in starts {
        let (agent, join) = vm.agent_joiner(start);
        vm.run_on(t, join)?;
        agents.push(agent);
    }
    for agent in agents {
        let call = vm.agent_caller(agent);
        if let Err(stop) = vm.run_on(t, call) {
            let CallStop::Threw(_) = stop else {
                return Err(stop);
            };
            let text = "FATAL ERROR in native method: processing of -javaagent failed, processJavaStart failed\n";
            print(Stream::Out, text);
            return Err(CallStop::Exit(ABORTED));
        }
    }
    Ok(())
}

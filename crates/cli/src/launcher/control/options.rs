//! Options for those who ask from outside: the management agent, the page.

use crate::launcher::config::Config;
use crate::launcher::option::OptionProblem;
use crate::launcher::values::number;

/// The module of the management agent.
pub const AGENT_MODULE: &str = "jdk.management.agent";

/// A property says that the agent starts with the VM.
pub fn want_agent(c: &mut Config) {
    if !std::mem::replace(&mut c.management, true) {
        c.numbered("jdk.module.addmods", AGENT_MODULE);
    }
}

/// `--serve`
pub fn set_serve(c: &mut Config, text: &str) -> Result<(), OptionProblem> {
    c.serve = Some(match text {
        "" => 0,
        port => number("--serve", port, 0, u16::MAX.into())? as u16,
    });
    Ok(())
}

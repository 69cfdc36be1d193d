//! The options that name agents.

use super::config::Config;
use super::option::OptionProblem;
use super::settings::agents::{AgentOption, Native};

/// `-javaagent:jar[=options]`
pub fn add(c: &mut Config, v: &str) -> Result<(), OptionProblem> {
    let (jar, options) = match v.split_once('=') {
        Some((jar, options)) => (jar, Some(options.to_owned())),
        None => (v, None),
    };
    c.agents.push(AgentOption::Java(jar.to_owned(), options));
    c.numbered("jdk.module.addmods", "java.instrument");
    Ok(())
}

/// `-agentlib:name[=options]`, `-agentpath:path[=options]`
pub fn add_native(c: &mut Config, kind: Native, v: &str) -> Result<(), OptionProblem> {
    let name = v.split_once('=').map_or(v, |p| p.0);
    c.agents.push(AgentOption::Native(kind, name.to_owned()));
    Ok(())
}

//! An agent that is to be started.

use super::Permits;

/// Which method of an agent is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AgentEntry {
    /// `premain`
    Premain,
    /// `agentmain`
    Agentmain,
}

/// An agent that is started.
#[derive(Clone, Debug)]
pub struct AgentStart {
    /// The jar, as it was named.
    pub jar: String,
    /// Its class, with dots.
    pub class: String,
    /// Its options.
    pub options: Option<String>,
    /// What it may do.
    pub permits: Permits,
    /// Which of its methods is called.
    pub entry: AgentEntry,
    /// Whether the jar joins the class path of the system class loader.
    pub join_class_path: bool,
    /// Jars and folders that the boot loader looks into, too.
    pub boot_class_path: Vec<String>,
    /// Whether the user is warned.
    pub warns: bool,
    /// The name of the thread in reports of the agent's exceptions, before they are thrown on.
    pub reports: Option<&'static str>,
}

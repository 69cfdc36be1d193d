//! Agents that the command line asks for: Java's, and those in machine code.

/// An agent that the command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentOption {
    /// A jar, and the argument of its agent.
    Java(String, Option<String>),
    /// A library by its name, or by its path.
    Native(Native, String),
}

/// How a library is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Native {
    /// `-agentlib:`
    Name,
    /// `-agentpath:`
    Path,
}

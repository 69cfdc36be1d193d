//! What an agent asks for: instruments.

use rjvm_profiler::Pattern;

/// What an agent asks for.
pub enum AgentRequest {
    /// This is to be placed.
    Place(AgentInstrument),
    /// The instrument with this number is to be removed.
    Remove(i32),
}

/// An instrument of an agent.
pub struct AgentInstrument {
    pub number: i32,
    /// 0: at blocks; 1 before, 2 after, 3 around methods.
    pub strategy: i32,
    pub classes: Vec<Pattern>,
    pub method: String,
}

impl AgentRequest {
    /// `None`: the pattern is none.
    pub fn place(
        number: i32,
        strategy: i32,
        classes: &str,
        method: String,
    ) -> Option<AgentRequest> {
        let classes = Pattern::list(classes).ok()?;
        Some(AgentRequest::Place(AgentInstrument {
            number,
            strategy,
            classes,
            method,
        }))
    }
}

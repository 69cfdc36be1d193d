//! What options have set for single tools. The tools act on it; nothing here knows them, or the rest of the command line.

pub mod agents;
pub mod places;
pub mod probes;
pub mod search;
pub mod why;
pub mod window;

//! Questions that probes answer.

use rjvm_probes::{Limits, Source};
use std::path::PathBuf;

/// The requested probes, and where their results go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProbeSettings {
    /// The probes as they were written.
    pub sources: Vec<Source>,
    /// Files for the answers.
    pub outputs: Vec<PathBuf>,
    /// What they may take.
    pub limits: Limits,
}

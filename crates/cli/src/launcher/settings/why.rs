//! What `rjvm why` is asked for.

/// What is asked for.
#[derive(Clone, Debug)]
pub struct WhySettings {
    /// Files for the report.
    pub outputs: Vec<String>,
    /// Causes in a text.
    pub top: usize,
}
